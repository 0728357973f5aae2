package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Request is what a model is asked. Nil and empty fields are not sent, so
// that the backend's own defaults hold.
type Request struct {
	Model    string
	Messages []Message

	Temperature     *float64
	TopP            *float64
	MaxOutputTokens *int
	Seed            *int64
	Stop            []string
	ReasoningEffort string

	// MaxTokensField is the field that carries MaxOutputTokens. Defaults to
	// max_tokens, which every server knows but which OpenAI refuses for its
	// reasoning models.
	MaxTokensField string

	Format Format

	// SessionField is the request field that carries SessionID; if either is
	// empty, no session is sent.
	SessionField string
	SessionID    string
}

// Message is one message of the conversation.
type Message struct {
	Role    string
	Content string
	Cache   *Cache // nil for no mark
}

// Cache marks the end of a prefix that the backend may cache.
type Cache struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// Format is what the backend holds the reply to.
type Format struct {
	Kind   FormatKind
	Name   string          // of the schema: letters, digits, _ and -, at most 64
	Schema json.RawMessage // one self-contained document
	Strict bool            // ask for OpenAI's strict mode, which takes a subset of JSON Schema only
}

// FormatKind says how a reply is held to a format.
type FormatKind uint8

// The kinds of format.
const (
	FormatAny    FormatKind = iota // no constraint
	FormatObject                   // some JSON object
	FormatSchema                   // JSON that fits a schema
)

// The fields that carry the limit of output tokens.
const (
	FieldMaxTokens           = "max_tokens"
	FieldMaxCompletionTokens = "max_completion_tokens"
)

// wireRequest fixes the order of the fields, so that equal requests are equal
// bytes.
type wireRequest struct {
	Model               string          `json:"model"`
	Messages            []wireMessage   `json:"messages"`
	Temperature         *float64        `json:"temperature,omitempty"`
	TopP                *float64        `json:"top_p,omitempty"`
	MaxTokens           *int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int            `json:"max_completion_tokens,omitempty"`
	Seed                *int64          `json:"seed,omitempty"`
	Stop                []string        `json:"stop,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	ResponseFormat      *wireFormat     `json:"response_format,omitempty"`
	Stream              bool            `json:"stream,omitempty"`
	StreamOptions       json.RawMessage `json:"stream_options,omitempty"`
}

type wireMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a string, or parts where one carries a mark
}

type wirePart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Cache *Cache `json:"cache_control"`
}

type wireFormat struct {
	Type   string      `json:"type"`
	Schema *wireSchema `json:"json_schema,omitempty"`
}

type wireSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict,omitempty"`
	Schema json.RawMessage `json:"schema"`
}

// reserved are the request fields that a session ID cannot take the place of.
var reserved = map[string]bool{
	"model": true, "messages": true, "temperature": true, "top_p": true, FieldMaxTokens: true,
	FieldMaxCompletionTokens: true, "seed": true, "stop": true, "reasoning_effort": true,
	"response_format": true, "stream": true, "stream_options": true,
}

// Encode returns the body of a request that asks for a whole reply. Equal
// requests give equal bytes. The error says which setting cannot be sent.
func Encode(r *Request) ([]byte, error) {
	w := wireRequest{
		Model: r.Model, Messages: wireMessages(r.Messages),
		Temperature: r.Temperature, TopP: r.TopP, Seed: r.Seed, Stop: r.Stop,
		ReasoningEffort: r.ReasoningEffort, ResponseFormat: wireFormatOf(r.Format),
	}
	if r.MaxTokensField == FieldMaxCompletionTokens {
		w.MaxCompletionTokens = r.MaxOutputTokens
	} else {
		w.MaxTokens = r.MaxOutputTokens
	}
	body, err := marshal(w)
	if err != nil {
		// The cause would quote the setting: NaN, or a broken schema.
		return nil, errors.New("the request has a number or a schema that JSON cannot carry")
	}
	if r.SessionField == "" || r.SessionID == "" {
		return body, nil
	}
	if reserved[r.SessionField] {
		return nil, fmt.Errorf("session_field %q is a field of the request itself: choose another, such as user", r.SessionField)
	}
	return withField(body, r.SessionField, r.SessionID)
}

// Streaming returns the body that asks for the same reply as a stream with
// usage: body with two fields more at its end.
func Streaming(body []byte) []byte {
	return splice(body, []byte(`"stream":true,"stream_options":{"include_usage":true}`))
}

// withField adds a string field at the end of an encoded object.
func withField(body []byte, name, value string) ([]byte, error) {
	field, err := marshal(map[string]string{name: value})
	if err != nil {
		return nil, errors.New("the session cannot be written as JSON")
	}
	return splice(body, field[1:len(field)-1]), nil
}

// splice adds encoded fields at the end of an encoded object that has some.
func splice(object, fields []byte) []byte {
	out := make([]byte, 0, len(object)+len(fields)+1)
	out = append(out, object[:len(object)-1]...)
	out = append(out, ',')
	out = append(out, fields...)
	return append(out, '}')
}

// marshal encodes without the escapes that are meant for HTML pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func wireMessages(messages []Message) []wireMessage {
	out := make([]wireMessage, len(messages))
	for i, m := range messages {
		out[i] = wireMessage{Role: m.Role, Content: m.Content}
		if m.Cache != nil {
			out[i].Content = []wirePart{{Type: "text", Text: m.Content, Cache: m.Cache}}
		}
	}
	return out
}

func wireFormatOf(f Format) *wireFormat {
	switch f.Kind {
	case FormatObject:
		return &wireFormat{Type: "json_object"}
	case FormatSchema:
		return &wireFormat{Type: "json_schema", Schema: &wireSchema{Name: f.Name, Strict: f.Strict, Schema: f.Schema}}
	}
	return nil
}
