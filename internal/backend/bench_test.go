package backend

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/openai"
)

// bench is a runner and a bare client against the same local server.
type bench struct {
	server *httptest.Server
	runner *execution.Runner
	frozen *execution.Frozen
	bare   *http.Client
}

func newBench(b *testing.B, answer http.HandlerFunc) *bench {
	b.Helper()
	s := httptest.NewServer(answer)
	b.Cleanup(s.Close)
	client := openai.NewClient(nil)
	b.Cleanup(client.CloseIdle)
	one := &definition.Backend{ID: "b", BaseURL: definition.Given(s.URL)}
	generator := NewGenerator(client, func(string) *definition.Backend { return one }, nil)
	frozen, err := execution.Freeze(generator, execution.Request{
		Targets:  []execution.Target{target()},
		Messages: []execution.Message{{Role: "system", Content: strings.Repeat("Be brief. ", 200)}, {Role: "user", Content: strings.Repeat("Tell me. ", 400)}},
		Output:   execution.Contract{Format: execution.FormatText, Validation: execution.ValidateNone},
	})
	if err != nil {
		b.Fatal(err)
	}
	return &bench{
		server: s, runner: &execution.Runner{Generator: generator}, frozen: frozen,
		bare: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}},
	}
}

// run makes one run.
func (x *bench) run(b *testing.B, opts execution.Options) {
	if _, err := x.runner.Run(b.Context(), x.frozen, opts); err != nil {
		b.Error(err)
	}
}

// post sends the same bytes and reads the answer, as little as that can be.
func (x *bench) post(b *testing.B, body []byte) {
	resp, err := x.bare.Post(x.server.URL+"/v1/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// timed is how long n calls of f take, so many at a time.
func timed(n, atATime int, f func()) time.Duration {
	start := time.Now()
	var wg sync.WaitGroup
	for i := range atATime {
		wg.Go(func() {
			for range (n + i) / atATime {
				f()
			}
		})
	}
	wg.Wait()
	return time.Since(start)
}

// ratio is the median of interleaved rounds of a against b.
func ratio(n, atATime int, a, b func()) float64 {
	const rounds = 15
	var ratios []float64
	for range rounds {
		ta, tb := timed(n, atATime, a), timed(n, atATime, b)
		ratios = append(ratios, float64(ta)/float64(tb))
	}
	slices.Sort(ratios)
	return ratios[rounds/2]
}

// BenchmarkRun compares a run with a bare POST of the same bytes.
func BenchmarkRun(b *testing.B) {
	text := completion(`{"answer":"`+strings.Repeat("words and ", 100)+`"}`, "stop")
	x := newBench(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		writeJSON(w, 200, text)
	})
	body := x.frozen.Body()
	for _, atATime := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("%d", atATime), func(b *testing.B) {
			b.ReportAllocs()
			timed(b.N, atATime, func() { x.run(b, execution.Options{}) })
			b.StopTimer()
			b.ReportMetric(ratio(400, atATime, func() { x.run(b, execution.Options{}) }, func() { x.post(b, body) }), "×post")
		})
	}
}

// BenchmarkStream is the cost of a chunk, beside reading the same stream and
// looking at nothing.
func BenchmarkStream(b *testing.B) {
	const tokens = 2000
	text := chunks(`"`+strings.Repeat("x", tokens-2)+`"`, "stop") + done
	x := newBench(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, 200, "text/event-stream", text)
	})
	body := openai.Streaming(x.frozen.Body())
	opts := execution.Options{OnText: func(int, string) {}}
	took := timed(b.N, 1, func() { x.run(b, opts) })
	b.StopTimer()
	b.ReportMetric(float64(took.Nanoseconds())/float64(b.N)/tokens, "ns/chunk")
	b.ReportMetric(ratio(20, 1, func() { x.run(b, opts) }, func() { x.post(b, body) }), "×read")
}
