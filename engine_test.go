package promptkit_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
)

// promptIDs lists what an engine captured.
func promptIDs(e *promptkit.Engine) []string {
	var ids []string
	for _, p := range e.Prompts() {
		ids = append(ids, p.ID+"@"+p.Version)
	}
	return ids
}

// TestLastPromptSourceWins: sources replace one another and are never merged.
func TestLastPromptSourceWins(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "dir.yaml", prompt("dir", "x"))
	write(t, dir, "other.yaml", prompt("other", "x"))
	file := promptkit.WithPromptFile(filepath.Join(dir, "other.yaml"))
	first, second := promptkit.WithPromptFS(files("a.yaml", prompt("a", "x"))), promptkit.WithPromptFS(files("b.yaml", prompt("b", "x")))
	tests := []struct {
		why  string
		opts []promptkit.Option
		want []string
	}{
		{"the directory alone", nil, []string{"dir@1", "other@1"}},
		{"an option replaces the directory", []promptkit.Option{first}, []string{"a@1"}},
		{"the last of two", []promptkit.Option{first, second}, []string{"b@1"}},
		{"the last of two, the other way round", []promptkit.Option{second, first}, []string{"a@1"}},
		{"a file is exactly that file", []promptkit.Option{first, file}, []string{"other@1"}},
		{"nothing falls back to an earlier source", []promptkit.Option{first, promptkit.WithPromptFS(fstest.MapFS{})}, nil},
		{"a nil option is none", []promptkit.Option{first, nil}, []string{"a@1"}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			e, err := promptkit.New(promptkit.Config{PromptDir: dir}, tt.opts...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, promptIDs(e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLastProfileSourceWins holds for profiles and backends as it does for
// prompts.
func TestLastProfileSourceWins(t *testing.T) {
	fromFS := promptkit.WithProfileFS(files("p.yaml", "id: file\nbackend: dry\n"))
	e := engine(t, files("p.yaml", prompt("p", "x")), fromFS)
	if diff := cmp.Diff([]string{"file"}, e.ProfileIDs()); diff != "" {
		t.Error(diff)
	}
	e = engine(t, files("p.yaml", prompt("p", "x")), fromFS, dryProfiles())
	if diff := cmp.Diff([]string{"dry"}, e.ProfileIDs()); diff != "" {
		t.Error(diff)
	}
}

// TestCaptureIsOnce: what happens to the files after New is invisible.
func TestCaptureIsOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, "prompts/summary.yaml", summaryPrompt)
	write(t, root, "prompts/summary.tmpl", summaryTemplate)
	write(t, root, "profiles/dry.yaml", "id: dry\nbackend: dry\n")
	write(t, root, "backends/dry.yaml", "id: dry\nkind: offline\n")
	write(t, root, "schemas/summary.schema.json", summarySchema)
	dir := func(name string) string { return filepath.Join(root, name) }
	e, err := promptkit.New(promptkit.Config{
		PromptDir: dir("prompts"), ProfileDir: dir("profiles"), BackendDir: dir("backends"), SchemaDir: dir("schemas"),
	})
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.Prepare(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"prompts", "profiles", "backends"} {
		if err := os.RemoveAll(dir(name)); err != nil {
			t.Fatal(err)
		}
	}
	after, err := e.Prepare(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestNewRefusesWhatMakesNoEngine(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	prompts := promptkit.WithPromptFS(files("p.yaml", prompt("p", "x")))
	tests := []struct {
		why  string
		cfg  promptkit.Config
		opts []promptkit.Option
		want error
		file bool // whether the file error is reachable
	}{
		{"no source of prompts", promptkit.Config{}, nil, promptkit.ErrInvalidConfig, false},
		{"nil file system", promptkit.Config{}, []promptkit.Option{promptkit.WithPromptFS(nil)}, promptkit.ErrInvalidConfig, false},
		{"empty file name", promptkit.Config{}, []promptkit.Option{promptkit.WithPromptFile("")}, promptkit.ErrInvalidConfig, false},
		{"prompt directory missing", promptkit.Config{PromptDir: missing}, nil, promptkit.ErrPromptLoad, true},
		{"prompt file missing", promptkit.Config{}, []promptkit.Option{promptkit.WithPromptFile(missing)}, promptkit.ErrPromptLoad, true},
		{"profile directory missing", promptkit.Config{ProfileDir: missing}, []promptkit.Option{prompts}, promptkit.ErrProfileLoad, true},
		{"backend directory missing", promptkit.Config{BackendDir: missing}, []promptkit.Option{prompts}, promptkit.ErrProfileLoad, true},
		{"a function replaces a built-in", promptkit.Config{}, []promptkit.Option{prompts, promptkit.WithFuncs(template.FuncMap{"len": strings.ToUpper})}, promptkit.ErrInvalidConfig, false},
		{"a function replaces input", promptkit.Config{}, []promptkit.Option{prompts, promptkit.WithFuncs(template.FuncMap{"input": strings.ToUpper})}, promptkit.ErrInvalidConfig, false},
		{"a function that returns nothing", promptkit.Config{}, []promptkit.Option{prompts, promptkit.WithFuncs(template.FuncMap{"f": func() {}})}, promptkit.ErrInvalidConfig, false},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			e, err := promptkit.New(tt.cfg, tt.opts...)
			if e != nil {
				t.Error("an engine came with the error")
			}
			wantOnly(t, err, tt.want)
			if got := errors.Is(err, fs.ErrNotExist); got != tt.file {
				t.Errorf("file error reachable: %v, in %v", got, err)
			}
		})
	}
}

// TestNilEngineAnswersEverything calls every method there is on a nil and on
// a zero engine.
func TestNilEngineAnswersEverything(t *testing.T) {
	for name, e := range map[string]*promptkit.Engine{"nil": nil, "zero": new(promptkit.Engine)} {
		if text := fmt.Sprintf("%v", e); text != "promptkit.Engine without a project" {
			t.Errorf("%s engine prints as %q", name, text)
		}
		v := reflect.ValueOf(e)
		for i := range v.NumMethod() {
			method := v.Type().Method(i)
			if method.Name == "Format" {
				continue // fmt calls it
			}
			results := callWithZeros(t.Context(), v.Method(i))
			last := results[len(results)-1]
			if err, ok := reflect.TypeAssert[error](last); ok {
				if !errors.Is(err, promptkit.ErrInvalidConfig) {
					t.Errorf("%s engine, %s: %v", name, method.Name, err)
				}
				results = results[:len(results)-1]
			} else if last.Type() == reflect.TypeFor[error]() {
				t.Errorf("%s engine, %s: no error", name, method.Name)
			}
			for _, r := range results {
				if !r.IsZero() {
					t.Errorf("%s engine, %s: result %v", name, method.Name, r)
				}
			}
		}
	}
}

// callWithZeros calls a method with a live context and zero values.
func callWithZeros(ctx context.Context, method reflect.Value) []reflect.Value {
	var args []reflect.Value
	for i := range method.Type().NumIn() {
		in := method.Type().In(i)
		switch {
		case method.Type().IsVariadic() && i == method.Type().NumIn()-1:
		case in == reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(ctx))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return method.Call(args)
}

func TestPromptsAreListedByIDInDiscoveryOrder(t *testing.T) {
	version := func(id, v string) string { return strings.Replace(prompt(id, "x"), `"1"`, v, 1) }
	e := engine(t, files(
		"z.yaml", version("b", "2"), "m.yaml", version("a", "9"), "n.yaml", version("a", "10"),
		"broken.yaml", "id: c\nversion: 1\n", ".hidden/x.yaml", version("hidden", "1"), "notes.txt", "id: text",
	))
	want := []promptkit.PromptIdentity{
		{ID: "a", Version: "9", File: "m.yaml"}, {ID: "a", Version: "10", File: "n.yaml"}, {ID: "b", Version: "2", File: "z.yaml"},
	}
	if diff := cmp.Diff(want, e.Prompts()); diff != "" {
		t.Error(diff)
	}
	e.Prompts()[0].ID = "changed"
	if e.Prompts()[0].ID != "a" {
		t.Error("the list is shared")
	}
}

func TestProblemsHavePlacesAndSourceLines(t *testing.T) {
	e := engine(t, files(
		"p/broken.yaml", "id: broken\nversion: \"1\"\nmesages: []\n",
		"p/template.yaml", prompt("template", "{{if}}"),
		"p/fine.yaml", prompt("fine", "x"),
	), promptkit.WithProfileFS(files(
		"dry.yaml", "id: dry\nextends: dry\n",
		"typo.yaml", "id: typo\nmodle: x\n",
	)), promptkit.WithBackendFS(files(
		"b.yaml", "id: b\nbase_url: https://example.com\napi_key: sk-very-secret\n",
	)))
	type place struct {
		Kind       promptkit.ProblemKind
		File       string
		Line       int
		Source, ID string
	}
	var got []place
	for _, p := range e.Problems() {
		if p.Severity != promptkit.SeverityError || p.Message == "" || p.Column < 1 {
			t.Errorf("incomplete: %+v", p)
		}
		line, _ := e.SourceLine(p)
		got = append(got, place{p.Kind, p.File, p.Line, line, p.PromptID})
	}
	want := []place{
		{"prompt", "p/broken.yaml", 3, "mesages: []", "broken"},
		{"prompt", "p/template.yaml", 6, `    content: "{{if}}"`, "template"},
		{"profile", "dry.yaml", 2, "extends: dry", ""},
		{"profile", "typo.yaml", 2, "modle: x", ""},
		{"backend", "b.yaml", 3, "api_key: ******", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, ok := e.SourceLine(promptkit.Problem{Kind: promptkit.ProblemPrompt, File: "p/fine.yaml", Line: 1}); ok {
		t.Error("text of a file without problems was kept")
	}
}

// write puts a file below dir.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
