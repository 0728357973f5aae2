//go:build unix

package definition

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/source"
)

// TestMessageFilesOfADirectory names every kind of thing that a directory can
// hold as a message file.
func TestMessageFilesOfADirectory(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret"), "CANARY")
	write(filepath.Join(dir, "good.tmpl"), "good")
	link(filepath.Join(outside, "secret"), "out")
	link("loop", "loop")
	link("good.tmpl", "in")
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	def := "id: a\nversion: \"1\"\nmessages:\n"
	for _, name := range []string{"in", "out", "loop", "folder", "pipe", "missing", "../" + filepath.Base(outside) + "/secret"} {
		def += "- {role: user, content_file: " + name + "}\n"
	}
	write(filepath.Join(dir, "a.yaml"), def)

	src, err := source.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	c, err := LoadPrompts(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range c.Failures()[0].Problems {
		got = append(got, strings.ReplaceAll(p.String(), filepath.Base(outside), "outside"))
	}
	want := []string{
		`a.yaml:5:30: error: the message file "out" is reached by a link that leaves the source root; keep the file below the root`,
		`a.yaml:6:30: error: the message file "loop" is a link that leads back to itself`,
		`a.yaml:7:30: error: the message file "folder" is a folder, not a regular file`,
		`a.yaml:8:30: error: the message file "pipe" is a named pipe, not a regular file`,
		`a.yaml:9:30: error: the message file "missing" does not exist`,
		`a.yaml:10:30: error: the message file "../outside/secret" leaves the source root by ".."; keep the file below the root`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOnePromptFile captures one definition, with its message file, out of a
// folder that holds others.
func TestOnePromptFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": "id: a\nversion: \"1\"\nmessages: [{role: user, content_file: m/a.tmpl}]\n",
		"b.yaml": "not a definition", "m/a.tmpl": "hello",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src, err := source.File(filepath.Join(dir, "a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	c, err := LoadPrompts(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Select("a", "")
	if err != nil || p.Messages[0].Content.Body != "hello" || len(c.Failures()) != 0 {
		t.Errorf("got %+v, %v, %+v", p, err, c.Failures())
	}
}
