package promptkit

import (
	"context"
	"time"
)

// Observer is told what happens in runs. Calls for one run come in order and
// one at a time; those of several runs come concurrently. A run waits for the
// observer, which should return quickly.
type Observer interface {
	Observe(ctx context.Context, o Observation)
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
// are zero. It holds no content.
type Observation struct {
	Kind ObservationKind
	Time time.Time

	RunID                    string
	PromptID, PromptVersion  string
	PromptHash, RenderedHash string
	ProfileID                string
	Target                   Target
	SessionID                string
	Output                   OutputContract

	// Waited is how long the run waited for admission (admitted).
	Waited time.Duration
	// Attempt is the record of the try (attempt).
	Attempt *Attempt
	// Instructions are those of the first attempt (started).
	Instructions []PreparedInstruction
	// Usage and Duration are those of the whole run, and Attempts is how
	// many there were (finished).
	Usage    Usage
	Duration time.Duration
	Attempts int
	// Err is what the run returns (finished); nil if it succeeded.
	Err error
}
