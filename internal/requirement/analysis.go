package requirement

import "context"

// analysis is the state of one Analyze call. Nothing of it outlives the call:
// it is pooled for its memory only, and cleared before it is used again.
type analysis struct {
	p     *Program
	query Query
	ctx   context.Context

	// What the rounds have established.
	open          []bool // by name: absent, and not taken to stay absent
	allOpen       bool   // the same for all of them
	assumeNonZero bool   // some variable is required, so the map is not empty
	sure          []fact // by name: what holds of its value in every success
	haveSure      bool   // sure says anything
	sureRounds    int
	keepZero      bool // assumeNonZero would not stand
	lenient       bool // failures are ignored: every completion fails anyway

	// The current round.
	vars        []variableState // by name
	inputSyms   []symID         // by name: the content of an input
	certain     []bool          // by name: read or demanded by every success
	occState    []occState      // by occurrence
	occCause    []cause         // by occurrence: why it is only possible
	unit        int32
	foreign     bool // the unit may call a caller's functions
	units       []unitState
	dynamic     []dynamicUse // uses whose name was computed
	unresolved  []unresolved // uses whose name stayed unknown
	extra       []name       // names that only a computation gave
	extraIDs    map[dynamicName]nameID
	symbols     []symbol
	details     []detail
	facts       []fact
	causes      []causeNode
	failing     failing // where every execution fails, if the path has failed
	cannot      failing // the same, once it is certain
	gained      bool    // the round has found out more that holds in every success
	assumed     bool    // a lookup has counted on the absence of a variable
	escapedEver bool    // a caller's function has had the map of variables
	asked       bool    // the answer depends on which absent variables stay absent
	rootAsked   bool    // the truth of the map was needed and not known

	opaqueCause, unsupportedCause, rootCause cause
	rootSym                                  symID // whether there are variables at all

	// The current path.
	path
	slots       []value
	operands    []value // of the calls being evaluated
	fp          int32   // of the current template
	dot         value
	uses        []useEntry
	must        []nameID
	slotTrail   []slotChange
	factTrail   []factChange
	slotArms    []slotChange
	factArms    []factChange
	guards      []guard
	blind       bool // what the path has learned must not be used
	useSure     bool // what holds in every success may be used
	loops       []*loopState
	activations []activation
	forks       int
	dry         int
	stamp       uint32
	slotStamp   []uint32
	slotPos     []int32
	nameStamp   []uint32
	above       int32 // the first slot that no running template uses
	unrolled    int   // steps spent on iterations one by one

	reporter   reporter
	causeStack []cause
	steps      int
	limit      int
	exhausted  bool
	err        error
}

// path is what holds at the current place of the walk.
type path struct {
	maybe     cause // why this place may not be reached; 0: it is, in every success
	decisions int   // how many unresolved branches it depends on
	taint     taint // why what is left of a loop may be skipped
	skippable bool  // it may be skipped by those who have started the current arm
	failed    bool  // every execution fails before this place
	doomed    bool  // no execution that reaches this place succeeds
	ended     bool  // every execution leaves the loop before this place
	target    int32 // which loop that is, if ended
	escaped   bool  // a caller's function may have changed this unit's variables
	// hasVariables is set once the path has needed a variable that was not
	// supplied: whoever gets this far has supplied it.
	hasVariables bool
}

// taint is the reasons for skipping what is left of a loop. Reasons may
// repeat; times tells one place from another all the same.
type taint struct {
	why   cause
	times int
}

// variableState is what the context says of a variable.
type variableState struct {
	known    bool
	supplied bool
	value    string
	sym      symID // what an unknown value is called
	assumed  bool  // a lookup has taken it to stay absent
}

// unitState is what a round has seen of a unit as a whole.
type unitState struct {
	looked bool // it has asked for a variable that may be absent, without needing it
}

// occState is the strongest that is known of an occurrence.
type occState uint8

const (
	occUnseen   occState = iota
	occInactive          // only on paths not taken
	occDoomed            // only on paths that fail
	occPossible
	occCertain
)

// useEntry is a use on the current arm, not yet committed.
type useEntry struct {
	occ   int32
	name  nameID
	state occState
	cause cause
	open  int32 // index+1 into unresolved
	oneOf bool  // the name is one of several that it may be
}

type dynamicUse struct {
	occ   int32
	name  nameID
	state occState
	cause cause
	oneOf bool
}

