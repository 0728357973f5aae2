package examples_test

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/examples"
)

func project(t *testing.T) *promptkit.Engine {
	t.Helper()
	sub := func(name string) fs.FS {
		f, err := fs.Sub(examples.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(sub("prompts")), promptkit.WithProfileFS(sub("profiles")),
		promptkit.WithBackendFS(sub("backends")), promptkit.WithSchemaFS(sub("schemas")))
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

func TestNothingIsWrong(t *testing.T) {
	problems, err := project(t).Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	}
}

// TestSamplesWork runs every example offline with its samples. A sample file
// is named after its input.
func TestSamplesWork(t *testing.T) {
	ctx := context.Background()
	engine := project(t)
	prompts := engine.Prompts()
	if len(prompts) < 7 {
		t.Fatalf("there are %d prompts", len(prompts))
	}
	for _, p := range prompts {
		t.Run(p.ID+"@"+p.Version, func(t *testing.T) {
			vars, inputs := samples(t, p.ID)
			vars["audience"] = orElse(vars["audience"], "people who were away")
			found, err := engine.InspectRequirements(ctx, promptkit.RequirementInspectionRequest{
				PromptID: p.ID, PromptVersion: p.Version, Vars: vars,
			})
			if err != nil {
				t.Fatal(err)
			}
			// The content of an input decides in release-notes, and nowhere else.
			if want := p.ID != "release-notes"; found.Complete != want {
				t.Errorf("complete: %v, want %v: %v", found.Complete, want, found.Issues)
			}
			for _, in := range found.Inputs {
				if _, ok := inputs[in.Name]; !ok && in.Kind != promptkit.RequirementOptional {
					t.Errorf("there is no sample of input %s", in.Name)
				}
			}
			req := promptkit.RunRequest{PromptID: p.ID, PromptVersion: p.Version, Vars: vars, Offline: true}
			for name, text := range inputs {
				req.Inputs = append(req.Inputs, promptkit.Input{Name: name, Text: text})
			}
			result, err := engine.Run(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			if !result.Offline || result.Output == "" {
				t.Errorf("offline: %v, output: %q", result.Offline, result.Output)
			}
		})
	}
}

func samples(t *testing.T, prompt string) (vars, inputs map[string]string) {
	t.Helper()
	dir := path.Join("samples", prompt)
	entries, err := fs.ReadDir(examples.FS, dir)
	if err != nil {
		t.Fatal(err)
	}
	vars, inputs = map[string]string{}, map[string]string{}
	for _, entry := range entries {
		data, err := fs.ReadFile(examples.FS, path.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name() == "vars.yaml" {
			var nodes map[string]yaml.Node
			if err := yaml.Unmarshal(data, &nodes); err != nil {
				t.Fatal(err)
			}
			for name, node := range nodes {
				vars[name] = node.Value
			}
			continue
		}
		inputs[strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))] = string(data)
	}
	return vars, inputs
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
