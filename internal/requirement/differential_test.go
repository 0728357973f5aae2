package requirement_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	if d.sum.vacuous*100 >= d.sum.prompts*15 {
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

// weakKind is a shape of prompts whose answer could be stronger.
type weakKind struct {
	count int
	text  string // the first of them
}

// sampleWeak shrinks a prompt whose answer could be stronger and counts it
// under what is left of it.
func (d *differential) sampleWeak(p generate.Prompt, x *oracle.Exactness) {
	kind := weakness(x)
	if kind == "" || p.Custom || d.weakTaken.Add(1) > int64(d.weakWanted) {
		return
	}
	small := oracle.Shrink(p.Case, func(c oracle.Case) bool { return weaknessOf(c) == kind })
	shape := kind + "\n" + generate.Anonymous(show(small))
	text := kind + "\n" + explain(small)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.weak == nil {
		d.weak = map[string]*weakKind{}
	}
	if d.weak[shape] == nil {
		d.weak[shape] = &weakKind{text: text}
	}
	d.weak[shape].count++
}

// weakness names the first way in which an answer is weaker than exact.
func weakness(x *oracle.Exactness) string {
	switch {
	case x == nil:
		return ""
	case x.Undetected:
		return "nothing succeeds, undetected"
	}
	for _, e := range x.Entries {
		if e.Weaker() {
			return fmt.Sprintf("input %t: conditional, could be %v", e.Input, e.Exact)
		}
	}
	if x.Incomplete {
		return "incomplete without need"
	}
	return ""
}

func weaknessOf(c oracle.Case) string {
	s, err := oracle.NewSubject(c)
	if err != nil {
		return ""
	}
	report, err := analyse(context.Background(), c)
	if err != nil {
		return ""
	}
	_, x := s.Measure(report, limits)
	return weakness(x)
}

// wrong names the first thing that is wrong with a report.
func wrong(j oracle.Judgement) string {
	switch {
	case len(j.Violations) > 0:
		return j.Violations[0].Claim
	case len(j.Malformed) > 0:
		_, detail, _ := strings.Cut(j.Malformed[0], ": ")
		return detail
	}
	return ""
}

// shrinkTo shrinks a case as long as the same claim is wrong.
func shrinkTo(c oracle.Case, claim string) oracle.Case {
	return oracle.Shrink(c, func(c oracle.Case) bool {
		s, err := oracle.NewSubject(c)
		if err != nil {
			return false
		}
		report, err := analyse(context.Background(), c)
		if err != nil {
			return claim == "error"
		}
		return wrong(s.Judge(report, limits)) == claim
	})
}

func show(c oracle.Case) string {
	var b strings.Builder
	for _, u := range c.Units {
		fmt.Fprintf(&b, "  message %d: %s\n", u.Message, u.Text)
	}
	fmt.Fprintf(&b, "  vars %q, session skipped %t, declared %+v", c.Vars, c.SkipSession, c.Declared)
	return b.String()
}

// explain shows a case with its report and what contradicts it.
func explain(c oracle.Case) string {
	var b strings.Builder
	b.WriteString(show(c))
	report, err := analyse(context.Background(), c)
	if err != nil {
		fmt.Fprintf(&b, "\n  error: %v", err)
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s", showReport(report))
	s, err := oracle.NewSubject(c)
	if err != nil {
		return b.String()
	}
	j, x := s.Measure(report, limits)
	for _, v := range j.Violations {
		fmt.Fprintf(&b, "\n  %v", v)
	}
	for _, m := range j.Malformed {
		fmt.Fprintf(&b, "\n  form: %s", m)
	}
	if x != nil {
		for _, e := range x.Entries {
			if e.Weaker() {
				fmt.Fprintf(&b, "\n  %q (input %t) could be %v", e.Name, e.Input, e.Exact)
			}
		}
	}
	return b.String()
}

func showReport(r *oracle.Report) string {
	var b strings.Builder
	show := func(what string, entries []oracle.Entry) {
		for _, e := range entries {
			fmt.Fprintf(&b, "  %s %q %v supplied=%t inactive=%t uses %v\n", what, e.Name, e.Kind, e.Supplied, e.Inactive, e.Uses)
		}
	}
	show("input", r.Inputs)
	show("variable", r.Variables)
	fmt.Fprintf(&b, "  issues %q cannot render %t", r.Issues, r.CannotRender)
	return b.String()
}

// summary is what a run has counted.
type summary struct {
	prompts, hard, custom, vacuous, exhausted, runs int
	entries, touched, weaker                        int
	complete, incomplete, undetected                int
	hardMeasured, measured                          int
	byTag                                           map[string]*tagCount
}

type tagCount struct{ prompts, touched, weaker int }

func newSummary() *summary { return &summary{byTag: map[string]*tagCount{}} }

func (s *summary) count(p generate.Prompt, j oracle.Judgement, x *oracle.Exactness) {
	s.prompts++
	s.hard += toInt(p.Hard)
	s.custom += toInt(p.Custom)
	s.vacuous += toInt(j.Vacuous)
	s.exhausted += toInt(j.Exhausted)
	s.runs += j.Runs
	if x == nil || p.Custom {
		return
	}
	s.measured++
	s.hardMeasured += toInt(p.Hard)
	s.undetected += toInt(x.Undetected)
	s.incomplete += toInt(x.Incomplete)
	touched, weaker := 0, 0
	for _, e := range x.Entries {
		touched += toInt(e.Touched)
		weaker += toInt(e.Touched && e.Weaker())
	}
	s.entries += len(x.Entries)
	s.touched += touched
	s.weaker += weaker
	for _, tag := range p.Tags {
		c := s.byTag[tag]
		if c == nil {
			c = &tagCount{}
			s.byTag[tag] = c
		}
		c.prompts++
		c.touched += touched
		c.weaker += weaker
	}
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *summary) add(o *summary) {
	if s.byTag == nil {
		s.byTag = map[string]*tagCount{}
	}
	for _, c := range []struct{ to, from *int }{
		{&s.prompts, &o.prompts}, {&s.hard, &o.hard}, {&s.custom, &o.custom}, {&s.vacuous, &o.vacuous},
		{&s.exhausted, &o.exhausted}, {&s.runs, &o.runs}, {&s.entries, &o.entries}, {&s.touched, &o.touched},
		{&s.weaker, &o.weaker}, {&s.complete, &o.complete}, {&s.incomplete, &o.incomplete},
		{&s.undetected, &o.undetected}, {&s.hardMeasured, &o.hardMeasured}, {&s.measured, &o.measured},
	} {
		*c.to += *c.from
	}
	for tag, c := range o.byTag {
		if s.byTag[tag] == nil {
			s.byTag[tag] = &tagCount{}
		}
		s.byTag[tag].prompts += c.prompts
		s.byTag[tag].touched += c.touched
		s.byTag[tag].weaker += c.weaker
	}
}

func (s *summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d prompts: %.1f%% hard, %.1f%% with custom functions, %.1f%% vacuous, %.1f%% exhausted, %.1f executions each\n",
		s.prompts, percent(s.hard, s.prompts), percent(s.custom, s.prompts), percent(s.vacuous, s.prompts),
		percent(s.exhausted, s.prompts), float64(s.runs)/float64(max(s.prompts, 1)))
	fmt.Fprintf(&b, "looseness over %d exhausted prompts (%.1f%% hard): %d entries, %d touched by an unresolved decision, %d weaker than exact (%.2f%%)\n",
		s.measured, percent(s.hardMeasured, s.measured), s.entries, s.touched, s.weaker, percent(s.weaker, s.touched))
	fmt.Fprintf(&b, "incomplete without need: %d; nothing succeeds, undetected: %d\n", s.incomplete, s.undetected)
	fmt.Fprintf(&b, "%-18s %9s %9s %7s %7s\n", "construct", "prompts", "touched", "weaker", "%")
	for _, tag := range slices.Sorted(maps.Keys(s.byTag)) {
		c := s.byTag[tag]
		fmt.Fprintf(&b, "%-18s %9d %9d %7d %7.2f\n", tag, c.prompts, c.touched, c.weaker, percent(c.weaker, c.touched))
	}
	return b.String()
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
