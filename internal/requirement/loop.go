package requirement

import (
	"maps"
	"slices"
)

// loopState is a range that is being walked.
type loopState struct {
	stmt     *stmt
	fp       int32
	assigned []int32 // the slots that the list being walked assigns
	around   path    // where it begins
	trail    int     // what had been learned there
	breaks   exits
	nexts    exits
}

// exits joins what the assigned template variables are at several places
// that leave an iteration the same way.
type exits struct {
	any    bool
	values []value // by assigned slot
}

// rangeStmt walks a range. text/template iterates over the map of variables,
// numbers and what a caller's function gives; a text cannot be ranged over.
func (a *analysis) rangeStmt(s *stmt) {
	v := a.eval(s.pipe)
	l := &loopState{stmt: s, fp: a.fp, assigned: s.assigned, around: a.path}
	a.loops = append(a.loops, l)
	before := a.path
	switch {
	case v.kind == kNil:
		a.rangeNone(s)
	case integer(v.kind) && len(s.decl) > 1:
		a.rangeUnknown(s, l, a.fail(whyRangeTwo, s.pos), unknown)
	case integer(v.kind) && v.sym == 0:
		a.rangeNumber(s, l, v)
	case integer(v.kind), v.kind == kRoot, v.kind == kAny:
		if a.mayBeRoot(v) {
			a.look()
		}
		nonEmpty := a.truth(v)
		if nonEmpty == yes && !a.sized(v) {
			nonEmpty = unknown
		}
		a.rangeUnknown(s, l, v, nonEmpty)
	default:
		a.rangeUnknown(s, l, a.fail(whyRange, s.pos), unknown)
	}
	a.loops = a.loops[:len(a.loops)-1]
	a.afterLoop(s, before)
}

// afterLoop restores the path around a loop: breaking it or going on with the
// next iteration has no effect beyond it, unless its else list continues the
// loop around it.
func (a *analysis) afterLoop(s *stmt, before path) {
	if s.elseLeaves {
		return
	}
	a.ended, a.maybe, a.taint, a.skippable = before.ended, before.maybe, before.taint, before.skippable
}

// rangeNone walks a range without an element.
func (a *analysis) rangeNone(s *stmt) {
	a.inactive(s.listOccs, s.scope, s.slots)
	a.elseList(s)
}

// elseList walks the else of a range. A break in it ends the range only; a
// continue goes on with the range around it.
func (a *analysis) elseList(s *stmt) {
	if !s.altBreaks {
		a.list(s.alt)
		return
	}
	l := a.loops[len(a.loops)-1]
	l.assigned, l.breaks, l.around = s.altAssigned, exits{}, a.path
	f := a.fork(s.slots)
	m := a.loopArm()
	a.list(s.alt)
	outer := a.ended && int(a.target) != len(a.loops)-1
	if !outer || l.breaks.any {
		a.exitLoop(l, !a.ended && !a.failed, 0)
	}
	m = a.leave(&f, m)
	taint := a.taint
	a.endCertainLoop(&f, m)
	if m.ended {
		a.ended, a.target = true, m.target
	}
	if s.elseLeaves && taint != f.taint {
		a.taint = taint // those who continue the range around this one
		a.maybe, a.skippable = a.union(a.maybe, taint.why), true
	}
}

// rangeNumber walks a range over a known number of iterations, one by one if
// that is not too much work.
func (a *analysis) rangeNumber(s *stmt, l *loopState, v value) {
	n := int64(v.num)
	switch {
	case n <= 0:
		a.rangeNone(s)
		return
	case n > maxUnroll || a.unrolled > unrollSteps || a.dry > 0:
		a.rangeUnknown(s, l, a.unknownOf(v.kind, a.opaque()), yes)
		return
	}
	a.inactive(s.altOccs, s.scope, s.slots)
	steps := a.steps
	f := a.fork(s.slots)
	m := a.loopArm()
	l.trail = len(a.factTrail)
	goesOn := true
	for i := int64(0); i < n && goesOn; i++ {
		elem := value{kind: v.kind, num: uint64(i)}
		goesOn = a.iterate(l, elem, elem)
	}
	a.unrolled += a.steps - steps
	a.exitLoop(l, goesOn, cause(0))
	a.endCertainLoop(&f, a.leave(&f, m))
}

