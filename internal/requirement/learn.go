package requirement

import (
	"slices"
	"strings"
)

// truth says whether v is true where the path stands.
func (a *analysis) truth(v value) tri {
	switch {
	case v.sym != 0:
		return a.symbolTruth(v.sym)
	case v.kind == kRoot:
		return a.rootTruth()
	}
	return triOf(v.constTruth())
}

// rootTruth says whether the caller has variables at all. Those supplied and
// those that the path has needed are there; a completion may add others.
func (a *analysis) rootTruth() tri {
	if a.escaped {
		return unknown
	}
	if len(a.query.Vars) > 0 || a.assumeNonZero || a.hasVariables {
		return yes
	}
	if a.rootSym != 0 {
		if t := a.symbolTruth(a.rootSym); t != unknown {
			return t
		}
	}
	a.rootAsked = true
	a.look()
	return unknown
}

// rootSymbol stands for whether the caller has any variables.
func (a *analysis) rootSymbol() symID {
	if a.rootSym == 0 {
		a.rootSym = a.unknownOf(kBool, a.someVariable()).sym
	}
	return a.rootSym
}

// noVariables reports whether the path has learned that there is none.
func (a *analysis) noVariables() bool {
	return a.rootSym != 0 && !a.escaped && a.symbolTruth(a.rootSym) == no
}

// look notes that the path depends on which absent variables stay absent.
func (a *analysis) look() {
	a.asked = true
	a.units[a.unit].looked = true
}

// successTruth says whether v is true in every execution that gets here and
// succeeds: a branch that only failing executions take is no branch for them.
func (a *analysis) successTruth(v value) tri {
	if v.sym == 0 || !a.haveSure {
		return unknown
	}
	a.useSure = true
	t := a.symbolTruth(v.sym)
	a.useSure = false
	return t
}

// factOf is what is known of a symbol where the path stands.
func (a *analysis) factOf(s *symbol) fact {
	if a.blind {
		return fact{}
	}
	if a.useSure && s.sure != 0 {
		return meet(a.facts[s.fact], a.facts[s.sure])
	}
	return a.facts[s.fact]
}

func (a *analysis) symbolTruth(id symID) tri {
	s := &a.symbols[id]
	if s.truth != unknown {
		return s.truth
	}
	f := a.factOf(s)
	if f.truth != unknown {
		return f.truth
	}
	d := &a.details[s.detail]
	if s.kind == kString {
		if t := setTruth(d, f); t != unknown {
			return t
		}
	}
	return a.predTruth(d.pred)
}

func setTruth(d *detail, f fact) tri {
	if d.prefix != "" || d.suffix != "" || slices.Contains(f.not, "") {
		return yes
	}
	set := candidatesWith(d, f)
	if len(set) == 0 {
		return unknown
	}
	return quantify(set, func(v string) bool { return v != "" })
}

// candidates lists what a string can be, or nil if there is no such list.
func (a *analysis) candidates(id symID) []string {
	return candidatesWith(a.detailOf(id), a.factOf(&a.symbols[id]))
}

func candidatesWith(d *detail, f fact) []string {
	if f.set != nil {
		return f.set
	}
	return d.set
}

func (a *analysis) predTruth(p pred) tri {
	t := unknown
	switch p.op {
	case predNone:
		return unknown
	case predTrue:
		t = a.symbolTruth(p.a)
	case predEq:
		t = a.isOneOf(p.a, p.set)
	case predAnd:
		t = and(a.symbolTruth(p.a), a.symbolTruth(p.b))
	case predOnly:
		if t = no; a.symbolTruth(p.a) != no {
			return unknown
		}
	case predOr:
		t = and(a.symbolTruth(p.a).not(), a.symbolTruth(p.b).not()).not()
	}
	if p.negate {
		return t.not()
	}
	return t
}

func and(x, y tri) tri {
	switch {
	case x == no || y == no:
		return no
	case x == yes && y == yes:
		return yes
	}
	return unknown
}

// isOneOf says whether the string symbol equals one of set.
func (a *analysis) isOneOf(id symID, set []string) tri {
	f := a.factOf(&a.symbols[id])
	if list := candidatesWith(a.detailOf(id), f); list != nil {
		return quantify(list, func(v string) bool { return slices.Contains(set, v) })
	}
	for _, v := range set {
		if a.canBe(id, f, v) {
			return unknown
		}
	}
	return no
}

// canBe reports whether a string symbol without candidates may be v.
func (a *analysis) canBe(id symID, f fact, v string) bool {
	d := a.detailOf(id)
	if slices.Contains(f.not, v) || !strings.HasPrefix(v, d.prefix) || !strings.HasSuffix(v, d.suffix) {
		return false
	}
	return v != "" || a.symbols[id].truth != yes && f.truth != yes
}

