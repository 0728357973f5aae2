package openai

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const (
	chunkHel  = `{"id":"chatcmpl-1","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}`
	chunkLo   = `{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}`
	chunkStop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	chunkUse  = `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}`
)

// readStream reads a stream and returns the pieces of text, too.
func readStream(r io.Reader) (*Reply, []string, error) {
	x := &exchange{body: []byte(`{"model":"m"}`), status: 200, header: http.Header{}}
	var pieces []string
	s := &streamReader{x: x, lines: bufio.NewReaderSize(r, 64), maxText: 1 << 20, onText: func(t string) { pieces = append(pieces, t) }}
	reply, err := s.read()
	return reply, pieces, err
}

func events(chunks ...string) string {
	return "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\n"
}

func TestStream(t *testing.T) {
	whole := &Reply{
		Text: "Hello", FinishReason: "stop", Model: "m-1", ID: "chatcmpl-1",
		Usage: Usage{InputTokens: 5, OutputTokens: 2, CachedTokens: 4, ReasoningTokens: 1},
	}
	noUsage := &Reply{Text: "Hello", FinishReason: "stop", Model: "m-1", ID: "chatcmpl-1"}
	tests := []struct {
		name   string
		stream string
		want   *Reply
	}{
		{"as specified", events(chunkHel, chunkLo, chunkStop, chunkUse, "[DONE]"), whole},
		{"CRLF", strings.ReplaceAll(events(chunkHel, chunkLo, chunkStop, chunkUse, "[DONE]"), "\n", "\r\n"), whole},
		{"no space after the colon", strings.ReplaceAll(events(chunkHel, chunkLo, chunkStop, chunkUse, "[DONE]"), "data: ", "data:"), whole},
		{"comments, ids and event names", ": ping\n\nid: 1\nevent: message\n" + events(chunkHel, chunkLo) + ":\n\n" + events(chunkStop, chunkUse, "[DONE]"), whole},
		{"usage with the last choice", events(chunkHel, chunkLo, chunkStop[:len(chunkStop)-1]+`,"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}`, "[DONE]"), whole},
		{"data in two lines", "data: " + strings.Replace(chunkHel, `,"model"`, "\ndata: ,\"model\"", 1) + "\n\n" + events(chunkLo, chunkStop, chunkUse, "[DONE]"), whole},
		{"what follows the end", events(chunkHel, chunkLo, chunkStop, chunkUse, "[DONE]", "nonsense"), whole},
		{"no usage", events(chunkHel, chunkLo, chunkStop, "[DONE]"), noUsage},
		{"no [DONE] after a finish reason", events(chunkHel, chunkLo, chunkStop), noUsage},
		{"no blank line at the end", strings.TrimRight(events(chunkHel, chunkLo, chunkStop), "\n"), noUsage},
		{"no finish reason before [DONE]", events(chunkHel, chunkLo, "[DONE]"), &Reply{Text: "Hello", Model: "m-1", ID: "chatcmpl-1"}},
		{"a second choice", events(chunkHel, `{"choices":[{"index":1,"delta":{"content":"other"}}]}`, chunkLo, chunkStop, "[DONE]"), noUsage},
		{"a null error", events(`{"error":null,`+chunkHel[1:], chunkLo, chunkStop, "[DONE]"), noUsage},
		{"a refusal", events(`{"choices":[{"delta":{"refusal":"I can"}}]}`, `{"choices":[{"delta":{"refusal":"not"},"finish_reason":"stop"}]}`, "[DONE]"),
			&Reply{Refusal: "I cannot", FinishReason: "stop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, pieces, err := readStream(iotest.OneByteReader(strings.NewReader(tt.stream)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
			if text := strings.Join(pieces, ""); text != got.Text {
				t.Errorf("the pieces are %q", pieces)
			}
		})
	}
}

func TestBrokenStreams(t *testing.T) {
	tests := []struct {
		name   string
		stream io.Reader
		kind   Kind
	}{
		{"ends in the middle", strings.NewReader(events(chunkHel, chunkLo)), Interrupted},
		{"ends in a chunk", strings.NewReader(events(chunkHel) + `data: {"choices":[{"del`), Interrupted},
		{"ends before anything", strings.NewReader(""), Interrupted},
		{"breaks", io.MultiReader(strings.NewReader(events(chunkHel)), iotest.ErrReader(io.ErrUnexpectedEOF)), Interrupted},
		{"breaks after the finish reason", io.MultiReader(strings.NewReader(events(chunkHel, chunkStop)), iotest.ErrReader(io.ErrUnexpectedEOF)), Interrupted},
		{"is only an end", strings.NewReader(events("[DONE]")), Protocol},
		{"has a chunk that is no JSON", strings.NewReader(events(chunkHel, "oops", chunkStop, "[DONE]")), Protocol},
		{"has an error in it", strings.NewReader(events(chunkHel, `{"error":{"code":503,"message":"m"}}`, "[DONE]")), Server},
		{"has an error that is a string", strings.NewReader(events(chunkHel, `{"error":"m"}`)), Server},
		{"has an error event", strings.NewReader(events(chunkHel) + "event: error\ndata: {\"message\":\"m\",\"code\":429}\n\n"), RateLimited},
		{"has a line without end", io.MultiReader(strings.NewReader("data: "), endless('x')), TooLarge},
		{"has an event without end", io.MultiReader(repeated("data: "+strings.Repeat("x", 1000)+"\n", 2000)), TooLarge},
		{"says too much", repeated(events(`{"choices":[{"delta":{"content":"`+strings.Repeat("x", 10_000)+`"}}]}`), 200), TooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := readStream(tt.stream)
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind {
				t.Errorf("got %v, want kind %d", err, tt.kind)
			}
		})
	}
}

// endless is a reader of one byte, again and again.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func repeated(s string, times int) io.Reader { return strings.NewReader(strings.Repeat(s, times)) }

func TestLibertiesOfWholeReplies(t *testing.T) {
	x := &exchange{body: []byte(`{"model":"m","messages":[{"content":"in-the-prompt"}]}`), status: 200, header: http.Header{}, json: true}
	tests := []struct {
		name, body string
		want       *Reply
	}{
		{"plain", `{"id":"reply-9","model":"m","choices":[{"message":{"content":"t"},"finish_reason":"stop"}]}`, &Reply{Text: "t", FinishReason: "stop", Model: "m", ID: "reply-9"}},
		{"parts", `{"choices":[{"message":{"content":[{"type":"thinking","text":"no"},{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, &Reply{Text: "ab"}},
		{"fields of other types", `{"id":7,"model":null,"usage":{"prompt_tokens":"x","completion_tokens":3.0},"choices":[{"index":"0","message":{"content":"t","refusal":null},"finish_reason":null}]}`, &Reply{Text: "t", Usage: Usage{OutputTokens: 3}}},
		{"a reason in capitals", `{"choices":[{"message":{"content":"t"},"finish_reason":"MAX_TOKENS"}]}`, &Reply{Text: "t", FinishReason: "length"}},
		{"no content but a refusal", `{"choices":[{"message":{"content":null,"refusal":"no"}}]}`, &Reply{Refusal: "no"}},
		{"a model from the prompt", `{"model":"in-the-prompt","choices":[{"message":{"content":"t"}}]}`, &Reply{Text: "t"}},
	}
	for _, tt := range tests {
		got, err := x.decodeReply([]byte(tt.body))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
