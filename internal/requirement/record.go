package requirement

import "slices"

// This file keeps what the walk finds. On an arm of an undecided branch a use
// is logged first: if the arm turns out to fail, none of its uses happens in
// an execution that succeeds.

// use records that the current place reads name at an occurrence.
func (a *analysis) use(o int32, n nameID) {
	a.log(useEntry{occ: o, name: n, cause: a.maybe})
}

// useOneOf records a use that reads name if a computation gives it.
func (a *analysis) useOneOf(o int32, n nameID, c cause) {
	a.log(useEntry{occ: o, name: n, cause: a.union(a.maybe, c), oneOf: true})
}

func (a *analysis) log(u useEntry) {
	if a.dry > 0 {
		return
	}
	u.state = occPossible
	if u.cause == 0 {
		u.state = occCertain
	}
	if a.forks == 0 {
		a.commit(u)
		return
	}
	a.uses = append(a.uses, u)
}

// useUnresolved records a use of a name that is not known.
func (a *analysis) useUnresolved(o int32, v value) {
	if u := a.noteUnresolved(o, v, occUnseen); u != nil {
		a.log(useEntry{occ: o, name: noName, cause: u.cause, open: int32(len(a.unresolved))})
	}
}

// noteUnresolved keeps a use of a name that is not known, with what is known
// of its part in executions.
func (a *analysis) noteUnresolved(o int32, v value, state occState) *unresolved {
	if a.dry > 0 {
		return nil
	}
	u := unresolved{occ: o, state: state, cause: a.union(a.maybe, a.decisionCause(v))}
	if v.sym != 0 && v.kind == kString {
		u.prefix, u.suffix, u.not = a.detailOf(v.sym).prefix, a.detailOf(v.sym).suffix, a.facts[a.symbols[v.sym].fact].not
	}
	a.unresolved = append(a.unresolved, u)
	return &a.unresolved[len(a.unresolved)-1]
}

// commit makes a use final.
func (a *analysis) commit(u useEntry) {
	switch {
	case u.open > 0:
		a.unresolved[u.open-1].state = u.state
	case u.name != a.p.occs[u.occ].name:
		a.dynamic = append(a.dynamic, dynamicUse{u.occ, u.name, u.state, u.cause, u.oneOf})
		return
	}
	a.occState[u.occ] = max(a.occState[u.occ], u.state)
	if u.state <= occPossible {
		a.occCause[u.occ] = a.union(a.occCause[u.occ], u.cause)
	}
}

// doom makes all uses logged since from final: they happen in failing
// executions only.
func (a *analysis) doom(from int) {
	for _, u := range a.uses[from:] {
		u.state = occDoomed
		a.commit(u)
	}
	a.uses = a.uses[:from]
}

// demand records that every execution that goes on from here needs name.
func (a *analysis) demand(n nameID) {
	if a.dry > 0 || a.skippable {
		return
	}
	if a.forks == 0 {
		a.certain[n] = true
		return
	}
	a.must = append(a.must, n)
}

// inactive lists the occurrences of a stretch that no execution reaches.
// Nothing is evaluated there: literal names are listed, and the keys of a dot
// or template variable that is the caller's map where the stretch begins.
func (a *analysis) inactive(r region, scope, slots int32) {
	if a.dry > 0 {
		return
	}
	a.inactiveIn(r, inactiveContext{scope: scope, slots: slots, dotIsRoot: a.dot.kind == kRoot, fp: a.fp}, nil)
}

type inactiveContext struct {
	scope, slots, fp int32
	dotIsRoot        bool
	fresh            bool // in the body of a block: $ is dot, nothing else is declared
}

func (a *analysis) inactiveIn(r region, ctx inactiveContext, entered []*body) {
	for i := r.from; i < r.to; i++ {
		o := &a.p.occs[i]
		switch {
		case o.kind == occBlock:
			a.inactiveBlock(o, ctx, entered)
		case o.name == noName:
		case o.kind == occRead || a.rootIn(o.base, ctx):
			a.occState[i] = max(a.occState[i], occInactive)
		}
	}
}

func (a *analysis) inactiveBlock(o *occ, ctx inactiveContext, entered []*body) {
	if slices.Contains(entered, o.body) {
		return
	}
	inner := inactiveContext{slots: 1, dotIsRoot: a.rootIn(o.base, ctx), fresh: true}
	a.inactiveIn(o.body.occs, inner, append(entered, o.body))
}

// rootIn reports whether what a name is read from is the caller's map.
func (a *analysis) rootIn(b base, ctx inactiveContext) bool {
	switch {
	case b.kind == baseDot && b.id == ctx.scope:
		return ctx.dotIsRoot
	case b.kind == baseDot && b.id == scopeDollar, b.kind == baseSlot && b.id == 0:
		if ctx.fresh {
			return ctx.dotIsRoot
		}
		return a.slots[ctx.fp].kind == kRoot
	case b.kind == baseSlot && b.id > 0 && b.id < ctx.slots && !ctx.fresh:
		return a.slots[ctx.fp+b.id].kind == kRoot
	}
	return false
}
