package schema

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/diag"
)

func TestMisspelt(t *testing.T) {
	set := NewSet(func(path string) ([]byte, error) {
		if path != "a.json" {
			return nil, fs.ErrNotExist
		}
		return []byte(`{
  "type": "object",
  "requird": ["a"],
  "x-required": true,
  "unrelated": 1,
  "properties": {
    "requird": {"type": "string", "minlength": 3},
    "b": {"enum": [{"requird": 1}], "example": {"requird": 2}}
  }
}`), nil
	})
	s, err := set.Compile("a.json")
	if err != nil {
		t.Fatal(err)
	}
	problem := func(line, column int, key, meant string) diag.Problem {
		return diag.Problem{
			Position: diag.Position{File: "a.json", Line: line, Column: column}, Severity: diag.Warning,
			Message: `the keyword "` + key + `" means nothing in JSON Schema and is ignored; did you mean "` + meant + `"?`,
		}
	}
	want := []diag.Problem{problem(3, 14, "requird", "required"), problem(7, 48, "minlength", "minLength")}
	if diff := cmp.Diff(want, s.Misspelt()); diff != "" {
		t.Error(diff)
	}
}
