package promptkit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit"
)

// The benchmarks report ratios: what the engine takes against the least that
// the same work takes with the same libraries. Both sides of a ratio are
// measured in turn, in one process, and compared by their medians, because a
// machine is never the same twice.

// rounds measures each of several functions once a round, for as long as the
// benchmark wants and at least a few times, and returns their medians.
func rounds(b *testing.B, atLeast int, sides ...func()) []time.Duration {
	b.Helper()
	taken := make([][]time.Duration, len(sides))
	round := func() {
		for i, side := range sides {
			start := time.Now()
			side()
			taken[i] = append(taken[i], time.Since(start))
		}
	}
	for b.Loop() {
		round()
	}
	for len(taken[0]) < atLeast {
		round()
	}
	return medianOfEach(taken)
}

func medianOfEach(taken [][]time.Duration) []time.Duration {
	medians := make([]time.Duration, len(taken))
	for i := range taken {
		slices.Sort(taken[i])
		medians[i] = taken[i][len(taken[i])/2]
	}
	return medians
}

// callsIn is how many calls of f take about as long as d: rounds that are
// short enough meet the same interruptions on both sides.
func callsIn(d time.Duration, f func()) int {
	const tries = 100
	start := time.Now()
	for range tries {
		f()
	}
	return int(d*tries/time.Since(start)) + 1
}

// report gives a ratio a name; the time of a whole round means nothing.
func report(b *testing.B, unit string, ours, floor time.Duration) {
	b.ReportMetric(float64(ours)/float64(floor), unit)
	b.ReportMetric(0, "ns/op")
}

