package backend

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptkit-go/promptkit/internal/execution"
)

// behaviour is a way for a server to answer, and what has to come of it.
type behaviour struct {
	name string
	// answer answers one call; stream says whether it asks for one.
	answer func(w http.ResponseWriter, r *http.Request, call int, stream bool)

	class  execution.Class
	calls  int           // that the server saw
	waited time.Duration // in all, on the virtual clock
	// streamed, if not nil, is what is different where a stream is asked for.
	streamed *outcome
}

type outcome struct {
	class  execution.Class
	calls  int
	waited time.Duration
}

// The waits of three calls that fail, without advice from the server.
const twoWaits = 750*time.Millisecond + 1500*time.Millisecond

const good = `{"answer":"` + canaryReply + `","n":1}`

// completion is a whole reply with a text.
func completion(text, finish string) string {
	encoded, _ := json.Marshal(text)
	return `{"id":"chatcmpl-1","model":"gpt-x-2","choices":[{"index":0,"message":{"role":"assistant","content":` + string(encoded) +
		`},"finish_reason":"` + finish + `"}],"usage":{"prompt_tokens":11,"completion_tokens":7}}`
}

// chunks is a stream of a text, byte by byte, without its [DONE].
func chunks(text, finish string) string {
	var b strings.Builder
	for _, c := range text {
		encoded, _ := json.Marshal(string(c))
		fmt.Fprintf(&b, "data: {\"model\":\"gpt-x-2\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", encoded)
	}
	if finish != "" {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\n", finish)
		b.WriteString(`data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}` + "\n\n")
	}
	return b.String()
}

const done = "data: [DONE]\n\n"

// write answers with a status, a content type and a body.
func write(w http.ResponseWriter, status int, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func writeJSON(w http.ResponseWriter, status int, body string) {
	write(w, status, "application/json", body)
}

// reply answers as a good server would.
func reply(w http.ResponseWriter, stream bool, text, finish string) {
	if stream {
		write(w, 200, "text/event-stream", chunks(text, finish)+done)
		return
	}
	writeJSON(w, 200, completion(text, finish))
}

// status answers with an error that quotes the request.
func status(code int, body string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, r *http.Request, _ int, _ bool) {
		writeJSON(w, code, strings.ReplaceAll(body, "ECHO", r.Header.Get("Authorization")+" "+r.Header.Get("X-Tenant")+" "+canaryPrompt))
	}
}

// header answers with a status and one header.
func header(code int, name, value string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
		w.Header().Set(name, value)
		writeJSON(w, code, `{"error":{"message":"`+canaryPrompt+`"}}`)
	}
}

// body answers 200 with a body of a type.
func body(contentType, text string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) { write(w, 200, contentType, text) }
}

// streamOr answers a call for a stream with events, and any other well.
func streamOr(events string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
		if stream {
			write(w, 200, "text/event-stream", events)
			return
		}
		reply(w, false, good, "stop")
	}
}

// raw answers with bytes on the connection, and closes it.
func raw(text string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = conn.Write([]byte(text))
		_ = conn.Close()
	}
}

// hang keeps the call until the client gives up.
func hang(_ http.ResponseWriter, r *http.Request, _ int, _ bool) { <-r.Context().Done() }

// flood writes a piece of a body again and again.
func flood(contentType, start, piece string) func(http.ResponseWriter, *http.Request, int, bool) {
	return func(w http.ResponseWriter, r *http.Request, _ int, _ bool) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(start))
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(piece)); err != nil {
				return
			}
		}
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

