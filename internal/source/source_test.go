package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new folder. A name that ends in / is a folder, a
// text that starts with "-> " makes a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, full)
		} else if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(full, 0o755)
		} else {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string) *Source {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func names(t *testing.T, s *Source) []string {
	t.Helper()
	found, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		if f.Err != nil {
			t.Errorf("%s: %v", f.Name, f.Err)
		}
		names = append(names, f.Name)
	}
	return names
}

func TestFiles(t *testing.T) {
	files := map[string]string{
		"b.yaml": "", "a/z.yml": "", "a.yaml": "", "a-b.yaml": "", "a/b/c.yaml": "", "B.yaml": "",
		".hidden.yaml": "", ".git/x.yaml": "", "a/.x/y.yaml": "", "a/notes.txt": "", "a/x.yaml.bak": "",
		"folder.yaml/inside.yaml": "", "x.YAML": "", "é.yaml": "",
	}
	want := []string{
		"B.yaml", "a-b.yaml", "a.yaml", "a/b/c.yaml", "a/z.yml", "b.yaml", "folder.yaml/inside.yaml", "é.yaml",
	}
	inMemory := fstest.MapFS{}
	for name := range files {
		inMemory[name] = &fstest.MapFile{}
	}
	if diff := cmp.Diff(want, names(t, open(t, tree(t, files)))); diff != "" {
		t.Errorf("a directory (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, names(t, FS(inMemory))); diff != "" {
		t.Errorf("a file system (-want +got):\n%s", diff)
	}
}

// TestFilesAndLinks shows that a link with the name of a definition is found,
// wherever it leads, so that it is never silently passed over. What it leads
// to is a matter of reading. Kubernetes mounts configuration in this way.
func TestFilesAndLinks(t *testing.T) {
	dir := tree(t, map[string]string{
		"..data/real.yaml": "x", "mounted.yaml": "-> ..data/real.yaml", "dangling.yaml": "-> nowhere.yaml",
		"outside.yaml": "-> /etc/passwd", "loop": "-> .", "folder/": "", "folder.yaml": "-> folder",
	})
	s := open(t, dir)
	want := []string{"dangling.yaml", "folder.yaml", "mounted.yaml", "outside.yaml"}
	if diff := cmp.Diff(want, names(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if data, err := s.Read("mounted.yaml", Definition); err != nil || string(data) != "x" {
		t.Errorf("a link to a file below the root: %q, %v", data, err)
	}
}

func TestHugeFileIsNotRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "huge.yaml")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 50<<20); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, dir).Read("huge.yaml", Definition)
	if want := `"huge.yaml" is larger than 1 MiB, the limit for a definition file`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// liar is a file system whose files are larger than they say, or fail.
type liar struct {
	fstest.MapFS
	err error
}

func (l liar) Open(name string) (fs.File, error) {
	f, err := l.MapFS.Open(name)
	return lyingFile{f, l.err}, err
}

type lyingFile struct {
	fs.File
	err error
}

func (f lyingFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return lyingInfo{info}, err
}

func (f lyingFile) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type lyingInfo struct{ fs.FileInfo }

func (lyingInfo) Size() int64 { return 3 }

func TestFileSystemsThatLie(t *testing.T) {
	files := fstest.MapFS{"a.yaml": {Data: []byte("abc")}}
	_, err := FS(liar{MapFS: files}).Read("a.yaml", Definition)
	if want := `"a.yaml" is larger than 1 MiB, the limit for a definition file`; err == nil || err.Error() != want {
		t.Errorf("an endless file: got %v, want %s", err, want)
	}
	_, err = FS(liar{files, io.ErrUnexpectedEOF}).Read("a.yaml", Definition)
	if want := `"a.yaml" cannot be read: unexpected EOF`; err == nil || err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that fails: got %v, want %s", err, want)
	}
}

// forbidding refuses one name, as a file system does where rights are missing.
type forbidding struct {
	fs.FS
	name string
}

