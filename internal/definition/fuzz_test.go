package definition

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// FuzzLoad loads any bytes as each kind of definition: nothing panics,
// everything is either loaded or has problems, every position is one of the
// file, and what loads does so twice in the same way.
func FuzzLoad(f *testing.F) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	for _, name := range []string{"../../examples/prompts/agent-step.yaml", "../../examples/prompts/meeting-summary/v2.yaml"} {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte(byteOrderMark + hashed))
	f.Add([]byte(strings.ReplaceAll(hashed, "\n", "\r\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := fstest.MapFS{"a.yaml": {Data: data}, "one.tmpl": {Data: []byte("{{.x}}")}}
		prompts := once[Prompt](t, data)(LoadPrompts(source.FS(fsys), nil))
		once[Profile](t, data)(LoadProfiles(source.FS(fsys)))
		once[Backend](t, data)(LoadBackends(source.FS(fsys)))
		for _, p := range prompts {
			checkPrompt(t, p, data)
			again, err := LoadPrompts(source.FS(fsys), nil)
			if err != nil || again.Loaded()[0].Hash != p.Hash {
				t.Errorf("a second load gives another hash")
			}
		}
	})
}

// once returns a check of a catalog of one file.
func once[T any](t *testing.T, data []byte) func(*Catalog[T], error) []*T {
	t.Helper()
	return func(c *Catalog[T], err error) []*T {
		if err != nil {
			t.Fatal(err)
		}
		loaded, failures := c.Loaded(), c.Failures()
		if len(loaded)+len(failures) != 1 {
			t.Fatalf("%d loaded and %d failed, of one file", len(loaded), len(failures))
		}
		for _, failure := range failures {
			if len(failure.Problems) == 0 {
				t.Fatal("a failure without a problem")
			}
			for _, p := range failure.Problems {
				if p.File == "a.yaml" {
					checkPosition(t, p.Position, data)
				}
				c.SourceLine(p.File, p.Line)
			}
		}
		return loaded
	}
}

// checkPosition holds a position to the lines and columns that a file has.
// One line and one column more is where a file ends.
func checkPosition(t *testing.T, at diag.Position, data []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(string(data), byteOrderMark), "\n")
	switch {
	case at.Line == 0 && at.Column == 0:
	case at.Line < 1 || at.Line > len(lines):
		t.Fatalf("%v is outside a file of %d lines", at, len(lines))
	case at.Column < 1 || at.Column > len(lines[at.Line-1])+1:
		t.Fatalf("%v is outside a line of %d bytes", at, len(lines[at.Line-1]))
	}
}

// checkPrompt finds every line of a template again where its origin says.
func checkPrompt(t *testing.T, p *Prompt, data []byte) {
	t.Helper()
	checkPosition(t, p.Position, data)
	for i := range p.Messages {
		checkPosition(t, p.Messages[i].Position, data)
		text := p.Messages[i].Content
		if text.Origin.File != "a.yaml" || !text.Origin.Exact {
			continue
		}
		for n, line := range strings.Split(text.Body, "\n") {
			if line == "" {
				continue
			}
			at := text.Origin.At(n+1, 1)
			checkPosition(t, at, data)
			if !strings.HasPrefix(bytesAt(string(data), at), line) {
				t.Fatalf("line %d of a template is not at %v", n+1, at)
			}
		}
	}
}
