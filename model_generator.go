package promptkit

import (
	"context"
	"errors"

	"github.com/promptkit-go/promptkit/internal/execution"
)

// modelGenerator lets a ModelClient answer what would go to a backend over
// HTTP. What it encodes is what would have been sent there, so that digests
// do not depend on who answers.
type modelGenerator struct {
	execution.Generator
	client ModelClient
}

// callKey finds a callInfo in the context of a call.
type callKey struct{}

// callInfo is what a ModelRequest says about the run that it belongs to.
type callInfo struct {
	runID   string
	attempt int
}

// Generate asks the client, except where the target is offline.
func (g *modelGenerator) Generate(ctx context.Context, c *execution.Call) (*execution.Reply, error) {
	if c.Target.Offline {
		return g.Generator.Generate(ctx, c)
	}
	req, err := modelRequest(ctx, c)
	if err != nil {
		return nil, err
	}
	reply, err := g.client.Generate(ctx, req)
	if err != nil {
		return nil, modelFault(ctx, err)
	}
	if reply == nil {
		return nil, &execution.Fault{Class: execution.ClassProtocol, Reason: "gave neither a reply nor an error"}
	}
	return &execution.Reply{
		Text: reply.Text, Refusal: reply.Refusal, FinishReason: reply.FinishReason, Model: reply.Model,
		Usage: execution.Usage{
			InputTokens: int(reply.Usage.InputTokens), OutputTokens: int(reply.Usage.OutputTokens),
			CachedTokens: int(reply.Usage.CachedInputTokens), ReasoningTokens: int(reply.Usage.ReasoningTokens),
		},
	}, nil
}

// modelRequest is a call in the client's terms.
func modelRequest(ctx context.Context, c *execution.Call) (ModelRequest, error) {
	info, _ := ctx.Value(callKey{}).(callInfo)
	req := ModelRequest{
		RunID: info.runID, Attempt: info.attempt, BackendID: c.Target.BackendID, Model: c.Target.Model,
		Messages: publicMessages(c.Messages), Parameters: parametersOf(c.Target), SessionID: c.SessionID,
		Contract: OutputContract{Format: OutputFormat(c.Output.Format), Validation: ValidationMode(c.Output.Validation)},
		OnText:   c.OnText,
	}
	if c.Output.Schema == nil {
		return req, nil
	}
	document, err := c.Output.Schema.Document()
	if err != nil {
		return ModelRequest{}, &execution.Fault{Class: execution.ClassUnusable, Reason: "cannot be given the schema as one document"}
	}
	req.Contract.Schema, req.Schema = c.Output.Schema.Path(), document
	return req, nil
}

// modelFault classifies an error of the client. Of its words, only those of a
// ProviderError were written to be shown.
func modelFault(ctx context.Context, err error) *execution.Fault {
	var known *ProviderError
	switch {
	case errors.As(err, &known):
		return &execution.Fault{
			Class: execution.Class(known.Class), Status: known.Status, Code: known.Code,
			RetryAfter: known.RetryAfter, Reason: known.Reason, Err: err,
		}
	case ctx.Err() != nil:
		return &execution.Fault{Class: execution.ClassCancelled, Reason: "was given up on: " + ctx.Err().Error(), Err: ctx.Err()}
	default:
		return &execution.Fault{Class: execution.ClassUnknown, Reason: "failed in a way that its client does not explain", Err: err}
	}
}

// publicMessages copies messages into public values.
func publicMessages(messages []execution.Message) []Message {
	list := make([]Message, len(messages))
	for i, m := range messages {
		list[i] = Message{Role: m.Role, Content: m.Content, CacheControl: copyOf((*CacheControl)(m.Cache))}
	}
	return list
}

// parametersOf copies what a target tells the model.
func parametersOf(t *execution.Target) Parameters {
	return Parameters{
		Temperature: copyOf(t.Temperature), TopP: copyOf(t.TopP), MaxOutputTokens: copyOf(t.MaxOutputTokens),
		Seed: copyOf(t.Seed), Stop: append([]string(nil), t.Stop...), ReasoningEffort: t.ReasoningEffort,
	}
}
