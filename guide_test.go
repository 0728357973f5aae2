package promptkit_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocumentedCodeIsCompiled looks for each Go block of the documents in
// the examples, which the compiler reads and go test runs.
func TestDocumentedCodeIsCompiled(t *testing.T) {
	var examples strings.Builder
	for _, pattern := range []string{"example*_test.go", "fact/example*_test.go", "binding/example*_test.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			examples.WriteString(flat(readText(t, path)))
		}
	}
	for _, doc := range []string{"README.md", "docs/guide.md"} {
		blocks := goBlock.FindAllStringSubmatch(readText(t, doc), -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no Go code", doc)
		}
		for _, block := range blocks {
			if !strings.Contains(examples.String(), flat(block[1])) {
				t.Errorf("%s has code that is in no example:\n%s", doc, block[1])
			}
		}
	}
}

// flat is source without the indentation of its lines.
func flat(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		b.WriteString(strings.TrimLeft(line, "\t "))
	}
	return b.String()
}