func (f forbidding) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: "/root/" + name, Err: fs.ErrPermission}
	}
	return f.FS.Open(name)
}

func TestUnreadable(t *testing.T) {
	files := fstest.MapFS{"a/b.yaml": {}, "c.yaml": {}}
	_, err := FS(forbidding{files, "c.yaml"}).Read("c.yaml", Definition)
	if want := `"c.yaml" cannot be read: permission denied`; err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file: got %v, want %s", err, want)
	}
	found, err := FS(forbidding{files, "a"}).Files()
	if err != nil || len(found) != 2 || found[0].Name != "a" || !errors.Is(found[0].Err, fs.ErrPermission) || found[1].Name != "c.yaml" {
		t.Errorf("a folder must be listed with its error: got %+v, %v", found, err)
	}
	_, err = FS(forbidding{files, "."}).Files()
	if want := `"the source root" cannot be read: permission denied`; err == nil || err.Error() != want {
		t.Errorf("the root: got %v, want %s", err, want)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that does not exist: %v", err)
	}
}

func TestFile(t *testing.T) {
	dir := tree(t, map[string]string{"p/a.yaml": "a", "p/b.yaml": "b", "p/c.tmpl": "c", "p/prompt.txt": "d", "p/folder/": ""})
	s, err := File(filepath.Join(dir, "p", "a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.yaml"}, names(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if data, err := s.Read("c.tmpl", Content); err != nil || string(data) != "c" {
		t.Errorf("a file beside it: %q, %v", data, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Read("c.tmpl", Content); err == nil {
		t.Error("a closed source still reads")
	}
	for why, name := range map[string]string{"missing": filepath.Join(dir, "p", "x.yaml"), "folder missing": filepath.Join(dir, "q", "x.yaml"), "empty": ""} {
		if _, err := File(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want fs.ErrNotExist", why, err)
		}
	}
	s, err = File(filepath.Join(dir, "p", "prompt.txt"))
	if err != nil || len(names(t, s)) != 1 {
		t.Errorf("a definition that is named explicitly may have any extension: %v", err)
	}
}

func TestBeside(t *testing.T) {
	for _, tt := range []struct{ why, file, reference, want, err string }{
		{"in the same folder", "a/b.yaml", "c.tmpl", "a/c.tmpl", ""},
		{"in the root", "b.yaml", "c.tmpl", "c.tmpl", ""},
		{"further down", "a/b.yaml", "c/d.tmpl", "a/c/d.tmpl", ""},
		{"up and down", "a/b.yaml", "../c/./d.tmpl", "c/d.tmpl", ""},
		{"out and in again", "a/b.yaml", "x/../../c.tmpl", "c.tmpl", ""},
		{"out", "a/b.yaml", "../../c.tmpl", "", `"../../c.tmpl" leaves the source root by ".."; keep the file below the root`},
		{"out from the root", "b.yaml", "../c.tmpl", "", `"../c.tmpl" leaves the source root by ".."; keep the file below the root`},
		{"absolute", "b.yaml", "/c.tmpl", "", `"/c.tmpl" is an absolute path; name the file relative to its source`},
		{"a drive", "b.yaml", "C:/c.tmpl", "", `"C:/c.tmpl" is an absolute path; name the file relative to its source`},
		{"a colon is no drive", "b.yaml", "c:d.tmpl", "c:d.tmpl", ""},
		{"a backslash", "b.yaml", `a\c.tmpl`, "", `"a\\c.tmpl" has a backslash; separate folders with /`},
		{"nothing", "b.yaml", " ", "", `" " names no file`},
		{"dots in a name", "b.yaml", "..c.tmpl", "..c.tmpl", ""},
	} {
		got, err := Beside(tt.file, tt.reference)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: Beside(%q, %q) = %q, %v, want %q, %s", tt.why, tt.file, tt.reference, got, err, tt.want, tt.err)
		}
	}
	if got, err := Below("a/../b.json"); got != "b.json" || err != nil {
		t.Errorf("Below = %q, %v", got, err)
	}
}
