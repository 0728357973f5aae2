package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// vector is one verified fact about text/template of Go 1.26.
type vector struct {
	ID, Template, Kind, Output, Option string
	Vars, Inputs                       map[string]string
	InputCalls                         []string        `json:"input_calls"`
	ExtraFuncs                         bool            `json:"extra_funcs"`
	NilMap                             bool            `json:"nil_map"`
	LaterParses                        json.RawMessage `json:"later_parses"`
}

// applies reports whether a vector is about the templates of this product:
// one missing-key mode, no other functions, one parse, and a root template
// whose name no author can write.
func (v vector) applies() bool {
	namesRoot := v.ID == "template-297" || v.ID == "template-298"
	return v.Option == "" && !v.ExtraFuncs && !v.NilMap && v.LaterParses == nil && !namesRoot
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/gotemplate_semantics.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(v vector) bool { return !v.applies() })
}

// TestVectors holds rendering to what text/template does: outcome, output and
// the inputs read, in order.
func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 300 {
		t.Fatalf("only %d applicable vectors", len(all))
	}
	functions, err := NewFunctions(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Run(v.ID, func(t *testing.T) {
			tmpl, problem := Compile(v.Template, diag.Origin{File: "m", Line: 1, Column: 1, Exact: true}, functions)
			if (problem != nil) != (v.Kind == "parse_error") {
				t.Fatalf("%s: compile gave %v, want %s", v.Template, problem, v.Kind)
			}
			if problem != nil {
				return
			}
			var calls []string
			out, err := tmpl.Render(context.Background(), v.Vars, func(name string) (string, error) {
				calls = append(calls, name)
				content, ok := v.Inputs[name]
				if !ok {
					return "", errors.New("not bound")
				}
				return content, nil
			})
			if (err != nil) != (v.Kind == "exec_error") {
				t.Fatalf("%s: rendering gave %v, want %s", v.Template, err, v.Kind)
			}
			if err == nil && out != v.Output {
				t.Errorf("%s: output %q, want %q", v.Template, out, v.Output)
			}
			if !slices.Equal(calls, v.InputCalls) {
				t.Errorf("%s: read %q, want %q", v.Template, calls, v.InputCalls)
			}
		})
	}
}