// generatePrompts writes n prompts of about 1 KB to a folder, as dense as real
// ones are: three actions and a branch to the kilobyte.
func generatePrompts(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	for i := range n {
		text := fmt.Sprintf(`id: prompt-%d
version: "1.0.%d"
description: Summarise a meeting transcript for people who missed it.
default_profile: fast
inputs:
  - name: transcript
    required: true
    content_type: text/plain
    description: The meeting, one speaker turn a line.
  - name: glossary
messages:
  - role: system
    content: |
      You write for {{.audience}}.
      %s
  - role: user
    content: |
      {{if eq .mode "short"}}Be brief.{{else}}Be thorough.{{end}}
      {{input "transcript"}}
output:
  format: markdown
`, i, i, strings.Repeat("Report only what was said. ", 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%05d.yaml", i)), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// captureFloor is the least that capturing a folder takes: read every file,
// decode it with the same library into a struct, parse the same templates.
func captureFloor(tb testing.TB, dir string) []*template.Template {
	var all []*template.Template
	funcs := template.FuncMap{"input": func(string) (string, error) { return "", nil }}
	parse := func(text string) {
		t, err := template.New("m").Option("missingkey=error").Funcs(funcs).Parse(text)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, t)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var def struct {
			ID, Version, Description string
			DefaultProfile           string `yaml:"default_profile"`
			Inputs                   []struct {
				Name, Description string
				ContentType       string `yaml:"content_type"`
				Required          bool
			}
			Messages []struct{ Role, Content string }
			Output   struct{ Format string }
		}
		if err := yaml.Unmarshal(data, &def); err != nil {
			return err
		}
		for _, m := range def.Messages {
			parse(m.Content)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func newEngineOf(tb testing.TB, dir string) *promptkit.Engine {
	e, err := promptkit.New(promptkit.Config{PromptDir: dir},
		promptkit.WithProfiles(promptkit.Profile{ID: "fast", Backend: "dry"}),
		promptkit.WithBackends(promptkit.Backend{ID: "dry", Kind: "offline"}))
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// BenchmarkNew captures folders of 100, 1,000 and 10,000 prompts against the
// floor.
func BenchmarkNew(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("prompts=%d", n), func(b *testing.B) {
			dir := generatePrompts(b, n)
			var kept any
			medians := rounds(b, 5,
				func() { kept = newEngineOf(b, dir) },
				func() { kept = captureFloor(b, dir) })
			runtime.KeepAlive(kept)
			report(b, "x-floor", medians[0], medians[1])
			b.ReportMetric(float64(medians[0].Microseconds())/float64(n), "µs/prompt")
			b.ReportMetric(retained(func() any { return newEngineOf(b, dir) })/float64(n)/1024, "KiB/prompt")
		})
	}
}

// retained is how many bytes a value keeps in use.
func retained(build func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := build()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// TestRetainedMemory holds an engine to 12 KiB for a prompt of 1 KB.
func TestRetainedMemory(t *testing.T) {
	const n = 500
	dir := generatePrompts(t, n)
	if kept := retained(func() any { return newEngineOf(t, dir) }) / n / 1024; kept > 12 {
		t.Errorf("an engine retains %.1f KiB a prompt", kept)
	}
}

// BenchmarkInspectPrompt shows that the size of the catalogue does not count.
func BenchmarkInspectPrompt(b *testing.B) {
	const calls = 1000
	inspect := func(n int) func() {
		e := newEngineOf(b, generatePrompts(b, n))
		return func() {
			for range calls {
				if _, err := e.InspectPrompt(context.Background(), "prompt-7", "1.0.7"); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	small, middle, large := inspect(100), inspect(1000), inspect(10000)
	medians := rounds(b, 101, small, middle, large)
	report(b, "x-of-100-prompts/10000", medians[2], medians[0])
	report(b, "x-of-100-prompts/1000", medians[1], medians[0])
	b.ReportMetric(float64(medians[0].Nanoseconds())/calls, "ns/inspection")
}

// prepareShapes are prompts of the kinds that people write, with what they
// need.
var prepareShapes = map[string]struct {
	messages []string
	input    int // bytes
}{
	"short":   {[]string{"You write for {{.audience}}.", "Summarise:\n{{input \"doc\"}}"}, 200},
	"typical": {[]string{strings.Repeat("Report only what was said, for {{.audience}}. ", 20), "{{if eq .mode \"short\"}}Be brief.{{else}}Be thorough.{{end}}\n{{input \"doc\"}}\n{{if .terms}}{{.terms}}{{end}}"}, 4000},
	"long":    {[]string{strings.Repeat("{{if .terms}}Use {{.terms}} for {{.audience}}.{{end}} Plain words that stand between the actions, as they do. ", 50), "{{input \"doc\"}}"}, 40000},
}

// BenchmarkPrepare prepares a request against bare execution of the same
// messages and the digests that a preparation has to have.
func BenchmarkPrepare(b *testing.B) {
	for _, shape := range slices.Sorted(maps.Keys(prepareShapes)) {
		b.Run(shape, func(b *testing.B) {
			s := prepareShapes[shape]
			req := promptkit.RunRequest{
				PromptID: "p", PromptVersion: "1", Vars: map[string]string{"audience": "newcomers", "mode": "short", "terms": "words"},
				Inputs: []promptkit.Input{{Name: "doc", Text: strings.Repeat("A line of a transcript.\n", s.input/24)}},
			}
			e, err := promptkit.New(promptkit.Config{}, promptkit.WithPromptFS(files("p.yaml", prompt("p", s.messages...))), dryProfiles(), dryBackends())
			if err != nil {
				b.Fatal(err)
			}
			bare := barePreparation(b, s.messages, req)
			calls := callsIn(time.Millisecond, func() { bare() })
			ours := func() {
				for range calls {
					if _, err := e.Prepare(context.Background(), req); err != nil {
						b.Fatal(err)
					}
				}
			}
			floor := func() {
				for range calls {
					bare()
				}
			}
			medians := rounds(b, 101, ours, floor)
			report(b, "x-bare", medians[0], medians[1])
			b.ReportMetric(float64(medians[0].Nanoseconds())/float64(calls), "ns/preparation")
		})
	}
}

// barePreparation executes messages with text/template alone and hashes what
// went in and what came out.
func barePreparation(b *testing.B, messages []string, req promptkit.RunRequest) func() []string {
	var parsed []*template.Template
	bound := map[string]string{req.Inputs[0].Name: req.Inputs[0].Text}
	funcs := template.FuncMap{"input": func(name string) (string, error) {
		if content, ok := bound[name]; ok {
			return content, nil
		}
		return "", errors.New("not bound")
	}}
	for _, text := range messages {
		t, err := template.New("m").Option("missingkey=error").Funcs(funcs).Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		parsed = append(parsed, t)
	}
	return func() []string {
		digests := make([]string, 0, 2)
		sum := sha256.Sum256([]byte(req.Inputs[0].Text))
		digests = append(digests, hex.EncodeToString(sum[:]))
		rendered := make([]string, len(parsed))
		all := sha256.New()
		for i, t := range parsed {
			var out bytes.Buffer
			if err := t.Execute(&out, req.Vars); err != nil {
				b.Fatal(err)
			}
			rendered[i] = out.String()
			_, _ = all.Write(out.Bytes())
		}
		return append(append(digests, hex.EncodeToString(all.Sum(nil))), rendered...)
	}
}
