package backend

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/offline"
	"github.com/promptkit-go/promptkit/internal/openai"
)

// Generator answers the calls of an engine's runs. It is safe for concurrent
// use.
type Generator struct {
	client   *openai.Client
	backends func(id string) *definition.Backend
	lookup   func(name string) (string, bool)

	addresses sync.Map // base URL to address, both strings
}

// NewGenerator returns a generator over the backends that find knows; it
// gives nil for an ID that there is not. lookup reads an environment variable,
// and is asked for credentials at every call.
func NewGenerator(client *openai.Client, find func(id string) *definition.Backend, lookup func(name string) (string, bool)) *Generator {
	return &Generator{client: client, backends: find, lookup: lookup}
}

// Encode returns the body of the request. For the offline backend it is what
// an endpoint would be sent, so that a dry run shows it.
func (g *Generator) Encode(c *execution.Call) ([]byte, error) {
	t := c.Target
	format, err := formatOf(c.Output, t.StructuredOutput)
	if err != nil {
		return nil, err
	}
	return openai.Encode(&openai.Request{
		Model:           t.Model,
		Messages:        messages(c.Messages),
		Temperature:     t.Temperature,
		TopP:            t.TopP,
		MaxOutputTokens: t.MaxOutputTokens,
		MaxTokensField:  openai.MaxTokensField(g.baseURL(t), t.ReasoningEffort),
		Seed:            t.Seed,
		Stop:            t.Stop,
		ReasoningEffort: t.ReasoningEffort,
		Format:          format,
		SessionField:    t.SessionField,
		SessionID:       c.SessionID,
	})
}

func (g *Generator) baseURL(t *execution.Target) string {
	if b := g.backends(t.BackendID); b != nil {
		return b.BaseURL.Value
	}
	return ""
}

// Generate sends the call, or answers it if it is for the offline backend.
// The error is a *execution.Fault.
func (g *Generator) Generate(ctx context.Context, c *execution.Call) (*execution.Reply, error) {
	if c.Target.Offline {
		return answer(ctx, c)
	}
	to, err := g.endpoint(c.Target.BackendID)
	if err != nil {
		return nil, err
	}
	reply, err := g.client.Complete(ctx, to, c.Body, c.OnText)
	if err != nil {
		return nil, fault(err)
	}
	return &execution.Reply{
		Text: reply.Text, Refusal: reply.Refusal, FinishReason: reply.FinishReason,
		Model: reply.Model, ID: reply.ID, Usage: execution.Usage(reply.Usage),
	}, nil
}

// answer is the offline backend.
func answer(ctx context.Context, c *execution.Call) (*execution.Reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, &execution.Fault{Class: execution.ClassCancelled, Reason: "was given up on", Err: err}
	}
	text := offline.Text(c.Body)
	switch {
	case c.Output.Schema != nil:
		instance, err := offline.Instance(c.Output.Schema)
		if err != nil {
			return nil, &execution.Fault{Class: execution.ClassUnsupported, Reason: err.Error()}
		}
		text = instance
	case c.Output.Format == execution.FormatJSON, c.Output.Validation == execution.ValidateJSON:
		text = offline.JSON(c.Body)
	}
	if c.OnText != nil {
		c.OnText(text)
	}
	return &execution.Reply{Text: text, FinishReason: "stop"}, nil
}

// endpoint is where a backend's calls go, with its credentials of this
// moment.
func (g *Generator) endpoint(id string) (openai.Endpoint, error) {
	b := g.backends(id)
	if b == nil {
		return openai.Endpoint{}, &execution.Fault{Class: execution.ClassUnusable, Reason: "is not among the captured backends"}
	}
	address, err := g.address(b.BaseURL.Value)
	if err != nil {
		return openai.Endpoint{}, &execution.Fault{Class: execution.ClassUnusable, Reason: "cannot be called: " + err.Error()}
	}
	to := openai.Endpoint{URL: address}
	if b.APIKeyEnv.Value != "" {
		if to.Key, err = g.secret(b.APIKeyEnv.Value); err != nil {
			return openai.Endpoint{}, err
		}
	}
	for _, h := range b.Headers {
		value := openai.NewSecret(h.Value)
		if h.Env != "" {
			if value, err = g.secret(h.Env); err != nil {
				return openai.Endpoint{}, err
			}
		}
		to.Headers = append(to.Headers, openai.Header{Name: h.Name, Value: value})
	}
	return to, nil
}

