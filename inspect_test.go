package promptkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
)

func TestInspectPromptReportsWhatIsDeclared(t *testing.T) {
	e := summaryEngine(t)
	got, err := e.InspectPrompt(t.Context(), "summary", "1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	want := &promptkit.PromptInspection{
		PromptID: "summary", PromptVersion: "1.2.0", PromptHash: got.PromptHash, DefaultProfileID: "dry",
		Inputs: []promptkit.PromptInputDefinition{
			{Name: "transcript", Required: true, ContentType: "text/plain", Description: "The meeting."},
			{Name: "glossary"},
		},
		OutputContract: promptkit.OutputContract{Format: "json", Validation: "json_schema", Schema: "summary.schema.json"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.PromptHash == "" {
		t.Error("no hash")
	}
}

func TestInspectPromptFailures(t *testing.T) {
	broken := files(
		"a/one.yaml", prompt("two", "x"),
		"a/two.yaml", strings.Replace(prompt("two", "y"), `"1"`, `"2"`, 1),
		"a/bad.yaml", "id: bad\nversion: \"1\"\nmesages: []\n",
		"a/dup1.yaml", prompt("dup", "x"),
		"a/dup2.yaml", prompt("dup", "x"),
		"a/gone.yaml", "id: gone\nversion: \"1\"\nmessages: [{role: user, content_file: no.txt}]\n",
		"a/half.yaml", "id: half\nmessages: [{role: user, content: x}]\n",
	)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		why         string
		ctx         context.Context
		id, version string
		want        error
		mentions    []string
	}{
		{"an empty ID is asked for", nil, "", "1", promptkit.ErrInvalidRequest, nil},
		{"white space only is blank", nil, " \t", "1", promptkit.ErrInvalidRequest, nil},
		{"the context comes before the ID", cancelled, "", "", promptkit.ErrPromptLoad, nil},
		{"cancelled", cancelled, "two", "1", promptkit.ErrPromptLoad, nil},
		{"no such ID", nil, "three", "", promptkit.ErrPromptNotFound, nil},
		{"no such version", nil, "two", "3", promptkit.ErrPromptNotFound, []string{`"1"`, `"2"`}},
		{"IDs are not trimmed", nil, " two", "1", promptkit.ErrPromptNotFound, nil},
		{"versions are not trimmed", nil, "two", "1 ", promptkit.ErrPromptNotFound, nil},
		{"a blank version is a version", nil, "two", " ", promptkit.ErrPromptNotFound, nil},
		{"several versions", nil, "two", "", promptkit.ErrPromptLoad, []string{`"1"`, `"2"`}},
		{"malformed", nil, "bad", "1", promptkit.ErrPromptLoad, []string{"a/bad.yaml:3:1", "messages"}},
		{"malformed, version omitted", nil, "bad", "", promptkit.ErrPromptLoad, []string{"a/bad.yaml:3:1"}},
		{"defined twice", nil, "dup", "1", promptkit.ErrPromptLoad, []string{"a/dup1.yaml", "a/dup2.yaml"}},
		{"content file missing", nil, "gone", "1", promptkit.ErrPromptLoad, []string{"no.txt", "a/gone.yaml:3:"}},
		{"only the ID is readable", nil, "half", "7", promptkit.ErrPromptLoad, []string{"a/half.yaml"}},
	}
	e := engine(t, broken)
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			got, err := e.InspectPrompt(ctx, tt.id, tt.version)
			if got != nil {
				t.Errorf("a result came with the error: %+v", got)
			}
			wantOnly(t, err, tt.want)
			if ctx == cancelled && !errors.Is(err, context.Canceled) {
				t.Errorf("%v is not the context's error", err)
			}
			for _, part := range tt.mentions {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not mention %q", err, part)
				}
			}
		})
	}
	if _, err := e.InspectPrompt(t.Context(), "gone", "1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file error is out of reach: %v", err)
	}
}

