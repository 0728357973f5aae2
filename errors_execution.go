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
	FailureTruncated FailureClass = "truncated"       // the reply was cut at a token limit
	FailureRefused   FailureClass = "refused"         // the model or a content filter declined
	FailureEmpty     FailureClass = "empty"           // there is no text in the reply
	FailureNotJSON   FailureClass = "not_json"        // the reply is not a JSON document
	FailureMismatch  FailureClass = "schema_mismatch" // it is JSON that the schema rejects
)

// The classes of a call that brought no reply, and that may be repeated.
const (
	FailureConnection  FailureClass = "connection"   // the backend could not be reached, or hung up
	FailureTimeout     FailureClass = "timeout"      // no complete reply within the backend's timeout
	FailureCut         FailureClass = "cut"          // a body or stream that ends before its end
	FailureTransient   FailureClass = "transient"    // 408 and 409
	FailureRateLimited FailureClass = "rate_limited" // 429
	FailureServer      FailureClass = "server_error" // 5xx, or an error body under status 200
)

// The classes of a call that brought no reply and that repeating does not help.
const (
	FailureMalformed     FailureClass = "malformed_reply"    // an answer that is no chat completion
	FailureTooLarge      FailureClass = "reply_too_large"    // longer than any reply is allowed to be
	FailureQuota         FailureClass = "quota_exhausted"    // the account has nothing left to spend
	FailureUnauthorized  FailureClass = "unauthorized"       // 401 and 403
	FailureNotFound      FailureClass = "not_found"          // no such path or model
	FailureBadRequest    FailureClass = "bad_request"        // any other 4xx
	FailureContextLength FailureClass = "context_overflow"   // the messages do not fit the model's context
	FailureUnsupported   FailureClass = "unsupported_output" // no structured output of this kind
	FailureRedirect      FailureClass = "redirect_refused"   // to another origin, or in a circle
	FailureCredential    FailureClass = "credential_missing" // the named variable is unset or empty
	FailureCapacity      FailureClass = "no_capacity"        // the backend's queue is full
	FailureCancelled     FailureClass = "canceled"           // the caller's context ended
	FailureUnknown       FailureClass = "unknown"            // a ModelClient's error without a class
)

// OutputError says why a reply does not keep the output contract. It comes
// with ErrValidation. The reply itself is kept from every formatting of the
// error; LastReply returns it to those who ask.
type OutputError struct {
	Class FailureClass
	// Violations is what the schema rejected, in document order; empty for
	// every other class.
	Violations []Violation
	// Attempts is the record of the whole run, this last attempt included.
	Attempts []Attempt
	// Usage is the sum over the attempts.
	Usage Usage

	reply concealed
}

// Violation is one place in a reply that the schema rejects.
type Violation struct {
	// Path is a JSON Pointer into the reply; "" is the whole of it.
	Path string
	// Message says which rule is broken, without the value that breaks it.
	Message string
}

// Error says what is wrong with the reply, without quoting it.
func (e *OutputError) Error() string {
	var b strings.Builder
	b.WriteString(e.Class.sentence())
	for i, v := range e.Violations {
		if i == 3 {
			fmt.Fprintf(&b, "; and %d more", len(e.Violations)-i)
			break
		}
		b.WriteString("; at " + pointerOrRoot(v.Path) + ": " + v.Message)
	}
	return b.String()
}

// pointerOrRoot names the whole document, whose pointer is empty.
func pointerOrRoot(path string) string {
	if path == "" {
		return "the root"
	}
	return path
}

// LastReply returns the text of the last reply, which was never validated.
func (e *OutputError) LastReply() string { return e.reply.text }

// ProviderError says how a backend failed. It comes with ErrGenerate. It
// holds nothing that the backend wrote but the code and the type of its
// error: a message may echo a credential or the prompt.
type ProviderError struct {
	BackendID string
	Model     string
	Class     FailureClass
	// Status is the HTTP status of the last answer; 0 if there was none.
	Status int
	// Code is the backend's own error code, if it is a plain identifier.
	Code string
	// RetryAfter is how long the backend asked to wait; 0 if it did not.
	RetryAfter time.Duration
	// Calls counts the requests that were sent, retries included.
	Calls int
	// Attempts is the record of the whole run.
	Attempts []Attempt
	// Usage is the sum over the attempts.
	Usage Usage
}

// Error says which backend failed and how.
func (e *ProviderError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "backend %q: %s", e.BackendID, e.Class.sentence())
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d", e.Status)
		if e.Code != "" {
			fmt.Fprintf(&b, ", code %q", e.Code)
		}
		b.WriteByte(')')
	}
	if e.Calls > 1 {
		fmt.Fprintf(&b, " after %d calls", e.Calls)
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

// sentence words a class for an error message.
func (c FailureClass) sentence() string {
	if s, ok := failureSentences[c]; ok {
		return s
	}
	return "failed (" + string(c) + ")"
}

var failureSentences = map[FailureClass]string{
	FailureTruncated:     "the reply was cut at a token limit; raise max_output_tokens or ask for less",
	FailureRefused:       "the model declined to answer",
	FailureEmpty:         "the reply holds no text",
	FailureNotJSON:       "the reply is not a JSON document",
	FailureMismatch:      "the reply does not match the schema",
	FailureConnection:    "could not be reached, or closed the connection; check base_url and that the server runs",
	FailureTimeout:       "gave no complete reply in time; raise timeout or try later",
	FailureCut:           "ended its reply in the middle",
	FailureTransient:     "asks to try again",
	FailureRateLimited:   "is rate limiting; try later or lower max_concurrent",
	FailureServer:        "failed on its side",
	FailureMalformed:     "answered with something that is no chat completion; check base_url",
	FailureTooLarge:      "gave a longer reply than is allowed",
	FailureQuota:         "reports that the account has no quota left; waiting does not help",
	FailureUnauthorized:  "rejected the credential; check the variable that api_key_env names",
	FailureNotFound:      "does not know this path or model; check base_url and model",
	FailureBadRequest:    "rejected the request",
	FailureContextLength: "takes no conversation of this length; shorten the inputs or use a model with a larger context",
	FailureUnsupported:   "refuses the response format; set structured_output to what it supports",
	FailureRedirect:      "redirects to another origin, which is refused because the credential would follow; correct base_url",
	FailureCredential:    "needs a credential whose environment variable is unset or empty",
	FailureCapacity:      "has no room for another run",
	FailureCancelled:     "was not waited for: the run was cancelled",
	FailureUnknown:       "failed for a reason that its client does not classify",
}

// concealed is text that no formatting shows.
type concealed struct{ text string }

const mask = "[concealed]"

// Format prints the mask for every verb.
func (concealed) Format(s fmt.State, verb rune) { formatText(s, verb, mask) }

// LogValue is the mask.
func (concealed) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask.
func (concealed) MarshalText() ([]byte, error) { return []byte(mask), nil }
