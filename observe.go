package promptkit

import (
	"context"
	"slices"
	"time"
)

// Observer is told what happens in runs. Calls for one run come in order and
// one at a time; those of several runs come concurrently. A run waits for the
// observer, which should return quickly.
type Observer interface {
	Observe(ctx context.Context, o Observation)
}

// ContextObserver is an Observer that has a say in the contexts of a run: a
// tracer puts its spans there.
type ContextObserver interface {
	Observer
	// Enter is called before a run's ObservedStarted, and before each call
	// with what is known of its Attempt. What is entered, and the observation
	// that ends it, has the context that Enter returns.
	Enter(ctx context.Context, o Observation) context.Context
}

// ContentObserver is an Observer that may ask for contents. Observers that
// are none, or that do not want it, are never handed any.
type ContentObserver interface {
	Observer
	// WantsContent reports whether Attempt.Content is to be filled in.
	WantsContent() bool
}

// ObservationKind says what happened.
type ObservationKind string

// The observations of a run, in the order in which they come. A run that was
// started is always finished.
const (
	ObservedStarted   ObservationKind = "started"   // the run has its ID
	ObservedAdmitted  ObservationKind = "admitted"  // a backend has room for it
	ObservedAttempt   ObservationKind = "attempt"   // one try is over, well or badly
	ObservedValidated ObservationKind = "validated" // an output keeps the contract
	ObservedFinished  ObservationKind = "finished"  // the run is over, well or badly
)

// Observation is one thing that happened. Fields that do not concern its Kind
// are zero. It holds no content, unless a ContentObserver asks for that of
// its Attempt. What its pointers and slices refer to is not to be changed.
type Observation struct {
	Kind ObservationKind
	Time time.Time

	RunID                    string
	PromptID, PromptVersion  string
	PromptHash, RenderedHash string
	ProfileID                string
	// Target is where the run is sent; after a fallback, where it was sent.
	Target    Target
	SessionID string
	Contract  OutputContract

	// Instructions are those of the first attempt (started).
	Instructions []PreparedInstruction
	// Waited is how long the run waited for admission (admitted).
	Waited time.Duration
	// Attempt is the record of the try (attempt).
	Attempt *Attempt
	// Usage and Duration are those of the whole run, and Attempts is how
	// many there were (finished).
	Usage    Usage
	Duration time.Duration
	Attempts int
	// Err is what the run returns (finished); nil if it succeeded.
	Err error
}

// observers tells several observers.
type observers []Observer

// wantContent reports whether any of them asks for contents.
func (list observers) wantContent() bool {
	return slices.ContainsFunc(list, wantsContent)
}

func wantsContent(observer Observer) bool {
	c, ok := observer.(ContentObserver)
	return ok && c.WantsContent()
}

// enter lets the observers prepare the context of what o is about.
func (list observers) enter(ctx context.Context, o Observation) context.Context {
	for _, observer := range list {
		if c, ok := observer.(ContextObserver); ok {
			ctx = c.Enter(ctx, o)
		}
	}
	return ctx
}

// tell passes o on to all of them, and contents only to those that want them.
func (list observers) tell(ctx context.Context, o Observation) {
	for _, observer := range list {
		seen := o
		if o.Attempt != nil && o.Attempt.Content != nil && !wantsContent(observer) {
			bare := *o.Attempt
			bare.Content = nil
			seen.Attempt = &bare
		}
		observer.Observe(ctx, seen)
	}
}
