package promptkit_test

import (
	"errors"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/promptkit-go/promptkit"

// TestImportsKeepToTheTable holds the table of docs/architecture.md against
// what the packages really import. The document is the only copy of the rule,
// so it cannot be out of date.
func TestImportsKeepToTheTable(t *testing.T) {
	table, found := importTable(t), modulePackages(t)
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		allowed, ok := table[dir]
		if !ok {
			t.Errorf("docs/architecture.md has no row for package %q", dir)
			continue
		}
		for _, imported := range found[dir].Imports {
			if own, ok := ownPackage(imported); ok && !slices.Contains(allowed, own) {
				t.Errorf("%q imports %q, which its row in docs/architecture.md does not allow", dir, own)
			}
		}
	}
	for dir := range table {
		if found[dir] == nil {
			t.Errorf("docs/architecture.md has a row for %q, and there is no such package", dir)
		}
	}
}

// TestAnalysisHasNoSideEffects: that requirement inspection reads no file,
// clock or network is a promise of the engine's, so the analysis has nothing
// to do it with.
func TestAnalysisHasNoSideEffects(t *testing.T) {
	pkg := modulePackages(t)["internal/requirement"]
	if pkg == nil {
		t.Fatal("there is no package internal/requirement")
	}
	for _, imported := range pkg.Imports {
		root, _, _ := strings.Cut(imported, "/")
		if root == "os" || root == "net" || root == "time" || root == "syscall" || imported == "io/fs" {
			t.Errorf("internal/requirement imports %s", imported)
		}
	}
}

// TestEmbeddersBuildLittle: who embeds the engine compiles YAML, JSON Schema
// and the OpenTelemetry API, and no SDK, terminal, queue or database. Each
// module here is one of those three or something that they need.
func TestEmbeddersBuildLittle(t *testing.T) {
	allowed := []string{
		modulePath,
		"go.yaml.in/yaml/v4",
		"github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text",
		"go.opentelemetry.io/otel", "go.opentelemetry.io/otel/trace", "go.opentelemetry.io/otel/metric", "go.opentelemetry.io/otel/log",
		"go.opentelemetry.io/auto/sdk", "github.com/go-logr/logr", "github.com/go-logr/stdr", "github.com/cespare/xxhash/v2",
	}
	for _, m := range modulesBehind(t, ".") {
		if !slices.Contains(allowed, m) {
			t.Errorf("the engine's own build compiles module %s", m)
		}
	}
}

// TestFactStandsAlone: an agent loop that uses only the facts compiles nothing
// else.
func TestFactStandsAlone(t *testing.T) {
	if got := modulesBehind(t, "./fact"); !slices.Equal(got, []string{modulePath}) {
		t.Errorf("package fact compiles modules %q", got)
	}
}

// modulesBehind lists the modules whose packages the build of pkg needs.
func modulesBehind(t *testing.T, pkg string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.Compact(list)
}

// ownPackage returns the folder of an import path of this module.
func ownPackage(importPath string) (string, bool) {
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// modulePackages returns the packages of this module by folder, the root as ".".
func modulePackages(t *testing.T) map[string]*build.Package {
	t.Helper()
	found := make(map[string]*build.Package)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name != "." && notOurs(name) {
			return fs.SkipDir
		}
		pkg, err := build.ImportDir(name, 0)
		if noGo := (*build.NoGoError)(nil); errors.As(err, &noGo) {
			return nil
		}
		if err == nil && len(pkg.GoFiles) > 0 {
			found[filepath.ToSlash(name)] = pkg
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// notOurs reports whether a folder is one that go list would pass over, or
// the root of another module.
func notOurs(dir string) bool {
	base := filepath.Base(dir)
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

var (
	tableRow   = regexp.MustCompile("^\\| (`[^|]*`) \\| ([^|]*) \\|$")
	tableNames = regexp.MustCompile("`([^`]+)`")
)

// importTable reads the table "package | may import" of docs/architecture.md:
// for each folder, the folders that its package may import.
func importTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(text), "| package | may import, of this module |\n")
	if !ok {
		t.Fatal("docs/architecture.md has no table headed: package | may import, of this module")
	}
	table := make(map[string][]string)
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) == "" {
			break
		}
		row := tableRow.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			continue // the rule below the heading
		}
		for _, dir := range cellNames(row[1]) {
			table[dir] = cellNames(row[2])
		}
	}
	return table
}

// cellNames are the packages in a cell, as folders.
func cellNames(cell string) []string {
	list := []string{}
	for _, m := range tableNames.FindAllStringSubmatch(cell, -1) {
		if m[1] == "promptkit" {
			m[1] = "."
		}
		list = append(list, path.Clean(m[1]))
	}
	return list
}