func matrix() []behaviour {
	ok := &outcome{execution.ClassOK, 1, 0}
	bomb := zipped(strings.Repeat(" ", 2<<20))
	return []behaviour{
		// Good servers, each in its own way.
		{name: "a good reply", class: execution.ClassOK, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) { reply(w, stream, good, "stop") }},
		{name: "a fence around the document", class: execution.ClassOK, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, "```json\n"+good+"\n```", "stop")
			}},
		{name: "a stream that nobody asked for", class: execution.ClassOK, calls: 1,
			answer: body("text/event-stream; charset=utf-8", chunks(good, "stop")+done)},
		{name: "a whole reply where a stream was asked for", class: execution.ClassOK, calls: 1,
			answer: body("application/json", completion(good, "stop"))},
		{name: "no content type", class: execution.ClassOK, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				w.Header()["Content-Type"] = nil
				text := completion(good, "stop")
				if stream {
					text = chunks(good, "stop") + done
				}
				_, _ = w.Write([]byte(text))
			}},
		{name: "the wrong content type on a good body", class: execution.ClassOK, calls: 1,
			answer: body("text/plain", completion(good, "stop"))},
		{name: "gzip", class: execution.ClassOK, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
				w.Header().Set("Content-Encoding", "gzip")
				writeJSON(w, 200, zipped(completion(good, "stop")))
			}},
		{name: "a redirect within the server", class: execution.ClassOK, calls: 2,
			answer: func(w http.ResponseWriter, r *http.Request, _ int, stream bool) {
				if r.URL.Path != "/elsewhere" {
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(http.StatusTemporaryRedirect)
					return
				}
				reply(w, stream, good, "stop")
			}},

		// Errors of the request: one call.
		{name: "401", answer: status(401, `{"error":{"message":"Incorrect API key: ECHO","code":"invalid_api_key"}}`), class: execution.ClassUnauthorized, calls: 1},
		{name: "401 with the key for a code", answer: status(401, `{"error":{"code":"`+canaryKey+`","type":"`+canaryKey+`"}}`), class: execution.ClassUnauthorized, calls: 1},
		{name: "403", answer: status(403, `{"error":"ECHO"}`), class: execution.ClassUnauthorized, calls: 1},
		{name: "404", answer: status(404, `{"error":{"message":"no model ECHO","code":"model_not_found"}}`), class: execution.ClassNotFound, calls: 1},
		{name: "400", answer: status(400, `{"error":{"message":"ECHO","type":"invalid_request_error","param":"temperature"}}`), class: execution.ClassBadRequest, calls: 1},
		{name: "400 with an error that is a string", answer: status(400, `{"error":"ECHO"}`), class: execution.ClassBadRequest, calls: 1},
		{name: "405", answer: status(405, `ECHO`), class: execution.ClassBadRequest, calls: 1},
		{name: "413", answer: status(413, `<html>ECHO</html>`), class: execution.ClassBadRequest, calls: 1},
		{name: "422", answer: status(422, `{"detail":[{"msg":"ECHO"}]}`), class: execution.ClassBadRequest, calls: 1},
		{name: "a context that is too long", answer: status(400, `{"error":{"message":"ECHO","code":"context_length_exceeded"}}`), class: execution.ClassContextLength, calls: 1},
		{name: "the same as a number", answer: status(400, `{"error":{"code":400,"message":"ECHO","type":"exceed_context_size_error"}}`), class: execution.ClassContextLength, calls: 1},
		{name: "a schema that the server does not take", answer: status(400, `{"error":{"message":"response_format json_schema: ECHO"}}`), class: execution.ClassUnsupported, calls: 1},
		{name: "a filtered prompt", answer: status(400, `{"error":{"code":"content_filter","message":"ECHO"}}`), class: execution.ClassRefused, calls: 1},

		// Nothing left to spend: one call.
		{name: "quota", answer: status(429, `{"error":{"code":"insufficient_quota","message":"ECHO"}}`), class: execution.ClassQuota, calls: 1},
		{name: "402", answer: status(402, `{"error":"ECHO"}`), class: execution.ClassQuota, calls: 1},

		// Errors that pass: as many calls as there may be.
		{name: "408", answer: status(408, ``), class: execution.ClassConflict, calls: 3, waited: twoWaits},
		{name: "409", answer: status(409, `{}`), class: execution.ClassConflict, calls: 3, waited: twoWaits},
		{name: "429", answer: status(429, `{"error":{"message":"ECHO"}}`), class: execution.ClassRateLimited, calls: 3, waited: twoWaits},
		{name: "500", answer: status(500, `{"error":{"message":"ECHO"}}`), class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "502 with a page", answer: func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
			write(w, 502, "text/html", "<html>"+canaryPrompt+"</html>")
		}, class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "529", answer: status(529, `{"type":"error"}`), class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "500, then a good reply", class: execution.ClassOK, calls: 2, waited: 750 * time.Millisecond,
			answer: func(w http.ResponseWriter, _ *http.Request, call int, stream bool) {
				if call == 1 {
					writeJSON(w, 500, `{}`)
					return
				}
				reply(w, stream, good, "stop")
			}},
		{name: "Retry-After in seconds", answer: header(429, "Retry-After", "7"), class: execution.ClassRateLimited, calls: 3, waited: 14 * time.Second},
		{name: "Retry-After as a date", class: execution.ClassServer, calls: 3, waited: 20 * time.Second,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
				w.Header().Set("Retry-After", time.Now().Add(10*time.Second).UTC().Format(http.TimeFormat))
				writeJSON(w, 503, `{}`)
			}},
		{name: "Retry-After beyond the cap", answer: header(429, "Retry-After", "3600"), class: execution.ClassRateLimited, calls: 3, waited: time.Minute},
		{name: "Retry-After below the own wait", answer: header(429, "Retry-After", "0"), class: execution.ClassRateLimited, calls: 3, waited: twoWaits},
		{name: "Retry-After where nothing is retried", answer: header(400, "Retry-After", "1"), class: execution.ClassBadRequest, calls: 1},

		// Errors that say that all is well.
		{name: "200 with an error", answer: status(200, `{"error":{"message":"ECHO","type":"server_error"}}`), class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "200 with an error that is a string", answer: status(200, `{"error":"ECHO"}`), class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "200 with a code of 429", answer: status(200, `{"error":{"code":429,"message":"ECHO"}}`), class: execution.ClassRateLimited, calls: 3, waited: twoWaits},
		{name: "200 with a code of 400", answer: status(200, `{"error":{"code":"400","message":"ECHO"}}`), class: execution.ClassBadRequest, calls: 1},
		{name: "200 with quota", answer: status(200, `{"error":{"code":"insufficient_quota"}}`), class: execution.ClassQuota, calls: 1},
		{name: "200 with an error in a list", answer: status(200, `[{"error":{"code":503,"message":"ECHO"}}]`), class: execution.ClassServer, calls: 3, waited: twoWaits},
		{name: "200 with the error at the top", answer: status(200, `{"object":"error","message":"ECHO","code":401}`), class: execution.ClassUnauthorized, calls: 1},

		// Answers that are no completion: one call.
		{name: "no choice", answer: status(200, `{"choices":[]}`), class: execution.ClassProtocol, calls: 1},
		{name: "an empty object", answer: status(200, `{}`), class: execution.ClassProtocol, calls: 1},
		{name: "null", answer: status(200, `null`), class: execution.ClassProtocol, calls: 1},
		{name: "no body", answer: status(200, ``), class: execution.ClassProtocol, calls: 1},
		{name: "204", answer: func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) { w.WriteHeader(http.StatusNoContent) }, class: execution.ClassProtocol, calls: 1},
		{name: "a page", answer: body("text/html", "<html>"+canaryPrompt+"</html>"), class: execution.ClassProtocol, calls: 1},
		{name: "a page that calls itself text", answer: body("text/plain", "<!DOCTYPE html>"+canaryPrompt), class: execution.ClassProtocol, calls: 1},
		{name: "another content type", answer: body("image/png", "\x89PNG\r\n"+canaryPrompt), class: execution.ClassProtocol, calls: 1},
		{name: "broken JSON", answer: body("application/json", `{"choices":[{"message":{"content":"`+canaryReply), class: execution.ClassProtocol, calls: 1},
		{name: "two documents", answer: body("application/json", completion(good, "stop")+completion(good, "stop")), class: execution.ClassProtocol, calls: 1},
		{name: "JSON nested too deeply", answer: body("application/json", strings.Repeat("[", 100_000)), class: execution.ClassProtocol, calls: 1},

		// Answers that end too early, or not at all.
		{name: "a body cut short", class: execution.ClassInterrupted, calls: 3, waited: twoWaits,
			answer: raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"choices\":[")},
		{name: "chunks cut short", class: execution.ClassInterrupted, calls: 3, waited: twoWaits,
			answer: raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{\"choices\":[\r\n")},
		{name: "headers cut short", class: execution.ClassConnection, calls: 3, waited: twoWaits, answer: raw("HTTP/1.1 200 OK\r\nContent-")},
		{name: "no answer", class: execution.ClassConnection, calls: 3, waited: twoWaits, answer: raw("")},
		{name: "an answer that is not HTTP", class: execution.ClassConnection, calls: 3, waited: twoWaits, answer: raw("SSH-2.0-" + canaryKey + "\r\n\r\n")},
		{name: "a status that is none", class: execution.ClassConnection, calls: 3, waited: twoWaits, answer: raw("HTTP/1.1 " + canaryKey + "\r\n\r\n")},
		{name: "silence", answer: hang, class: execution.ClassTimeout, calls: 3, waited: time.Minute + twoWaits},
		{name: "silence after the headers", class: execution.ClassTimeout, calls: 3, waited: time.Minute + twoWaits,
			answer: func(w http.ResponseWriter, r *http.Request, _ int, stream bool) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusOK)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}},
		{name: "a body without end", class: execution.ClassTooLarge, calls: 1,
			answer: flood("application/json", `{"choices":[`, strings.Repeat("1,", 1<<15))},
		{name: "an error body without end", class: execution.ClassServer, calls: 3, waited: twoWaits,
			answer: func(w http.ResponseWriter, r *http.Request, call int, stream bool) {
				w.WriteHeader(http.StatusInternalServerError)
				flood("application/json", "", strings.Repeat(canaryPrompt, 1000))(w, r, call, stream)
			}},
		{name: "a bomb in gzip", class: execution.ClassTooLarge, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, _ bool) {
				w.Header().Set("Content-Encoding", "gzip")
				writeJSON(w, 200, bomb)
			}},

		// Redirects: never to another origin.
		{name: "a redirect to another origin", answer: header(307, "Location", "http://evil.test/?k="+canaryKey), class: execution.ClassRedirect, calls: 1},
		{name: "a redirect to another scheme", answer: header(308, "Location", "https://server.test/v1/chat/completions"), class: execution.ClassRedirect, calls: 1},
		{name: "a redirect that makes a GET of it", answer: header(302, "Location", "/elsewhere"), class: execution.ClassRedirect, calls: 1},
		{name: "a redirect to nowhere", answer: header(307, "X-Nothing", ""), class: execution.ClassRedirect, calls: 1},
		{name: "a redirect that is no address", answer: header(307, "Location", "http://["+canaryKey), class: execution.ClassRedirect, calls: 1},
		{name: "a redirect in a circle", answer: header(307, "Location", "/v1/chat/completions"), class: execution.ClassRedirect, calls: 5},
		{name: "304", answer: header(304, "X-Nothing", ""), class: execution.ClassRedirect, calls: 1},

		// Whole replies that keep no contract.
		{name: "the token limit", class: execution.ClassTruncated, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, `{"answer":"`+canaryReply, "length")
			}},
		{name: "a refusal", class: execution.ClassRefused, calls: 1,
			answer: body("application/json", `{"choices":[{"message":{"content":null,"refusal":"`+canaryReply+`"},"finish_reason":"stop"}]}`)},
		{name: "a filtered reply", class: execution.ClassRefused, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, canaryReply, "content_filter")
			}},
		{name: "no text", class: execution.ClassEmpty, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) { reply(w, stream, " \n", "stop") }},
		{name: "a tool call instead of text", class: execution.ClassEmpty, calls: 1,
			answer: body("application/json", `{"choices":[{"message":{"content":null,"tool_calls":[{}]},"finish_reason":"tool_calls"}]}`)},
		{name: "prose instead of JSON", class: execution.ClassNotJSON, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, "Sure! "+canaryReply, "stop")
			}},
		{name: "JSON of another shape", class: execution.ClassMismatch, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, `{"answer":7,"`+canaryReply+`":1}`, "stop")
			}},
		{name: "a number that fills the memory", class: execution.ClassMismatch, calls: 1,
			answer: func(w http.ResponseWriter, _ *http.Request, _ int, stream bool) {
				reply(w, stream, `{"answer":"x","n":1e999999999}`, "stop")
			}},

		// Streams that go wrong; the same servers answer well without one.
		{name: "a stream that ends in the middle", answer: streamOr(chunks(canaryReply, "")), class: ok.class, calls: 1,
			streamed: &outcome{execution.ClassInterrupted, 3, twoWaits}},
		{name: "a stream that ends before it begins", answer: streamOr(""), class: ok.class, calls: 1,
			streamed: &outcome{execution.ClassInterrupted, 3, twoWaits}},
		{name: "a stream that breaks", class: execution.ClassInterrupted, calls: 3, waited: twoWaits,
			answer: raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\n")},
		{name: "a stream with an error in it", answer: streamOr(chunks(canaryReply, "") + `data: {"error":{"message":"` + canaryPrompt + `","code":503}}` + "\n\n"),
			class: ok.class, calls: 1, streamed: &outcome{execution.ClassServer, 3, twoWaits}},
		{name: "a stream with a broken chunk", answer: streamOr("data: {\"choices\":[" + "\n\n" + chunks(good, "stop") + done), class: ok.class, calls: 1,
			streamed: &outcome{execution.ClassProtocol, 1, 0}},
		{name: "a stream that is only an end", answer: streamOr(done), class: ok.class, calls: 1, streamed: &outcome{execution.ClassProtocol, 1, 0}},
		{name: "a stream without [DONE]", answer: streamOr(chunks(good, "stop")), class: ok.class, calls: 1, streamed: ok},
		{name: "a stream without a finish reason", answer: streamOr(chunks(good, "") + done), class: ok.class, calls: 1, streamed: ok},
		{name: "a stream that only pings", class: execution.ClassTimeout, calls: 3, waited: time.Minute + twoWaits,
			answer: func(w http.ResponseWriter, r *http.Request, _ int, _ bool) {
				w.Header().Set("Content-Type", "text/event-stream")
				for r.Context().Err() == nil {
					_, _ = w.Write([]byte(": ping\n\n"))
					w.(http.Flusher).Flush()
					select {
					case <-time.After(time.Second):
					case <-r.Context().Done():
					}
				}
			}},
		{name: "a stream that stalls", class: execution.ClassTimeout, calls: 3, waited: time.Minute + twoWaits,
			answer: func(w http.ResponseWriter, r *http.Request, _ int, _ bool) {
				write(w, 200, "text/event-stream", chunks(canaryReply, ""))
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}},
		{name: "a stream without end", class: execution.ClassTooLarge, calls: 1,
			answer: flood("text/event-stream", "", `data: {"choices":[{"delta":{"content":"`+strings.Repeat("x", 1<<16)+`"}}]}`+"\n\n")},
		{name: "a line without end", class: execution.ClassTooLarge, calls: 1, answer: flood("text/event-stream", "data: ", strings.Repeat("x", 1<<16))},
		{name: "a stream to a person who declines", answer: streamOr("data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]}\n\n" + done),
			class: ok.class, calls: 1, streamed: &outcome{execution.ClassRefused, 1, 0}},
	}
}

