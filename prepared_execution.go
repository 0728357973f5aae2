package promptkit

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/promptkit-go/promptkit/internal/execution"
)

// PreparedExecution is a frozen request: byte for byte what a run will send
// first. It holds no credential. It can be run any number of times,
// concurrently, by the engine that prepared it.
type PreparedExecution struct {
	engine   *Engine
	prepared PreparedRun
	plan     *plan
	frozen   *execution.Frozen
}

// Prepared returns what was frozen. The result belongs to the caller.
func (p *PreparedExecution) Prepared() *PreparedRun {
	if p == nil {
		return nil
	}
	run := p.prepared.clone()
	return &run
}

// RequestBody returns the exact body of the first request; a run that streams
// adds the fields that ask for a stream at its end. For an offline backend and
// for a ModelClient it is what would have been sent. It belongs to the caller.
func (p *PreparedExecution) RequestBody() []byte {
	if p == nil {
		return nil
	}
	return p.frozen.Body()
}

// Format prints the identity and the hashes for every verb, and no message.
func (p *PreparedExecution) Format(s fmt.State, verb rune) { formatText(s, verb, p.summary()) }

// LogValue is what a PreparedRun logs.
func (p *PreparedExecution) LogValue() slog.Value {
	if p == nil {
		return slog.StringValue("<nil>")
	}
	return p.prepared.LogValue()
}

func (p *PreparedExecution) summary() string {
	if p == nil {
		return "<nil>"
	}
	return fmt.Sprintf("prepared execution of prompt %q version %q (prompt %s, rendered %s)",
		p.prepared.PromptID, p.prepared.PromptVersion, p.prepared.PromptHash, p.prepared.RenderedHash)
}

// PrepareExecution prepares a request and freezes exactly what the first call
// will send. Its failures are those of Prepare, and after the target's
// ErrCredentialMissing if a variable that the backend names is unset or
// empty; the value is not kept.
func (e *Engine) PrepareExecution(ctx context.Context, req RunRequest) (*PreparedExecution, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	p, err := e.prepare(ctx, &req, true)
	if err != nil {
		return nil, err
	}
	frozen, err := execution.Freeze(e.runner.Generator, p.executionRequest())
	if err != nil {
		return nil, fail(ErrTarget, "the request to backend "+fmt.Sprintf("%q", p.plan.target.BackendID)+" cannot be written: "+err.Error(), err)
	}
	return &PreparedExecution{engine: e, prepared: *p.prepared, plan: p.plan, frozen: frozen}, nil
}

// executionRequest is a finished preparation in the terms of execution.
func (p *preparation) executionRequest() execution.Request {
	own := p.prepared.Messages[:len(p.def.Messages)] // without instructions
	messages := make([]execution.Message, len(own))
	for i, m := range own {
		messages[i] = execution.Message{Role: m.Role, Content: m.Content, Cache: (*execution.Cache)(m.CacheControl)}
	}
	return execution.Request{
		Targets:      p.plan.executionTargets(),
		Messages:     messages,
		Instructions: p.program.instructions,
		Turn:         p.req.Turn,
		Output: execution.Contract{
			Format: string(p.contract.Format), Validation: string(p.contract.Validation), Schema: p.schema,
		},
		SessionID:   p.sessionID,
		MaxAttempts: p.plan.maxAttempts,
	}
}

// clone copies a prepared run with everything that it refers to.
func (r PreparedRun) clone() PreparedRun {
	r.Target.Parameters = r.Target.Parameters.clone()
	r.Inputs = slices.Clone(r.Inputs)
	r.Instructions = cloneInstructions(r.Instructions)
	r.Messages = slices.Clone(r.Messages)
	for i := range r.Messages {
		r.Messages[i].CacheControl = copyOf(r.Messages[i].CacheControl)
	}
	return r
}

func (p Parameters) clone() Parameters {
	p.Temperature, p.TopP = copyOf(p.Temperature), copyOf(p.TopP)
	p.MaxOutputTokens, p.Seed = copyOf(p.MaxOutputTokens), copyOf(p.Seed)
	p.Stop = slices.Clone(p.Stop)
	return p
}

func cloneInstructions(list []PreparedInstruction) []PreparedInstruction {
	list = slices.Clone(list)
	for i := range list {
		list[i].Facts = slices.Clone(list[i].Facts)
	}
	return list
}
