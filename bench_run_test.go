package promptkit_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit"
)

// wholeReply and streamedReply are what a server answers.
func wholeReply() []byte {
	reply, _ := json.Marshal(map[string]any{
		"id": "c", "model": "m", "usage": map[string]int{"prompt_tokens": 300, "completion_tokens": 200},
		"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{
			"role": "assistant", "content": strings.Repeat("A sentence of a reply. ", 40),
		}}},
	})
	return reply
}

func streamedReply(chunks int) []byte {
	var b bytes.Buffer
	for range chunks {
		b.WriteString(`data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}` + "\n\n")
	}
	b.WriteString(`data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	return b.Bytes()
}

// benchServer answers every request alike.
func benchServer(b *testing.B, contentType string, reply []byte) *httptest.Server {
	b.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(reply)
	}))
	b.Cleanup(s.Close)
	return s
}

// benchExecution freezes a request of about 2 KB to a server.
func benchExecution(b *testing.B, url string) (*promptkit.Engine, *promptkit.PreparedExecution) {
	b.Helper()
	e, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(files("p.yaml", prompt("p", strings.Repeat("Report only what was said. ", 40), `{{input "doc"}}`))),
		promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "live", Model: "m"}),
		promptkit.WithBackends(promptkit.Backend{ID: "live", BaseURL: url}))
	if err != nil {
		b.Fatal(err)
	}
	frozen, err := e.PrepareExecution(context.Background(), promptkit.RunRequest{
		PromptID: "p", Inputs: []promptkit.Input{{Name: "doc", Text: strings.Repeat("A line of a transcript.\n", 40)}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return e, frozen
}

// benchClient is a plain client with as many connections as ours keeps.
func benchClient(b *testing.B) *http.Client {
	b.Helper()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 256
	b.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// atOnce calls f n times, so many at a time.
func atOnce(n, concurrent int, f func()) func() {
	return func() {
		var workers sync.WaitGroup
		for range concurrent {
			workers.Go(func() {
				for range n / concurrent {
					f()
				}
			})
		}
		workers.Wait()
	}
}

// BenchmarkRun runs a frozen request against a bare POST of the same bytes to
// the same server. The post reads the reply and does nothing with it.
func BenchmarkRun(b *testing.B) {
	s := benchServer(b, "application/json", wholeReply())
	e, frozen := benchExecution(b, s.URL)
	client, body := benchClient(b), frozen.RequestBody()
	run := func() {
		if _, err := e.RunPrepared(context.Background(), frozen); err != nil {
			b.Error(err)
		}
	}
	post := func() {
		resp, err := client.Post(s.URL+"/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			b.Error(err)
			return
		}
		defer resp.Body.Close()
		if _, err := io.ReadAll(resp.Body); err != nil {
			b.Error(err)
		}
	}
	for _, concurrent := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("concurrent=%d", concurrent), func(b *testing.B) {
			const calls = 64
			medians := rounds(b, 151, atOnce(calls, concurrent, run), atOnce(calls, concurrent, post))
			report(b, "x-post", medians[0], medians[1])
			b.ReportMetric(float64(medians[0].Microseconds())/calls, "µs/run")
		})
	}
}

// BenchmarkStream reads a stream of 2,000 chunks against bare reading of its
// lines.
func BenchmarkStream(b *testing.B) {
	const chunks = 2000
	s := benchServer(b, "text/event-stream", streamedReply(chunks))
	e, frozen := benchExecution(b, s.URL)
	client, body := benchClient(b), frozen.RequestBody()
	run := func() {
		n := 0
		_, err := e.RunPrepared(context.Background(), frozen, promptkit.OnText(func(int, string) { n++ }))
		if err != nil || n != chunks {
			b.Error(n, err)
		}
	}
	read := func() {
		resp, err := client.Post(s.URL+"/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			b.Error(err)
			return
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
		}
	}
	medians := rounds(b, 31, run, read)
	b.ReportMetric(float64(medians[0]-medians[1])/chunks/float64(time.Microsecond), "µs/chunk-beyond-reading")
	report(b, "x-reading", medians[0], medians[1])
}
