package execution

import (
	"context"
	"time"
)

// Generator turns messages into a reply. Implementations are safe for
// concurrent use and make exactly one attempt: waiting, retrying and judging
// the reply is this package's work.
type Generator interface {
	// Encode returns the bytes that Generate will send for call, whose Body
	// and OnText it ignores. Equal calls give equal bytes. The caller owns
	// the result.
	Encode(call *Call) ([]byte, error)

	// Generate sends call.Body as it is and returns the reply. With OnText set
	// it asks for a stream and passes text on as it comes, on the calling
	// goroutine. An error is a *Fault, or wraps one, wherever the cause is
	// known.
	Generate(ctx context.Context, call *Call) (*Reply, error)
}

// Call is one request to one target.
type Call struct {
	Target    *Target
	Messages  []Message
	Output    Contract
	SessionID string // "" for none
	Body      []byte // what Encode gave for this call
	OnText    func(text string)
}

// Message is one rendered message.
type Message struct {
	Role    string // system, developer, user or assistant
	Content string
	Cache   *Cache // nil: no mark
}

// Cache marks the end of a prefix that the backend may cache.
type Cache struct {
	Type string // ephemeral
	TTL  string // "", 5m or 1h
}

// Reply is what a model answered.
type Reply struct {
	Text         string
	Refusal      string // what the model said instead, if it declined
	FinishReason string // as the backend names it: stop, length, content_filter
	Model        string // the model that answered, as the backend names it
	ID           string // the backend's name for the reply
	Usage        Usage
}

// Usage counts tokens. Backends that do not say leave it zero.
type Usage struct {
	InputTokens     int // cached ones included
	OutputTokens    int // those spent on reasoning included
	CachedTokens    int
	ReasoningTokens int
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:     u.InputTokens + v.InputTokens,
		OutputTokens:    u.OutputTokens + v.OutputTokens,
		CachedTokens:    u.CachedTokens + v.CachedTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
	}
}

// Fault is why a call gave no reply.
type Fault struct {
	Class  Class
	Status int    // HTTP status, 0 where there was none
	Code   string // the backend's own error code, if it is an identifier
	// RetryAfter is how long the backend asks to wait; 0 if it does not ask.
	RetryAfter time.Duration
	// Reason is one sentence that holds nothing the backend or a caller wrote.
	Reason string
	// Err is the context's or the operating system's error, if that was it.
	Err error
}

// Error returns the reason.
func (f *Fault) Error() string { return f.Reason }

// Unwrap returns the context's or the operating system's error.
func (f *Fault) Unwrap() error { return f.Err }