// address is openai.Address, worked out once for each base URL.
func (g *Generator) address(base string) (string, error) {
	if known, ok := g.addresses.Load(base); ok {
		return known.(string), nil
	}
	address, err := openai.Address(base)
	if err == nil {
		g.addresses.Store(base, address)
	}
	return address, err
}

// secret reads a credential.
func (g *Generator) secret(name string) (openai.Secret, error) {
	value, _ := g.lookup(name)
	if value == "" {
		return openai.Secret{}, &execution.Fault{
			Class:  execution.ClassCredential,
			Reason: fmt.Sprintf("needs a credential, and the environment variable %s is unset or empty", name),
		}
	}
	return openai.NewSecret(value), nil
}

func messages(in []execution.Message) []openai.Message {
	out := make([]openai.Message, len(in))
	for i, m := range in {
		out[i] = openai.Message{Role: m.Role, Content: m.Content}
		if m.Cache != nil {
			out[i].Cache = &openai.Cache{Type: m.Cache.Type, TTL: m.Cache.TTL}
		}
	}
	return out
}

// formatOf is what the backend is asked to hold the reply to: as much of the
// contract as it supports. What it does not hold to is validated all the same.
func formatOf(c execution.Contract, structured string) (openai.Format, error) {
	wantsJSON := c.Format == execution.FormatJSON || c.Validation == execution.ValidateJSON || c.Validation == execution.ValidateSchema
	switch {
	case structured == definition.StructuredNone || !wantsJSON:
		return openai.Format{}, nil
	case c.Schema == nil || structured == definition.StructuredObject:
		return openai.Format{Kind: openai.FormatObject}, nil
	}
	document, err := c.Schema.Document()
	if err != nil {
		return openai.Format{}, err
	}
	return openai.Format{Kind: openai.FormatSchema, Name: c.Schema.Name(), Schema: document, Strict: c.Schema.Strict()}, nil
}

// classes are the classes of the wire's errors.
var classes = map[openai.Kind]execution.Class{
	openai.Connection:    execution.ClassConnection,
	openai.Timeout:       execution.ClassTimeout,
	openai.Canceled:      execution.ClassCancelled,
	openai.Interrupted:   execution.ClassInterrupted,
	openai.TooLarge:      execution.ClassTooLarge,
	openai.Protocol:      execution.ClassProtocol,
	openai.Redirect:      execution.ClassRedirect,
	openai.Unusable:      execution.ClassUnusable,
	openai.Conflict:      execution.ClassConflict,
	openai.RateLimited:   execution.ClassRateLimited,
	openai.Quota:         execution.ClassQuota,
	openai.Unauthorized:  execution.ClassUnauthorized,
	openai.NotFound:      execution.ClassNotFound,
	openai.ContextLength: execution.ClassContextLength,
	openai.ContentFilter: execution.ClassRefused,
	openai.Unsupported:   execution.ClassUnsupported,
	openai.BadRequest:    execution.ClassBadRequest,
	openai.Server:        execution.ClassServer,
}

// fault is the wire's error in execution's terms.
func fault(err error) error {
	var e *openai.Error
	if !errors.As(err, &e) {
		return err
	}
	return &execution.Fault{
		Class: classes[e.Kind], Status: e.Status, Code: e.Code, RetryAfter: e.RetryAfter, Reason: e.Error(), Err: e.Err,
	}
}
