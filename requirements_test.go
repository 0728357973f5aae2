package promptkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
)

func TestInspectRequirements(t *testing.T) {
	e := engine(t, files("p.yaml", `id: p
version: "1"
default_profile: dry
session_id: "{{.team}}"
inputs:
  - {name: doc, required: true, content_type: text/plain, description: ""}
  - {name: notes}
  - {name: unused, description: ~}
messages:
  - role: system
    content: |
      {{if eq .mode "long"}}
      {{input "notes"}}{{.depth}}
      {{else}}{{input "digest"}}{{end}}
  - role: user
    content_file: p.tmpl
`, "p.tmpl", "{{index . \"tone\"}}\n{{if .late}}{{.why}}{{end}}"))
	got, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{
		PromptID: "p", Vars: map[string]string{"mode": "long", "extra": ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.InspectPrompt(t.Context(), "p", "")
	if err != nil {
		t.Fatal(err)
	}
	use := func(message int, file string, line, column int, state promptkit.RequirementUseState) promptkit.RequirementUse {
		return promptkit.RequirementUse{Message: message, File: file, Line: line, Column: column, State: state}
	}
	const certain, possible, inactive = promptkit.RequirementUseCertain, promptkit.RequirementUsePossible, promptkit.RequirementUseInactive
	want := &promptkit.RequirementInspection{
		PromptID: "p", PromptVersion: "1", PromptHash: in.PromptHash, ProfileID: "dry",
		Inputs: []promptkit.InputRequirement{
			{Name: "digest", Kind: "optional", Explanation: "inactive_use", Uses: []promptkit.RequirementUse{use(0, "p.yaml", 14, 17, inactive)}},
			{Name: "doc", Kind: "required", Declared: true, ContentType: new("text/plain"), Description: new("")},
			{Name: "notes", Kind: "required", Declared: true, Uses: []promptkit.RequirementUse{use(0, "p.yaml", 13, 9, certain)}},
			{Name: "unused", Kind: "optional", Declared: true},
		},
		Variables: []promptkit.VariableRequirement{
			{Name: "depth", Kind: "required", Uses: []promptkit.RequirementUse{use(0, "p.yaml", 13, 26, certain)}},
			{Name: "late", Kind: "required", Uses: []promptkit.RequirementUse{use(1, "p.tmpl", 2, 6, certain)}},
			{Name: "mode", Kind: "required", Supplied: true, Uses: []promptkit.RequirementUse{use(0, "p.yaml", 12, 15, certain)}},
			{Name: "team", Kind: "required", Uses: []promptkit.RequirementUse{use(-1, "p.yaml", 4, 13, certain)}},
			{Name: "tone", Kind: "optional", Uses: []promptkit.RequirementUse{use(1, "p.tmpl", 1, 3, certain)}},
			{Name: "why", Kind: "conditional", Uses: []promptkit.RequirementUse{use(1, "p.tmpl", 2, 15, possible)}},
		},
		Issues: []promptkit.RequirementIssue{{
			Code: promptkit.RequirementIssueMissingVariable, VariableName: "late",
			Description: `Variable "late" is not supplied, and its value decides what else is needed.`,
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	direct, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{
		PromptID: "p", SessionID: "s", Vars: map[string]string{"mode": "short", "late": ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(direct.Variables, func(v promptkit.VariableRequirement) bool { return v.Name == "team" }) {
		t.Error("the session template counts although a direct ID takes its place")
	}
	if !direct.Complete || direct.Issues != nil {
		t.Errorf("incomplete: %+v", direct.Issues)
	}
}

func TestInspectRequirementsFailures(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "x"), "bare.yaml", strings.Replace(prompt("bare", "x"), "default_profile: dry\n", "", 1),
		"broken.yaml", prompt("broken", "{{"), "bad.yaml", "id: bad\nversion: 1\n"))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		why  string
		ctx  context.Context
		req  promptkit.RequirementInspectionRequest
		want error
	}{
		{"cancelled", cancelled, promptkit.RequirementInspectionRequest{PromptID: "p"}, promptkit.ErrPromptLoad},
		{"blank", t.Context(), promptkit.RequirementInspectionRequest{PromptID: " "}, promptkit.ErrInvalidRequest},
		{"session", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", SessionID: "\x01a"}, promptkit.ErrInvalidRequest},
		{"unknown", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "x"}, promptkit.ErrPromptNotFound},
		{"malformed", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "bad"}, promptkit.ErrPromptLoad},
		{"template", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "broken"}, promptkit.ErrPromptLoad},
		{"no profile", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "bare"}, promptkit.ErrProfileRequired},
		{"unknown profile", t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", ProfileID: "x"}, promptkit.ErrProfileNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got, err := e.InspectRequirements(tt.ctx, tt.req)
			if got != nil {
				t.Error("a result came with the error")
			}
			wantOnly(t, err, tt.want)
			if tt.ctx == cancelled && !errors.Is(err, context.Canceled) {
				t.Errorf("%v hides the context's error", err)
			}
		})
	}
}

func TestCannotRenderHasAPlace(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "fine", "{{.a.b}}")))
	got, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p"})
	if err != nil {
		t.Fatal(err)
	}
	if f := got.CannotRender; f == nil || f.Message != 1 || f.File != "p.yaml" || f.Line != 8 || f.Description == "" {
		t.Errorf("got %+v", f)
	}
	if got.Complete || got.Issues[0].Code != promptkit.RequirementIssueExpressionUnresolved {
		t.Errorf("issues %+v", got.Issues)
	}
}

