package promptkit

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Profile is an execution profile: which backend and model, with which
// parameters. Fields are those of a profile file. A profile may be partial
// and only be extended.
type Profile struct {
	ID string
	// Extends is the ID of the profile whose values this one inherits.
	Extends string
	Backend string // a backend ID
	Model   string
	Parameters
	// Repair says how often a reply that breaks the output contract is asked
	// for again; nil inherits.
	Repair *Repair
	// Fallback are the profiles to try, in order, when this one's backend
	// cannot be reached. Nil inherits; empty means none.
	Fallback []string
}

// Parameters are what a profile tells the model. A nil field, an empty string
// and a nil Stop are not sent.
type Parameters struct {
	Temperature     *float64
	TopP            *float64
	MaxOutputTokens *int
	Seed            *int64
	Stop            []string
	ReasoningEffort string
}

// Repair bounds the attempts of a run.
type Repair struct {
	// MaxAttempts counts every try, the first included. Defaults to 1.
	MaxAttempts int
}

// Backend is a place that answers chat completions. Fields are those of a
// backend file.
type Backend struct {
	ID string
	// Kind is "openai", which it defaults to, or "offline".
	Kind string
	// BaseURL is the address below which chat/completions is found.
	BaseURL string
	// APIKeyEnv names the environment variable that holds the credential. It
	// is read when a request is sent, and never stored.
	APIKeyEnv string
	// Headers are sent with every request. A value is literal, or ${env:NAME}
	// for the value of an environment variable.
	Headers map[string]HeaderValue
	// StructuredOutput is json_schema, json_object or none.
	StructuredOutput string
	// MaxConcurrent bounds the runs at this backend; 0 means no bound.
	MaxConcurrent int
	// MaxWaiting bounds the runs that may wait for a place where
	// MaxConcurrent is set. Nil means no bound, and 0 that none may wait.
	MaxWaiting *int
	// Timeout bounds one request; 0 means five minutes.
	Timeout time.Duration
	Retry   Retry
	// SessionField is the request field that carries the session ID; "" means
	// that it is not sent.
	SessionField string
}

// Retry says how often and how fast a failed request is sent again.
type Retry struct {
	MaxAttempts int           // every try counts; 0 means 3
	BaseDelay   time.Duration // before the second try, doubled for each further one; 0 means 500 ms
	MaxDelay    time.Duration // no wait is longer; 0 means 30 s
}

// HeaderValue is the value of a header. It may be a credential, so every
// formatting and encoding of it prints a mask.
type HeaderValue string

// Format prints the mask for every verb.
func (HeaderValue) Format(s fmt.State, verb rune) { formatText(s, verb, mask) }

// LogValue is the mask.
func (HeaderValue) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask.
func (HeaderValue) MarshalText() ([]byte, error) { return []byte(mask), nil }

// Target is what a run is sent to. It holds no credential.
type Target struct {
	BackendID string
	// BaseURL is the backend's address, without user information and query;
	// "" for an offline backend.
	BaseURL string
	Model   string
	// Offline marks the backend that answers without any model.
	Offline bool
	// Parameters are what the profile, with the request's overrides, tells
	// the model.
	Parameters Parameters
}

// ProfileInspection is a profile's effective target after inheritance.
type ProfileInspection struct {
	ProfileID string
	// Extends are the ancestors, nearest first.
	Extends []string
	// Executable reports whether a run could use the profile; if it could
	// not, Reason is one sentence that says why.
	Executable bool
	Reason     string

	Target Target
	// APIKeyEnv is the name of the credential's environment variable, which
	// was not read; "" if the backend needs none.
	APIKeyEnv string
	// HeaderNames are the extra headers, sorted, without their values.
	HeaderNames      []string
	StructuredOutput string // json_schema, json_object or none
	SessionField     string
	// MaxAttempts counts every try of the repair loop, the first included.
	MaxAttempts int
	Fallback    []string
	// MaxConcurrent and MaxWaiting bound the runs at the backend, and those
	// that wait for it: 0 concurrent and -1 waiting mean no bound.
	MaxConcurrent, MaxWaiting int
	Timeout                   time.Duration
	Retry                     Retry

	// Settings says where each value that is set came from, in the order of
	// the fields in a profile file and then in a backend file.
	Settings []ProfileSetting
}

// ProfileSetting is one effective value and its origin.
type ProfileSetting struct {
	Name  string // the key in the file, such as max_output_tokens
	Value string // as a file would say it; masked for a header
	// From is the ID of the profile or backend that set it.
	From string
	// Kind is the source that File is relative to.
	Kind ProblemKind
	// File and Line say where; "" and 0 for what was not read from a file.
	File string
	Line int
}

// InspectProfile reports the effective target of a captured profile. It reads
// no credential and contacts nothing. A partial profile is a successful
// answer with Executable false.
//
// Errors: ErrInvalidRequest for a blank ID; ErrProfileNotFound;
// ErrProfileLoad for a profile that is malformed, that extends itself, or
// whose existence cannot be known; ErrProfileLoad and the context's error if
// ctx is done. The result belongs to the caller.
func (e *Engine) InspectProfile(ctx context.Context, profileID string) (*ProfileInspection, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	if err := ctx.Err(); err != nil {
		return nil, interrupted(ErrProfileLoad, "the profile was looked up", err)
	}
	if isBlank(profileID) {
		return nil, fail(ErrInvalidRequest, "the profile ID is blank; name a profile", nil)
	}
	line, err := e.profiles.line(profileID)
	if err != nil {
		return nil, err
	}
	return e.profiles.inspect(line), nil
}