// loopArm begins the iterations of a loop that is certainly entered: nothing
// is in doubt yet.
func (a *analysis) loopArm() arm {
	a.forks++
	return arm{uses: len(a.uses), must: len(a.must)}
}

// rewindFacts forgets what the path has learned since an iteration began: an
// execution that continued early may be in the next one without it.
func (a *analysis) rewindFacts(trail int) {
	for i := len(a.factTrail) - 1; i >= trail; i-- {
		c := a.factTrail[i]
		a.symbols[c.sym].fact = c.fact
	}
	a.factTrail = a.factTrail[:trail]
}

// endCertainLoop goes on after a loop that is certainly entered.
func (a *analysis) endCertainLoop(f *fork, m arm) {
	if a.taint == f.taint {
		// Nobody has left early: what an iteration has learned, all have.
		for _, c := range a.factArms[m.facts.from:m.facts.to] {
			a.setFact(c.sym, c.fact)
		}
	}
	a.taint = f.taint
	for _, c := range a.slotArms[m.slots.from:m.slots.to] {
		a.setSlot(c.slot, c.value)
	}
	a.failed, a.doomed = a.failed || m.failed, a.doomed || m.doomed
	a.settle(f)
}

// iterate walks the body once. It reports whether some execution goes on with
// another iteration; the template variables are then what they are at its
// start.
func (a *analysis) iterate(l *loopState, index, elem value) bool {
	s := l.stmt
	if l.nexts.any {
		// Some have come here early, without what the others have learned.
		a.rewindFacts(l.trail)
		a.hasVariables = l.around.hasVariables
	}
	a.setLoopVars(s, index, elem)
	dot := a.dot
	a.dot = elem
	l.nexts.any = false
	a.list(s.list)
	a.dot = dot
	switch {
	case a.stopped():
		return false
	case a.failed || a.ended:
		if !l.nexts.any {
			return false
		}
		// Those that have continued early go on.
		a.failed, a.doomed, a.ended = l.around.failed, l.around.doomed, false
		a.restore(l, &l.nexts, false)
	case l.nexts.any:
		a.doomed = l.around.doomed
		a.restore(l, &l.nexts, true)
	}
	return true
}

// setLoopVars gives the variables of a range their values for an iteration:
// one variable is the element, two are index and element.
func (a *analysis) setLoopVars(s *stmt, index, elem value) {
	for i, slot := range s.decl {
		if slot < 0 {
			continue
		}
		v := elem
		if i == 0 && len(s.decl) > 1 {
			v = index
		}
		a.setSlot(a.fp+slot, v)
	}
}

// leaveLoop is a break or continue: what the loop has assigned so far is
// what it is at the end of the loop, or at the next iteration.
func (a *analysis) leaveLoop(target int, isBreak bool) {
	l := a.loops[target]
	switch {
	case a.failed: // nobody gets here
	case isBreak:
		a.keep(l, &l.breaks)
	default:
		a.keep(l, &l.nexts)
	}
	a.ended, a.target = true, int32(target)
}

func (a *analysis) keep(l *loopState, e *exits) {
	if e.values == nil {
		e.values = make([]value, len(l.assigned))
	}
	for i, slot := range l.assigned {
		now := a.slots[l.fp+slot]
		if e.any {
			now = a.mergePaths(e.values[i], now)
		}
		e.values[i] = now
	}
	e.any = true
}

// restore sets the assigned template variables to what they are at the exits,
// or joins that with what they are here.
func (a *analysis) restore(l *loopState, e *exits, alsoHere bool) {
	for i, slot := range l.assigned {
		v := e.values[i]
		if alsoHere {
			v = a.mergePaths(a.slots[l.fp+slot], v)
		}
		a.setSlot(l.fp+slot, v)
	}
}

