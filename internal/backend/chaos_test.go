package backend

import (
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/capacity"
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/openai"
)

// TestChaos makes 2,000 runs, 64 at a time, against a server that fails a
// third of the calls in every way of the matrix. Each run ends in a document
// that keeps the contract or in an error with a class, both sides count the
// same, and nothing is left behind.
func TestChaos(t *testing.T) {
	const runs, atATime = 2000, 64
	c := newChaos(t)
	before := runtime.NumGoroutine()
	var heap [2]uint64
	for half := range heap {
		c.run(t, runs/2, atATime)
		heap[half] = heapInUse()
	}
	if c.outputs.Load()+c.failures.Load() != runs {
		t.Errorf("%d outputs and %d failures of %d runs", c.outputs.Load(), c.failures.Load(), runs)
	}
	// On a machine that is busy enough, a call may not get to the server within
	// its time limit, or a good reply not back.
	late := c.timeouts.Load() - c.silences.Load()
	if missed := c.attempts.Load() - c.calls.Load(); missed < 0 || missed > late {
		t.Errorf("the runs record %d calls, the server saw %d, %d were late", c.attempts.Load(), c.calls.Load(), late)
	}
	if lost := c.good.Load() - c.outputs.Load(); lost < 0 || lost > late {
		t.Errorf("the runs have %d outputs, the server gave %d good replies, %d of the calls were late", c.outputs.Load(), c.good.Load(), late)
	}
	if s := c.pool.Stats()[0]; s.Running != 0 || s.Waiting != 0 || s.Admitted != runs {
		t.Errorf("places: %+v", s)
	}
	if grown := int64(heap[1]) - int64(heap[0]); grown > 8<<20 {
		t.Errorf("memory grew by %d KiB in the second half", grown>>10)
	}
	t.Logf("%d outputs and %d failures in %d calls", c.outputs.Load(), c.failures.Load(), c.calls.Load())
	c.client.CloseIdle()
	c.server.Close()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// chaos is the server, the runner, and what both have counted.
type chaos struct {
	server *httptest.Server
	client *openai.Client
	runner *execution.Runner
	pool   *capacity.Pool
	frozen *execution.Frozen

	calls, good, silences                 atomic.Int64 // on the server
	outputs, failures, attempts, timeouts atomic.Int64 // on the client
}

func newChaos(t *testing.T) *chaos {
	t.Helper()
	c := &chaos{}
	faults := singleFaults()
	c.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(c.calls.Add(1))
		_, _ = io.Copy(io.Discard, r.Body)
		stream := r.Header.Get("Accept") == "text/event-stream"
		rng := rand.New(rand.NewPCG(7, uint64(n)))
		if rng.IntN(3) > 0 {
			c.good.Add(1)
			reply(w, stream, good, "stop")
			return
		}
		fault := faults[rng.IntN(len(faults))]
		if fault.class == execution.ClassTimeout {
			c.silences.Add(1)
		}
		fault.answer(w, r, n, stream)
	}))
	c.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	c.server.Start()
	c.client = openai.NewClient(nil)
	c.client.MaxReply = 1 << 18
	b := &definition.Backend{ID: "b", BaseURL: definition.Given(c.server.URL), APIKeyEnv: definition.Given("KEY")}
	generator := NewGenerator(c.client, func(string) *definition.Backend { return b }, func(string) (string, bool) { return canaryKey, true })
	c.pool = capacity.NewPool(capacity.Limits{Backend: "b", MaxConcurrent: 48, MaxWaiting: -1})
	c.runner = &execution.Runner{Generator: generator, Admission: c.pool}
	req := request(t)
	req.Targets[0].Timeout = time.Second
	req.Targets[0].Retry = execution.Retry{MaxAttempts: 2, BaseDelay: time.Millisecond, MaxDelay: 4 * time.Millisecond}
	req.MaxAttempts = 2
	var err error
	if c.frozen, err = execution.Freeze(generator, req); err != nil {
		t.Fatal(err)
	}
	return c
}

// singleFaults are the behaviours of the matrix that fail, whatever the call
// asks for, each in one exchange.
func singleFaults() []behaviour {
	var out []behaviour
	for _, b := range matrix() {
		many := strings.Contains(b.name, "circle")
		slow := b.class == execution.ClassTimeout && !strings.HasPrefix(b.name, "silence") // two such are enough to wait for
		if b.class != execution.ClassOK && !many && !slow {
			out = append(out, b)
		}
	}
	return out
}

// run makes so many runs, so many at a time, half of them with a stream.
func (c *chaos) run(t *testing.T, runs, atATime int) {
	t.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range atATime {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(runs); n = next.Add(1) {
				var opts execution.Options
				if n%2 == 0 {
					opts.OnText = func(int, string) {}
				}
				result, err := c.runner.Run(t.Context(), c.frozen, opts)
				c.count(t, result, err)
			}
		})
	}
	wg.Wait()
}

func (c *chaos) count(t *testing.T, result *execution.Result, err error) {
	t.Helper()
	if err == nil {
		c.outputs.Add(1)
		c.record(result.Attempts)
		if result.Output != good {
			t.Errorf("output %q", result.Output)
		}
		return
	}
	var e *execution.Error
	if !errors.As(err, &e) || e.Class == execution.ClassOK || e.Class == execution.ClassUnknown {
		t.Errorf("not classified: %v", err)
		return
	}
	c.failures.Add(1)
	c.record(e.Attempts)
	checkSilence(t, err)
}

func (c *chaos) record(attempts []execution.Attempt) {
	c.attempts.Add(int64(len(attempts)))
	for _, a := range attempts {
		if a.Class == execution.ClassTimeout {
			c.timeouts.Add(1)
		}
	}
}

// heapInUse is what is reachable.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
