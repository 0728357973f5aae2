package promptkit_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
	"time"

	"github.com/promptkit-go/promptkit"
)

// shape says what a generated prompt looks like. The shares are those of some
// six hundred prompts found in public repositories.
type shape struct {
	bytes, actions, branches int
}

// shapes draws sizes and branches as they are distributed there: half of the
// prompts have no branch, the median is 0.9 KB, the largest 25 KB.
func shapes(random *rand.Rand, n int) []shape {
	list := make([]shape, n)
	for i := range list {
		size := int(900 * math.Exp(random.NormFloat64()*1.3))
		s := shape{bytes: min(max(size, 60), 25_000)}
		s.actions = 1 + random.IntN(2+s.bytes/400)
		if random.Float64() > 0.53 {
			s.branches = 1 + random.IntN(1+s.bytes/800)
		}
		list[i] = s
	}
	return list
}

// generateTemplate writes a template of a shape, over at most eight variables
// and three inputs.
func generateTemplate(random *rand.Rand, s shape) string {
	parts := make([]string, 0, s.actions+s.branches)
	variable := func() string { return fmt.Sprintf(".v%d", random.IntN(8)) }
	for range s.actions {
		switch p := random.Float64(); {
		case p < 0.75:
			parts = append(parts, "{{"+variable()+"}}")
		case p < 0.9:
			parts = append(parts, fmt.Sprintf("{{input \"i%d\"}}", random.IntN(3)))
		default:
			parts = append(parts, fmt.Sprintf("{{or (index . \"o%d\") \"default\"}}", random.IntN(3)))
		}
	}
	for range s.branches {
		condition := variable()
		switch p := random.Float64(); {
		case p > 0.94:
			condition = "eq " + condition + " \"value\""
		case p > 0.92:
			condition = "not " + condition
		}
		branch := "{{if " + condition + "}}Then write for {{" + variable() + "}}."
		if random.Float64() < 0.3 {
			branch += "{{else}}Otherwise leave {{" + variable() + "}} out."
		}
		parts = append(parts, branch+"{{end}}")
	}
	random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	filler := max(s.bytes-len(strings.Join(parts, "")), 0) / (len(parts) + 1)
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strings.Repeat("Report only what was said. ", 1+filler/27)[:filler])
		b.WriteString(p)
	}
	return b.String()
}

// subject is a template in an engine, and the same one ready to execute.
type subject struct {
	engine *promptkit.Engine
	bare   *template.Template
	vars   map[string]string
}

func newSubject(b testing.TB, text string) subject {
	b.Helper()
	prompts := fstest.MapFS{
		"p.yaml": {Data: []byte("id: p\nversion: \"1\"\ndefault_profile: fast\nmessages: [{role: user, content_file: p.tmpl}]\n")},
		"p.tmpl": {Data: []byte(text)},
	}
	engine, err := promptkit.New(promptkit.Config{}, promptkit.WithPromptFS(prompts), promptkit.WithProfiles(promptkit.Profile{ID: "fast"}))
	if err != nil {
		b.Fatal(err)
	}
	s := subject{engine: engine, vars: map[string]string{}}
	for i := range 8 {
		s.vars[fmt.Sprintf("v%d", i)] = "some text"
	}
	input := func(string) string { return "the content of an input" }
	s.bare = template.Must(template.New("p").Option("missingkey=error").Funcs(template.FuncMap{"input": input}).Parse(text))
	return s
}

func (s subject) execute() {
	if err := s.bare.Execute(io.Discard, s.vars); err != nil {
		panic(err)
	}
}

func (s subject) inspect(vars map[string]string) {
	req := promptkit.RequirementInspectionRequest{PromptID: "p", Vars: vars}
	if _, err := s.engine.InspectRequirements(context.Background(), req); err != nil {
		panic(err)
	}
}

// BenchmarkInspectRequirements compares an inspection with one execution of
// the same template, everything supplied: the geometric mean over generated
// prompts, with nothing supplied (open) and with everything (closed).
func BenchmarkInspectRequirements(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var subjects []subject
	for _, s := range shapes(random, 120) {
		subjects = append(subjects, newSubject(b, generateTemplate(random, s)))
	}
	b.Run("mean", func(b *testing.B) {
		for range b.N {
			open, closed := 0.0, 0.0
			for _, s := range subjects {
				medians := interleaved(s.execute, func() { s.inspect(nil) }, func() { s.inspect(s.vars) })
				open += math.Log(float64(medians[1]) / float64(medians[0]))
				closed += math.Log(float64(medians[2]) / float64(medians[0]))
			}
			n := float64(len(subjects))
			b.ReportMetric(math.Exp(open/n), "x-execution/open")
			b.ReportMetric(math.Exp(closed/n), "x-execution/closed")
			b.ReportMetric(math.Exp((open+closed)/2/n), "x-execution")
			b.ReportMetric(0, "ns/op")
		}
	})
	large := newSubject(b, generateTemplate(random, shape{bytes: 20_000, actions: 56, branches: 24}))
	b.Run("20KB", func(b *testing.B) {
		for range b.N {
			medians := interleaved(large.execute, func() { large.inspect(nil) }, func() { large.inspect(large.vars) })
			b.ReportMetric(float64(medians[1])/float64(medians[0]), "x-execution/open")
			b.ReportMetric(float64(medians[2])/float64(medians[0]), "x-execution/closed")
			b.ReportMetric(0, "ns/op")
		}
	})
}

// interleaved returns the medians of many short turns of each function.
func interleaved(sides ...func()) []time.Duration {
	const turns = 15
	calls := make([]int, len(sides))
	for i, side := range sides {
		calls[i] = callsIn(200*time.Microsecond, side)
	}
	taken := make([][]time.Duration, len(sides))
	for range turns {
		for i, side := range sides {
			start := time.Now()
			for range calls[i] {
				side()
			}
			taken[i] = append(taken[i], time.Since(start)/time.Duration(calls[i]))
		}
	}
	return medianOfEach(taken)
}

// BenchmarkInspectRequirementsParallel shows how inspections of one engine
// scale: there is no lock on their path.
func BenchmarkInspectRequirementsParallel(b *testing.B) {
	s := newSubject(b, generateTemplate(rand.New(rand.NewPCG(3, 4)), shape{bytes: 900, actions: 3, branches: 2}))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.inspect(s.vars)
		}
	})
}

// TestInspectRequirementsAllocates holds the allocations of inspecting a
// prompt of the median shape.
func TestInspectRequirementsAllocates(t *testing.T) {
	s := newSubject(t, generateTemplate(rand.New(rand.NewPCG(3, 4)), shape{bytes: 900, actions: 3, branches: 2}))
	const limit = 25
	if n := testing.AllocsPerRun(100, func() { s.inspect(nil) }); n > limit {
		t.Errorf("%v allocations, limit %d", n, limit)
	}
}
