package promptkit_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unresolved is what a documentation link leaves behind in plain text if
// nothing of that name exists.
var unresolved = regexp.MustCompile(`\[\*?(?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)?\]`)

// TestDocumentationLinksResolve parses the comments of every package as the
// documentation tools do.
func TestDocumentationLinksResolve(t *testing.T) {
	for dir := range modulePackages(t) {
		pkg := parseDoc(t, dir)
		links := pkg.Parser()
		for _, text := range comments(pkg) {
			for _, plain := range plainTexts(links.Parse(text).Content) {
				for _, link := range unresolved.FindAllString(plain, -1) {
					t.Errorf("package %q: the documentation link %s leads nowhere", dir, link)
				}
			}
		}
	}
}

func parseDoc(t *testing.T, dir string) *doc.Package {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, modulePath+"/"+dir, doc.AllDecls)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// comments are those of a package, its types, functions and values.
func comments(pkg *doc.Package) []string {
	list := []string{pkg.Doc}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			list = append(list, v.Doc)
		}
	}
	funcs := func(fs []*doc.Func) {
		for _, f := range fs {
			list = append(list, f.Doc)
		}
	}
	values(slices.Concat(pkg.Consts, pkg.Vars))
	funcs(pkg.Funcs)
	for _, typ := range pkg.Types {
		list = append(list, typ.Doc)
		values(slices.Concat(typ.Consts, typ.Vars))
		funcs(slices.Concat(typ.Funcs, typ.Methods))
	}
	return list
}

// plainTexts are the parts of a comment's paragraphs and lists that are
// neither code nor a link.
func plainTexts(blocks []comment.Block) []string {
	var list []string
	for _, block := range blocks {
		switch b := block.(type) {
		case *comment.Paragraph:
			for _, text := range b.Text {
				if plain, ok := text.(comment.Plain); ok {
					list = append(list, string(plain))
				}
			}
		case *comment.List:
			for _, item := range b.Items {
				list = append(list, plainTexts(item.Content)...)
			}
		}
	}
	return list
}
