package promptkit_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/cli"
)

var updateDocs = flag.Bool("update-docs", false, "paste what the commands in the documents print")

var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocumentsShowRealOutput runs every promptkit command that a document
// shows, from the root of the repository, and compares what it prints with what
// the document claims. What go itself runs is left to the continuous
// integration.
func TestDocumentsShowRealOutput(t *testing.T) {
	for _, doc := range markdownFiles(t) {
		text := readText(t, doc)
		shown := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
			return "```console\n" + session(t, consoleBlock.FindStringSubmatch(block)[1]) + "```"
		})
		if shown == text {
			continue
		}
		if *updateDocs {
			if err := os.WriteFile(doc, []byte(shown), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s shows something else than the command prints (-document +command):\n%s", doc, cmp.Diff(text, shown))
	}
}

// session types the promptkit commands of a console block again, and returns
// them with what they print. A block without one is returned as it is.
func session(t *testing.T, block string) string {
	t.Helper()
	var typed strings.Builder
	lines := strings.SplitAfter(block, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "$ promptkit ") {
			continue
		}
		command := lines[i]
		for strings.HasSuffix(command, "\\\n") {
			i++
			command += lines[i]
		}
		typed.WriteString(command + output(strings.Fields(strings.ReplaceAll(command, "\\\n", " "))[2:]))
	}
	if typed.Len() == 0 {
		return block
	}
	return typed.String()
}

// output is what a terminal would show, without colour.
func output(args []string) string {
	var printed bytes.Buffer
	cli.Main(args, strings.NewReader(""), &printed, &printed)
	return printed.String()
}
