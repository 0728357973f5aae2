package promptkit

import (
	"context"
	"log/slog"

	"github.com/promptkit-go/promptkit/fact"
)

// RunRequest says what to prepare or run.
type RunRequest struct {
	// PromptID and PromptVersion select the prompt exactly. An empty version
	// stands for the only one there is.
	PromptID, PromptVersion string
	// ProfileID defaults to the prompt's default profile.
	ProfileID string
	// Vars are the values of the templates' variables.
	Vars map[string]string
	// Inputs are bound by name; a name may occur once.
	Inputs []Input
	// SessionID, if not blank, takes the place of the session template. It is
	// trimmed; control characters and more than 256 bytes are refused.
	SessionID string
	// Output, if not nil, replaces the declared contract for this run.
	Output *OutputContract
	// Overrides replace values of the profile for this run.
	Overrides Overrides
	// Turn is what the caller's loop knows about the action to be taken, for
	// the definition's run-time instructions. Nil: the caller runs no loop.
	Turn *fact.Turn
	// Offline sends the run to the built-in offline backend, whatever backend
	// the profile names. It contacts nothing and needs no credential.
	Offline bool
}

// LogValue keeps variables and inputs out of logs.
func (r RunRequest) LogValue() slog.Value {
	return slog.GroupValue(slog.String("prompt", r.PromptID), slog.String("version", r.PromptVersion),
		slog.String("profile", r.ProfileID), slog.Bool("offline", r.Offline))
}

// Overrides replace values of a profile for one run. A zero field leaves the
// profile's value as it is.
type Overrides struct {
	Model string
	Parameters
	// MaxAttempts replaces repair.max_attempts.
	MaxAttempts int
}

// Input binds a content to a name.
type Input struct {
	Name string
	// ContentType is the media type of the content; "" says nothing. It must
	// not contradict the declared one.
	ContentType string
	// Text is the content, unless Path is set. "" is a content.
	Text string
	// Path, where set, is read once, when the run is prepared.
	Path string
}

// LogValue keeps the content out of logs.
func (in Input) LogValue() slog.Value {
	return slog.GroupValue(slog.String("name", in.Name), slog.String("content_type", in.ContentType))
}

// PreparedRun is what a request came to. It is a value: changing it changes
// no engine and no frozen execution.
type PreparedRun struct {
	PromptID, PromptVersion string
	// PromptHash is the same value that InspectPrompt reports.
	PromptHash string
	// RenderedHash is an opaque equality value over Messages.
	RenderedHash string
	ProfileID    string
	SessionID    string // "" if there is none
	Target       Target
	Output       OutputContract
	Inputs       []PreparedInput // in the order of the request
	// Instructions records every run-time instruction of the definition.
	Instructions []PreparedInstruction
	// Messages are the rendered messages, applied instructions last.
	Messages []Message
}

// LogValue keeps the messages out of logs.
func (r PreparedRun) LogValue() slog.Value {
	return slog.GroupValue(slog.String("prompt", r.PromptID), slog.String("version", r.PromptVersion),
		slog.String("prompt_hash", r.PromptHash), slog.String("rendered_hash", r.RenderedHash),
		slog.String("profile", r.ProfileID), slog.String("model", r.Target.Model),
		slog.Bool("offline", r.Target.Offline), slog.Int("messages", len(r.Messages)))
}

// PreparedInput is a bound input without its content.
type PreparedInput struct {
	Name        string
	ContentType string // as bound, or else as declared; may be ""
	Size        int64  // in bytes
	Digest      string // "sha256:" and 64 hexadecimal digits
}

// InstructionState says what became of a run-time instruction.
type InstructionState string

// The states of an instruction.
const (
	InstructionApplied  InstructionState = "applied"  // it is one of the messages
	InstructionInactive InstructionState = "inactive" // held back by from_action
	InstructionSkipped  InstructionState = "skipped"  // a fact that it names is unavailable
)

// InstructionReasonUnknownFact is the Reason of a skipped instruction.
const InstructionReasonUnknownFact = "unknown_fact"

// PreparedInstruction records one run-time instruction of the definition.
type PreparedInstruction struct {
	ID    string
	State InstructionState
	// Reason is InstructionReasonUnknownFact if the instruction was skipped.
	Reason string
	// Facts are the unavailable facts of a skipped instruction.
	Facts []string
}

// Message is one rendered message.
type Message struct {
	Role         string // system, developer, user or assistant
	Content      string
	CacheControl *CacheControl
}

// LogValue keeps the content out of logs.
func (m Message) LogValue() slog.Value {
	return slog.GroupValue(slog.String("role", m.Role), slog.Int("bytes", len(m.Content)))
}

// CacheControl marks the end of a prefix that a backend may cache.
type CacheControl struct {
	Type string // ephemeral
	TTL  string // "", 5m or 1h
}

// Prepare renders a request without contacting a model and without reading a
// credential.
//
// Failures come in this order: the context, a blank prompt ID, the session
// ID, the prompt, the profile, the target, the output contract, everything
// that is missing (one MissingError), inputs, the schema, rendering. The
// result belongs to the caller.
func (e *Engine) Prepare(ctx context.Context, req RunRequest) (*PreparedRun, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	p, err := e.prepare(ctx, &req, false)
	if err != nil {
		return nil, err
	}
	return p.prepared, nil
}
