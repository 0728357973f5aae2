package openai

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestEncode(t *testing.T) {
	hello := []Message{{Role: "user", Content: "hello"}}
	tests := []struct {
		name string
		req  Request
		want string
	}{
		{
			"as little as possible",
			Request{Model: "m", Messages: hello},
			`{"model":"m","messages":[{"role":"user","content":"hello"}]}`,
		},
		{
			"every parameter, zeros included",
			Request{
				Model: "m", Messages: hello, Temperature: new(0.0), TopP: new(0.9), MaxOutputTokens: new(64),
				Seed: new(int64(0)), Stop: []string{"END", "\n"}, ReasoningEffort: "low",
			},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],"temperature":0,"top_p":0.9,"max_tokens":64,"seed":0,` +
				`"stop":["END","\n"],"reasoning_effort":"low"}`,
		},
		{
			"the newer field for the limit",
			Request{Model: "m", Messages: hello, MaxOutputTokens: new(64), MaxTokensField: FieldMaxCompletionTokens},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],"max_completion_tokens":64}`,
		},
		{
			"text is not escaped for HTML, and braces are text",
			Request{Model: "m", Messages: []Message{{Role: "system", Content: `<b> & "{{x}}"`}}},
			`{"model":"m","messages":[{"role":"system","content":"<b> & \"{{x}}\""}]}`,
		},
		{
			"cache control turns the content into parts",
			Request{Model: "m", Messages: []Message{
				{Role: "system", Content: "long", Cache: &Cache{Type: "ephemeral"}},
				{Role: "user", Content: "glossary", Cache: &Cache{Type: "ephemeral", TTL: "1h"}},
				{Role: "user", Content: "short"},
			}},
			`{"model":"m","messages":[` +
				`{"role":"system","content":[{"type":"text","text":"long","cache_control":{"type":"ephemeral"}}]},` +
				`{"role":"user","content":[{"type":"text","text":"glossary","cache_control":{"type":"ephemeral","ttl":"1h"}}]},` +
				`{"role":"user","content":"short"}]}`,
		},
		{
			"some JSON object",
			Request{Model: "m", Messages: hello, Format: Format{Kind: FormatObject}},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],"response_format":{"type":"json_object"}}`,
		},
		{
			"a schema, with its members in their order",
			Request{Model: "m", Messages: hello, Format: Format{Kind: FormatSchema, Name: "s", Schema: json.RawMessage(`{"z":1,"a":2}`)}},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],` +
				`"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{"z":1,"a":2}}}}`,
		},
		{
			"strict mode",
			Request{Model: "m", Messages: hello, Format: Format{Kind: FormatSchema, Name: "s", Strict: true, Schema: json.RawMessage(`{}`)}},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],` +
				`"response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{}}}}`,
		},
		{
			"a session",
			Request{Model: "m", Messages: hello, SessionField: "user", SessionID: `a"b`},
			`{"model":"m","messages":[{"role":"user","content":"hello"}],"user":"a\"b"}`,
		},
		{
			"a session that the backend has no field for",
			Request{Model: "m", Messages: hello, SessionID: "s"},
			`{"model":"m","messages":[{"role":"user","content":"hello"}]}`,
		},
		{
			"a field without a session",
			Request{Model: "m", Messages: hello, SessionField: "user"},
			`{"model":"m","messages":[{"role":"user","content":"hello"}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Encode(&tt.req)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			again, _ := Encode(&tt.req)
			if string(again) != string(got) {
				t.Error("the same request gave other bytes")
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	tests := []struct {
		name string
		req  Request
		says string
	}{
		{"a number that JSON has no word for", Request{Temperature: new(math.NaN())}, "JSON cannot carry"},
		{"a broken schema", Request{Format: Format{Kind: FormatSchema, Schema: json.RawMessage(`{"canary"`)}}, "JSON cannot carry"},
		{"a session in the place of the messages", Request{SessionField: "messages", SessionID: "s"}, `session_field "messages"`},
	}
	for _, tt := range tests {
		_, err := Encode(&tt.req)
		if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
}

func TestStreamingAddsTwoFields(t *testing.T) {
	body := []byte(`{"model":"m"}`)
	want := `{"model":"m","stream":true,"stream_options":{"include_usage":true}}`
	if got := string(Streaming(body)); got != want {
		t.Errorf("got %s", got)
	}
	if string(body) != `{"model":"m"}` {
		t.Error("the original was changed")
	}
}

func TestAddress(t *testing.T) {
	tests := []struct{ base, want string }{
		{"http://localhost:8080", "http://localhost:8080/v1/chat/completions"},
		{"http://localhost:8080/", "http://localhost:8080/v1/chat/completions"},
		{"https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"},
		{"https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"},
		{"https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"},
		{"https://example.com/v1beta/openai/", "https://example.com/v1beta/openai/chat/completions"},
		{"https://example.com/x/chat/completions", "https://example.com/x/chat/completions"},
		{"https://x.openai.azure.com/openai/deployments/d?api-version=1", "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1"},
		{"https://example.com/a%2Fb", "https://example.com/a%2Fb/chat/completions"},
		{"https://example.com/v1#part", "https://example.com/v1/chat/completions"},
	}
	for _, tt := range tests {
		got, err := Address(tt.base)
		if err != nil || got != tt.want {
			t.Errorf("Address(%q) = %q, %v; want %q", tt.base, got, err, tt.want)
		}
	}
	for _, base := range []string{"", "localhost:8080", "ftp://example.com", "https://", "http://canary:secret@example.com", "http://[canary", "mailto:canary@x"} {
		if got, err := Address(base); err == nil {
			t.Errorf("Address(%q) = %q", base, got)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("Address(%q) quotes it: %v", base, err)
		}
	}
}

func TestMaxTokensField(t *testing.T) {
	tests := []struct{ base, effort, want string }{
		{"https://api.openai.com/v1", "", FieldMaxCompletionTokens},
		{"https://mine.openai.azure.com/openai", "", FieldMaxCompletionTokens},
		{"http://localhost:8080", "", FieldMaxTokens},
		{"http://localhost:8080", "high", FieldMaxCompletionTokens},
		{"https://api.openai.com.evil.example", "", FieldMaxTokens},
	}
	for _, tt := range tests {
		if got := MaxTokensField(tt.base, tt.effort); got != tt.want {
			t.Errorf("MaxTokensField(%q, %q) = %q, want %q", tt.base, tt.effort, got, tt.want)
		}
	}
}
