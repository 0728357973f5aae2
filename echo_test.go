package promptkit_test

import (
	"bytes"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/promptkit-go/promptkit"
)

// keyOf is the bare credential that a request carries: unlike a sentence that
// quotes it, it could pass for a code or for the name of a model.
func keyOf(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// echoes answers with a body in which %s is the key.
func echoes(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, strings.ReplaceAll(body, "%s", keyOf(r)))
	}
}

// sendsTo redirects to an address in which %s is the key.
func sendsTo(status int, address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", strings.ReplaceAll(address, "%s", keyOf(r)))
		w.WriteHeader(status)
	}
}

// echoingServers repeat the key wherever HTTP and its contents have a place
// for a word.
var echoingServers = map[string]http.HandlerFunc{
	"code":            echoes(400, `{"error":{"message":"%s","code":"%s"}}`),
	"type":            echoes(500, `{"error":{"type":"%s"}}`),
	"error":           echoes(401, `{"error":"%s"}`),
	"200 with a code": echoes(200, `{"error":{"code":"%s"}}`),
	"names":           echoes(200, `{"id":"%s","model":"%s","system_fingerprint":"%s","choices":[{"message":{"role":"%s","content":"x"},"finish_reason":"%s"}]}`),
	"good reply":      echoes(200, `{"id":"%s","model":"%s","choices":[{"message":{"content":"{\"title\":\"x\"}"},"finish_reason":"stop"}]}`),
	"property":        echoes(200, `{"choices":[{"message":{"content":"{\"%s\":\"%s\",\"title\":[\"%s\"]}"},"finish_reason":"stop"}]}`),
	"media type": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/"+keyOf(r))
		_, _ = fmt.Fprint(w, keyOf(r))
	},
	"headers": func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Retry-After", "Set-Cookie", "Www-Authenticate", "X-Request-Id", keyOf(r)} {
			w.Header().Set(name, keyOf(r))
		}
		w.WriteHeader(http.StatusTooManyRequests)
	},
	"encoding": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", keyOf(r))
		_, _ = fmt.Fprint(w, keyOf(r))
	},
	"status line": func(w http.ResponseWriter, r *http.Request) {
		hijack(w, "HTTP/1.1 500 "+keyOf(r)+"\r\nContent-Length: 0\r\n\r\n")
	},
	"status that is none": func(w http.ResponseWriter, r *http.Request) { hijack(w, "HTTP/1.1 "+keyOf(r)+"\r\n\r\n") },
	"length that is none": func(w http.ResponseWriter, r *http.Request) {
		hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: "+keyOf(r)+"\r\n\r\n")
	},
	"chunk that is none": func(w http.ResponseWriter, r *http.Request) {
		hijack(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+keyOf(r)+"\r\n")
	},
	"more than one answer": func(w http.ResponseWriter, r *http.Request) {
		hijack(w, "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}"+keyOf(r))
	},
	"to another origin":    sendsTo(307, "https://example.com/?k=%s"),
	"to a host":            sendsTo(308, "http://%s.invalid/"),
	"to a user":            sendsTo(307, "http://%s:%s@127.0.0.1:1/"),
	"to a scheme":          sendsTo(307, "%s://x/"),
	"to no address":        sendsTo(307, "http://[%s"),
	"in a circle":          sendsTo(307, "/%s?k=%s#%s"),
	"event":                echoes(200, "event: %s\ndata: {\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}\n\n"),
	"event that is broken": echoes(200, "data: {\"%s\n\n: %s\n\ndata: %s\n\n"),
}

// TestEchoedKeysShowNothing runs against each of these servers, with and
// without a stream, and looks at everything that is left of the run.
func TestEchoedKeysShowNothing(t *testing.T) {
	for name, handler := range echoingServers {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stream=%v", name, stream), func(t *testing.T) {
				var text bytes.Buffer
				spans, seen := tracetest.NewSpanRecorder(), &watcher{}
				e := canaryEngine(t, newServer(t, handler), promptkit.WithObserver(seen), promptkit.WithObserver(spanObserver(t, spans)),
					promptkit.WithObserver(promptkit.NewSlogObserver(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))))
				opts := []promptkit.RunOption{promptkit.KeepContent()}
				if stream {
					opts = append(opts, promptkit.OnText(func(int, string) {}))
				}
				result, err := e.Run(t.Context(), canaryRequest(), opts...)
				if (err == nil) != (name == "good reply") {
					t.Fatalf("got %v", err)
				}
				if err != nil {
					wantNoCanary(t, "the error", shown(err))
					wantPublicChain(t, err)
				} else {
					wantNoCanary(t, "the record", shown(result.Attempts)+logged(result))
				}
				wantNoCanary(t, "the log", text.String())
				for _, o := range seen.seen {
					wantNoCanary(t, "an observation", shown(o))
				}
				for _, span := range spans.Ended() {
					wantNoCanary(t, "a span", fmt.Sprintf("%s %v %+v %+v", span.Name(), span.Attributes(), span.Status(), span.Events()))
				}
			})
		}
	}
}

// TestPanicsShowNothing: a callback panics in the middle of a run, which is its
// caller's to deal with. Neither what is recovered nor the stacks of all
// goroutines at that moment hold a value, and the engine can go on.
func TestPanicsShowNothing(t *testing.T) {
	s := newServer(t, says(`{"title":"x"}`))
	e := canaryEngine(t, s)
	stacks := make([]byte, 1<<20)
	func() {
		defer func() {
			wantNoCanary(t, "what is recovered", fmt.Sprintf("%v %+v %#v", recover(), e, e)+string(debug.Stack()))
		}()
		_, _ = e.Run(t.Context(), canaryRequest(), promptkit.OnText(func(int, string) {
			stacks = stacks[:runtime.Stack(stacks, true)]
			panic("the caller's own words")
		}))
		t.Error("the panic is gone")
	}()
	wantNoCanary(t, "a stack", string(stacks))
	if _, err := e.Run(t.Context(), canaryRequest()); err != nil {
		t.Errorf("the next run: %v", err)
	}
}

// TestNothingGoesToTheStandardLog: net/http has no other place for what it
// finds odd. The one thing that it cannot be kept from reporting, words that
// nobody has asked for after a whole answer, docs/execution.md owns up to.
func TestNothingGoesToTheStandardLog(t *testing.T) {
	var text bytes.Buffer
	log.SetOutput(&text)
	defer log.SetOutput(os.Stderr)
	for name, handler := range echoingServers {
		if name == "more than one answer" {
			continue
		}
		e := canaryEngine(t, newServer(t, handler))
		_, err := e.Run(t.Context(), canaryRequest())
		if (err == nil) != (name == "good reply") {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantNoCanary(t, "the standard log", text.String())
}
