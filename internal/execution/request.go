package execution

import (
	"errors"
	"fmt"
	"slices"

	"github.com/promptkit-go/promptkit/fact"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// Request is everything that a run does, but for the collaborators.
type Request struct {
	// Targets are tried in order: the profile's own, then those of its
	// fallbacks. There is at least one.
	Targets  []Target
	Messages []Message // without instructions
	// Instructions follow the messages and are rendered anew for each try.
	Instructions []Instruction
	// Turn holds the caller's facts for the instructions; nil if there are
	// none, and then a run that may repair has its own: the try and the limit.
	Turn      *fact.Turn
	Output    Contract
	SessionID string // "" for none
	// MaxAttempts is how many tries there are at an output that keeps the
	// contract, the first included; below 1 means 1. A call that brought no
	// reply is no try.
	MaxAttempts int
}

// The formats of an output.
const (
	FormatText     = "text"
	FormatMarkdown = "markdown"
	FormatJSON     = "json"
)

// The validations of an output.
const (
	ValidateNone   = "none"
	ValidateJSON   = "json"
	ValidateSchema = "json_schema"
)

// Contract is what a reply has to be.
type Contract struct {
	Format     string         // FormatText, FormatMarkdown or FormatJSON
	Validation string         // ValidateNone, ValidateJSON or ValidateSchema
	Schema     *schema.Schema // set exactly with ValidateSchema
}

// Frozen is a request together with the exact bytes of the first call to each
// of its targets. It is immutable and can run any number of times,
// concurrently.
type Frozen struct {
	req          Request
	bodies       [][]byte // one for each target
	digests      []string // of bodies
	messages     []Message
	instructions []InstructionRecord
}

// Freeze copies a request and encodes the first call to each of its targets.
// The error is the generator's, with the model that it is about.
func Freeze(g Generator, req Request) (*Frozen, error) {
	if len(req.Targets) == 0 {
		return nil, errors.New("a request needs a target")
	}
	f := &Frozen{req: req.clone()}
	f.messages, f.instructions = f.req.conversation(1)
	for i := range f.req.Targets {
		body, err := g.Encode(f.call(i, f.messages))
		if err != nil {
			return nil, fmt.Errorf("for the model %q: %w", f.req.Targets[i].Model, err)
		}
		f.bodies = append(f.bodies, body)
		f.digests = append(f.digests, digest(body))
	}
	return f, nil
}

// Body returns the exact body of the first call to the request's own target.
// The caller owns it.
func (f *Frozen) Body() []byte { return slices.Clone(f.bodies[0]) }

// Messages returns the messages of the first try, applied instructions last.
// The caller owns them.
func (f *Frozen) Messages() []Message { return slices.Clone(f.messages) }

// Instructions returns what became of each instruction in the first try. The
// caller owns it.
func (f *Frozen) Instructions() []InstructionRecord { return slices.Clone(f.instructions) }

// call is a call to a target.
func (f *Frozen) call(target int, messages []Message) *Call {
	return &Call{Target: &f.req.Targets[target], Messages: messages, Output: f.req.Output, SessionID: f.req.SessionID}
}

// tries is how many tries there are.
func (r *Request) tries() int { return max(r.MaxAttempts, 1) }

// conversation is the messages of a try with the instructions that apply.
func (r *Request) conversation(try int) ([]Message, []InstructionRecord) {
	said, records := Instruct(r.Instructions, r.turn(try))
	return append(slices.Clip(r.Messages), said...), records
}

// turn is the facts of a try.
func (r *Request) turn(try int) *fact.Turn {
	switch {
	case r.Turn != nil:
		return r.Turn
	case r.tries() > 1:
		budget := r.tries()
		return &fact.Turn{Action: try, Budget: &budget}
	}
	return nil
}

// clone copies what the caller could still change.
func (r Request) clone() Request {
	r.Targets = slices.Clone(r.Targets)
	for i := range r.Targets {
		r.Targets[i].Stop = slices.Clone(r.Targets[i].Stop)
		r.Targets[i].Temperature = copied(r.Targets[i].Temperature)
		r.Targets[i].TopP = copied(r.Targets[i].TopP)
		r.Targets[i].MaxOutputTokens = copied(r.Targets[i].MaxOutputTokens)
		r.Targets[i].Seed = copied(r.Targets[i].Seed)
	}
	r.Messages = slices.Clone(r.Messages)
	for i := range r.Messages {
		r.Messages[i].Cache = copied(r.Messages[i].Cache)
	}
	r.Instructions = slices.Clone(r.Instructions)
	for i := range r.Instructions {
		r.Instructions[i].Cache = copied(r.Instructions[i].Cache)
	}
	if r.Turn = copied(r.Turn); r.Turn != nil {
		r.Turn.Budget = copied(r.Turn.Budget)
	}
	return r
}

// copied returns a pointer to a copy, or nil for nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
