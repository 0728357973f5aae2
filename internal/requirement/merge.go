package requirement

// This file makes one value of two, where either may be meant.

// merge is the value of something that is x or y as the case may be. cond,
// if it is a symbol, is true exactly when it is x.
func (a *analysis) merge(x, y value, cond value, why cause) value {
	if x == y {
		return x
	}
	s := symbol{
		kind:    x.kind,
		sized:   a.sized(x) && a.sized(y),
		stable:  a.stable(x) && a.stable(y),
		mayRoot: a.mayBeRoot(x) || a.mayBeRoot(y),
		causes:  a.union(why, a.union(a.causesOf(x), a.causesOf(y))),
	}
	if x.kind != y.kind || x.kind == kRoot {
		s.kind = kAny
		s.rootOnly = a.rootOrPlain(x) && a.rootOrPlain(y)
	}
	if s.causes == 0 {
		s.causes = a.opaque()
	}
	var d detail
	tx, ty := a.truth(x), a.truth(y)
	switch {
	case tx == unknown || ty == unknown:
	case tx == ty:
		s.truth = tx
	case cond.sym != 0:
		d.pred = predOn(cond.sym, tx == no)
	}
	if s.kind == kString {
		d.set = a.uniteValues(x, y)
		d.prefix = commonPrefix(a.prefixOf(x), a.prefixOf(y))
		d.suffix = commonSuffix(a.suffixOf(x), a.suffixOf(y))
	}
	return a.newDetailed(s, d)
}

// mergePaths is merge for values of two paths that are not the current one,
// or not both: what the current path has learned says nothing about them.
func (a *analysis) mergePaths(x, y value) value {
	why := a.maybe
	if why == 0 {
		why = a.opaque()
	}
	a.blind = true
	v := a.merge(x, y, value{}, why)
	a.blind = false
	return v
}

// stable reports whether nothing can change the truth of v: it is no map.
func (a *analysis) stable(v value) bool {
	return v.kind != kAny && v.kind != kRoot || v.sym != 0 && a.symbols[v.sym].stable
}

// rootOrPlain reports whether v, unless it is the map of variables, has no
// fields.
func (a *analysis) rootOrPlain(v value) bool {
	return v.kind != kAny || v.sym != 0 && a.symbols[v.sym].rootOnly
}

func (a *analysis) uniteValues(x, y value) []string {
	xs, ys := a.candidatesOf(x), a.candidatesOf(y)
	if xs == nil || ys == nil {
		return nil
	}
	return unite(xs, ys)
}

// candidatesOf lists the strings v can be, or nil if there is no such list.
func (a *analysis) candidatesOf(v value) []string {
	switch {
	case v.kind != kString:
		return nil
	case v.sym == 0:
		return []string{v.str}
	}
	return a.candidates(v.sym)
}

// prefixOf returns what a string certainly begins with.
func (a *analysis) prefixOf(v value) string {
	switch {
	case v.kind != kString:
		return ""
	case v.sym == 0:
		return v.str
	}
	return a.detailOf(v.sym).prefix
}

// suffixOf returns what a string certainly ends with.
func (a *analysis) suffixOf(v value) string {
	switch {
	case v.kind != kString:
		return ""
	case v.sym == 0:
		return v.str
	}
	return a.detailOf(v.sym).suffix
}

func commonSuffix(x, y string) string {
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return x[len(x)-n:]
}

func commonPrefix(x, y string) string {
	n := min(len(x), len(y))
	for i := range n {
		if x[i] != y[i] {
			return x[:i]
		}
	}
	return x[:n]
}

// predOn is a predicate that holds when the symbol is true, or false.
func predOn(id symID, negate bool) pred { return pred{op: predTrue, a: id, negate: negate} }
