package promptkit

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Observer is told what happens in runs. Calls for one run come in order and
// one at a time; those of several runs come concurrently. A run waits for the
// observer, which should return quickly.
type Observer interface {
	Observe(ctx context.Context, o Observation)
}

// ContentObserver is an Observer that may ask for contents. Observers that
// are none, or that do not want it, are never handed any.
type ContentObserver interface {
	Observer
	// WantsContent reports whether Observation.Content is to be filled in.
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
// are zero. Apart from Content it holds no content.
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
	// Content is what the try sent and got (attempt), for a ContentObserver
	// that wants it; nil for every other.
	Content *ObservedContent
}

// ObservedContent is what one attempt sent and what came back. Its
// formattings show nothing of it.
type ObservedContent struct {
	Messages []Message
	Reply    string // "" if there was none
}

// Format prints a mask for every verb.
func (*ObservedContent) Format(s fmt.State, verb rune) { formatText(s, verb, mask) }

// LogValue is the mask.
func (*ObservedContent) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask.
func (*ObservedContent) MarshalText() ([]byte, error) { return []byte(mask), nil }

// observers tells several observers.
type observers []Observer

// tell passes o on to all of them, and content only to those that want it.
func (list observers) tell(ctx context.Context, o Observation, content func() *ObservedContent) {
	for _, observer := range list {
		seen := o
		if c, ok := observer.(ContentObserver); ok && content != nil && c.WantsContent() {
			seen.Content = content()
		}
		observer.Observe(ctx, seen)
	}
}
