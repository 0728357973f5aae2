package execution

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/promptkit-go/promptkit/internal/schema"
)

// Stage is the part of a run in which it failed.
type Stage uint8

// The stages of a run.
const (
	Admission  Stage = iota + 1 // waiting for a place at the backend
	Generation                  // getting a reply
	Validation                  // holding the reply to the contract
)

// Error is why a run gave no output. It holds nothing that a model, a backend
// or a caller wrote; the last reply is there for those who ask.
type Error struct {
	Stage     Stage
	Class     Class
	ProfileID string
	BackendID string
	Model     string // as requested

	Status     int    // HTTP status of the last answer; 0 if there was none
	Code       string // the backend's error code, if it is an identifier
	RetryAfter time.Duration
	Reason     string // what happened, without a subject

	Violations []schema.Violation // with ClassMismatch
	Usage      Usage              // of all attempts together
	Attempts   []Attempt

	// Err is the context's or the operating system's error, or a
	// *capacity.FullError, if that was the cause.
	Err error

	reply concealed
}

// Error says which backend, and what happened.
func (e *Error) Error() string {
	return fmt.Sprintf("backend %q: %s", e.BackendID, e.Reason)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// LastReply returns the text of the last reply, which kept no contract; "" if
// no call brought one.
func (e *Error) LastReply() string { return e.reply.text() }

// concealed is text that no formatting shows, nor a printer that walks into
// unexported fields.
type concealed struct{ get func() string }

func conceal(text string) concealed { return concealed{func() string { return text }} }

func (c concealed) text() string {
	if c.get == nil {
		return ""
	}
	return c.get()
}

const mask = "[reply]"

// Format prints the mask, whatever the verb.
func (concealed) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask) }

// LogValue returns the mask.
func (concealed) LogValue() slog.Value { return slog.StringValue(mask) }

// faultOf turns a generator's error into a Fault. An error of unknown make
// keeps no words: they may be anybody's.
func faultOf(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return &Fault{Class: ClassUnknown, Reason: "failed in a way that its client does not explain", Err: err}
}

// reasons describe the replies that keep no contract.
var reasons = map[Class]string{
	ClassTruncated: "the reply was cut at a token limit; raise max_output_tokens or ask for less",
	ClassRefused:   "the model declined to answer",
	ClassEmpty:     "the reply holds no text",
	ClassNotJSON:   "the reply is not JSON",
	ClassMismatch:  "the reply does not match the schema",
}

// reason words a verdict.
func (v verdict) reason() string {
	switch v.class {
	case ClassNotJSON:
		return reasons[v.class] + ": " + v.problem
	case ClassMismatch:
		first := v.violations[0]
		at := first.Path
		if at == "" {
			at = "the top level"
		}
		text := fmt.Sprintf("%s: %s %s", reasons[v.class], at, first.Message)
		if more := len(v.violations) - 1; more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
		return text
	}
	return reasons[v.class]
}
