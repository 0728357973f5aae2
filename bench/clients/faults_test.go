package clients

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// fault is a way in which a server misbehaves.
type fault struct {
	name   string
	stream bool // what goes wrong is a stream
	answer func(w http.ResponseWriter, r *http.Request, url string)
}

// write answers with a status, a content type and a body.
func write(w http.ResponseWriter, status int, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// says is a fault that is all in the answer.
func says(status int, contentType, body string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { write(w, status, contentType, body) }
}

// chunk is one piece of a stream.
func chunk(delta, finish string) string {
	return fmt.Sprintf("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
}

const (
	jsonType   = "application/json"
	streamType = "text/event-stream"
	done       = "data: [DONE]\n\n"
)

// finished is a reply that ended for a reason.
func finished(reason string) string {
	return strings.Replace(string(wholeReply("a part")), `"finish_reason":"stop"`, `"finish_reason":"`+reason+`"`, 1)
}

// cutShort announces more than it sends.
func cutShort(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Content-Length", "100000")
	write(w, 200, jsonType, string(wholeReply(answer))[:200])
}

// elsewhere redirects to another origin: the same server by another name.
func elsewhere(w http.ResponseWriter, r *http.Request, url string) {
	if strings.HasPrefix(r.Host, "localhost") {
		write(w, 200, jsonType, string(wholeReply("from another origin")))
		return
	}
	w.Header().Set("Location", strings.Replace(url, "127.0.0.1", "localhost", 1)+r.URL.Path)
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// flood is a stream of text that does not end by itself.
func flood(w http.ResponseWriter, r *http.Request, _ string) {
	w.Header().Set("Content-Type", streamType)
	piece := []byte(chunk(`{"content":"`+strings.Repeat("x", 500_000)+`"}`, "null"))
	for range 80 { // 40 MB, so that a client without a limit comes back as well
		if _, err := w.Write(piece); err != nil || r.Context().Err() != nil {
			return
		}
	}
	_, _ = io.WriteString(w, chunk("{}", `"stop"`)+done)
}

// echo quotes the credential in an error.
func echo(w http.ResponseWriter, r *http.Request, _ string) {
	write(w, 401, jsonType, `{"error":{"message":"Incorrect API key provided: `+r.Header.Get("Authorization")+`","code":"invalid_api_key"}}`)
}

var faults = []fault{
	{"a good reply", false, says(200, jsonType, string(wholeReply("well")))},
	{"a good stream", true, says(200, streamType, chunk(`{"content":"well"}`, "null")+chunk("{}", `"stop"`)+done)},
	{"200 with an error object", false, says(200, jsonType, `{"error":{"message":"overloaded","code":529}}`)},
	{"200 with an error that is a string", false, says(200, jsonType, `{"error":"no model is loaded"}`)},
	{"no choices", false, says(200, jsonType, `{"id":"c","object":"chat.completion","choices":[]}`)},
	{"an empty text", false, says(200, jsonType, string(wholeReply("")))},
	{"a reply that was cut at the token limit", false, says(200, jsonType, finished("length"))},
	{"a reply that a filter stopped", false, says(200, jsonType, finished("content_filter"))},
	{"an empty body", false, says(200, jsonType, "")},
	{"a page of HTML", false, says(200, "text/html", "<html>Sign in to the network</html>")},
	{"JSON under text/plain", false, says(200, "text/plain", string(wholeReply("well")))},
	{"a body that breaks off", false, cutShort},
	{"401 that quotes the key", false, echo},
	{"429 without quota", false, says(429, jsonType, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`)},
	{"a redirect to another origin", false, elsewhere},
	{"a stream that ends before its end", true, says(200, streamType, chunk(`{"content":"a part"}`, "null"))},
	{"a stream with an error in it", true, says(200, streamType, chunk(`{"content":"a part"}`, "null")+"data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n")},
	{"a stream with a broken chunk", true, says(200, streamType, chunk(`{"content":"a part"}`, "null")+"data: {\"choices\":[{\n\n")},
	{"a stream without a choice", true, says(200, streamType, done)},
	{"a whole reply in place of a stream", true, says(200, jsonType, string(wholeReply("well")))},
	{"a stream that goes on and on", true, flood},
}

// faulty is a server with one fault; calls counts what it was asked.
func faulty(t *testing.T, f fault) (url string, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		_, _ = io.Copy(new(bytes.Buffer), r.Body)
		f.answer(w, r, s.URL)
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}
