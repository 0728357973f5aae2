package promptkit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
)

// TestCheckLooksCloser: what is no failure of capture, and still wrong.
func TestCheckLooksCloser(t *testing.T) {
	withSchema := func(id, schema string) string {
		return prompt(id, "x") + "output: {format: json, validation: json_schema, schema: " + schema + "}\n"
	}
	e := engine(t, files(
		"broken.yaml", "id: broken\nversion: 1\n",
		"fine.yaml", withSchema("fine", "summary.schema.json"),
		"lost.yaml", withSchema("lost", "lost.json"),
		"misspelt.yaml", withSchema("misspelt", "misspelt.json"),
		"never.yaml", prompt("never", "{{range .items}}{{end}}"),
		"nobody.yaml", strings.Replace(prompt("nobody", "x"), "dry", "nobody", 1),
		"remote.yaml", withSchema("remote", "remote.json"),
		"remote2.yaml", withSchema("remote2", "remote.json"),
		"torn.yaml", withSchema("torn", "torn.json"),
	), promptkit.WithSchemaFS(files(
		"summary.schema.json", summarySchema,
		"misspelt.json", "{\n\"requird\": [\"a\"]}",
		"remote.json", "{\n\"$ref\": \"https://example.com/x.json\"}",
		"torn.json", "{",
	)))
	got, err := e.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		Kind     promptkit.ProblemKind
		File     string
		Line     int
		Severity promptkit.Severity
		ID       string
	}
	var places []place
	for _, p := range got {
		places = append(places, place{p.Kind, p.File, p.Line, p.Severity, p.PromptID})
	}
	want := []place{
		{"prompt", "broken.yaml", 1, "error", "broken"},
		{"prompt", "lost.yaml", 7, "error", "lost"},
		{"prompt", "never.yaml", 6, "warning", "never"},
		{"prompt", "nobody.yaml", 3, "warning", "nobody"},
		{"schema", "misspelt.json", 2, "warning", ""},
		{"schema", "remote.json", 2, "error", ""},
		{"schema", "torn.json", 1, "error", ""},
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("%s\n%+v", diff, got)
	}
	if line, ok := e.SourceLine(got[2]); ok {
		// A quoted scalar does not keep its layout, and the file had no
		// problem when it was captured.
		t.Errorf("invented a line: %q", line)
	}
}

// TestCheckShowsTemplateLines: a warning about a file that loaded has its
// source line where the layout is known.
func TestCheckShowsTemplateLines(t *testing.T) {
	e := engine(t, files(
		"never.yaml", "id: never\nversion: 1\nmessages:\n  - role: user\n    content: |\n      Hello\n      {{range .items}}{{end}}\n",
		"file.yaml", "id: file\nversion: 1\nmessages: [{role: user, content_file: text}]\n", "text", "a\n\t{{.a.b}}\r\n",
	))
	problems, err := e.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, p := range problems {
		line, _ := e.SourceLine(p)
		lines[p.File] = line
	}
	want := map[string]string{"never.yaml": "      {{range .items}}{{end}}", "text": "\t{{.a.b}}"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("%s\n%+v", diff, problems)
	}
}

func TestCheckNoticesItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := summaryEngine(t).Check(ctx)
	wantOnly(t, err, promptkit.ErrPromptLoad)
	if got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestCheckWithoutSchemas(t *testing.T) {
	e, err := promptkit.New(promptkit.Config{}, promptkit.WithPromptFS(files("summary.yaml", summaryPrompt, "summary.tmpl", summaryTemplate)), dryProfiles(), dryBackends())
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Check(t.Context())
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Message, "WithSchemaFS") {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = e.Prepare(t.Context(), summaryRequest())
	wantOnly(t, err, promptkit.ErrSchemaLoad)
}
