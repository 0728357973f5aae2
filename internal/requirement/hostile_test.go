package requirement_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
)

// hostile are templates that ask for more work than there is time for if they
// are taken literally. The analysis has to end, and may only give up names as
// conditional.
var hostile = map[string]string{
	"doubling calls": repeat(60, func(i int) string {
		return fmt.Sprintf("{{define \"t%d\"}}{{template \"t%d\" .}}{{template \"t%d\" .}}{{end}}", i, i+1, i+1)
	}) + "{{define \"t60\"}}{{.v}}{{end}}{{template \"t0\" .}}",
	"growing argument": "{{define \"t\"}}{{if .}}{{template \"t\" (print . .)}}{{end}}{{end}}{{template \"t\" .v}}",
	"growing constant": "{{define \"t\"}}{{if .}}{{template \"t\" (print . . \"x\")}}{{end}}{{end}}{{template \"t\" \"x\"}}{{.v}}",
	"two ways down": "{{define \"t\"}}{{if .}}{{template \"t\" (slice . 1)}}{{template \"t\" (slice . 1)}}{{end}}{{end}}" +
		"{{template \"t\" \"" + strings.Repeat("x", 60) + "\"}}{{.v}}",
	"mutual recursion": "{{define \"a\"}}{{if .p}}{{template \"b\" .}}{{template \"b\" .p}}{{end}}{{end}}" +
		"{{define \"b\"}}{{template \"a\" $}}{{template \"a\" .}}{{end}}{{template \"a\" .}}{{.v}}",
	"loops in loops": strings.Repeat("{{range 60}}", 12) + "{{.v}}" + strings.Repeat("{{end}}", 12) + "{{.v}}",
	"loops that assign": "{{$x := \"\"}}" + strings.Repeat("{{range $i := len $.u}}{{$x = print $x $i}}", 12) +
		"{{input $x}}" + strings.Repeat("{{end}}", 12) + "{{.v}}",
	"long text":        "{{print `" + strings.Repeat("x", 40<<10) + "` `" + strings.Repeat("y", 40<<10) + "`}}{{printf `%s%s` `" + strings.Repeat("x", 70<<10) + "` 1}}{{.v}}",
	"long number":      "{{printf \"%999999999d\" 1}}{{printf \"%*d\" 999999999 1}}{{.v}}",
	"not not not":      "{{$x := .v}}" + strings.Repeat("{{$x = not $x}}", 5000) + "{{if $x}}{{input \"n\"}}{{end}}",
	"and of itself":    "{{$x := .v}}" + strings.Repeat("{{$x = and $x $x}}", 2000) + "{{if $x}}{{input \"n\"}}{{end}}",
	"deep nesting":     strings.Repeat("{{if .v}}", prompt.MaxNesting) + strings.Repeat("{{end}}", prompt.MaxNesting),
	"deep parentheses": "{{.v}}{{if " + strings.Repeat("(not ", 4000) + ".w" + strings.Repeat(")", 4000) + "}}{{input \"n\"}}{{end}}",
}

func TestHostileTemplates(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			r, err := program(t, text).Analyze(context.Background(), requirement.Query{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Variables {
				if v.Name == "v" && v.Kind == requirement.Optional {
					t.Errorf("v is reported optional")
				}
			}
		})
	}
}

// countdown is a context that ends after it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancellation checks that an analysis ends with its context, wherever
// that happens, and brings no result.
func TestCancellation(t *testing.T) {
	const branches = 50
	p := program(t, repeat(branches, func(i int) string { return fmt.Sprintf("{{if .v%d}}{{.w%d}}{{end}}", i, i) }))
	for n := range branches {
		r, err := p.Analyze(&countdown{context.Background(), n}, requirement.Query{})
		if !errors.Is(err, context.Canceled) || r != nil {
			t.Fatalf("after %d looks at the context: %v, %v", n, r, err)
		}
	}
}

// TestNamesOfAnyBytes checks that names are only compared, never read.
func TestNamesOfAnyBytes(t *testing.T) {
	names := []string{"", " ", "\x00", "\xff\xfe", "a\nb", "*", "…", strings.Repeat("n", 1<<16)}
	var text strings.Builder
	for _, n := range names {
		fmt.Fprintf(&text, "{{input %q}}{{index . %q}}", n, n)
	}
	r, err := program(t, text.String()).Analyze(context.Background(), requirement.Query{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]requirement.Kind{}
	for _, in := range r.Inputs {
		got[in.Name] = in.Kind
	}
	want := map[string]requirement.Kind{}
	for _, n := range names {
		want[n] = requirement.Required
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if len(r.Variables) != len(names) {
		t.Errorf("%d variables, want %d", len(r.Variables), len(names))
	}
}

// TestManyVariables checks that variables that no template mentions cost
// nothing: none of them is looked at.
func TestManyVariables(t *testing.T) {
	vars := make(map[string]string, 1_000_000)
	for i := range 1_000_000 {
		vars[fmt.Sprint("unused", i)] = "x"
	}
	vars["mode"] = "a"
	p := program(t, `{{if eq .mode "a"}}{{input "n"}}{{end}}{{range $k, $v := .}}{{$k}}{{end}}{{len .}}`)
	r, err := p.Analyze(context.Background(), requirement.Query{Vars: vars})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Variables) != 1 || len(r.Inputs) != 1 || len(r.Issues) != 0 {
		t.Errorf("got %+v", r)
	}
}

// TestReportsAreTheCallers checks that changing a report changes no later one,
// and that analyses of one program do not mix.
func TestReportsAreTheCallers(t *testing.T) {
	p := program(t, `{{if eq .mode "a"}}{{input "n"}}{{else}}{{input .other}}{{end}}{{index . "x"}}`)
	ask := func(mode string) *requirement.Report {
		r, err := p.Analyze(context.Background(), requirement.Query{Vars: map[string]string{"mode": mode, "other": mode}})
		if err != nil {
			t.Error(err)
		}
		return r
	}
	want := map[string]*requirement.Report{"a": ask("a"), "b": ask("b"), "c": ask("c")}
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for range 200 {
				for mode, w := range want {
					r := ask(mode)
					if diff := cmp.Diff(w, r); diff != "" {
						t.Errorf("mode %s (-want +got):\n%s", mode, diff)
						return
					}
					r.Inputs[0].Name, r.Inputs[0].Uses[0].State = "changed", 99
					r.Variables[0].Uses[0].State = 99
				}
			}
		})
	}
	running.Wait()
}
