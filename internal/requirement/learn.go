package requirement

import (
	"slices"
)

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
	if a.symbols[id].loose {
		return
	}
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
