package promptkit_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/internal/cli"
)

var updateFormats = flag.Bool("update-formats", false, "rewrite the wanted part of every archive in testdata/formats")

// TestFormats keeps two things true at once: that each mistake in
// testdata/formats is answered as the archive wants, and that docs/formats.md
// tells its reader so, in the same words.
func TestFormats(t *testing.T) {
	document := oneLine(readText(t, "docs/formats.md"))
	eachArchive(t, "testdata/formats/*.txtar", func(t *testing.T, archive *txtar.Archive) string {
		got := problemsOf(t, layOut(t, archive))
		for line := range strings.Lines(got) {
			if message := withoutPosition(line); !strings.Contains(document, message) {
				t.Errorf("docs/formats.md does not mention:\n%s", message)
			}
		}
		return got
	})
}

var (
	keysThatExist  = regexp.MustCompile(`its keys are ([a-z_, ]+)$`)
	documentedKeys = regexp.MustCompile("`(?:[a-z]+\\.)?([a-z_]+)`")
)

// TestEveryKeyIsDocumented takes the keys that exist from the answers to one
// that does not.
func TestEveryKeyIsDocumented(t *testing.T) {
	documented := make(map[string]bool)
	for _, m := range documentedKeys.FindAllStringSubmatch(readText(t, "docs/formats.md"), -1) {
		documented[m[1]] = true
	}
	archive, err := txtar.ParseFile("testdata/formats/keys/keys.txtar")
	if err != nil {
		t.Fatal(err)
	}
	objects := 0
	for line := range strings.Lines(problemsOf(t, layOut(t, archive))) {
		m := keysThatExist.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			t.Errorf("lists no keys: %s", line)
			continue
		}
		objects++
		for key := range strings.SplitSeq(m[1], ", ") {
			if !documented[key] {
				t.Errorf("docs/formats.md does not explain %q: %s", key, line)
			}
		}
	}
	if objects != 10 {
		t.Errorf("%d objects were asked for their keys, want 10", objects)
	}
}

// TestDocumentedDefaults: what docs/formats.md gives as defaults of a backend
// and a profile.
func TestDocumentedDefaults(t *testing.T) {
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(fstest.MapFS{}),
		promptkit.WithProfiles(promptkit.Profile{ID: "plain", Backend: "plain", Model: "m"}),
		promptkit.WithBackends(promptkit.Backend{ID: "plain", BaseURL: "https://api.example.com/v1", MaxConcurrent: 1}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.InspectProfile(t.Context(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	type defaults struct {
		StructuredOutput string
		MaxAttempts      int
		MaxWaiting       int
		Timeout          time.Duration
		Retry            promptkit.Retry
	}
	want := defaults{"json_schema", 1, -1, 5 * time.Minute, promptkit.Retry{MaxAttempts: 3, BaseDelay: 500 * time.Millisecond, MaxDelay: 30 * time.Second}}
	if diff := cmp.Diff(want, defaults{got.StructuredOutput, got.MaxAttempts, got.MaxWaiting, got.Timeout, got.Retry}); diff != "" {
		t.Errorf("defaults (-documented +got):\n%s", diff)
	}
}

// TestCommandFormats does the same for the files that only the command reads.
func TestCommandFormats(t *testing.T) {
	document := oneLine(readText(t, "docs/formats.md"))
	eachArchive(t, "testdata/formats/command/*.txtar", func(t *testing.T, archive *txtar.Archive) string {
		t.Chdir(layOut(t, archive))
		var transcript strings.Builder
		for command := range strings.Lines(part(archive, "commands")) {
			var stdout, stderr bytes.Buffer
			command = strings.TrimSpace(command)
			code := cli.Main(strings.Fields(command), strings.NewReader(""), &stdout, &stderr)
			fmt.Fprintf(&transcript, "$ promptkit %s # exits with %d\n%s", command, code, stderr.String())
			if code == 0 || stdout.Len() > 0 {
				t.Errorf("%s: code %d and output %q, want a failure and no output", command, code, stdout.String())
			}
			if message := withoutPosition(oneLine(strings.TrimPrefix(stderr.String(), "promptkit: "))); !strings.Contains(document, message) {
				t.Errorf("docs/formats.md does not mention:\n%s", message)
			}
		}
		return transcript.String()
	})
}

// eachArchive compares what run makes of each archive with the part "want".
func eachArchive(t *testing.T, pattern string, run func(*testing.T, *txtar.Archive) string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, archive)
			if diff := cmp.Diff(part(archive, wantPart), got); diff != "" && !*updateFormats {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if *updateFormats {
				rewrite(t, path, archive, got)
			}
		})
	}
}

// problemsOf captures a project and lists what Check finds in it.
func problemsOf(t *testing.T, dir string) string {
	t.Helper()
	engine, err := promptkit.New(promptkit.Config{
		PromptDir: folderIn(dir, "prompts"), ProfileDir: folderIn(dir, "profiles"),
		BackendDir: folderIn(dir, "backends"), SchemaDir: folderIn(dir, "schemas"),
	})
	if err != nil {
		t.Fatal(err)
	}
	problems, err := engine.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range problems {
		at := fmt.Sprintf("%ss/%s", p.Kind, p.File)
		if p.Line > 0 {
			at += fmt.Sprintf(":%d:%d", p.Line, p.Column)
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", at, p.Severity, p.Message)
	}
	return b.String()
}

// folderIn is the folder of that name, or "" if the archive has none.
func folderIn(dir, name string) string {
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// layOut writes the files of an archive and returns the folder that holds
// them.
func layOut(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const wantPart = "want"

func part(archive *txtar.Archive, name string) string {
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return string(archive.Files[i].Data)
}

func rewrite(t *testing.T, path string, archive *txtar.Archive, want string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == wantPart })
	archive.Files = append(archive.Files, txtar.File{Name: wantPart, Data: []byte(want)})
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

var leadingPosition = regexp.MustCompile(`^[^\s:]+(:\d+:\d+)?: ((error|warning): )?`)

// withoutPosition is what a problem says, wherever it stands.
func withoutPosition(line string) string {
	return strings.TrimSpace(leadingPosition.ReplaceAllString(line, ""))
}

// oneLine undoes the breaking of lines.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
