package prompt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/promptkit-go/promptkit/internal/diag"
)

var whole = diag.Origin{File: "m.tmpl", Line: 1, Column: 1, Exact: true}

func table(t testing.TB, custom template.FuncMap) *Functions {
	t.Helper()
	f, err := NewFunctions(custom)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestProblems holds the place and the wording of what does not parse.
func TestProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"bare name", "Hello\n  {{name}}", "m.tmpl:2:5: error: there is no function name: write {{.name}} for a variable, or \"name\" for a text"},
		{"misspelt function", "{{printt .a}}", "m.tmpl:1:3: error: there is no function printt: write {{.printt}} for a variable, or \"printt\" for a text; the function with the nearest name is print"},
		{"hyphenated field", "a {{.user-name}}", "m.tmpl:1:10: error: a name cannot contain a hyphen here: write {{index . \"the-name\"}} for a variable with a hyphen"},
		{"undeclared variable", "{{if .a}}{{$x}}{{end}}", "m.tmpl:1:12: error: the template uses $x before it is declared: declare it with {{$x := …}}, or write {{.x}} for a variable of the caller"},
		{"second of two on a line", "{{.a}}{{.b}}{{b}}", "m.tmpl:1:15: error: there is no function b: write {{.b}} for a variable, or \"b\" for a text"},
		{"unclosed block", "x\n{{if .a}}\n{{range .}}{{end}}", "m.tmpl:2:1: error: the template cannot be parsed here: a block is not closed; add {{end}}"},
		{"unclosed action", "x\ny {{.a", "m.tmpl:2:3: error: the template cannot be parsed here: the braces are not closed; add }}"},
		{"unclosed text", "{{\"abc}}", "m.tmpl:1:1: error: the template cannot be parsed here: a quoted text is not closed"},
		{"end without block", "a{{end}}", "m.tmpl:1:2: error: the template cannot be parsed here: there is an {{end}} without a block to close"},
		{"two elses", "{{if .a}}{{else}}{{else}}{{end}}", "m.tmpl:1:18: error: the template cannot be parsed here: a block has more than one {{else}}"},
		{"break outside", "{{break}}", "m.tmpl:1:1: error: the template cannot be parsed here: a {{break}} must stand inside a range"},
		{"defined twice", "{{define \"t\"}}1{{end}}{{define \"t\"}}2{{end}}", "m.tmpl:1:38: error: the template cannot be parsed here: a template of this name is defined twice"},
		{"empty action", "{{}}", "m.tmpl:1:1: error: the template cannot be parsed here: the action has no value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, p := Compile(tt.text, whole, table(t, nil))
			if p == nil {
				t.Fatal("it compiles")
			}
			if p.String() != tt.want {
				t.Errorf("got  %s\nwant %s", p, tt.want)
			}
		})
	}
}

// TestProblemsQuoteNothing checks that no problem repeats the text: a prompt
// may be confidential.
func TestProblemsQuoteNothing(t *testing.T) {
	const canary = "c4n4ry"
	broken := []string{
		"%s{{", "{{if .a}}%s", "{{\"%s}}", "{{\"%s\" . | \"%s\"}}", "{{(\"%s\"}}", "{{'%s'}}", "{{1%s}}", "{{\"%s\".x}}", "{{range $a, \"%s\"}}{{end}}",
		"{{define \"%s\"}}1{{end}}{{define \"%s\"}}2{{end}}", "{{template \"%s\" \"%s\" ||}}", "{{`%s", "{{/* %s", "{{\"\\%s\"}}", "{{end}}%s", "{{.a \"%s\" := }}",
	}
	for _, form := range broken {
		text := strings.ReplaceAll(form, "%s", canary)
		if _, p := Compile(text, whole, table(t, nil)); p == nil {
			t.Errorf("%s compiles", text)
		} else if strings.Contains(p.String(), canary) {
			t.Errorf("%s: %s", text, p)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"largest", strings.Repeat("x", MaxBytes), true},
		{"too large", strings.Repeat("x", MaxBytes+1), false},
		{"deepest blocks", deep("{{if .a}}", "{{end}}", MaxNesting), true},
		{"too deep blocks", deep("{{if .a}}", "{{end}}", MaxNesting+1), false},
		{"too many else-ifs", "{{if .a}}" + strings.Repeat("{{else if .a}}", MaxNesting) + "{{end}}", false},
		{"many blocks beside one another", strings.Repeat("{{if .a}}{{end}}", 3*MaxNesting), true},
		{"too deep parentheses", "{{" + deep("(", ")", MaxNesting+1) + "}}", false},
		{"parentheses in text", strings.Repeat("(", 3*MaxNesting), true},
		{"braces in strings", "{{" + strings.Repeat("print \"{{if\" | ", 3*MaxNesting) + "print}}", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, p := Compile(tt.text, whole, table(t, nil))
			if (p == nil) != tt.ok {
				t.Fatalf("problem %v", p)
			}
			if p != nil && !strings.Contains(p.Message, "the limit") {
				t.Errorf("%s does not name the limit", p)
			}
		})
	}
}

