package requirement

import (
	"slices"
	"strings"
)

// This file asks what is known of a value where the path stands.

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

// successCandidates lists what a string is in every execution that gets here
// and succeeds, or nil if there is no such list.
func (a *analysis) successCandidates(v value) []string {
	if !a.haveSure || v.sym == 0 {
		return nil
	}
	a.useSure = true
	set := a.candidatesOf(v)
	a.useSure = false
	return set
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
