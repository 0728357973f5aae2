package requirement

// This file evaluates and and or, which skip operands.

// evalAndOr evaluates operands until one decides. A piped operand has been
// evaluated before any of them.
func (a *analysis) evalAndOr(e *expr) value {
	final := value{}
	if e.final != nil {
		final = a.eval(e.final)
	}
	return a.andOrFrom(e, 0, final)
}

func (a *analysis) andOrFrom(e *expr, i int, final value) value {
	if i == len(e.args) {
		return final
	}
	v := a.eval(e.args[i])
	last := i == len(e.args)-1 && e.final == nil
	if last || a.stopped() {
		return v
	}
	stop := triOf(e.op == exprOr)
	switch a.truth(v) {
	case stop:
		a.skipOperands(e, i+1)
		return v
	case unknown:
		return a.andOrUnknown(e, i, v, final)
	}
	return a.andOrFrom(e, i+1, final)
}

func (a *analysis) skipOperands(e *expr, from int) {
	for _, r := range e.occs[from:] {
		a.inactive(r, e.scope, e.slots)
	}
}

// andOrUnknown goes on after an operand that may or may not decide.
func (a *analysis) andOrUnknown(e *expr, i int, v, final value) value {
	isOr := e.op == exprOr
	why := a.decisionCause(v)
	own := a.ownCandidates(v, isOr)
	sure := a.successTruth(v)
	f := a.fork(e.slots)
	m := a.enter(why)
	a.learn(v, !isOr)
	rest := a.resolve(a.andOrFrom(e, i+1, final))
	result := a.either(v, rest, own, isOr)
	m = a.leave(&f, m)
	a.guard(&f, m, v, !isOr)
	if m.failed {
		a.dropFailed(&f, m)
		a.learn(v, isOr)
		return a.resolve(v)
	}
	if !isOr {
		sure = sure.not()
	}
	decides := arm{must: len(a.must), mustEnd: len(a.must), uses: len(a.uses)}
	a.join(&f, m, decides, branch{why: why, pos: e.pos, sure: sure.not()})
	return a.resolve(result)
}

// either is what or (and) gives: v if it is true (false), and rest if not.
func (a *analysis) either(v, rest value, own []string, isOr bool) value {
	if v == rest || isOr && v.kind == kString && rest == stringValue("") {
		return v // or gives the same, whichever it takes
	}
	s := symbol{
		kind:    v.kind,
		mayRoot: a.mayBeRoot(v) || a.mayBeRoot(rest),
		sized:   a.sized(v) && a.sized(rest),
		stable:  a.stable(v) && a.stable(rest),
		causes:  a.union(a.decisionCause(v), a.causesOf(rest)),
	}
	if v.kind != rest.kind || v.kind == kRoot {
		s.kind = kAny
		s.rootOnly = a.rootOrPlain(v) && a.rootOrPlain(rest)
	}
	if a.truth(rest) == triOf(isOr) {
		s.truth = triOf(isOr)
	}
	d := detail{pred: a.eitherPred(v, rest, isOr)}
	if others := a.candidatesOf(rest); s.kind == kString && own != nil && others != nil {
		d.set = unite(own, others)
	}
	return a.newDetailed(s, d)
}

// ownCandidates lists the strings with which v decides an or (and), or nil if
// there is no such list. It has to be asked before the path assumes that v
// does not decide.
func (a *analysis) ownCandidates(v value, isOr bool) []string {
	if v.kind != kString {
		return nil
	}
	if !isOr {
		return []string{""}
	}
	var own []string
	for _, s := range a.candidatesOf(v) {
		if s != "" {
			own = append(own, s)
		}
	}
	return own
}

func (a *analysis) eitherPred(v, rest value, isOr bool) pred {
	switch {
	case v.sym == 0:
		return pred{}
	case a.truth(rest) == triOf(!isOr):
		return predOn(v.sym, false)
	case rest.sym == 0:
		return pred{}
	case isOr:
		return pred{op: predOr, a: v.sym, b: rest.sym}
	}
	return pred{op: predAnd, a: v.sym, b: rest.sym}
}
