package requirement

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
)

// pool keeps the memory of finished analyses.
var pool = sync.Pool{New: func() any { return new(analysis) }}

// Analyze says what the templates need in the context of q. It only reads q
// and may run concurrently. The error is the context's.
func (p *Program) Analyze(ctx context.Context, q Query) (*Report, error) {
	var report *Report
	err := p.Visit(ctx, q, func(r *Report) { report = r.clone() })
	return report, err
}

// Visit is Analyze for a caller that makes something else of the report: what
// visit is handed is valid only until it returns.
func (p *Program) Visit(ctx context.Context, q Query, visit func(*Report)) error {
	if answer := p.answer(&q); answer != nil && ctx.Err() == nil {
		visitSettled(answer, q.Vars, visit)
		return nil
	}
	a := pool.Get().(*analysis)
	defer a.release()
	a.begin(ctx, p, q)
	a.rounds()
	switch {
	case a.err != nil:
		return a.err
	case a.exhausted:
		a.giveUp()
	default:
		a.report()
	}
	visit(&a.reporter.r)
	return nil
}

// Failure says why the templates can never render, whatever is supplied; nil
// if they can, as far as is known.
func (p *Program) Failure(ctx context.Context) (*Failure, error) {
	r, err := p.Analyze(ctx, Query{AnyVars: true})
	if err != nil {
		return nil, err
	}
	return r.CannotRender, nil
}

// begin prepares for an analysis. Whatever a pooled one held is overwritten.
func (a *analysis) begin(ctx context.Context, p *Program, q Query) {
	a.p, a.query, a.ctx = p, q, ctx
	a.err = ctx.Err()
	a.steps, a.limit = 0, baseSteps+stepsPerNode*p.size
	a.exhausted, a.lenient, a.allOpen, a.cannot = false, false, q.AnyVars, failing{}
	a.unprove()
	a.extra = a.extra[:0]
	if a.stamp > math.MaxUint32/2 { // start anew long before it overflows
		a.stamp = 0
		clear(a.slotStamp)
		clear(a.nameStamp)
	}
	a.vars, a.open, a.sure = a.vars[:0], a.open[:0], a.sure[:0]
	a.growNames(len(p.names))
	for _, u := range p.units {
		a.exhausted = a.exhausted || u.unsupported && (u.message != Session || !q.SkipSession)
	}
}

// release returns the analysis to the pool. Values of variables must not
// outlive the call there.
func (a *analysis) release() {
	clear(a.vars)
	clear(a.slots)
	clear(a.details)
	clear(a.facts)
	clear(a.sure)
	clear(a.unresolved[:cap(a.unresolved)])
	clear(a.guards[:cap(a.guards)])
	clear(a.extra)
	clear(a.extraIDs)
	a.slotTrail, a.slotArms, a.operands = wiped(a.slotTrail), wiped(a.slotArms), wiped(a.operands)
	a.reporter.wipe()
	a.p, a.query, a.ctx, a.dot, a.loops = nil, Query{}, nil, value{}, nil
	a.activations = nil
	const keep = 1 << 16 // an unusually large analysis is left to the collector
	if cap(a.symbols) < keep && cap(a.causes) < keep && cap(a.slots) < keep {
		pool.Put(a)
	}
}

// wiped empties a stack that may have been higher than it is. A tall one is
// left to the collector rather than cleared.
func wiped[T any](s []T) []T {
	if cap(s) > 256 {
		return nil
	}
	clear(s[:cap(s)])
	return s[:0]
}

// growNames makes room for n names.
func (a *analysis) growNames(n int) {
	for len(a.vars) < n {
		a.vars = append(a.vars, variableState{})
		a.open = append(a.open, false)
	}
	a.inputSyms = grown(a.inputSyms, n)
	a.sure = grown(a.sure, n)
	a.certain = grown(a.certain, n)
	a.nameStamp = grown(a.nameStamp, n)
}

