package requirement

import "cmp"
import "slices"

// A name that one branch needs if a condition holds, and another branch if it
// does not, is needed either way. The arms of a single branch show that when
// they are joined; for arms of different branches it is found here, at the
// end of a round.

// guard says that every success in which a condition has a truth needs name.
type guard struct {
	on    condition
	holds bool
	name  nameID
}

// condition is the truth of a symbol, or its being equal to a text.
type condition struct {
	sym symID
	eq  bool
	str string
}

// guard notes what an arm needs that is taken when v has the given truth. Only
// branches that every success reaches count.
func (a *analysis) guard(f *fork, m arm, v value, truth bool) {
	if f.maybe != 0 || a.dry > 0 || m.failed || v.sym == 0 {
		return
	}
	for _, n := range a.must[m.must:m.mustEnd] {
		a.addGuard(v.sym, truth, n)
	}
}

func (a *analysis) addGuard(id symID, truth bool, n nameID) {
	on, holds := a.condition(id, truth)
	a.guards = append(a.guards, guard{on, holds, n})
	if on.eq {
		return
	}
	// Each operand that decides an or (and) brings the name in by itself.
	if p := a.detailOf(on.sym).pred; p.op == predOr && holds != p.negate || p.op == predAnd && holds == p.negate {
		a.addGuard(p.a, p.op == predOr, n)
		a.addGuard(p.b, p.op == predOr, n)
	}
}

// condition reduces the truth of a symbol to that of what decides it.
func (a *analysis) condition(id symID, truth bool) (condition, bool) {
	for {
		p := a.detailOf(id).pred
		switch {
		case p.op == predTrue:
			id, truth = p.a, truth != p.negate
		case p.op == predEq && len(p.set) == 1 && p.set[0] == "":
			id, truth = p.a, truth == p.negate
		case p.op == predEq && len(p.set) == 1:
			return condition{sym: p.a, eq: true, str: p.set[0]}, truth != p.negate
		default:
			return condition{sym: id}, truth
		}
	}
}

// settleGuards makes the names certain that are needed either way.
func (a *analysis) settleGuards() {
	if len(a.guards) < 2 {
		return
	}
	slices.SortFunc(a.guards, func(x, y guard) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.on.sym, y.on.sym), cmp.Compare(x.on.str, y.on.str))
	})
	for i, g := range a.guards[1:] {
		if prev := a.guards[i]; prev.name == g.name && prev.on == g.on && prev.holds != g.holds {
			a.certain[g.name] = true
		}
	}
}
