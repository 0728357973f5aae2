package requirement

import "slices"

// A branch that is not decided is walked arm by arm. An arm starts from the
// state at the branch and is undone at its end; what it changed is kept on
// the side until the arms are joined. The cost is what the arms changed, not
// what there is.

type slotChange struct {
	slot  int32 // from the bottom of the stack
	value value
}

type factChange struct {
	sym  symID
	fact int32 // index into the facts
}

// arm is one walked arm, undone.
type arm struct {
	failed, ended bool
	doomed        bool
	target        int32 // the loop that it leaves, if it has ended
	uses, must    int   // where its log begins
	mustEnd       int
	slots, facts  span // what it changed
}

type span struct{ from, to int }

// fork is the state at a branch.
type fork struct {
	path
	uses, must, slotTrail, factTrail int
	slotArms, factArms               int
	top                              int32 // slots from here on are the arms' own
}

// fork begins a branch whose arms see slots below top.
func (a *analysis) fork(top int32) fork {
	return fork{
		path: a.path, uses: len(a.uses), must: len(a.must),
		slotTrail: len(a.slotTrail), factTrail: len(a.factTrail),
		slotArms: len(a.slotArms), factArms: len(a.factArms), top: a.fp + top,
	}
}

// enter begins an arm that is taken or not for the given reasons.
func (a *analysis) enter(why cause) arm {
	a.forks++
	a.maybe = a.union(a.maybe, why)
	a.decisions++
	a.skippable = false
	return arm{uses: len(a.uses), must: len(a.must)}
}

// leave ends an arm: it notes what the arm changed and takes it back.
func (a *analysis) leave(f *fork, m arm) arm {
	a.forks--
	m.failed, m.ended, m.target = a.failed, a.ended, a.target
	m.doomed = a.doomed
	m.mustEnd = len(a.must)
	m.slots = a.takeSlots(f)
	m.facts = a.takeFacts(f)
	taint, escaped := a.taint, a.escaped
	if taint != f.taint {
		// Some execution has left the loop before the failure.
		m.ended = m.ended || m.failed
		m.failed, m.doomed = false, false
	}
	a.path = f.path
	a.taint, a.escaped = taint, escaped
	return m
}

func (a *analysis) takeSlots(f *fork) span {
	a.stamp++
	s := span{len(a.slotArms), 0}
	for i := len(a.slotTrail) - 1; i >= f.slotTrail; i-- {
		c := a.slotTrail[i]
		if c.slot < f.top && a.slotStamp[c.slot] != a.stamp {
			a.slotStamp[c.slot] = a.stamp
			a.slotArms = append(a.slotArms, slotChange{c.slot, a.slots[c.slot]})
		}
		a.slots[c.slot] = c.value
	}
	a.slotTrail = a.slotTrail[:f.slotTrail]
	s.to = len(a.slotArms)
	return s
}

func (a *analysis) takeFacts(f *fork) span {
	a.stamp++
	s := span{len(a.factArms), 0}
	for i := len(a.factTrail) - 1; i >= f.factTrail; i-- {
		c := a.factTrail[i]
		sym := &a.symbols[c.sym]
		if sym.stamp != a.stamp {
			sym.stamp = a.stamp
			a.factArms = append(a.factArms, factChange{c.sym, sym.fact})
		}
		sym.fact = c.fact
	}
	a.factTrail = a.factTrail[:f.factTrail]
	s.to = len(a.factArms)
	return s
}

// setSlot assigns a template variable; slot counts from the bottom of the
// stack.
func (a *analysis) setSlot(slot int32, v value) {
	if a.forks > 0 {
		a.slotTrail = append(a.slotTrail, slotChange{slot, a.slots[slot]})
	}
	a.slots[slot] = v
}

func (a *analysis) setFact(s symID, f int32) {
	if a.forks > 0 {
		a.factTrail = append(a.factTrail, factChange{s, a.symbols[s].fact})
	}
	a.symbols[s].fact = f
}

func (a *analysis) learnFact(s symID, f fact) {
	a.facts = append(a.facts, f)
	a.setFact(s, int32(len(a.facts)-1))
}

// adopt makes the changes of an arm those of the path.
func (a *analysis) adopt(m arm) {
	for _, c := range a.slotArms[m.slots.from:m.slots.to] {
		a.setSlot(c.slot, c.value)
	}
	for _, c := range a.factArms[m.facts.from:m.facts.to] {
		a.setFact(c.sym, c.fact)
	}
}

// settle ends a branch: what the arms kept on the side is dropped, and if one
// of them may have left a loop, so may this path have.
func (a *analysis) settle(f *fork) {
	a.slotArms, a.factArms = a.slotArms[:f.slotArms], a.factArms[:f.factArms]
	if a.taint != f.taint {
		a.maybe = a.union(a.maybe, a.taint.why)
		a.skippable = true
	}
	if f.skippable {
		a.must = a.must[:f.must] // the branch itself may not be reached
	}
	if a.forks > 0 {
		return
	}
	for _, u := range a.uses {
		a.commit(u)
	}
	for _, n := range a.must {
		a.certain[n] = true
	}
	a.uses, a.must = a.uses[:0], a.must[:0]
}

