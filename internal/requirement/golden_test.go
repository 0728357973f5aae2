package requirement_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

var update = flag.Bool("update", false, "rewrite the wanted inventories")

// TestGolden analyses the prompt of each archive and compares the inventory
// with its last file, "want". Every case is executed as well, so that a wanted
// inventory cannot be wrong, and one that could be stronger says so.
//
// The files of an archive are "session", "message" or "message 0" and so on,
// "vars" (name = "value", a line each), "declared" (a name a line, some with
// "required" after it) and "context" ("skip session").
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, want := goldenCase(t, archive)
			report := mustAnalyse(t, c)
			got := inventory(report, expectHolds(t, c, report))
			if *update {
				rewriteWant(t, file, archive, got)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("inventory (-want +got):\n%s", diff)
			}
		})
	}
}

func goldenCase(t *testing.T, archive *txtar.Archive) (c oracle.Case, want string) {
	t.Helper()
	for _, f := range archive.Files {
		data := strings.TrimSuffix(string(f.Data), "\n")
		name, index, _ := strings.Cut(f.Name, " ")
		switch name {
		case "session":
			c.Units = append(c.Units, oracle.Unit{Message: -1, Text: data})
		case "message":
			message, _ := strconv.Atoi(index)
			c.Units = append(c.Units, oracle.Unit{Message: message, Text: data})
		case "vars":
			c.Vars = goldenVars(t, data)
		case "declared":
			for line := range strings.Lines(data) {
				name, required, _ := strings.Cut(strings.TrimSpace(line), " ")
				c.Declared = append(c.Declared, oracle.Declared{Name: name, Required: required == "required"})
			}
		case "context":
			c.SkipSession = data == "skip session"
		case "want":
			want = string(f.Data)
		default:
			t.Fatalf("unknown file %q", f.Name)
		}
	}
	return c, want
}

func goldenVars(t *testing.T, data string) map[string]string {
	t.Helper()
	vars := map[string]string{}
	for line := range strings.Lines(data) {
		name, quoted, _ := strings.Cut(strings.TrimSpace(line), " = ")
		value, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		vars[name] = value
	}
	return vars
}

// inventory renders a report for reading, and where it is weaker than the
// exact answer.
func inventory(r *oracle.Report, x *oracle.Exactness) string {
	var b strings.Builder
	writeEntries(&b, "input", r.Inputs)
	writeEntries(&b, "variable", r.Variables)
	for _, issue := range r.Issues {
		fmt.Fprintf(&b, "issue %s\n", issue)
	}
	if r.Complete() {
		b.WriteString("complete\n")
	}
	if r.CannotRender {
		b.WriteString("cannot render\n")
	}
	if x == nil {
		return b.String()
	}
	for _, e := range x.Entries {
		if e.Weaker() {
			fmt.Fprintf(&b, "weaker than exact: %s is %v\n", e.Name, e.Exact)
		}
	}
	if x.Undetected {
		b.WriteString("weaker than exact: cannot render\n")
	}
	return b.String()
}

func writeEntries(b *strings.Builder, what string, entries []oracle.Entry) {
	for _, e := range entries {
		fmt.Fprintf(b, "%s %q %v", what, e.Name, e.Kind)
		for _, flag := range []struct {
			set  bool
			name string
		}{{e.Declared, "declared"}, {e.Supplied, "supplied"}, {e.Inactive, "inactive_use"}} {
			if flag.set {
				b.WriteString(" " + flag.name)
			}
		}
		b.WriteByte('\n')
		for _, u := range e.Uses {
			fmt.Fprintf(b, "  message %d %d:%d %v\n", u.Message, u.Line, u.Column, u.State)
		}
	}
}

func rewriteWant(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	for i, f := range archive.Files {
		if f.Name == "want" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