// inventory is the part of a known answer that kinds and completeness make.
type inventory struct {
	Inputs, Variables map[string]string
	Complete          bool
}

// TestKnownRequirements puts the failures of other analysers through the
// engine. Whether an answer that differs is wrong is the proof's business, in
// the package that analyses; here it must not claim more than is known.
func TestKnownRequirements(t *testing.T) {
	var cases []struct {
		Ref, Template string
		Vars          map[string]string
		Declared      []struct {
			Name     string
			Required bool
		}
		Expect inventory
	}
	readVectors(t, "internal/requirement/testdata/requirement_cases.json", &cases)
	exact := 0
	for _, c := range cases {
		definition := prompt("p", c.Template)
		for i, d := range c.Declared {
			if i == 0 {
				definition += "inputs:\n"
			}
			definition += fmt.Sprintf("  - {name: %q, required: %t}\n", d.Name, d.Required)
		}
		e := engine(t, files("p.yaml", definition))
		report, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", Vars: c.Vars})
		if err != nil {
			t.Errorf("%s: %v", c.Ref, err)
			continue
		}
		got := inventory{Inputs: map[string]string{}, Variables: map[string]string{}, Complete: report.Complete}
		for _, in := range report.Inputs {
			got.Inputs[in.Name] = string(in.Kind)
		}
		for _, v := range report.Variables {
			got.Variables[v.Name] = string(v.Kind)
		}
		if cmp.Equal(c.Expect, got) {
			exact++
		} else {
			t.Logf("%s: %s", c.Ref, cmp.Diff(c.Expect, got))
		}
	}
	t.Logf("%d of %d answers are exact", exact, len(cases))
	if exact < len(cases) {
		t.Errorf("only %d of %d answers are exact", exact, len(cases))
	}
}

func readVectors(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// TestPrepareRendersAsGoDoes puts verified facts about text/template through
// the engine. Where the engine has an opinion of its own about a failure (all
// that is missing, at once), the failure is what counts.
func TestPrepareRendersAsGoDoes(t *testing.T) {
	var cases []struct {
		ID, Template, Kind, Output, Option string
		Vars, Inputs                       map[string]string
		ExtraFuncs                         bool            `json:"extra_funcs"`
		NilMap                             bool            `json:"nil_map"`
		LaterParses                        json.RawMessage `json:"later_parses"`
	}
	readVectors(t, "internal/prompt/testdata/gotemplate_semantics.json", &cases)
	applicable := 0
	for _, c := range cases {
		if c.Option != "" || c.ExtraFuncs || c.NilMap || c.LaterParses != nil || c.ID == "template-297" || c.ID == "template-298" {
			continue
		}
		applicable++
		e := engine(t, files("p.yaml", prompt("p", c.Template)))
		req := promptkit.RunRequest{PromptID: "p", Vars: c.Vars}
		for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
			req.Inputs = append(req.Inputs, promptkit.Input{Name: name, Text: c.Inputs[name]})
		}
		got, err := e.Prepare(t.Context(), req)
		switch {
		case c.Kind == "ok" && (err != nil || got.Messages[0].Content != c.Output):
			t.Errorf("%s: %s: got %+v, %v, want %q", c.ID, c.Template, got, err, c.Output)
		case c.Kind == "parse_error" && !errors.Is(err, promptkit.ErrPromptLoad):
			t.Errorf("%s: %s: got %v, want a load error", c.ID, c.Template, err)
		case c.Kind == "exec_error" && !errors.Is(err, promptkit.ErrPromptRender) && !errors.Is(err, promptkit.ErrInvalidRequest):
			t.Errorf("%s: %s: got %v, want an error of rendering, or what is missing", c.ID, c.Template, err)
		}
	}
	if applicable < 300 {
		t.Errorf("only %d cases apply", applicable)
	}
}

// TestConcurrentUse runs every operation at once over one engine and wants the
// answers of a single one. The race detector makes it worth its name.
func TestConcurrentUse(t *testing.T) {
	e := summaryEngine(t)
	req := summaryRequest()
	inspect := promptkit.RequirementInspectionRequest{PromptID: "summary", Vars: map[string]string{"team": "core"}}
	answers := func() string {
		declared, err1 := e.InspectPrompt(context.Background(), "summary", "")
		required, err2 := e.InspectRequirements(context.Background(), inspect)
		target, err3 := e.InspectProfile(context.Background(), "dry")
		prepared, err4 := e.Prepare(context.Background(), req)
		ran, err5 := e.Run(context.Background(), req)
		problems, err6 := e.Check(context.Background())
		if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
			return err.Error()
		}
		text, err := json.Marshal([]any{declared, required, target, prepared, ran.Output, problems, e.Prompts(), e.ProfileIDs(), e.Problems()})
		if err != nil {
			return err.Error()
		}
		// What a caller does with a result is nobody else's business.
		declared.Inputs[0].Name, required.Inputs[0].Name, prepared.Messages[0].Content = "x", "x", "x"
		required.Inputs[0].Uses = nil
		*required.Inputs[1].ContentType = "x"
		return string(text)
	}
	want := answers()
	if !strings.Contains(want, `"PromptHash"`) {
		t.Fatal(want)
	}
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for range 20 {
				if got := answers(); got != want {
					t.Errorf("got %s, want %s", got, want)
					return
				}
			}
		})
	}
	workers.Wait()
	if req.Vars["team"] != "core" || len(inspect.Vars) != 1 {
		t.Error("a request was changed")
	}
}