// TestUnidentifiableFileMakesAbsenceUnknowable: no lookup may answer "not
// found", or choose a version, while a file could hold what was asked for.
func TestUnidentifiableFileMakesAbsenceUnknowable(t *testing.T) {
	e := engine(t, files("known.yaml", prompt("known", "x"), "mystery.yaml", "id: [\n"))
	if got, err := e.InspectPrompt(t.Context(), "known", "1"); err != nil || got.PromptID != "known" {
		t.Errorf("an exact lookup must still work: %v", err)
	}
	for _, id := range []string{"known", "other"} {
		_, err := e.InspectPrompt(t.Context(), id, "")
		wantOnly(t, err, promptkit.ErrPromptLoad)
		if !strings.Contains(err.Error(), "mystery.yaml") {
			t.Errorf("%q does not name the file", err)
		}
	}
	_, err := e.InspectPrompt(t.Context(), "known", "2")
	wantOnly(t, err, promptkit.ErrPromptLoad)
}

// TestInspectPromptParsesNoTemplates: a template that does not parse stops
// only what needs it.
func TestInspectPromptParsesNoTemplates(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "Hello {{name}}")))
	if _, err := e.InspectPrompt(t.Context(), "p", ""); err != nil {
		t.Errorf("inspection: %v", err)
	}
	_, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p"})
	wantOnly(t, err, promptkit.ErrPromptLoad)
	if !strings.Contains(err.Error(), "p.yaml:6:") || !strings.Contains(err.Error(), "{{.name}}") {
		t.Errorf("%q lacks the place or the advice", err)
	}
	_, err = e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p"})
	wantOnly(t, err, promptkit.ErrPromptLoad)
	if got := e.Problems(); len(got) != 1 || got[0].Kind != promptkit.ProblemPrompt || got[0].Line != 6 || got[0].PromptID != "p" {
		t.Errorf("problems: %+v", got)
	}
}

func TestInspectionsBelongToTheCaller(t *testing.T) {
	e := summaryEngine(t)
	first, err := e.InspectPrompt(t.Context(), "summary", "")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(first)
	first.Inputs[0].Name, first.PromptHash = "changed", "changed"
	second, err := e.InspectPrompt(t.Context(), "summary", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(second); string(got) != string(want) {
		t.Errorf("changing a result changed the engine: %s", got)
	}
}

func TestOutputContractHasAJSONForm(t *testing.T) {
	got, err := json.Marshal(promptkit.OutputContract{Format: promptkit.OutputJSON, Validation: promptkit.ValidateJSONSchema, Schema: "a.json"})
	if want := `{"format":"json","validation":"json_schema","schema":"a.json"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestPromptHashIsTheDefinition: the hash covers the definition with its
// message files, and nothing that a request says.
func TestPromptHashIsTheDefinition(t *testing.T) {
	hash := func(definition, template string) string {
		e := engine(t, files("summary.yaml", definition, "summary.tmpl", template))
		in, err := e.InspectPrompt(t.Context(), "summary", "")
		if err != nil {
			t.Fatal(err)
		}
		return in.PromptHash
	}
	base := hash(summaryPrompt, summaryTemplate)
	if again := hash("# a comment\n"+summaryPrompt, summaryTemplate); again != base {
		t.Error("a comment changed the hash")
	}
	if changed := hash(summaryPrompt, summaryTemplate+"!"); changed == base {
		t.Error("the content of a message file does not count")
	}
	if changed := hash(strings.Replace(summaryPrompt, "The meeting.", "A meeting.", 1), summaryTemplate); changed == base {
		t.Error("a description does not count")
	}
	e := summaryEngine(t)
	requests := map[string]func(*promptkit.RunRequest){
		"as it is":        func(*promptkit.RunRequest) {},
		"other output":    func(r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{} },
		"direct session":  func(r *promptkit.RunRequest) { r.SessionID = "s" },
		"other variables": func(r *promptkit.RunRequest) { r.Vars["audience"] = "experts" },
	}
	for name, change := range requests {
		req := summaryRequest()
		change(&req)
		p, err := e.Prepare(t.Context(), req)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p.PromptHash != base {
			t.Errorf("%s: prepared as %q, inspected as %q", name, p.PromptHash, base)
		}
	}
}
