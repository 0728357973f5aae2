package promptkit

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// RunOption configures one run.
type RunOption func(*runSettings)

type runSettings struct {
	outputPath  string
	onText      func(attempt int, text string)
	keepContent bool
}

// OutputTo writes the validated output to path, atomically: after the run the
// file holds the whole output, or is what it was before.
func OutputTo(path string) RunOption {
	return func(s *runSettings) { s.outputPath = path }
}

// OnText calls f with pieces of the reply as they come, and with the number
// of the attempt they belong to, from 1. The text is not validated, and a
// later attempt may replace it. Calls come one at a time, from the goroutine
// that runs.
func OnText(f func(attempt int, text string)) RunOption {
	return func(s *runSettings) { s.onText = f }
}

// KeepContent keeps what each attempt sent and received in its record, which
// holds no contents otherwise.
func KeepContent() RunOption {
	return func(s *runSettings) { s.keepContent = true }
}

// RunResult is a validated output and the record of how it came about.
type RunResult struct {
	// RunID is unique to this run.
	RunID                   string
	PromptID, PromptVersion string
	// PromptHash and RenderedHash are those of the preparation.
	PromptHash, RenderedHash string
	// ProfileID and Target are those that answered, which are not the
	// request's if a fallback did.
	ProfileID string
	Target    Target
	SessionID string
	Contract  OutputContract
	// Output keeps the contract. A fence around the whole of a JSON reply has
	// been stripped.
	Output string
	// Offline reports that no model was asked.
	Offline bool
	// Usage is the sum over the attempts.
	Usage        Usage
	Attempts     []Attempt
	Inputs       []PreparedInput
	Instructions []PreparedInstruction // those of the first attempt
	OutputPath   string                // where the output was written; "" if nowhere
	StartedAt    time.Time
	Duration     time.Duration
}

// LogValue keeps the output out of logs.
func (r RunResult) LogValue() slog.Value {
	return slog.GroupValue(slog.String("run", r.RunID), slog.String("prompt", r.PromptID),
		slog.String("version", r.PromptVersion), slog.String("profile", r.ProfileID),
		slog.String("model", r.Target.Model), slog.Bool("offline", r.Offline),
		slog.Int("attempts", len(r.Attempts)), slog.Duration("duration", r.Duration))
}

// Usage counts tokens as the backend reported them; 0 where it did not.
type Usage struct {
	InputTokens, OutputTokens, TotalTokens int64
	// CachedInputTokens are the input tokens that were read from a cache.
	CachedInputTokens int64
	// ReasoningTokens are the output tokens that were spent on reasoning.
	ReasoningTokens int64
}

// Attempt records one call to a backend.
type Attempt struct {
	Number int // of the call in the run, from 1
	// Try counts the tries at an output that keeps the contract, from 1. A
	// retry or a fallback after a call that brought no reply belongs to the
	// same try.
	Try       int
	ProfileID string
	BackendID string
	Model     string // as the backend reports it, or else as requested

	// Class says how the attempt failed; "" if its output was accepted.
	Class        FailureClass
	Status       int    // HTTP status of a failed call; 0 if there was none
	Code         string // the backend's error code, if it is an identifier
	FinishReason string
	Usage        Usage
	Violations   int // how many places in the reply the schema rejects

	Waited    time.Duration // before the call, because of the failure before it
	StartedAt time.Time
	Duration  time.Duration
	FirstText time.Duration // from the start to the first text of a stream; 0 without one

	// RequestBytes and RequestDigest are those of the request's body, without
	// the fields that ask for a stream; ReplyBytes and ReplyDigest those of
	// the reply's text.
	RequestBytes, ReplyBytes   int64
	RequestDigest, ReplyDigest string
	// Instructions records what this attempt told the model of its turn.
	Instructions []PreparedInstruction
	// Content is what was sent and received; nil unless it was asked for.
	Content *AttemptContent
}

// AttemptContent is what an attempt sent and what came back. Its formattings
// show nothing of it.
type AttemptContent struct {
	Request string // the body of the request
	Reply   string // the text of the reply; "" if there was none
}

// Format prints a mask for every verb.
func (AttemptContent) Format(s fmt.State, verb rune) { formatText(s, verb, mask) }

// LogValue is a mask.
func (AttemptContent) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns a mask.
func (AttemptContent) MarshalText() ([]byte, error) { return []byte(mask), nil }

// RunPrepared sends a frozen request, validates the reply and, as far as the
// profile allows, repairs it. Every run has its own ID. It returns either an
// output that keeps the contract or an error: ErrCredentialMissing,
// ErrCapacity (CapacityError), ErrGenerate (ProviderError), ErrValidation
// (OutputError) or ErrOutputWrite. ErrInvalidRequest is for an execution that
// is nil or was prepared by another engine.
func (e *Engine) RunPrepared(ctx context.Context, p *PreparedExecution, opts ...RunOption) (*RunResult, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	if p == nil || p.engine != e {
		return nil, fail(ErrInvalidRequest, "the execution was not prepared by this engine; call its PrepareExecution", nil)
	}
	r := &activeRun{PreparedExecution: p, id: newRunID()}
	for _, opt := range opts {
		if opt != nil {
			opt(&r.settings)
		}
	}
	return r.do(ctx)
}

// Run is PrepareExecution followed by RunPrepared.
func (e *Engine) Run(ctx context.Context, req RunRequest, opts ...RunOption) (*RunResult, error) {
	p, err := e.PrepareExecution(ctx, req)
	if err != nil {
		return nil, err
	}
	return e.RunPrepared(ctx, p, opts...)
}