// TestFaultMatrix runs every behaviour, with and without a stream, on a
// virtual clock. synctest fails a case that leaves a goroutine behind.
func TestFaultMatrix(t *testing.T) {
	for _, b := range matrix() {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%v", b.name, stream), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { b.check(t, stream) })
			})
		}
	}
}

func (b behaviour) check(t *testing.T, stream bool) {
	t.Helper()
	want := outcome{b.class, b.calls, b.waited}
	if stream && b.streamed != nil {
		want = *b.streamed
	}
	s := newStage(t, func(w http.ResponseWriter, r *http.Request, call int) { b.answer(w, r, call, stream) })
	defer s.close(t)
	var opts execution.Options
	if stream {
		opts.OnText = func(int, string) {}
	}
	frozen := s.freeze(t, request(t))
	start := time.Now()
	result, err := s.runner.Run(t.Context(), frozen, opts)

	got := outcome{calls: int(s.calls.Load()), waited: time.Since(start)}
	var failure *execution.Error
	switch {
	case err == nil && strings.TrimSpace(result.Output) != good:
		t.Errorf("output %q", result.Output)
	case errors.As(err, &failure):
		got.class = failure.Class
	case err != nil:
		t.Fatalf("%T is no *Error: %v", err, err)
	}
	if got != want {
		t.Errorf("got  %+v (%v)\nwant %+v", got, err, want)
	}
	checkBodies(t, s, frozen, stream)
	checkSilence(t, err)
}

