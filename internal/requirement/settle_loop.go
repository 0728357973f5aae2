package requirement

import (
	"slices"
	"strings"
)

// This file finds what a loop assigns, before it is walked for good.

// settleLoop finds for each template variable that the body assigns a value
// that covers what it is at the start of every iteration.
func (a *analysis) settleLoop(l *loopState, index, elem value, why cause) {
	const passes = 3
	own := symID(len(a.symbols)) // the first symbol that is made here
	if a.dry > 1 {
		a.forget(l, why)
		return
	}
	for range passes {
		if a.dryPass(l, index, elem, why, own) {
			return
		}
	}
	a.forget(l, why)
}

// forget leaves open what the body assigns.
func (a *analysis) forget(l *loopState, why cause) {
	for _, slot := range l.stmt.assigned {
		c := a.union(why, a.union(a.opaque(), a.causesOf(a.slots[l.fp+slot])))
		a.setSlot(l.fp+slot, a.newSymbol(symbol{kind: kAny, mayRoot: true, causes: c}))
	}
}

// dryPass walks the body once without recording and joins what it assigns
// into what the template variables are before it. It reports whether that
// added nothing.
func (a *analysis) dryPass(l *loopState, index, elem value, why cause, own symID) bool {
	before := a.path
	f := a.fork(l.stmt.slots)
	m := a.loopArm()
	a.dry++
	l.breaks.any, l.trail = false, len(a.factTrail)
	goesOn := a.iterate(l, index, elem)
	a.dry--
	after := make([]value, len(l.stmt.assigned))
	for i, slot := range l.stmt.assigned {
		after[i] = a.slots[l.fp+slot]
	}
	a.leave(&f, m)
	a.slotArms, a.factArms = a.slotArms[:f.slotArms], a.factArms[:f.factArms]
	settled := a.escaped == before.escaped
	escaped := a.escaped
	a.path = before
	a.escaped = escaped
	if !goesOn {
		return settled
	}
	for i, slot := range l.stmt.assigned {
		now := a.slots[l.fp+slot]
		if !a.includes(now, after[i], own) {
			settled = false
			a.setSlot(l.fp+slot, a.merge(now, after[i], value{}, why))
		}
	}
	return settled
}

// includes reports whether v is one of the values that now stands for. A
// symbol stands for others only if nothing but one template variable holds
// it and nothing has been learned of it, which is so for what an earlier pass
// has made; those are the symbols from own on.
func (a *analysis) includes(now, v value, own symID) bool {
	if now == v {
		return true
	}
	if now.sym < own {
		return false
	}
	s, d := a.symbols[now.sym], a.detailOf(now.sym)
	switch {
	case s.kind != v.kind && s.kind != kAny,
		a.mayBeRoot(v) && !s.mayRoot,
		s.rootOnly && !a.rootOrPlain(v),
		s.sized && !a.sized(v),
		s.truth != unknown && a.truth(v) != s.truth,
		d.pred.op != predNone,
		!strings.HasPrefix(a.prefixOf(v), d.prefix), !strings.HasSuffix(a.suffixOf(v), d.suffix):
		return false
	}
	if d.set != nil {
		list := a.candidatesOf(v)
		if list == nil || slices.ContainsFunc(list, func(c string) bool { return !slices.Contains(d.set, c) }) {
			return false
		}
	}
	a.symbols[now.sym].causes = a.union(s.causes, a.causesOf(v))
	return true
}
