package requirement

// list walks statements in order. After a failure it goes on, so that the
// names that follow are listed; after a break or continue what follows is
// known not to be executed.
func (a *analysis) list(stmts []stmt) {
	for i := range stmts {
		s := &stmts[i]
		if !a.step() {
			return
		}
		if a.ended {
			a.inactive(region{s.occs.from, stmts[len(stmts)-1].occs.to}, s.scope, s.slots)
			return
		}
		a.stmt(s)
	}
}

func (a *analysis) stmt(s *stmt) {
	switch s.op {
	case stmtEval:
		if s.straight && a.readsPlainly() {
			a.readAll(s.occs)
			return
		}
		if v := a.eval(s.pipe); a.mayBeRoot(v) && s.pipe.op != exprDecl {
			a.look() // printing the map shows which variables there are
		}
	case stmtIf:
		a.branch(s, false)
	case stmtWith:
		a.branch(s, true)
	case stmtRange:
		a.rangeStmt(s)
	case stmtTemplate:
		a.invoke(s)
	case stmtBreak:
		a.leaveLoop(len(a.loops)-1, true)
	case stmtContinue:
		target := len(a.loops) - 1
		for range s.outer {
			target--
		}
		a.leaveLoop(target, false)
	}
}

// branch walks an if or with.
func (a *analysis) branch(s *stmt, with bool) {
	v := a.eval(s.pipe)
	switch a.truth(v) {
	case yes:
		a.arm(s.list, v, with)
		a.inactive(s.altOccs, s.scope, s.slots)
	case no:
		a.inactive(s.listOccs, s.scope, s.slots)
		a.list(s.alt)
	default:
		if s.straight && a.readsPlainly() && !a.haveSure {
			a.readEither(s, v)
			return
		}
		a.undecided(s, v, with)
	}
}

// arm walks the list of an if or with that is taken.
func (a *analysis) arm(list []stmt, v value, with bool) {
	if !with {
		a.list(list)
		return
	}
	dot := a.dot
	a.dot = a.resolve(v)
	a.list(list)
	a.dot = dot
}

func (a *analysis) undecided(s *stmt, v value, with bool) {
	a.lookAtContext()
	why, sure := a.decisionCause(v), a.successTruth(v)
	f := a.fork(s.slots)
	x := a.enter(why)
	a.learn(v, true)
	a.arm(s.list, v, with)
	x = a.leave(&f, x)
	a.guard(&f, x, v, true)
	if x.failed {
		a.dropFailed(&f, x)
		if sure == yes {
			a.noSuccess(s.pos)
		}
		a.learn(v, false)
		a.list(s.alt)
		return
	}
	y := a.enter(why)
	a.learn(v, false)
	a.list(s.alt)
	y = a.leave(&f, y)
	a.guard(&f, y, v, false)
	a.join(&f, x, y, branch{v, why, s.pos, sure})
	if y.failed {
		a.learn(v, true)
	}
}

// invoke walks the template that a statement names, with its argument as dot
// and as $.
func (a *analysis) invoke(s *stmt) {
	if s.callee == nil {
		if s.pipe != nil {
			a.eval(s.pipe)
		}
		a.fail(whyUndefined, s.pos)
		return
	}
	arg := a.eval(s.pipe)
	if s.callee.recursive {
		var again bool
		if arg, again = a.reenter(s, arg); again {
			return
		}
	}
	a.activations = append(a.activations, activation{s.callee, arg, a.decisions, a.taint, a.escaped})
	a.call(s.callee, arg)
	a.activations = a.activations[:len(a.activations)-1]
}

// call walks a template above the slots of its caller.
func (a *analysis) call(b *body, arg value) {
	a.lookAtContext()
	dot, fp, above := a.dot, a.fp, a.above
	a.dot, a.fp, a.above = arg, above, above+int32(b.slots)
	a.growSlots(int(a.above))
	a.setSlot(a.fp, arg)
	a.list(b.stmts)
	a.dot, a.fp, a.above = dot, fp, above
}

// reenter handles a template that may be running already. Walking it again
// with an argument that an outer walk covers finds nothing new: that walk
// knew no more than this one would. If the path has decided nothing since,
// the execution would do the same without end.
func (a *analysis) reenter(s *stmt, arg value) (_ value, covered bool) {
	running := 0
	for i := len(a.activations) - 1; i >= 0; i-- {
		act := &a.activations[i]
		if act.body != s.callee {
			continue
		}
		running++
		if act.escaped != a.escaped || !a.covers(act.arg, arg) {
			continue
		}
		if act.arg == arg && act.decisions == a.decisions && act.taint == a.taint {
			a.fail(whyRecursion, s.pos)
		}
		if a.p.units[a.unit].template.Functions().HasCustom() {
			a.escape() // the walk that covers this one may not have come to it yet
		}
		return arg, true
	}
	if running < maxActivations {
		return arg, false
	}
	return a.widen(arg), false
}

// covers reports whether a walk with argument outer has seen all that one
// with argument inner could.
func (a *analysis) covers(outer, inner value) bool {
	if outer == inner {
		return true
	}
	return outer.sym != 0 && a.symbols[outer.sym].widened &&
		(outer.kind == kAny || outer.kind == inner.kind) &&
		(a.symbols[outer.sym].mayRoot || !a.mayBeRoot(inner))
}

// widen replaces an argument that differs at every level of a recursion by
// one that stands for all values of its kind.
func (a *analysis) widen(arg value) value {
	c := a.union(a.causesOf(arg), a.opaque())
	return a.newSymbol(symbol{kind: arg.kind, mayRoot: a.mayBeRoot(arg), widened: true, causes: c})
}