// exitLoop goes from the last iteration to the place after the loop, where
// those that broke it join. why is the reason for not knowing how often it
// ran.
func (a *analysis) exitLoop(l *loopState, goesOn bool, why cause) {
	a.ended = false
	if !l.breaks.any {
		return
	}
	// Those that broke the loop had not failed since it began.
	a.failed, a.doomed = l.around.failed, l.around.doomed
	a.maybe = a.union(a.maybe, why)
	a.restore(l, &l.breaks, goesOn)
}

// rangeUnknown walks a range over an unknown number of iterations: one walk
// stands for all of them.
func (a *analysis) rangeUnknown(s *stmt, l *loopState, v value, nonEmpty tri) {
	if nonEmpty == no {
		a.rangeNone(s)
		return
	}
	why := a.decisionCause(v)
	if nonEmpty == yes {
		a.inactive(s.altOccs, s.scope, s.slots)
		f := a.fork(s.slots)
		m := a.loopArm()
		if v.kind == kRoot && !a.escaped {
			a.rangeVariables(l, v, why)
		} else {
			a.anyIteration(l, v, why)
		}
		a.endCertainLoop(&f, a.leave(&f, m))
		return
	}
	cond := v
	if !a.sized(v) {
		cond = a.unknownOf(kBool, why)
	}
	sure := a.successTruth(cond)
	f := a.fork(s.slots)
	x := a.enter(why)
	a.learn(cond, true)
	a.anyIteration(l, v, why)
	x = a.leave(&f, x)
	a.guard(&f, x, cond, true)
	x.ended, x.facts = false, span{} // what the body learned holds within an iteration
	a.taint = f.taint
	if x.failed {
		a.dropFailed(&f, x)
		if sure == yes {
			a.noSuccess(s.pos)
		}
		a.learn(cond, false)
		a.elseList(s)
		return
	}
	y := a.enter(why)
	a.learn(cond, false)
	a.elseList(s)
	y = a.leave(&f, y)
	a.guard(&f, y, cond, false)
	a.join(&f, x, y, branch{why: why, pos: s.pos, sure: sure})
}

// sized reports whether v is true exactly if a range over it has an element.
// A negative number is true and has none; neither need a channel, an iterator
// or a pointer that a caller's function gives.
func (a *analysis) sized(v value) bool {
	switch {
	case v.kind == kRoot, v.kind == kByte:
		return true
	case v.sym != 0:
		return a.symbols[v.sym].sized
	}
	return v.kind == kInt && v.int() >= 0
}

// anyIteration walks the body for an arbitrary iteration. What earlier ones
// may have assigned is found by walking it first without recording, until
// nothing is added.
func (a *analysis) anyIteration(l *loopState, v value, why cause) {
	s := l.stmt
	index, elem := a.elements(v, why, s.calls)
	if len(s.assigned) > 0 || s.calls && !a.escaped {
		a.settleLoop(l, index, elem, why)
	}
	l.breaks.any, l.trail = false, len(a.factTrail)
	goesOn := a.iterate(l, index, elem)
	a.exitLoop(l, goesOn, why)
}

// rangeVariables walks a range over the caller's variables. Any others may
// come between those that are supplied, in the order of names.
func (a *analysis) rangeVariables(l *loopState, v value, why cause) {
	a.anyIteration(l, v, why)
	const most = 16 // supplied variables that get an iteration of their own
	if len(a.query.Vars) > most || a.failed || l.breaks.any || len(l.stmt.assigned) > 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(a.query.Vars)) {
		if !a.iterate(l, stringValue(name), stringValue(a.query.Vars[name])) {
			return
		}
	}
}

// elements returns an arbitrary index and element of a collection. An iterator
// may give the map of variables once a call in the body has had it.
func (a *analysis) elements(v value, why cause, calls bool) (index, elem value) {
	switch v.kind {
	case kRoot:
		return a.unknownOf(kString, why), a.unknownOf(kString, why)
	case kInt, kByte:
		elem = a.newSymbol(symbol{kind: v.kind, sized: true, causes: why})
		return elem, elem
	}
	unknown := symbol{kind: kAny, mayRoot: a.escapedEver || calls, causes: why}
	return a.newSymbol(unknown), a.newSymbol(unknown)
}
