package definition

import (
	"strings"
	"testing"
)

func TestMasked(t *testing.T) {
	tests := []struct{ why, text, want string }{
		{"a key", "api_key: CANARY", "api_key: ******"},
		{"spellings of a key", "Api-Key: CANARY\nAPIKEY: CANARY\nx.api.key: CANARY", "Api-Key: ******\nAPIKEY: ******\nx.api.key: ******"},
		{"other names", "token: CANARY\nclient_secret: CANARY\npassword: CANARY\nAuthorization: CANARY\naccess_token: CANARY", "token: ******\nclient_secret: ******\npassword: ******\nAuthorization: ******\naccess_token: ******"},
		{"names that only look so", "max_output_tokens: 5\nmodel: m\nkeyword: k", "max_output_tokens: 5\nmodel: m\nkeyword: k"},
		{"a quoted key", "\"api_key\": CANARY\n'token' : CANARY", "\"api_key\": ******\n'token' : ******"},
		{"no space after the colon", "api_key:CANARY", "api_key:******"},
		{"a list item", "- api_key: CANARY\n  model: m", "- api_key: ******\n  model: m"},
		{"a flow mapping", "{model: m, api_key: CANARY, top_p: 1}", "{model: m, api_key: ******"},
		{"a mapping within", `{id: b, headers: {Authorization: "CANARY"}, kind: k}` + "\nx: y", "{id: b, headers: ******\nx: y"},
		{"a key of a mapping within", "retry: {a: {token: CANARY}}\nx: y", "retry: {a: {token: ******\nx: y"},
		{"a comma in quotes", `{token: "a,CANARY", b: c}` + "\nx: y", "{token: ******\nx: y"},
		{"a later comma in quotes", `{b: c, token: "a, CANARY"}`, "{b: c, token: ******"},
		{"a flow list", "{b: c, api_key: [a, CANARY]}\nx: y", "{b: c, api_key: ******\nx: y"},
		{"a flow of several lines", "{b: c, headers: {\nX-Any: CANARY,\nX-Two: '}CANARY'}}\nx: y", "{b: c, headers: ******\n******\n******\nx: y"},
		{"a flow that starts with it and goes on", "{api_key:\nCANARY}\nx: y", "{api_key:\n******\nx: y"},
		{"a quoted text that goes on without indentation", "api_key: \"a\\\"\nCANARY\"\nx: y", "api_key: ******\n******\nx: y"},
		{"an apostrophe", "api_key: CANARY's\nx: y", "api_key: ******\nx: y"},
		{"a variable's name in a flow", "{b: c, api_key_env: OPENAI_API_KEY, d: e}", "{b: c, api_key_env: OPENAI_API_KEY, d: e}"},
		{"a key in a flow where a name belongs", "{b: c, api_key_env: sk-CANARY, d: e}", "{b: c, api_key_env: ******"},
		{"a flow mapping that starts with it", "{api_key: CANARY, top_p: 1}", "{api_key: ******"},
		{"a flow value", "auth_data: {token: CANARY}", "auth_data: {token: ******"},
		{"the next line", "api_key:\n  CANARY\nmodel: m", "api_key:\n  ******\nmodel: m"},
		{"a block", "api_key: |\n  CANARY\n\n  x\nmodel: m", "api_key: ******\n  ******\n\n  ******\nmodel: m"},
		{"a quoted text of several lines", "a:\n  token: \"CANARY\n    CANARY\"\n  b: c", "a:\n  token: ******\n    ******\n  b: c"},
		{"the name of a variable", "api_key_env: OPENAI_API_KEY", "api_key_env: OPENAI_API_KEY"},
		{"a key where a name belongs", "api_key_env: sk-CANARY\nb: c", "api_key_env: ******\nb: c"},
		{"headers", "headers:\n  X-Any: CANARY\n  X-Env: ${env:NAME}\n  X-Two:\n    CANARY\nmodel: m", "headers:\n  X-Any: ******\n  X-Env: ${env:NAME}\n  X-Two:\n    ******\nmodel: m"},
		{"headers in a flow", "headers: {X-Any: CANARY,\n  X-Two: CANARY}\nmodel: m", "headers: ******\n  ******\nmodel: m"},
		{"headers that are no mapping", "headers:\n  - CANARY\n  x", "headers:\n  ******\n  ******"},
		{"user information", "base_url: https://user:CANARY@example.com/v1", "base_url: https://******@example.com/v1"},
		{"a query", "base_url: https://example.com?v=1&api_key=CANARY&x=2", "base_url: https://example.com?v=1&api_key=******&x=2"},
		{"a scheme", "note: use Bearer CANARYCANARY here", "note: use Bearer ****** here"},
		{"a key of a known shape", "note: sk-CANARYCANARY", "note: ******"},
		{"CRLF", "api_key: CANARY\r\nmodel: m\r\n", "api_key: ******\nmodel: m\r\n"},
		{"text", "You write for {{.audience}}.\n\n  {{input \"x\"}}", "You write for {{.audience}}.\n\n  {{input \"x\"}}"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := masked(tt.text)
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if strings.Contains(got, "CANARY") {
				t.Errorf("a credential shows: %q", got)
			}
			if strings.Count(got, "\n") != strings.Count(tt.text, "\n") {
				t.Errorf("lines were lost: %q", got)
			}
		})
	}
}