// branch is a decision that is not known.
type branch struct {
	cond value // if it is a symbol, it is true exactly in the first arm
	why  cause // the reason for not knowing
	pos  int32
	sure tri // whether successes take the first arm: others fail elsewhere
}

// join continues after two arms of a branch. The first arm does not fail: see
// dropFailed.
func (a *analysis) join(f *fork, x, y arm, b branch) {
	switch {
	case x.doomed && (y.doomed || y.failed || b.sure == yes), y.doomed && b.sure == no:
		a.noSuccess(b.pos)
	case x.doomed:
		b.sure = no
	case y.doomed:
		b.sure = yes
	}
	switch {
	case y.failed:
		a.must = a.must[:x.mustEnd]
		a.doom(y.uses)
		a.ended, a.target = x.ended, x.target
		a.adopt(x)
	case x.ended && y.ended:
		a.joinEnded(x, y, b.why)
		a.must = a.must[:f.must]
	case x.ended || y.ended:
		a.must = a.must[:f.must]
		a.addTaint(b.why)
		if x.ended {
			a.adopt(y)
		} else {
			a.adopt(x)
		}
	default:
		switch b.sure {
		case yes:
			a.must = a.must[:x.mustEnd]
			a.doom(y.uses)
		case no:
			a.must = append(a.must[:f.must], a.must[y.must:y.mustEnd]...)
			a.doomFirst(x, y)
		default:
			a.intersectMust(f, x, y)
		}
		a.joinSlots(x, y, b.cond, b.why)
		a.joinFacts(x, y)
	}
	a.settle(f)
}

// joinEnded continues nowhere: both arms have left a loop. The inner one of
// their loops is where the walk goes on; another end is in doubt then.
func (a *analysis) joinEnded(x, y arm, why cause) {
	a.ended, a.target = true, max(x.target, y.target)
	a.addTaint(why)
}

// addTaint notes that some who take the branch at hand leave the loop.
func (a *analysis) addTaint(why cause) {
	a.taint.why = a.union(a.taint.why, a.union(a.maybe, why))
	a.taint.times++
}

// dropFailed ends a branch after a first arm that fails in every execution:
// whatever succeeds takes the other one, which is then no branch any more.
func (a *analysis) dropFailed(f *fork, x arm) {
	a.must = a.must[:f.must]
	a.doom(x.uses)
	a.settle(f)
}

// doomFirst dooms the uses of the first arm and keeps those of the second.
func (a *analysis) doomFirst(x, y arm) {
	kept := slices.Clone(a.uses[y.uses:])
	a.uses = a.uses[:y.uses]
	a.doom(x.uses)
	a.uses = append(a.uses, kept...)
}

// intersectMust keeps the names that both arms need.
func (a *analysis) intersectMust(f *fork, x, y arm) {
	a.stamp++
	for _, n := range a.must[x.must:x.mustEnd] {
		a.nameStamp[n] = a.stamp
	}
	kept := a.must[:f.must]
	for _, n := range a.must[y.must:y.mustEnd] {
		if a.nameStamp[n] == a.stamp {
			a.nameStamp[n] = 0
			kept = append(kept, n)
		}
	}
	a.must = kept
}

// joinSlots gives each template variable that an arm assigned what it is
// after the branch.
func (a *analysis) joinSlots(x, y arm, cond value, why cause) {
	xs, ys := a.slotArms[x.slots.from:x.slots.to], a.slotArms[y.slots.from:y.slots.to]
	if len(xs)+len(ys) == 0 {
		return
	}
	a.stamp++
	for i, c := range xs {
		a.slotStamp[c.slot], a.slotPos[c.slot] = a.stamp, int32(i)
	}
	for _, c := range ys {
		before := a.slots[c.slot]
		if a.slotStamp[c.slot] == a.stamp {
			before = xs[a.slotPos[c.slot]].value
			a.slotStamp[c.slot] = 0
		}
		a.setSlot(c.slot, a.merge(before, c.value, cond, why))
	}
	for _, c := range xs {
		if a.slotStamp[c.slot] == a.stamp {
			a.setSlot(c.slot, a.merge(c.value, a.slots[c.slot], cond, why))
		}
	}
}

// joinFacts keeps what both arms have learned. An arm only adds to what is
// known, so a fact that one of them left alone stays as it was.
func (a *analysis) joinFacts(x, y arm) {
	xs, ys := a.factArms[x.facts.from:x.facts.to], a.factArms[y.facts.from:y.facts.to]
	if len(xs) == 0 || len(ys) == 0 {
		return
	}
	a.stamp++
	for i, c := range xs {
		a.symbols[c.sym].stamp, a.symbols[c.sym].pos = a.stamp, int32(i)
	}
	for _, c := range ys {
		if s := &a.symbols[c.sym]; s.stamp == a.stamp {
			a.learnFact(c.sym, joinFact(a.facts[xs[s.pos].fact], a.facts[c.fact]))
		}
	}
}
