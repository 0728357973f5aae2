package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzCompletion holds the scanner to encoding/json: it accepts the same
// texts, as far as they are objects, and reads the same from them.
func FuzzCompletion(f *testing.F) {
	for _, seed := range []string{
		chunkHel, chunkLo, chunkStop, chunkUse, `null`, `[1]`, ``, `{`, `{"a":1,}`, `{"a" 1}`, `{} {}`, `{"error":null}`, `{"error":{"a":[1,2,{}]}}`,
		`{"id":"\u00e9\ud83d\ude00\ud800x\"\\\/\b\f\n\r\t","model":"é` + "\xff\xfe" + `"}`, `{"id":"\x"}`, `{"id":"\u12g4"}`, `{"id":"` + "\n" + `"}`,
		`{"usage":{"prompt_tokens":1e2,"completion_tokens":-3,"prompt_tokens_details":null}}`, `{"usage":{"prompt_tokens":01}}`, `{"x":-}`, `{"x":1.}`, `{"x":1e}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"text":"b","type":"output_text"},7]}},null,"x"]}`,
		`{"choices":[{"index":1.5,"delta":{"content":7,"refusal":"r"},"finish_reason":["stop"]}],"choices":[]}`, `{"x":tru}`, `{"x":nul`, `{"\u0069d":"x"}`, ` { "x" : [ ] } `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got completion
		ok := got.parse(data)
		want, isObject := expected(data)
		if ok != isObject {
			t.Fatalf("accepted %v, encoding/json and an object %v: %q", ok, isObject, data)
		}
		if !ok || strings.Contains(string(data), "message") && strings.Contains(string(data), "delta") {
			return // which of the two counts is nobody's business
		}
		if len(got.choices) == 0 {
			got.choices = nil
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(completion{}, choice{})); diff != "" {
			t.Errorf("%q (-encoding/json +got):\n%s", data, diff)
		}
	})
}

// expected reads a completion by way of encoding/json.
func expected(data []byte) (completion, bool) {
	var fields map[string]any
	if json.Unmarshal(data, &fields) != nil || fields == nil {
		return completion{}, false
	}
	str := func(v any) string { s, _ := v.(string); return s }
	num := func(v any) int {
		n, _ := v.(float64)
		if n < 0 || n >= 1<<53 {
			return 0
		}
		return int(n)
	}
	obj := func(v any) map[string]any { m, _ := v.(map[string]any); return m }
	c := completion{id: str(fields["id"]), model: str(fields["model"]), hasUsage: obj(fields["usage"]) != nil}
	c.failed = fields["error"] != nil
	u := obj(fields["usage"])
	c.usage = Usage{
		InputTokens: num(u["prompt_tokens"]), OutputTokens: num(u["completion_tokens"]),
		CachedTokens: num(obj(u["prompt_tokens_details"])["cached_tokens"]), ReasoningTokens: num(obj(u["completion_tokens_details"])["reasoning_tokens"]),
	}
	list, _ := fields["choices"].([]any)
	for _, element := range list {
		m := obj(element)
		one := choice{index: num(m["index"]), finishReason: str(m["finish_reason"])}
		message := obj(m["message"])
		if message == nil {
			message = obj(m["delta"])
		}
		one.refusal, one.text = str(message["refusal"]), str(message["content"])
		if parts, ok := message["content"].([]any); ok {
			for _, part := range parts {
				if kind := str(obj(part)["type"]); kind == "text" || kind == "output_text" {
					one.text += str(obj(part)["text"])
				}
			}
		}
		c.choices = append(c.choices, one)
	}
	return c, true
}

func TestNestingIsBounded(t *testing.T) {
	for _, open := range []string{"[", `{"a":`} {
		var c completion
		if c.parse([]byte(`{"x":` + strings.Repeat(open, 1_000_000))) {
			t.Errorf("a million of %q was accepted", open)
		}
	}
}
