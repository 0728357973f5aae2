package promptkit

import (
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// FailureClass says how an attempt failed; "" is an attempt that did not. The
// values are stable: they appear in records and as metric attributes.
type FailureClass string

// The classes of a reply that does not keep the output contract.
const (
	FailureTruncated FailureClass = "truncated"       // the model ran into its token limit
	FailureRefused   FailureClass = "refused"         // the model or a content filter declined
	FailureEmpty     FailureClass = "empty"           // there is no text in the reply
	FailureNotJSON   FailureClass = "not_json"        // the contract asks for JSON
	FailureMismatch  FailureClass = "schema_mismatch" // it is JSON that the schema rejects
)

// The classes of a call that brought no reply, and that may be repeated.
const (
	FailureConnection  FailureClass = "connection"   // the backend could not be reached, or hung up
	FailureInterrupted FailureClass = "interrupted"  // a body or stream that ends before its end
	FailureTimeout     FailureClass = "timeout"      // no complete reply within the backend's timeout
	FailureConflict    FailureClass = "conflict"     // 408 and 409
	FailureRateLimited FailureClass = "rate_limited" // 429
	FailureServer      FailureClass = "server_error" // 5xx, or an error body under status 200
)

// The classes of a call that brought no reply and that repeating does not
// help.
const (
	FailureProtocol      FailureClass = "protocol"           // an answer that is no chat completion
	FailureTooLarge      FailureClass = "too_large"          // longer than any reply should be
	FailureQuota         FailureClass = "quota"              // nothing left to spend
	FailureUnauthorized  FailureClass = "unauthorized"       // 401 and 403
	FailureNotFound      FailureClass = "not_found"          // no such path or model
	FailureBadRequest    FailureClass = "bad_request"        // any other 4xx
	FailureContextLength FailureClass = "context_length"     // the messages do not fit the model's context
	FailureUnsupported   FailureClass = "unsupported"        // the backend refuses the response format
	FailureRedirect      FailureClass = "redirect"           // to another origin, or in a circle
	FailureUnusable      FailureClass = "unusable"           // the request cannot be sent at all
	FailureCredential    FailureClass = "credential_missing" // a named variable is unset or empty
	FailureCapacity      FailureClass = "capacity"           // the backend's queue is full
	FailureCancelled     FailureClass = "cancelled"          // the caller's context ended
	FailureUnknown       FailureClass = "unknown"            // a ModelClient's error without a class
)

// OutputError says why a reply does not keep the output contract. It comes
// with ErrValidation. The reply itself is kept from every formatting of the
// error; LastReply returns it to those who ask.
type OutputError struct {
	Class     FailureClass
	BackendID string
	Model     string // as requested
	// Reason is what is wrong with the reply, without quoting it.
	Reason string
	// Violations is what the schema rejected, in the order of the document;
	// empty for every other class.
	Violations []Violation
	// Attempts is the record of the whole run, this last attempt included,
	// and Usage the sum over it.
	Attempts []Attempt
	Usage    Usage

	reply concealed
}

// Violation is one place in a reply that the schema rejects.
type Violation struct {
	// Path is a JSON Pointer into the reply; "" is the whole of it. A
	// property name that is not the schema's shows as *.
	Path string
	// Message says which rule is broken, without the value that breaks it.
	Message string
}

// Error says what is wrong with the reply, without quoting it.
func (e *OutputError) Error() string { return e.Reason }

// LastReply returns the text of the last reply, which was never accepted.
func (e *OutputError) LastReply() string { return e.reply.reveal() }

// ProviderError says how a backend failed. It comes with ErrGenerate. It
// holds nothing that the backend wrote but the code of its error, where that
// is an identifier: a message may echo a credential or the prompt.
type ProviderError struct {
	BackendID string
	Model     string // as requested
	Class     FailureClass
	// Status is the HTTP status of the last answer; 0 if there was none.
	Status int
	// Code is the backend's own error code, if it is an identifier.
	Code string
	// Reason is what happened, without a subject.
	Reason string
	// RetryAfter is how long the backend asked to wait; 0 if it did not.
	RetryAfter time.Duration
	// Attempts is the record of the whole run, and Usage the sum over it.
	Attempts []Attempt
	Usage    Usage
}

// Error says which backend failed and how.
func (e *ProviderError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "backend %q: %s", e.BackendID, e.Reason)
	if n := len(e.Attempts); n > 1 {
		fmt.Fprintf(&b, " (after %d calls)", n)
	}
	return b.String()
}

// CapacityError says that a backend's queue is full. It comes with
// ErrCapacity.
type CapacityError struct {
	BackendID     string
	MaxConcurrent int // how many runs the backend takes at once
	MaxWaiting    int // how many more may wait
	Waiting       int // how many were waiting
}

// Error says which limit was reached, and how far.
func (e *CapacityError) Error() string {
	return fmt.Sprintf("backend %q takes %d at a time and %d more may wait; %d are waiting, so try later or raise max_waiting",
		e.BackendID, e.MaxConcurrent, e.MaxWaiting, e.Waiting)
}

// mask is what formatting shows in place of text that is to stay hidden.
const mask = "[concealed]"

// concealed is text that no formatting shows, nor a printer that walks into
// unexported fields.
type concealed struct{ get func() string }

func conceal(text string) concealed { return concealed{func() string { return text }} }

func (c concealed) reveal() string {
	if c.get == nil {
		return ""
	}
	return c.get()
}

// Format prints the mask for every verb.
func (concealed) Format(s fmt.State, verb rune) { formatText(s, verb, mask) }

// LogValue is the mask.
func (concealed) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask.
func (concealed) MarshalText() ([]byte, error) { return []byte(mask), nil }