// quantify returns yes if all of list satisfy is, no if none does.
func quantify(list []string, is func(string) bool) tri {
	first := triOf(is(list[0]))
	for _, v := range list[1:] {
		if triOf(is(v)) != first {
			return unknown
		}
	}
	return first
}

// learn notes that v is true, or false, from here on.
func (a *analysis) learn(v value, truth bool) {
	if v.kind == kRoot && !a.escaped {
		a.learn(value{kind: kBool, sym: a.rootSymbol()}, truth)
		return
	}
	if v.sym != 0 && a.symbolTruth(v.sym) == unknown {
		a.learnSymbol(v.sym, truth)
	}
}

func (a *analysis) learnSymbol(id symID, truth bool) {
	f := a.facts[a.symbols[id].fact]
	f.truth = triOf(truth)
	p := a.detailOf(id).pred
	if a.symbols[id].kind == kString {
		f = narrow(f, a.candidates(id), func(v string) bool { return (v != "") == truth })
		if truth {
			f.not = exclude(f.not, "")
		} else {
			f.set = onlyEmpty
		}
	}
	a.learnFact(id, f)
	a.learnPred(p, truth)
}

func (a *analysis) learnPred(p pred, truth bool) {
	holds := truth != p.negate
	switch p.op {
	case predTrue:
		a.learn(value{sym: p.a}, holds)
	case predEq:
		a.learnEq(p.a, p.set, holds)
	case predAnd:
		if holds {
			a.learn(value{sym: p.a}, true)
			a.learn(value{sym: p.b}, true)
		}
	case predOnly:
		if holds {
			a.learn(value{sym: p.a}, true)
		}
	case predOr:
		if !holds {
			a.learn(value{sym: p.a}, false)
			a.learn(value{sym: p.b}, false)
		}
	}
}

// learnEq notes that a string is one of set, or none of them.
func (a *analysis) learnEq(id symID, set []string, holds bool) {
	f := a.facts[a.symbols[id].fact]
	list := a.candidates(id)
	switch {
	case list != nil:
		f = narrow(f, list, func(v string) bool { return slices.Contains(set, v) == holds })
	case holds:
		possible := make([]string, 0, len(set))
		for _, v := range set {
			if a.canBe(id, f, v) {
				possible = append(possible, v)
			}
		}
		if len(possible) > 0 {
			f.set = possible
		}
	default:
		for _, v := range set {
			f.not = exclude(f.not, v)
		}
	}
	a.learnFact(id, f)
}

// narrow keeps the candidates that satisfy keep. If none does, the path is
// not taken by anybody, and what is believed on it does not matter.
func narrow(f fact, list []string, keep func(string) bool) fact {
	if list == nil {
		return f
	}
	kept := make([]string, 0, len(list))
	for _, v := range list {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	if len(kept) > 0 {
		f.set = kept
	}
	return f
}

// onlyEmpty is the list of the empty text, which most branches teach.
var onlyEmpty = []string{""}

func exclude(not []string, v string) []string {
	if not == nil && v == "" {
		return onlyEmpty
	}
	if len(not) >= maxNot || slices.Contains(not, v) {
		return not
	}
	return append(not[:len(not):len(not)], v)
}

// joinFact keeps what two facts about one symbol have in common.
func joinFact(x, y fact) fact {
	var f fact
	if x.truth == y.truth {
		f.truth = x.truth
	}
	if x.set != nil && y.set != nil {
		f.set = unite(x.set, y.set)
	}
	for _, v := range x.not {
		if slices.Contains(y.not, v) || y.set != nil && !slices.Contains(y.set, v) {
			f.not = append(f.not, v)
		}
	}
	for _, v := range y.not {
		if x.set != nil && !slices.Contains(x.set, v) && !slices.Contains(f.not, v) {
			f.not = append(f.not, v)
		}
	}
	return f
}

// unite returns the union of two lists of candidates, or nil if it is too
// long to be worth keeping.
func unite(x, y []string) []string {
	u := slices.Clone(x)
	for _, v := range y {
		if !slices.Contains(u, v) {
			u = append(u, v)
		}
	}
	if len(u) > maxSet {
		return nil
	}
	return u
}

// resolve replaces a symbol by the constant that the path knows it to be.
func (a *analysis) resolve(v value) value {
	if v.sym == 0 {
		return v
	}
	switch v.kind {
	case kString:
		if set := a.candidates(v.sym); len(set) == 1 {
			return stringValue(set[0])
		}
	case kBool:
		if t := a.symbolTruth(v.sym); t != unknown {
			return boolValue(t == yes)
		}
	}
	return v
}

// merge is the value of something that is x or y as the case may be. cond,
// if it is a symbol, is true exactly when it is x.
func (a *analysis) merge(x, y value, cond value, why cause) value {
	if x == y {
		return x
	}
	s := symbol{
		kind:    x.kind,
		merged:  true,
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
