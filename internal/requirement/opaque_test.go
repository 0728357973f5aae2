package requirement_test

import (
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"testing"
	"text/template"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
)

// object is what a caller's function may give: it has a method that changes
// the map that it is handed.
type object struct{}

func (object) Put(m map[string]string, key, value string) string { return put(m, key, value) }

func put(m map[string]string, key, value string) string {
	m[key] = value
	return ""
}

// opaque are functions that do what only a caller's own can.
func opaque() template.FuncMap {
	var kept []map[string]string
	return template.FuncMap{
		"nan":    func() float64 { return math.NaN() },
		"wide":   func(n uint64) string { return "" },
		"minus":  func() int { return -1 },
		"empty":  func() *[]string { return &[]string{} },
		"object": func() any { return object{} },
		"putter": func() any { return put },
		"keep": func(m map[string]string) string {
			kept = append(kept, m)
			return ""
		},
		"kept": func() iter.Seq[any] {
			return func(yield func(any) bool) {
				for i := range 2 {
					if i < len(kept) && !yield(kept[i]) || i >= len(kept) && !yield(map[string]string{"x": ""}) {
						return
					}
				}
			}
		},
	}
}

// TestOpaqueFunctions checks that nothing is taken for granted of functions
// that the caller added: each template is executed, and reads or does not
// read input n where one might think otherwise.
func TestOpaqueFunctions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		vars       map[string]string // of the execution; the analysis has no u
		reads      []string
	}{
		{"a number equals itself", `{{$f := nan}}{{if eq $f $f}}{{else}}{{input "n"}}{{end}}`, nil, []string{"n"}},
		{"a number is too large", `{{if .u}}{{wide 18446744073709551615}}{{else}}{{input "n"}}{{end}}`, map[string]string{"u": "1"}, nil},
		{"a true number is positive", `{{$i := minus}}{{if $i}}{{range $i}}{{input "m"}}{{else}}{{input "n"}}{{end}}{{end}}`, nil, []string{"n"}},
		{"a false number is left", `{{$i := minus}}{{range $i}}{{else}}{{if $i}}{{input "n"}}{{end}}{{end}}`, nil, []string{"n"}},
		{"a true pointer leads to something", `{{with empty}}{{range .}}{{input "m"}}{{else}}{{input "n"}}{{end}}{{end}}`, nil, []string{"n"}},
		{"a method changes nothing", `{{$o := object}}{{$o.Put . "k" "v"}}{{if index . "k"}}{{input "n"}}{{end}}`, nil, []string{"n"}},
		{"a method changes nothing earlier in a loop", `{{$o := object}}{{range .}}{{if index $ "k"}}{{input "n"}}{{end}}{{$o.Put $ "k" "v"}}{{end}}`, map[string]string{"a": "1", "b": "2"}, []string{"n"}},
		{"a called function changes nothing earlier in a loop", `{{$f := putter}}{{range .}}{{if index $ "k"}}{{input "n"}}{{end}}{{call $f $ "k" "v"}}{{end}}`, map[string]string{"a": "1", "b": "2"}, []string{"n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmpl := opaqueTemplate(t, c.text)
			var read []string
			_, err := tmpl.Render(t.Context(), c.vars, func(name string) (string, error) {
				if !slices.Contains(read, name) {
					read = append(read, name)
				}
				return "content", nil
			})
			if err != nil || !slices.Equal(read, c.reads) {
				t.Fatalf("the execution reads %q, %v; want %q", read, err, c.reads)
			}
			supplied := maps.Clone(c.vars)
			delete(supplied, "u")
			r := opaqueReport(t, tmpl, supplied)
			for _, in := range r.Inputs {
				if in.Kind != requirement.Conditional || in.Inactive {
					t.Errorf("input %q is reported %v, inactive %t", in.Name, in.Kind, in.Inactive)
				}
			}
			if len(r.Issues) == 0 || r.CannotRender != nil {
				t.Errorf("issues %v, cannot render: %v", r.Issues, r.CannotRender)
			}
		})
	}
}

// TestMapFromIterator checks that the map of variables is expected wherever a
// function that has had it may give it back.
func TestMapFromIterator(t *testing.T) {
	tmpl := opaqueTemplate(t, `{{range $m := kept}}{{$m.x}}{{keep $}}{{end}}`)
	if _, err := tmpl.Render(t.Context(), map[string]string{"x": "1"}, nil); err != nil {
		t.Fatal(err)
	}
	r := opaqueReport(t, tmpl, nil)
	if len(r.Variables) != 1 || r.Variables[0].Name != "x" || r.Variables[0].Kind != requirement.Conditional {
		t.Errorf("variables %+v, want x conditional", r.Variables)
	}
}

func opaqueTemplate(t *testing.T, text string) *prompt.Template {
	t.Helper()
	functions, err := prompt.NewFunctions(opaque())
	if err != nil {
		t.Fatal(err)
	}
	tmpl, problem := prompt.Compile(text, diag.Origin{File: "m", Line: 1, Column: 1, Exact: true}, functions)
	if problem != nil {
		t.Fatal(problem)
	}
	return tmpl
}

func opaqueReport(t *testing.T, tmpl *prompt.Template, vars map[string]string) *requirement.Report {
	t.Helper()
	p := requirement.Compile([]requirement.Unit{{Template: tmpl}}, nil)
	r, err := p.Analyze(context.Background(), requirement.Query{Vars: vars})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