func grown[T any](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

func (a *analysis) growSlots(n int) {
	a.slots = grown(a.slots, n)
	a.slotStamp = grown(a.slotStamp, n)
	a.slotPos = grown(a.slotPos, n)
}

// rounds walks the templates until the claims hold together. A variable that
// is not supplied is first taken to stay absent, so that a lookup of it gives
// "". If a round finds that it may be needed, it may also be supplied: the
// lookup is left open, and every claim is proved again without it.
func (a *analysis) rounds() {
	for round := 0; !a.stopped(); round++ {
		a.round()
		switch {
		case a.stopped():
			return
		case a.openMore(round):
			a.unprove()
		case a.assumeNonZero && !a.someRequired():
			a.assumeNonZero, a.keepZero = false, true
		case a.rootAsked && !a.assumeNonZero && !a.keepZero && a.someRequired():
			a.assumeNonZero = true
		case a.failed && a.asked && !a.allOpen:
			// No completion succeeds, but one that supplies what is only
			// looked up may.
			a.openAll()
			a.unprove()
		case a.failed:
			// Nothing makes the templates render, so every claim is true; say
			// what is of use to whoever mends them.
			a.cannot, a.lenient = a.failing, true
			a.unprove()
		case a.gained && a.sureRounds < maxSureRounds:
			a.haveSure = true
			a.sureRounds++
		default:
			return
		}
	}
}

// round walks every template once.
func (a *analysis) round() {
	p := a.p
	a.symbols = append(a.symbols[:0], symbol{})
	clear(a.details)
	clear(a.facts)
	a.details = append(a.details[:0], detail{})
	a.facts = append(a.facts[:0], fact{})
	a.causes = append(a.causes[:0], causeNode{})
	a.opaqueCause, a.unsupportedCause, a.rootCause, a.rootSym = 0, 0, 0, 0
	for i := range a.vars {
		a.vars[i].sym = 0
	}
	clear(a.inputSyms)
	clear(a.certain)
	a.occState = cleared(a.occState, len(p.occs))
	a.occCause = cleared(a.occCause, len(p.occs))
	a.units = cleared(a.units, len(p.units))
	a.dynamic, a.unresolved = a.dynamic[:0], a.unresolved[:0]
	a.asked, a.rootAsked, a.escapedEver, a.gained, a.assumed = false, false, false, false, false
	a.guards = a.guards[:0]
	a.unrolled = 0
	failed, first := false, failing{}
	for i := range p.units {
		if p.units[i].message == Session && a.query.SkipSession {
			continue
		}
		a.walkUnit(int32(i))
		a.failed = a.failed || a.doomed && !a.lenient
		if !a.failed && !a.lenient {
			a.gain()
		}
		if a.failed && !failed {
			failed, first = true, a.failing
		}
	}
	a.failed, a.failing = failed, first
	a.settleGuards()
	slices.SortStableFunc(a.dynamic, func(x, y dynamicUse) int { return cmp.Compare(x.name, y.name) })
}

func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// walkUnit walks one template with a copy of the variables of its own. What
// the path learned in another one holds only if that one rendered, so it is
// forgotten.
func (a *analysis) walkUnit(i int32) {
	root := a.p.units[i].root
	a.unit, a.path = i, path{}
	a.foreign = a.p.units[i].calls
	a.fp, a.above, a.dot = 0, int32(root.slots), rootValue
	a.growSlots(root.slots)
	a.slots[0] = rootValue
	a.uses, a.must = a.uses[:0], a.must[:0]
	a.slotTrail, a.factTrail = a.slotTrail[:0], a.factTrail[:0]
	a.slotArms, a.factArms = a.slotArms[:0], a.factArms[:0]
	a.loops, a.activations, a.operands = a.loops[:0], a.activations[:0], a.operands[:0]
	a.forks, a.dry = 0, 0
	if len(a.facts) > 1 {
		for s := range a.symbols {
			a.symbols[s].fact = 0
		}
	}
	a.list(root.stmts)
}

// unprove drops what earlier rounds have established about successes: it has
// to be proved again when less is taken for granted.
func (a *analysis) unprove() {
	a.assumeNonZero, a.keepZero, a.haveSure, a.sureRounds = false, false, false, 0
	clear(a.sure)
}

// gain notes what holds of variables and inputs at the end of a unit: every
// success gets there.
func (a *analysis) gain() {
	if len(a.facts) == 1 {
		return // nothing has been learned
	}
	for n := range a.vars {
		s := a.vars[n].sym
		if s == 0 {
			s = a.inputSyms[n]
		}
		if s == 0 || a.symbols[s].fact == 0 {
			continue
		}
		if f := meet(a.sure[n], a.facts[a.symbols[s].fact]); !f.equal(a.sure[n]) {
			a.sure[n] = f
			a.gained = true
		}
	}
}

// openMore leaves open every absent variable that the round found to be
// needed or perhaps needed. It reports whether a lookup has counted on the
// absence of one of them. After some rounds it opens all that occur: each
// round costs a walk, and a chain of guards could ask for as many rounds as
// it has links.
func (a *analysis) openMore(round int) bool {
	switch {
	case !a.assumed:
		return false // nothing has been looked up that could be open
	case round >= maxRounds:
		return a.openAll()
	}
	more := false
	for n := range a.vars {
		if id := nameID(n); a.closed(id) && a.kindOf(id) != Optional {
			a.open[n] = true
			more = more || a.vars[n].assumed
		}
	}
	return more
}

func (a *analysis) openAll() bool {
	more := !a.allOpen
	a.allOpen = true
	return more
}

// closed reports whether a variable is absent and taken to stay so.
func (a *analysis) closed(n nameID) bool {
	return !a.allOpen && !a.open[n] && a.nameOf(n).space == variableSpace && !a.variable(n).supplied
}

// someRequired reports whether a variable that is not supplied is required.
func (a *analysis) someRequired() bool {
	for n := range a.vars {
		if id := nameID(n); a.certain[n] && a.nameOf(id).space == variableSpace && !a.variable(id).supplied {
			return true
		}
	}
	return false
}

// kindOf is what the round found of a name, unresolved uses aside.
func (a *analysis) kindOf(n nameID) Kind {
	if a.certain[n] {
		return Required
	}
	kind := Optional
	a.eachUse(n, func(u dynamicUse) {
		if a.counts(n, u) {
			kind = Conditional
		}
	})
	return kind
}

// counts reports whether a use may make its name necessary. A use that only
// failing executions reach does not, unless the variables that are absent
// have a say in the failure: supplying them could turn it into a success.
func (a *analysis) counts(n nameID, u dynamicUse) bool {
	o := &a.p.occs[u.occ]
	switch {
	case o.kind == occLookup:
		return false
	case u.state == occDoomed:
		return o.kind == occDemand && !a.variable(n).supplied && (a.units[o.unit].looked || a.haveSure && a.asked)
	}
	return u.state >= occPossible
}

// eachUse calls visit for every use of a name that the round has seen.
func (a *analysis) eachUse(n nameID, visit func(dynamicUse)) {
	for _, i := range a.nameOf(n).occs {
		if a.occState[i] != occUnseen {
			visit(dynamicUse{occ: i, name: n, state: a.occState[i], cause: a.occCause[i]})
		}
	}
	from, _ := slices.BinarySearchFunc(a.dynamic, n, func(u dynamicUse, n nameID) int { return cmp.Compare(u.name, n) })
	for _, u := range a.dynamic[from:] {
		if u.name != n {
			break
		}
		visit(u)
	}
}
