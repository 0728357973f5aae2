package requirement_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/generate"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// limits bound the executions that one prompt is judged by.
var limits = oracle.Limits{Paths: 400, Samples: 60}

// TestDifferential holds the analysis of generated prompts against real
// executions of them. PROMPTKIT_FUZZ_N is the number of prompts,
// PROMPTKIT_FUZZ_SEED the first seed, or "random"; PROMPTKIT_FUZZ_WEAK shrinks
// and shows so many of the answers that could have been stronger, and
// PROMPTKIT_FUZZ_FIRST ends the run at the first failure, as it was found.
// PROMPTKIT_FUZZ_TAG judges only prompts with that construct.
func TestDifferential(t *testing.T) {
	n := uint64(envInt(t, "PROMPTKIT_FUZZ_N", 2000))
	d := &differential{first: firstSeed(t), weakWanted: envInt(t, "PROMPTKIT_FUZZ_WEAK", 0), maxFailures: maxFailures, tag: os.Getenv("PROMPTKIT_FUZZ_TAG")}
	if envInt(t, "PROMPTKIT_FUZZ_FIRST", 0) > 0 {
		d.maxFailures = 1
	}
	begin := time.Now()
	d.progress = func(done uint64) { t.Logf("%d of %d after %v", done, n, time.Since(begin).Round(time.Second)) }
	d.run(n)
	t.Logf("seeds %d to %d in %v, %.0f prompts a second\n%v", d.first, d.first+n-1,
		time.Since(begin).Round(time.Millisecond), float64(n)/time.Since(begin).Seconds(), &d.sum)
	for _, w := range slices.SortedFunc(maps.Values(d.weak), func(a, b *weakKind) int { return b.count - a.count }) {
		t.Logf("weaker than exact, %d like this:\n%s", w.count, w.text)
	}
	for _, f := range d.failures {
		t.Error(f)
	}
	if d.tag == "" && d.sum.vacuous*100 >= d.sum.prompts*15 {
		t.Errorf("%d of %d prompts cannot succeed", d.sum.vacuous, d.sum.prompts)
	}
}

func envInt(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func firstSeed(t *testing.T) uint64 {
	if os.Getenv("PROMPTKIT_FUZZ_SEED") == "random" {
		return uint64(time.Now().UnixNano()) >> 8
	}
	return uint64(envInt(t, "PROMPTKIT_FUZZ_SEED", 1))
}

// reportEvery is after how many prompts a run says how far it is.
const reportEvery = 50_000

// maxFailures is how many failures a run reports, each shrunk.
const maxFailures = 5

// differential is one run over many seeds.
type differential struct {
	first                   uint64
	weakWanted, maxFailures int
	tag                     string // judge only prompts with it
	progress                func(done uint64)

	next      atomic.Uint64
	weakTaken atomic.Int64
	mu        sync.Mutex
	sum       summary
	failures  []string
	weak      map[string]*weakKind
}

func (d *differential) run(n uint64) {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			sum := newSummary()
			for i := d.next.Add(1) - 1; i < n && !d.enough(); i = d.next.Add(1) - 1 {
				if i > 0 && i%reportEvery == 0 {
					d.progress(i)
				}
				if p := generate.New(d.first + i); d.tag == "" || slices.Contains(p.Tags, d.tag) {
					d.judge(p, sum)
				}
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			d.sum.add(sum)
		})
	}
	wg.Wait()
}

func (d *differential) enough() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.failures) >= d.maxFailures
}

func (d *differential) judge(p generate.Prompt, sum *summary) {
	s, err := oracle.NewSubject(p.Case)
	if err != nil {
		d.fail(fmt.Sprintf("seed %d does not parse: %v", p.Seed, err))
		return
	}
	report, err := analyse(context.Background(), p.Case)
	if err != nil {
		d.fail(fmt.Sprintf("seed %d: %v\n%s", p.Seed, err, show(shrinkTo(p.Case, "error"))))
		return
	}
	j, x := s.Measure(report, limits)
	for _, c := range j.Samples {
		if err := s.Agree(c); err != nil {
			d.fail(fmt.Sprintf("seed %d: the oracle is wrong: %v\n%s", p.Seed, err, show(p.Case)))
		}
	}
	if claim := wrong(j); claim != "" {
		small := p.Case
		if d.maxFailures > 1 {
			small = shrinkTo(p.Case, claim)
		}
		d.fail(fmt.Sprintf("seed %d: %s\n%s\nshrunk:\n%s", p.Seed, claim, show(p.Case), explain(small)))
	}
	if c, err := rendersAfterAll(s, p.Case); err != nil {
		d.fail(fmt.Sprintf("seed %d: said to render never, but %v (%v)\n%s", p.Seed, c, err, show(p.Case)))
	}
	if again, err := analyse(context.Background(), p.Case); err != nil || !reflect.DeepEqual(again, report) {
		d.fail(fmt.Sprintf("seed %d: asked again, the answer is another: %v\n%s\n%s\n%s", p.Seed, err, show(p.Case), showReport(report), showReport(again)))
	}
	sum.count(p, j, x)
	d.sampleWeak(p, x)
}

// rendersAfterAll looks for variables and inputs with which a prompt renders
// that is said to render never, whatever is supplied.
func rendersAfterAll(s *oracle.Subject, c oracle.Case) (*oracle.Completion, error) {
	program, err := compile(c)
	if err != nil {
		return nil, err
	}
	failure, err := program.Failure(context.Background())
	if err != nil || failure == nil || c.SkipSession {
		return nil, err
	}
	if found := s.Render(limits); found != nil {
		return found, errors.New(failure.Sentence)
	}
	return nil, nil
}

func (d *differential) fail(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failures = append(d.failures, text)
}
