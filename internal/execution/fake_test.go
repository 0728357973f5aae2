package execution

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/promptkit-go/promptkit/internal/schema"
)

// script is a generator that answers call after call from a list. The last
// answer is repeated.
type script struct {
	mu      sync.Mutex
	answers []answer
	bodies  []string // that it was sent, in order
	targets []string // that were called, in order
}

// answer is a reply or an error.
type answer func(ctx context.Context, c *Call) (*Reply, error)

func says(text string) answer {
	return func(_ context.Context, c *Call) (*Reply, error) {
		if c.OnText != nil {
			c.OnText(text)
		}
		return &Reply{Text: text, FinishReason: "stop", Usage: Usage{InputTokens: 10, OutputTokens: 1}}, nil
	}
}

func stops(reason, text string) answer {
	return func(context.Context, *Call) (*Reply, error) { return &Reply{Text: text, FinishReason: reason}, nil }
}

func fails(class Class) answer {
	return func(context.Context, *Call) (*Reply, error) {
		return nil, &Fault{Class: class, Status: 500, Code: "code", Reason: "failed"}
	}
}

// hangs answers when its context ends, as a client does.
func hangs(ctx context.Context, _ *Call) (*Reply, error) {
	<-ctx.Done()
	return nil, &Fault{Class: ClassCancelled, Reason: "gave up", Err: ctx.Err()}
}

// Encode is readable and covers what a body depends on.
func (*script) Encode(c *Call) ([]byte, error) {
	return json.Marshal(map[string]any{"model": c.Target.Model, "messages": c.Messages})
}

func (s *script) Generate(ctx context.Context, c *Call) (*Reply, error) {
	s.mu.Lock()
	i := min(len(s.bodies), len(s.answers)-1)
	s.bodies = append(s.bodies, string(c.Body))
	s.targets = append(s.targets, c.Target.Model)
	s.mu.Unlock()
	return s.answers[i](ctx, c)
}

// messages decodes what one call was sent.
func (s *script) messages(t *testing.T, call int) []Message {
	t.Helper()
	var body struct{ Messages []Message }
	if err := json.Unmarshal([]byte(s.bodies[call]), &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages
}

// compiled is a schema.
func compiled(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.NewSet(func(string) ([]byte, error) { return []byte(text), nil }).Compile("s.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// text, jsonContract and object are output contracts.
var (
	text         = Contract{Format: FormatText, Validation: ValidateNone}
	jsonContract = Contract{Format: FormatJSON, Validation: ValidateJSON}
)

func object(t *testing.T) Contract {
	t.Helper()
	return Contract{
		Format: FormatJSON, Validation: ValidateSchema,
		Schema: compiled(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`),
	}
}

// ask is a request for a contract.
func ask(c Contract) Request {
	return Request{
		Targets:  []Target{{ProfileID: "p", BackendID: "b", Model: "first"}},
		Messages: []Message{{Role: "user", Content: "question"}},
		Output:   c,
	}
}

// runScript freezes and runs a request against answers. Waits are the longest that
// chance can make them.
func runScript(ctx context.Context, t *testing.T, req Request, opts Options, answers ...answer) (*script, *Result, error) {
	t.Helper()
	s := &script{answers: answers}
	f, err := Freeze(s, req)
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Generator: s, Chance: func() float64 { return 1 }}
	result, err := r.Run(ctx, f, opts)
	return s, result, err
}
