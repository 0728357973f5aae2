package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var answer = strings.Repeat("A sentence of a reply. ", 40)

// wholeReply is what the server says to everybody.
func wholeReply(text string) []byte {
	reply, _ := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model,
		"usage": map[string]int{"prompt_tokens": 300, "completion_tokens": 200, "total_tokens": 500},
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{
			"role": "assistant", "content": text,
		}}},
	})
	return reply
}

func goodServer(tb testing.TB) *httptest.Server {
	tb.Helper()
	reply := wholeReply(answer)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply)
	}))
	tb.Cleanup(s.Close)
	return s
}

// TestEveryClientDoesTheJob: what is fast because it does something else is
// not worth measuring.
func TestEveryClientDoesTheJob(t *testing.T) {
	s := goodServer(t)
	for _, c := range contenders {
		text, err := c.make(t, s.URL)(t.Context())
		if err != nil || text != answer {
			t.Errorf("%s replies %.40q, error %v", c.name, text, err)
		}
	}
}

// BenchmarkClients has every client do the job once a round, in an order that
// changes with the rounds, and compares their medians with Promptkit's: above
// 1 is slower than Promptkit.
func BenchmarkClients(b *testing.B) {
	s := goodServer(b)
	jobs := make([]complete, len(contenders))
	for i, c := range contenders {
		jobs[i] = c.make(b, s.URL)
	}
	for _, concurrent := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("concurrent=%d", concurrent), func(b *testing.B) {
			medians := medianRounds(b, concurrent, jobs)
			for i, c := range contenders {
				b.ReportMetric(float64(medians[i])/float64(medians[0]), "x-promptkit/"+c.name)
			}
			b.ReportMetric(float64(medians[0].Microseconds())/calls, "µs/promptkit")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// calls is how many calls a round makes with each client.
const calls = 64

// medianRounds is the median time of a round for each job.
func medianRounds(b *testing.B, concurrent int, jobs []complete) []time.Duration {
	const atLeast = 41
	taken := make([][]time.Duration, len(jobs))
	round := func() {
		first := len(taken[0]) // so that none is always the one after another
		for k := range jobs {
			i := (k + first) % len(jobs)
			taken[i] = append(taken[i], timed(b, concurrent, jobs[i]))
		}
	}
	for b.Loop() {
		round()
	}
	for len(taken[0]) < atLeast {
		round()
	}
	medians := make([]time.Duration, len(jobs))
	for i := range taken {
		slices.Sort(taken[i])
		medians[i] = taken[i][len(taken[i])/2]
	}
	return medians
}

// timed is how long a round of one job takes.
func timed(b *testing.B, concurrent int, job complete) time.Duration {
	start := time.Now()
	var workers sync.WaitGroup
	for range concurrent {
		workers.Go(func() {
			for range calls / concurrent {
				if _, err := job(context.Background()); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
	return time.Since(start)
}
