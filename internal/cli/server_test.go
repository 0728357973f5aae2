package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// startModelServer starts a server for the scripts.
func startModelServer(env *testscript.Env) string {
	server := newModelServer()
	env.Defer(server.Close)
	return server.URL
}

// newModelServer is a server of chat completions. The first element of the
// path says how it behaves:
//
//	/ok       answers
//	/json     answers with JSON that the summary schema accepts
//	/repair   the same from its second call on; its first answer is no JSON
//	/401 /500 fails with this status
//	/slow     answers when the client has gone
//	/escape   answers with what a terminal would obey
//	/echo     fails, and repeats the credential in its header and body
//	/away     redirects to an address that holds the credential
func newModelServer() *httptest.Server {
	var repairs atomic.Int64
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Stream bool }
		body, _ := io.ReadAll(r.Body) // to its end, so that a client that goes is noticed
		_ = json.Unmarshal(body, &request)
		behaviour, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch behaviour {
		case "401", "500":
			http.Error(w, `{"error":{"message":"canary-from-server","type":"x","code":"y"}}`, map[string]int{"401": 401, "500": 500}[behaviour])
		case "slow":
			select {
			case <-r.Context().Done():
			case <-time.After(20 * time.Second):
			}
		case "json":
			reply(w, request.Stream, `{"title":"Ferry","points":["a bus instead"]}`)
		case "repair":
			if repairs.Add(1) == 1 {
				reply(w, request.Stream, "Certainly!")
				return
			}
			reply(w, request.Stream, `{"title":"Ferry","points":["a bus instead"]}`)
		case "echo":
			key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
			w.Header().Set("X-Request-Id", key)
			http.Error(w, `{"error":{"message":"`+key+`","type":"`+key+`","code":"`+key+`"}}`, http.StatusInternalServerError)
		case "away":
			http.Redirect(w, r, "https://example.com/?key="+r.Header.Get("Authorization"), http.StatusTemporaryRedirect)
		case "escape":
			reply(w, request.Stream, "red \x1b[31mtext\x07 here")
		default:
			reply(w, request.Stream, "It will rain.")
		}
	}))
}

// reply writes a completion, as one document or as a stream of words.
func reply(w http.ResponseWriter, stream bool, text string) {
	usage := map[string]int{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "x", "object": "chat.completion", "model": "test-model", "usage": usage,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(v any) {
		data, _ := json.Marshal(v)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	for _, word := range strings.SplitAfter(text, " ") {
		event(map[string]any{"object": "chat.completion.chunk", "model": "test-model",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": word}}}})
	}
	event(map[string]any{"object": "chat.completion.chunk", "model": "test-model",
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}})
	event(map[string]any{"object": "chat.completion.chunk", "model": "test-model", "choices": []any{}, "usage": usage})
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}
