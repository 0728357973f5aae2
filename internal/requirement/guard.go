package requirement

import (
	"cmp"
	"slices"
	"strings"
)

// A name that one branch needs if a condition holds, and another branch if it
// does not, is needed either way. The arms of a single branch show that when
// they are joined; for arms of different branches it is found here, at the
// end of a round.

// guard says that every success needs name in which a subject has a value
// from a set: all values but one, or that one alone.
type guard struct {
	subject
	but   bool   // all values but value
	value string // "" stands for everything false
	name  nameID
}

// subject is what conditions are about: a symbol, or an or (and) of two.
type subject struct {
	a, b symID
	op   predOp
}

// guard notes what an arm needs that is taken when v has the given truth. Only
// branches that every success reaches count.
func (a *analysis) guard(f *fork, m arm, v value, truth bool) {
	if v.kind == kRoot && !a.escaped {
		v.sym = a.rootSymbol()
	}
	if f.maybe != 0 || a.dry > 0 || m.failed || v.sym == 0 {
		return
	}
	for _, n := range a.must[m.must:m.mustEnd] {
		a.addGuard(v.sym, truth, n)
	}
}

// addGuard reduces the truth of a symbol to that of what decides it.
func (a *analysis) addGuard(id symID, truth bool, n nameID) {
	if a.symbols[id].loose {
		return
	}
	p := a.detailOf(id).pred
	holds := truth != p.negate
	switch {
	case p.op == predTrue:
		a.addGuard(p.a, holds, n)
	case p.op == predEq && len(p.set) == 1:
		a.guards = append(a.guards, guard{subject{a: p.a}, !holds, p.set[0], n})
	case p.op == predOnly && !holds:
		a.addGuard(p.a, false, n)
	case p.op == predAnd || p.op == predOr:
		a.guards = append(a.guards, guard{subject{p.a, p.b, p.op}, holds, "", n})
		// Each operand that decides by itself brings the name in.
		if decides := p.op == predOr; holds == decides {
			a.addGuard(p.a, decides, n)
			a.addGuard(p.b, decides, n)
		}
	default:
		a.guards = append(a.guards, guard{subject{a: id}, truth, "", n})
	}
}

// settleGuards makes the names certain that are needed whatever the value of
// a subject is: by two sets that lack different values, or by one that lacks
// a value and the set of just that.
func (a *analysis) settleGuards() {
	if len(a.guards) < 2 {
		return
	}
	slices.SortFunc(a.guards, compareGuards)
	for i, g := range a.guards {
		if !g.but || a.certain[g.name] {
			continue
		}
		// Those that lack a value come first among the guards of a subject.
		for _, h := range a.guards[i+1:] {
			if h.name != g.name || h.subject != g.subject {
				break
			}
			if h.but != (h.value == g.value) {
				a.certain[g.name] = true
				break
			}
		}
	}
}

func compareGuards(x, y guard) int {
	return cmp.Or(
		cmp.Compare(x.name, y.name), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.op, y.op),
		compareBool(y.but, x.but), strings.Compare(x.value, y.value))
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}
