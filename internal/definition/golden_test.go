package definition

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptkit-go/promptkit/internal/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden loads the files of each archive and compares what was captured
// with its last file, "want". The comment of an archive says what it shows.
// CANARY stands for text and credentials that no message may repeat; only a
// source line, which is the author's own, may hold such text.
func TestGolden(t *testing.T) {
	for kind, load := range map[string]func(*source.Source) (string, error){
		"prompts":  func(s *source.Source) (string, error) { return describe(LoadPrompts(s, nil)) },
		"profiles": func(s *source.Source) (string, error) { return describe(LoadProfiles(s)) },
		"backends": func(s *source.Source) (string, error) { return describe(LoadBackends(s)) },
	} {
		archives, err := filepath.Glob(filepath.Join("testdata", kind, "*.txtar"))
		if err != nil || len(archives) == 0 {
			t.Fatalf("no golden files for %s: %v", kind, err)
		}
		for _, name := range archives {
			t.Run(kind+"/"+filepath.Base(name), func(t *testing.T) { golden(t, name, load) })
		}
	}
}

func golden(t *testing.T, name string, load func(*source.Source) (string, error)) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, want := fstest.MapFS{}, &archive.Files[len(archive.Files)-1]
	for _, f := range archive.Files[:len(archive.Files)-1] {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	got, err := load(source.FS(files))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		want.Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(got) {
		if strings.Contains(line, "CANARY") && !strings.HasPrefix(line, "\t|") {
			t.Errorf("a message repeats what it must not: %s", line)
		}
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" || want.Name != "want" {
		t.Errorf("captured (-want +got):\n%s", diff)
	}
}

// describe renders a catalog: what loaded, then what failed and why.
func describe[T any](c *Catalog[T], err error) (string, error) {
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, v := range c.Loaded() {
		b.WriteString("loaded " + name(v) + "\n")
	}
	for _, f := range c.Failures() {
		fmt.Fprintf(&b, "failed id=%q version=%q\n", f.ID, f.Version)
		for _, p := range f.Problems {
			b.WriteString(p.String() + "\n")
			if line, ok := c.SourceLine(p.File, p.Line); ok {
				b.WriteString("\t| " + line + "\n")
			}
		}
	}
	return b.String(), nil
}

func name(v any) string {
	switch v := v.(type) {
	case *Prompt:
		return v.ID + " " + v.Version
	case *Profile:
		return v.ID
	default:
		return v.(*Backend).ID
	}
}
