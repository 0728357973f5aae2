package execution

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

// Runner executes frozen requests. Its fields are set before its first use
// and not changed after; it is then safe for concurrent use.
type Runner struct {
	Generator Generator
	// Admission defaults to none: every call is made at once.
	Admission Admitter
	// Chance spreads the waits between retries. It returns numbers from 0 up
	// to 1 and defaults to math/rand.
	Chance func() float64
}

// Admitter gives places at backends.
type Admitter interface {
	// Acquire takes a place, waiting for it as long as the context allows,
	// and returns the function that gives it back.
	Acquire(ctx context.Context, backend string) (release func(), err error)
}

// Observer is told what happens in a run. Calls come one at a time, on the
// goroutine that runs.
type Observer interface {
	// Admitted is called when the run has a place at a target's backend.
	Admitted(ctx context.Context, target *Target, waited time.Duration)
	// Started is called before a call is made, which then uses the context
	// that it returns.
	Started(ctx context.Context, a Attempt) context.Context
	// Ended is called with the complete record of a call, and with the
	// context that Started returned.
	Ended(ctx context.Context, a Attempt)
}

// Options are the caller's wishes for one run.
type Options struct {
	// OnText gets text as it comes, not yet validated, with the number of the
	// attempt that it belongs to. Nil asks for whole replies.
	OnText   func(attempt int, text string)
	Observer Observer // nil for none
	// KeepContent keeps what was sent and received in the record.
	KeepContent bool
}

// Run executes a frozen request until there is an output that keeps the
// contract, or no way left to get one. The error is an *Error.
//
// The place at a backend is kept for the whole run, waits included: a backend
// that asks for patience is not helped by the next run in the queue.
func (r *Runner) Run(ctx context.Context, f *Frozen, opts Options) (*Result, error) {
	s := &run{Runner: r, frozen: f, opts: opts, release: func() {}}
	defer func() { s.release() }()
	return s.run(ctx)
}

// run is the state of one run. It exists so that each step can be a method of
// few arguments; nothing of it outlives the run.
type run struct {
	*Runner
	frozen *Frozen
	opts   Options

	target   int // index of the target in use
	admitted bool
	release  func() // gives the place at its backend back

	try          int
	messages     []Message // of this try
	instructions []InstructionRecord

	attempts []Attempt
	usage    Usage
	reply    *Reply // the last one
}

// run tries until the contract is kept or the tries are used up.
func (s *run) run(ctx context.Context) (*Result, error) {
	req := &s.frozen.req
	s.messages, s.instructions = s.frozen.messages, s.frozen.instructions
	for s.try = 1; ; s.try++ {
		verdict, err := s.generate(ctx)
		if err != nil {
			return nil, err
		}
		if verdict.class == ClassOK {
			return s.result(verdict.output), nil
		}
		if !verdict.class.Repaired() || s.try >= req.tries() {
			return nil, s.rejected(verdict)
		}
		s.messages, s.instructions = req.conversation(s.try + 1)
		s.messages = append(s.messages, repairTurn(req.Output, s.reply, verdict)...)
	}
}

// generate gets a reply for this try, from the first target that gives one.
// Targets that failed are not gone back to.
func (s *run) generate(ctx context.Context) (verdict, error) {
	if !s.admitted {
		if err := s.admit(ctx); err != nil {
			return verdict{}, err
		}
	}
	var before *failedTarget
	for {
		v, fault := s.persist(ctx)
		if fault == nil {
			return v, nil
		}
		this := &failedTarget{s.target, fault}
		if before != nil && fault.Class == ClassCredential {
			// A fallback that cannot be used explains nothing: what the run
			// fails of is the failure that led to it.
			this = before
		}
		if this.fault.Class.FallsBack() && s.fallBack(ctx) {
			before = this
			continue
		}
		if err := ended(ctx); err != nil {
			this.fault = cancelled(err)
		}
		s.target = this.index
		return verdict{}, s.failed(this.fault)
	}
}

// failedTarget is a target that gave no reply, and why.
type failedTarget struct {
	index int
	fault *Fault
}

// fallBack goes on to the next target that has a place. It reports false if
// there is none; the failure of the target before is then the run's.
func (s *run) fallBack(ctx context.Context) bool {
	from := s.target
	for s.target+1 < len(s.frozen.req.Targets) && ended(ctx) == nil {
		s.target++
		s.release()
		if s.admit(ctx) == nil {
			return true
		}
	}
	s.target = from
	return false
}

// admit takes a place at the target's backend.
func (s *run) admit(ctx context.Context) error {
	s.release = func() {}
	target := s.at()
	var start time.Time
	if s.opts.Observer != nil {
		start = time.Now()
	}
	if s.Admission != nil {
		release, err := s.Admission.Acquire(ctx, target.BackendID)
		if err != nil {
			return s.turnedAway(err)
		}
		s.release = release
	} else if err := ctx.Err(); err != nil {
		return s.turnedAway(err)
	}
	s.admitted = true
	if s.opts.Observer != nil {
		s.opts.Observer.Admitted(ctx, target, time.Since(start))
	}
	return nil
}

// persist calls the target until it replies or its retries are used up.
func (s *run) persist(ctx context.Context) (verdict, *Fault) {
	var waited time.Duration
	for calls := 1; ; calls++ {
		v, fault := s.attempt(ctx, waited)
		if fault == nil {
			return v, nil
		}
		wait, again := s.at().Retry.Next(calls, fault, remaining(ctx), s.chance())
		if !again {
			return verdict{}, fault
		}
		if err := pause(ctx, wait); err != nil {
			return verdict{}, cancelled(err)
		}
		waited = wait
	}
}

func (s *run) at() *Target { return &s.frozen.req.Targets[s.target] }

func (s *run) chance() float64 {
	if s.Chance != nil {
		return s.Chance()
	}
	return rand.Float64()
}

// result is the outcome of a run that succeeded.
func (s *run) result(output string) *Result {
	last := s.attempts[len(s.attempts)-1]
	return &Result{
		Output: output, Target: s.target, Model: last.Model, FinishReason: last.FinishReason,
		Usage: s.usage, Attempts: s.attempts,
	}
}

// failed is the outcome of a run that got no reply.
func (s *run) failed(f *Fault) *Error {
	e := s.error(Generation, f.Class, f.Reason)
	if f.Class.ofReply() { // the backend declined before a model could
		e.Stage = Validation
	}
	e.Status, e.Code, e.RetryAfter, e.Err = f.Status, f.Code, f.RetryAfter, f.Err
	return e
}

// rejected is the outcome of a run whose last reply keeps no contract.
func (s *run) rejected(v verdict) *Error {
	e := s.error(Validation, v.class, v.reason())
	e.Violations = v.violations
	return e
}

// turnedAway is the outcome of a run that got no place.
func (s *run) turnedAway(cause error) *Error {
	e := s.error(Admission, ClassCapacity, cause.Error())
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		e.Class, e.Reason = ClassCancelled, "was given up on while waiting for a place: "+cause.Error()
	}
	e.Err = cause
	return e
}

// error is an Error with what is known of the run.
func (s *run) error(stage Stage, class Class, reason string) *Error {
	t := s.at()
	e := &Error{
		Stage: stage, Class: class, Reason: reason, ProfileID: t.ProfileID, BackendID: t.BackendID, Model: t.Model,
		Usage: s.usage, Attempts: slices.Clip(s.attempts),
	}
	if s.reply != nil {
		e.reply = conceal(s.reply.Text)
	}
	return e
}
