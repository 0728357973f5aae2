package promptkit_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// publicPackages are those that other modules can import.
var publicPackages = []string{".", "fact", "binding", "examples"}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for dir, pkg := range modulePackages(t) {
		if strings.TrimSpace(pkg.Doc) == "" {
			t.Errorf("package %q has no package comment", dir)
		}
	}
}

func TestExportsAreDocumented(t *testing.T) {
	for _, dir := range slices.Sorted(maps.Keys(modulePackages(t))) {
		for _, file := range parseFolder(t, dir) {
			for _, decl := range file.ast.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s: %s is exported and has no comment", file.name, name)
				}
			}
		}
	}
}

// TestPublicAPIExposesNoInternalType looks at what other modules see of a
// declaration: a signature, a struct's exported fields, the right side of a
// type. None may name a type that they cannot import.
func TestPublicAPIExposesNoInternalType(t *testing.T) {
	for _, dir := range publicPackages {
		for _, file := range parseFolder(t, dir) {
			hidden := internalImports(file.ast)
			for _, decl := range file.ast.Decls {
				for _, name := range exposes(decl, hidden) {
					t.Errorf("%s: the public API exposes %s", file.name, name)
				}
			}
		}
	}
}

type parsedFile struct {
	name string
	ast  *ast.File
}

// parseFolder parses the Go files of a folder, tests left out.
func parseFolder(t *testing.T, dir string) []parsedFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []parsedFile
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, parsedFile{p, parsed})
	}
	return files
}

// undocumented lists the exported names that decl declares without a comment.
// In a group, the comment of the group or one on the line serves as well.
func undocumented(decl ast.Decl) []string {
	var list []string
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			list = append(list, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Name.IsExported() {
					list = append(list, s.Name.Name)
				}
			case *ast.ValueSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil && s.Names[0].IsExported() {
					list = append(list, s.Names[0].Name)
				}
			}
		}
	}
	return list
}

// exportedReceiver reports whether d is a function, or a method of a type that
// other packages can name.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		exported = exported || ok && id.IsExported()
		return !exported
	})
	return exported
}

// internalImports returns the names under which file knows packages that
// other modules cannot import.
func internalImports(file *ast.File) map[string]bool {
	hidden := make(map[string]bool)
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		if !strings.HasPrefix(importPath, modulePath+"/internal/") {
			continue
		}
		name := importPath[strings.LastIndexByte(importPath, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		hidden[name] = true
	}
	return hidden
}

// exposes lists the names from hidden packages in the exported part of decl.
func exposes(decl ast.Decl, hidden map[string]bool) []string {
	var list []string
	collect := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // an unexported field of an exported struct is nobody's business
			return len(n.Names) == 0 || slices.ContainsFunc(n.Names, (*ast.Ident).IsExported)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && hidden[x.Name] {
				list = append(list, x.Name+"."+n.Sel.Name)
			}
		}
		return true
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) {
			for _, field := range signature(d.Type) {
				ast.Inspect(field.Type, collect)
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
				ast.Inspect(s.Type, collect)
			}
		}
	}
	return list
}

func signature(f *ast.FuncType) []*ast.Field {
	fields := slices.Clone(f.Params.List)
	if f.Results != nil {
		fields = append(fields, f.Results.List...)
	}
	return fields
}

var (
	mdFence    = regexp.MustCompile("(?ms)^[ \t]*(```|~~~).*?^[ \t]*(```|~~~)[ \t]*$")
	mdCodeSpan = regexp.MustCompile("`[^`\n]*`")
	mdLink     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading  = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
)

// TestDocumentsHaveNoDeadLinks follows every relative link of every Markdown
// file, to the heading if it names one.
func TestDocumentsHaveNoDeadLinks(t *testing.T) {
	for _, doc := range markdownFiles(t) {
		text := prose(t, doc)
		for _, m := range mdLink.FindAllStringSubmatch(mdCodeSpan.ReplaceAllString(text, "``"), -1) {
			link, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: link %q: %v", doc, m[1], err)
				continue
			}
			if link.Scheme != "" {
				continue // the web is not for a test to visit
			}
			target := doc
			if link.Path != "" {
				target = filepath.Join(filepath.Dir(doc), filepath.FromSlash(link.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link %q leads nowhere", doc, m[1])
			} else if link.Fragment != "" && !slices.Contains(anchors(t, target), link.Fragment) {
				t.Errorf("%s: link %q: %s has no such heading", doc, m[1], target)
			}
		}
	}
}

// markdownFiles lists the Markdown files of the repository.
func markdownFiles(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."), d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(name) == ".md":
			list = append(list, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// prose is the text of a document without its code blocks.
func prose(t *testing.T, doc string) string {
	t.Helper()
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	return mdFence.ReplaceAllString(string(text), "")
}

// anchors are the fragments that hosts of Markdown make of a file's headings.
func anchors(t *testing.T, doc string) []string {
	t.Helper()
	var list []string
	for _, m := range mdHeading.FindAllStringSubmatch(prose(t, doc), -1) {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1]))
	}
	return list
}

// TestREADMEStartsWithTwoCommands: a newcomer is given exactly these, and the
// continuous integration runs them.
func TestREADMEStartsWithTwoCommands(t *testing.T) {
	file, err := os.Open("README.md")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var commands []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if command, ok := strings.CutPrefix(lines.Text(), "$ go "); ok {
			commands = append(commands, "go "+command)
		}
	}
	want := []string{"go run ./cmd/promptkit demo", "go test ./..."}
	if !slices.Equal(commands, want) {
		t.Errorf("README.md gives the commands %q, want %q", commands, want)
	}
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"go run ./cmd/promptkit demo", "go test -race ./..."} {
		if !strings.Contains(string(script), command+"\n") {
			t.Errorf(".ci/run does not run %q", command)
		}
	}
}