// TestRootCannotBeNamed checks that nothing an author defines or invokes is
// the message itself, whatever name they try.
func TestRootCannotBeNamed(t *testing.T) {
	for _, name := range []string{"prompt", "", "·", "m", "\\u00b7", strings.Repeat("·", 40)} {
		text := fmt.Sprintf("{{define \"%s\"}}inner{{end}}outer", name)
		if got := render(t, text, nil, nil); got != "outer" {
			t.Errorf("%s renders %q", text, got)
		}
		tmpl, p := Compile(fmt.Sprintf("{{template \"%s\"}}", name), whole, table(t, nil))
		if p != nil {
			t.Fatal(p)
		}
		_, err := tmpl.Render(context.Background(), nil, nil)
		if want := "m.tmpl:1:12: an invoked template is not defined"; err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

func render(t *testing.T, text string, vars, inputs map[string]string) string {
	t.Helper()
	tmpl, p := Compile(text, whole, table(t, nil))
	if p != nil {
		t.Fatal(p)
	}
	out, err := tmpl.Render(context.Background(), vars, bound(inputs))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var errUnbound = errors.New("not bound")

func bound(inputs map[string]string) func(string) (string, error) {
	return func(name string) (string, error) {
		content, ok := inputs[name]
		if !ok {
			return "", errUnbound
		}
		return content, nil
	}
}

// TestRenderErrors holds the place, the name and the wording of what fails.
func TestRenderErrors(t *testing.T) {
	const canary = "c4n4ry"
	vars := map[string]string{"a": canary, "quoting": `map has no entry for key "` + canary + `"`}
	tests := []struct{ name, text, want, variable, input string }{
		{"missing", "x\n {{.b}}", `m.tmpl:2:4: the template needs variable "b", which was not supplied`, "b", ""},
		{"missing by dollar", "{{with .a}}{{$.b}}{{end}}", `m.tmpl:1:15: the template needs variable "b", which was not supplied`, "b", ""},
		{"missing at the head of a chain", "{{.b.c}}", `m.tmpl:1:3: the template needs variable "b", which was not supplied`, "b", ""},
		{"missing in a pipeline", "{{print .a | printf .b}}", `m.tmpl:1:21: the template needs variable "b", which was not supplied`, "b", ""},
		{"field of a text", "{{.a.c}}", "m.tmpl:1:5: " + whyField + ` (variable "a")`, "a", ""},
		{"range over a text", "{{range .a}}{{end}}", `m.tmpl:1:9: range needs a list, a map or a number; a variable is a text (variable "a")`, "a", ""},
		{"range over a text that quotes an error", "{{range .quoting}}{{end}}", `m.tmpl:1:9: range needs a list, a map or a number; a variable is a text (variable "quoting")`, "quoting", ""},
		{"unbound", `{{input "n"}}`, `m.tmpl:1:3: the template reads input "n", which could not be read`, "", "n"},
		{"unbound by value", `{{input .a}}`, `m.tmpl:1:3: the template reads input "c4n4ry", which could not be read`, "", canary},
		{"types", "{{eq .a 1}}", `m.tmpl:1:3: values of different types are compared (variable "a")`, "a", ""},
		{"index", "{{index .a 99}}", `m.tmpl:1:3: an index is beyond the end of the value (variable "a")`, "a", ""},
		{"piped", "{{.a | slice | index 99}}", `m.tmpl:1:16: this value cannot be indexed (variable "a")`, "a", ""},
		{"looked up", `{{if true}}{{index $ "a" 99}}{{end}}`, `m.tmpl:1:14: an index is beyond the end of the value (variable "a")`, "a", ""},
		{"content of an input", `{{slice (input "held") 99}}`, `m.tmpl:1:3: an index is beyond the end of the value (input "held")`, "", "held"},
		{"one of several", "{{slice .a (len .quoting)}}", "m.tmpl:1:3: an index is beyond the end of the value", "", ""},
		{"a local", "{{$l := .a}}{{slice $l (len .quoting)}}", "m.tmpl:1:15: an index is beyond the end of the value", "", ""},
		{"dot is a text", "{{with .a}}{{index . 99}}{{end}}", "m.tmpl:1:14: an index is beyond the end of the value", "", ""},
		{"in another template", `{{define "t"}}{{index .a 99}}{{end}}{{template "t" .}}`, "m.tmpl:1:17: an index is beyond the end of the value", "", ""},
		{"dollar is rebound", `{{with $ := print "x"}}{{index $ 99}}{{end}}`, "m.tmpl:1:26: an index is beyond the end of the value", "", ""},
		{"recursion", `{{define "t"}}{{template "t"}}{{end}}{{template "t"}}`, "m.tmpl:1:26: a template invokes itself without end", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tmpl, p := Compile(tt.text, whole, table(t, nil))
			if p != nil {
				t.Fatal(p)
			}
			_, err := tmpl.Render(context.Background(), vars, bound(map[string]string{"held": canary}))
			var failed *RenderError
			if !errors.As(err, &failed) {
				t.Fatalf("got %v", err)
			}
			if failed.Error() != tt.want || failed.Variable != tt.variable || failed.Input != tt.input {
				t.Errorf("got  %s (%q, %q)\nwant %s (%q, %q)", failed, failed.Variable, failed.Input, tt.want, tt.variable, tt.input)
			}
			if tt.input != canary && strings.Contains(fmt.Sprintf("%+v %#v", err, err), canary) {
				t.Errorf("%+v holds a value", err)
			}
			if strings.Contains(tt.want, "could not be read") && !errors.Is(err, errUnbound) {
				t.Errorf("the input's own error is lost")
			}
		})
	}
}

const whyField = "a field is taken of a text or number, which has none: only . and $ have the caller's variables"

// TestInexactOrigin checks that a place in a folded scalar is that of the
// scalar.
func TestInexactOrigin(t *testing.T) {
	_, p := Compile("a\n{{b}}", diag.Origin{File: "p.yaml", Line: 7, Column: 12}, table(t, nil))
	if got := p.Position.String(); got != "p.yaml:7:12" {
		t.Errorf("got %s", got)
	}
	_, p = Compile("a\n{{b}}", diag.Origin{File: "p.yaml", Line: 7, Column: 7, Exact: true}, table(t, nil))
	if got := p.Position.String(); got != "p.yaml:8:9" {
		t.Errorf("got %s", got)
	}
}

// TestRenderStops checks that a rendering notices the end of its context in
// loops and recursions that write nothing.
func TestRenderStops(t *testing.T) {
	for _, text := range []string{
		"{{range 2000000000}}{{end}}",
		"{{range 2000000000}}{{with .}}{{end}}{{end}}",
		`{{define "t"}}{{if .}}{{template "t" (slice . 1)}}{{template "t" (slice . 1)}}{{end}}{{end}}{{template "t" "` + strings.Repeat("x", 60) + `"}}`,
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		tmpl, p := Compile(text, whole, table(t, nil))
		if p != nil {
			t.Fatal(p)
		}
		if _, err := tmpl.Render(ctx, nil, bound(nil)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%.30s: %v", text, err)
		}
	}
}

func TestRenderLimitsOutput(t *testing.T) {
	tmpl, p := Compile(`{{range 2000000000}}{{$.a}}{{end}}`, whole, table(t, nil))
	if p != nil {
		t.Fatal(p)
	}
	_, err := tmpl.Render(context.Background(), map[string]string{"a": strings.Repeat("x", 1<<20)}, bound(nil))
	if want := "the rendered text exceeds 67108864 bytes, which is the limit"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestCustomFunctions checks that a caller's function works, cannot replace
// what is built in, and cannot change the caller's own variables.
func TestCustomFunctions(t *testing.T) {
	for _, name := range []string{"input", "print", "and", "not an identifier", ""} {
		if _, err := NewFunctions(template.FuncMap{name: func() string { return "" }}); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	for name, fn := range map[string]any{"nothing": nil, "text": "x", "void": func() {}, "none": (func() string)(nil)} {
		if _, err := NewFunctions(template.FuncMap{"f": fn}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	spoil := func(vars map[string]string) string { clear(vars); return "spoilt" }
	tmpl, p := Compile(`{{spoil .}}`, whole, table(t, template.FuncMap{"spoil": spoil}))
	if p != nil {
		t.Fatal(p)
	}
	vars := map[string]string{"a": "1"}
	if out, err := tmpl.Render(context.Background(), vars, bound(nil)); err != nil || out != "spoilt" || len(vars) != 1 {
		t.Errorf("%q, %v, %v", out, err, vars)
	}
}

// TestRendersAreApart renders one template with different inputs at once.
func TestRendersAreApart(t *testing.T) {
	tmpl, p := Compile(`{{input "n"}}{{range 50}}{{$.v}}{{end}}{{input "n"}}`, whole, table(t, nil))
	if p != nil {
		t.Fatal(p)
	}
	done := make(chan error)
	for i := range 16 {
		go func() {
			v := fmt.Sprint(i)
			want := v + strings.Repeat(v, 50) + v
			for range 50 {
				out, err := tmpl.Render(context.Background(), map[string]string{"v": v}, bound(map[string]string{"n": v}))
				if err != nil || out != want {
					done <- fmt.Errorf("%q, %w", out, err)
					return
				}
			}
			done <- nil
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// FuzzCompile checks that no text makes compiling panic, that a problem lies
// inside the text, and that what compiles renders or fails in our words.
func FuzzCompile(f *testing.F) {
	for _, v := range []string{"{{.a}}", "{{define \"t\"}}{{.}}{{end}}{{template \"t\" .a}}", "{{/* c */}}{{- if .a -}}x{{else}}y{{end}}", "{{`", "{{'\\''}}", "{{range $i, $e := 3}}"} {
		f.Add(v)
	}
	functions := table(f, nil)
	f.Fuzz(func(t *testing.T, text string) {
		tmpl, p := Compile(text, whole, functions)
		if p != nil {
			if p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || p.Column < 1 {
				t.Errorf("%q: %s", text, p)
			}
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		var failed *RenderError
		_, err := tmpl.Render(ctx, map[string]string{"a": "1"}, func(string) (string, error) { return "x", nil })
		if err != nil && !errors.As(err, &failed) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
