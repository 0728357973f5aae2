package promptkit

import (
	"context"
	"encoding/json"
	"log/slog"
)

// ModelClient generates replies in place of the engine's own HTTP client: for
// backends that do not speak chat completions, and for tests.
// Implementations must be safe for concurrent use.
type ModelClient interface {
	// Generate returns one reply. It should return ctx.Err() once ctx is
	// done. An error that is or wraps a *ProviderError is classified by its
	// Class, and its Status, Code, Reason and RetryAfter are passed on; any
	// other counts as FailureUnknown, and its words are not shown.
	Generate(ctx context.Context, req ModelRequest) (*ModelReply, error)
}

// ModelRequest is one attempt to generate. Its slices are the client's own.
type ModelRequest struct {
	RunID      string
	Attempt    int // from 1
	BackendID  string
	Model      string
	Messages   []Message
	Parameters Parameters
	SessionID  string
	Contract   OutputContract
	// Schema is the JSON Schema of the contract; nil if it has none.
	Schema json.RawMessage
	// OnText, if not nil, takes pieces of the reply as they come.
	OnText func(text string)
}

// LogValue keeps the messages out of logs.
func (r ModelRequest) LogValue() slog.Value {
	return slog.GroupValue(slog.String("run", r.RunID), slog.Int("attempt", r.Attempt),
		slog.String("backend", r.BackendID), slog.String("model", r.Model))
}

// ModelReply is what a model answered.
type ModelReply struct {
	Text string
	// Refusal is set if the model declined to answer, with its words.
	Refusal string
	// FinishReason is stop, length, content_filter or what the backend says.
	FinishReason string
	// Model is the model that answered; "" means the requested one.
	Model string
	Usage Usage
}

// LogValue keeps the text out of logs.
func (r ModelReply) LogValue() slog.Value {
	return slog.GroupValue(slog.String("model", r.Model), slog.String("finish_reason", r.FinishReason),
		slog.Int("bytes", len(r.Text)))
}