// checkBodies: what is sent is what was frozen, whatever happened.
func checkBodies(t *testing.T, s *stage, frozen *execution.Frozen, stream bool) {
	t.Helper()
	want := string(frozen.Body())
	if stream {
		want = strings.TrimSuffix(want, "}") + `,"stream":true,"stream_options":{"include_usage":true}}`
	}
	for i, sent := range s.bodies() {
		if sent != want {
			t.Errorf("call %d sent %s, frozen is %s", i+1, sent, want)
		}
	}
}

// checkSilence: no formatting of an error shows what others wrote.
func checkSilence(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	shown := fmt.Sprintf("%v\n%+v\n%#v\n%q", err, err, err, err)
	var failure *execution.Error
	if errors.As(err, &failure) {
		encoded, _ := json.Marshal(failure)
		shown += string(encoded) + fmt.Sprintf("%+v %#v", *failure, *failure)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		shown += fmt.Sprintf("\n%v %+v", e, e)
	}
	for _, canary := range []string{canaryKey, canaryHeader, canaryPrompt, canaryReply, "evil.test"} {
		if strings.Contains(shown, canary) {
			t.Errorf("the error shows %q:\n%s", canary, shown)
		}
	}
}

// TestTextComesAsItIsSent: a piece of text is passed on when it arrives, not
// when the next one does.
func TestTextComesAsItIsSent(t *testing.T) {
	for _, contentType := range []string{"text/event-stream", "application/octet-stream"} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Content-Type", contentType)
				for _, piece := range []string{"1", "2"} {
					_, _ = w.Write([]byte(`data: {"choices":[{"delta":{"content":"` + piece + `"}}]}` + "\n\n"))
					_ = http.NewResponseController(w).Flush()
					time.Sleep(5 * time.Second)
				}
				_, _ = w.Write([]byte(done))
			})
			defer s.close(t)
			req := request(t)
			req.Output = execution.Contract{Format: execution.FormatJSON, Validation: execution.ValidateJSON}
			start := time.Now()
			var at []time.Duration
			opts := execution.Options{OnText: func(int, string) { at = append(at, time.Since(start)) }}
			result, err := s.runner.Run(t.Context(), s.freeze(t, req), opts)
			if err != nil || result.Output != "12" {
				t.Fatalf("got %+v, %v", result, err)
			}
			if want := []time.Duration{0, 5 * time.Second}; !slices.Equal(at, want) {
				t.Errorf("%s: text came at %v, want %v", contentType, at, want)
			}
		})
	}
}

// TestNamesThatAServerGivesAreNoWayOut: a reply's identifiers go into records.
func TestNamesThatAServerGivesAreNoWayOut(t *testing.T) {
	for _, echo := range []string{canaryKey, canaryHeader, canaryPrompt, "x-" + canaryKey, "Bearer " + canaryKey} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				writeJSON(w, 200, `{"id":"`+echo+`","model":"`+echo+`","choices":[{"message":{"content":"{\"answer\":\"a\"}"},"finish_reason":"`+echo+`"}]}`)
			})
			defer s.close(t)
			result, err := s.runner.Run(t.Context(), s.freeze(t, request(t)), execution.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a := result.Attempts[0]; a.Model != "gpt-x" || a.FinishReason != "" || result.Model != "gpt-x" {
				t.Errorf("%q shows in %+v", echo, a)
			}
		})
	}
}