type dynamicName struct {
	space space
	text  string
}

// unresolved is a use of a name that is not known.
type unresolved struct {
	occ    int32
	prefix string
	suffix string
	not    []string
	cause  cause
	state  occState
}

// activation is one running invocation of a template.
type activation struct {
	body      *body
	arg       value
	decisions int
	taint     taint
	escaped   bool
}

const (
	checkEvery     = 64       // steps between looks at the context
	baseSteps      = 100_000  // every analysis may take these…
	stepsPerNode   = 64       // …and as many more for each statement and expression
	unrollSteps    = 20_000   // after these, loops are no longer walked one iteration at a time
	maxUnroll      = 64       // iterations
	maxActivations = 24       // of one template, before its argument is widened
	maxConstant    = 64 << 10 // bytes of a text that the analysis computes
	maxSureRounds  = 3        // that use what holds in every success
	maxRounds      = 6        // before all absent variables are left open at once
)

// step counts work. It reports false when the analysis has to stop.
func (a *analysis) step() bool {
	a.steps++
	if a.steps%checkEvery == 0 {
		a.lookAtContext()
	}
	if a.steps > a.limit {
		a.exhausted = true
	}
	return a.err == nil && !a.exhausted
}

// lookAtContext ends the walk once the context has ended.
func (a *analysis) lookAtContext() {
	if a.err == nil {
		a.err = a.ctx.Err()
	}
}

func (a *analysis) stopped() bool { return a.err != nil || a.exhausted }

// failing is a place where every execution that reaches it fails.
type failing struct {
	unit, pos int32
	why       string
}

// fail notes that every execution that reaches this place fails. The walk
// goes on as if the expression had an unknown value: what follows is still
// listed.
func (a *analysis) fail(why string, pos int32) value {
	if !a.lenient && !a.failed {
		a.failed = true
		a.failing = failing{a.unit, pos, why}
	}
	return a.unknownAny(a.opaque())
}

// noSuccess notes that no execution that reaches this place succeeds, though some
// may fail only later.
func (a *analysis) noSuccess(pos int32) {
	if !a.doomed {
		a.doomed = true
		a.failing = failing{a.unit, pos, whyEveryBranch}
	}
}

func (a *analysis) newSymbol(s symbol) value {
	if a.loose(s) {
		s.loose, s.truth = true, unknown
	}
	a.symbols = append(a.symbols, s)
	return value{kind: s.kind, sym: symID(len(a.symbols) - 1)}
}

// loose reports whether s may be a map that a caller's function can fill or
// empty between one look at it and the next.
func (a *analysis) loose(s symbol) bool { return s.kind == kAny && a.foreign && !s.stable }

// newDetailed makes a symbol of which more is known.
func (a *analysis) newDetailed(s symbol, d detail) value {
	if a.loose(s) {
		d.pred = pred{}
	}
	if d.pred.op != predNone {
		weight := 1 + int(a.symbols[d.pred.a].weight) + int(a.symbols[d.pred.b].weight)
		if weight > maxWeight {
			d.pred = pred{} // it would cost too much to ask
		} else {
			s.weight = uint8(weight)
		}
	}
	a.details = append(a.details, d)
	s.detail = int32(len(a.details) - 1)
	return a.newSymbol(s)
}

func (a *analysis) detailOf(id symID) *detail { return &a.details[a.symbols[id].detail] }

func (a *analysis) unknownAny(c cause) value {
	return a.newSymbol(symbol{kind: kAny, causes: c})
}

func (a *analysis) unknownOf(k kind, c cause) value {
	return a.newSymbol(symbol{kind: k, causes: c})
}

// causesOf returns why v is not known, 0 if it is.
func (a *analysis) causesOf(v value) cause {
	switch {
	case v.sym != 0:
		return a.symbols[v.sym].causes
	case v.kind == kRoot:
		return a.someVariable()
	}
	return 0
}

// decisionCause is causesOf for a value whose truth decides a branch: never
// empty, so that whatever depends on it has a reason.
func (a *analysis) decisionCause(v value) cause {
	if c := a.causesOf(v); c != 0 {
		return c
	}
	return a.opaque()
}

// mayBeRoot reports whether v may be the map of the caller's variables.
func (a *analysis) mayBeRoot(v value) bool {
	return v.kind == kRoot || v.sym != 0 && a.symbols[v.sym].mayRoot
}
