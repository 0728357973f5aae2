package requirement

import (
	"context"
	"sync"
)

// Half of all prompts decide nothing: they print variables and inputs, one
// after the other. What such templates need is the same in every context, so
// it is worked out when they are compiled; only which variables are supplied
// is left to ask.

// settle works out the answers of a program that decides nothing.
func (p *Program) settle() {
	for i := range p.units {
		if u := &p.units[i]; u.unsupported || !u.straight() {
			return
		}
	}
	for i, skip := range []bool{false, true} {
		p.settled[i], _ = p.Analyze(context.Background(), Query{SkipSession: skip})
	}
}

// answer returns what settle has worked out for a query, or nil.
func (p *Program) answer(q *Query) *Report {
	if q.SkipSession {
		return p.settled[1]
	}
	return p.settled[0]
}

// settledReports keeps the memory of reports that have been visited.
var settledReports = sync.Pool{New: func() any { return new(Report) }}

// visitSettled hands out a settled answer with what is supplied filled in.
func visitSettled(answer *Report, vars map[string]string, visit func(*Report)) {
	r := settledReports.Get().(*Report)
	variables := append(r.Variables[:0], answer.Variables...)
	*r = *answer
	r.Variables = variables
	for i := range variables {
		_, variables[i].Supplied = vars[variables[i].Name]
	}
	visit(r)
	settledReports.Put(r)
}

// straight reports whether a template only prints: variables, inputs whose
// names are written out, lookups, and texts made of these.
func (u *unit) straight() bool { return straight(u.root.stmts) }

func straight(stmts []stmt) bool {
	for i := range stmts {
		if s := &stmts[i]; s.op != stmtEval || !s.straight {
			return false
		}
	}
	return true
}

func (e *expr) straight() bool {
	switch e.op {
	case exprConst:
		return true
	case exprField:
		return e.base.plainRoot() && len(e.args) == 0 && e.final == nil
	case exprInput:
		return e.only().op == exprConst && e.only().konst.kind == kString
	case exprCall:
		return e.straightCall()
	}
	return false
}

// plainRoot reports whether an expression of a template that only prints is
// the map of variables: dot and $ are never anything else there.
func (e *expr) plainRoot() bool { return e.op == exprDot || e.op == exprSlot && e.slot == 0 }

func (e *expr) straightCall() bool {
	args := e.args
	switch e.fn {
	case fnIndex:
		return len(args) == 2 && e.final == nil && args[0].plainRoot() && args[1].op == exprConst && args[1].konst.kind == kString
	case fnPrint, fnPrintln, fnHTML, fnJS, fnURLQuery:
	case fnPrintf:
		if len(args) == 0 || args[0].op != exprConst || args[0].konst.kind != kString {
			return false
		}
	default:
		return false
	}
	for _, arg := range args {
		if !arg.straight() {
			return false
		}
	}
	return e.final == nil || e.final.straight()
}

// Where a stretch of a template only prints, its occurrences are all there is
// to it: nothing has to be evaluated.

// readsPlainly reports whether dot and $ are the map of variables here, and
// reading it has no surprises.
func (a *analysis) readsPlainly() bool {
	return a.dot.kind == kRoot && a.slots[a.fp].kind == kRoot && !a.escaped && a.rootSym == 0
}

// readAll records the uses of a stretch that only prints.
func (a *analysis) readAll(r region) {
	for i := r.from; i < r.to; i++ {
		o := &a.p.occs[i]
		a.use(i, o.name)
		switch o.kind {
		case occRead:
			a.demand(o.name)
		case occDemand:
			a.demand(o.name)
			a.hasVariables = a.hasVariables || !a.variable(o.name).supplied
		case occLookup:
			a.noteLookup(o.name)
		}
	}
}

// readEither records the uses of an undecided branch both of whose lists only
// print: what they learn and change ends with them.
func (a *analysis) readEither(s *stmt, v value) {
	a.lookAtContext()
	before := a.path
	a.maybe = a.union(a.maybe, a.decisionCause(v))
	a.skippable = true
	a.readAll(s.listOccs)
	a.readAll(s.altOccs)
	a.path = before
	if a.dry > 0 {
		return
	}
	if before.maybe == 0 {
		a.guardRegion(s.listOccs, v, true)
		a.guardRegion(s.altOccs, v, false)
	}
	a.stamp++
	for _, o := range a.p.occs[s.listOccs.from:s.listOccs.to] {
		if o.kind != occLookup {
			a.nameStamp[o.name] = a.stamp
		}
	}
	for _, o := range a.p.occs[s.altOccs.from:s.altOccs.to] {
		if o.kind != occLookup && a.nameStamp[o.name] == a.stamp {
			a.demand(o.name)
		}
	}
}

// guardRegion is guard for a list that only prints.
func (a *analysis) guardRegion(r region, v value, truth bool) {
	if v.sym == 0 {
		return
	}
	for _, o := range a.p.occs[r.from:r.to] {
		if o.kind != occLookup {
			a.addGuard(v.sym, truth, o.name)
		}
	}
}
