package openai

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// classified is what an error body becomes under a status.
func classified(status int, body string, formatted bool) *Error {
	sent := `{"model":"gpt-x","messages":[{"role":"user","content":"prompt-marker stop"}]`
	if formatted {
		sent += `,"response_format":{"type":"json_object"}`
	}
	x := newExchange(Endpoint{Key: NewSecret("sk-canary-key")}, []byte(sent+"}"))
	x.receive(status, http.Header{"Content-Type": {"application/json"}})
	return x.errorIn([]byte(body))
}

func TestErrorBodies(t *testing.T) {
	const format = true
	tests := []struct {
		name   string
		status int
		body   string
		format bool
		kind   Kind
		code   string
	}{
		{"object", 400, `{"error":{"message":"m","type":"invalid_request_error","code":"bad_thing"}}`, false, BadRequest, "bad_thing"},
		{"type where there is no code", 400, `{"error":{"message":"m","type":"invalid_request_error","code":null}}`, false, BadRequest, "invalid_request_error"},
		{"numeric code", 401, `{"error":{"message":"m","code":401,"type":"authentication_error"}}`, false, Unauthorized, "401"},
		{"string", 404, `{"error":"model 'x' not found"}`, false, NotFound, ""},
		{"fields at the top", 400, `{"object":"error","message":"m","type":"BadRequestError","code":400}`, false, BadRequest, "400"},
		{"list", 400, `[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]`, false, BadRequest, "400"},
		{"detail", 422, `{"detail":"m"}`, false, BadRequest, ""},
		{"detail that is a list", 422, `{"detail":[{"loc":["body"]}]}`, false, BadRequest, ""},
		{"HTML", 502, `<html>bad gateway</html>`, false, Server, ""},
		{"nothing", 500, ``, false, Server, ""},
		{"unknown status", 418, `{}`, false, BadRequest, ""},
		{"null", 400, `null`, false, BadRequest, ""},
		{"error of another type", 400, `{"error":7}`, false, BadRequest, ""},

		{"quota by code", 429, `{"error":{"code":"insufficient_quota"}}`, false, Quota, "insufficient_quota"},
		{"quota by type", 429, `{"error":{"type":"insufficient_quota"}}`, false, Quota, "insufficient_quota"},
		{"no credit", 402, `{}`, false, Quota, ""},
		{"billing", 403, `{"error":{"code":"billing_not_active"}}`, false, Quota, "billing_not_active"},
		{"a rate limit that speaks of quota is none", 429, `{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}`, false, RateLimited, "429"},

		{"length by code", 400, `{"error":{"code":"context_length_exceeded"}}`, false, ContextLength, "context_length_exceeded"},
		{"length by type", 400, `{"error":{"code":400,"type":"exceed_context_size_error","message":"m"}}`, false, ContextLength, "400"},
		{"length by message", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens"}}`, false, ContextLength, ""},
		{"length is no server error", 500, `{"error":{"message":"context length thread died"}}`, false, Server, ""},

		{"format by parameter", 400, `{"error":{"message":"m","param":"response_format"}}`, format, Unsupported, ""},
		{"format by message", 400, `{"error":{"message":"This response_format type is unavailable now"}}`, format, Unsupported, ""},
		{"format not implemented", 501, `{"error":"json_schema is not supported"}`, format, Unsupported, ""},
		{"grammar", 400, `{"error":{"code":400,"message":"failed to parse grammar"}}`, format, Unsupported, "400"},
		{"format that was not asked for", 400, `{"error":{"message":"response_format"}}`, false, BadRequest, ""},
		{"format behind a wrong key", 401, `{"error":{"message":"json_schema needs a key"}}`, format, Unauthorized, ""},

		{"filter", 400, `{"error":{"code":"content_filter"}}`, false, ContentFilter, "content_filter"},

		{"200 with a code for status", 200, `{"error":{"code":429,"message":"slow down"}}`, false, RateLimited, "429"},
		{"200 with a code in quotes", 200, `{"error":{"code":"503"}}`, false, Server, "503"},
		{"200 with a name", 200, `{"error":{"code":"rate_limit_exceeded"}}`, false, RateLimited, "rate_limit_exceeded"},
		{"200 with a request's fault", 200, `{"error":{"type":"invalid_request_error"}}`, false, BadRequest, "invalid_request_error"},
		{"200 with a key's fault", 200, `{"error":{"code":"invalid_api_key"}}`, false, Unauthorized, "invalid_api_key"},
		{"200 with a missing model", 200, `{"error":{"code":"model_not_found"}}`, false, NotFound, "model_not_found"},
		{"200 with a string", 200, `{"error":"boom"}`, false, Server, ""},
		{"200 with quota", 200, `{"error":{"code":"insufficient_quota"}}`, false, Quota, "insufficient_quota"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := classified(tt.status, tt.body, tt.format)
			if e.Kind != tt.kind || e.Code != tt.code || e.Status != tt.status || e.Reason == "" {
				t.Errorf("got kind %d, code %q, status %d, reason %q; want kind %d, code %q", e.Kind, e.Code, e.Status, e.Reason, tt.kind, tt.code)
			}
		})
	}
}

func TestUnsupportedSaysWhatToSet(t *testing.T) {
	e := classified(400, `{"error":{"message":"no json_schema here","param":"response_format.type"}}`, true)
	if !strings.Contains(e.Error(), "set structured_output") || e.Param != "response_format" {
		t.Errorf("got %v, field %q", e, e.Param)
	}
}

// TestWhatAServerWritesStaysOut: a code that is a sentence, a credential or a
// piece of the prompt is no identifier.
func TestWhatAServerWritesStaysOut(t *testing.T) {
	for _, code := range []string{
		"sk-canary-key", "wrong:sk-canary-key", "canary-key", "prompt-marker", "prompt", "a sentence with a canary",
		"café", strings.Repeat("x", 200), "<b>", `quote\"d`, "new\\nline",
	} {
		for _, field := range []string{"code", "type"} {
			e := classified(400, `{"error":{"message":"canary","param":"canary","`+field+`":"`+code+`"}}`, false)
			if e.Code != "" || e.Param != "" {
				t.Errorf("%s %q shows as %q, field %q", field, code, e.Code, e.Param)
			}
		}
	}
	if e := classified(400, `{"error":{"code":"gpt-x"}}`, false); e.Code != "gpt-x" {
		t.Error("the model that was asked for is no secret")
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // for a clock that stands still
		in90 := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
		past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
		tests := []struct {
			name, header, value string
			want                time.Duration
		}{
			{"none", "X", "1", 0},
			{"seconds", "Retry-After", "7", 7 * time.Second},
			{"fraction", "Retry-After", "0.5", 500 * time.Millisecond},
			{"date", "Retry-After", in90, 90 * time.Second},
			{"date that is over", "Retry-After", past, 0},
			{"negative", "Retry-After", "-5", 0},
			{"nonsense", "Retry-After", "soon", 0},
			{"not a number", "Retry-After", "NaN", 0},
			{"more than a day", "Retry-After", "1e300", 24 * time.Hour},
			{"endless", "Retry-After", "Inf", 24 * time.Hour},
			{"far date", "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT", 24 * time.Hour},
			{"milliseconds", "Retry-After-Ms", "250", 250 * time.Millisecond},
		}
		for _, tt := range tests {
			x := &exchange{header: http.Header{}}
			x.header.Set(tt.header, tt.value)
			if got := x.retryAfter(); got != tt.want {
				t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			}
		}
	})
}
