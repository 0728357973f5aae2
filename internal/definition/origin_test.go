package definition

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// marker is what a test looks for in a template and then in the file.
const marker = "@@"

func TestOrigin(t *testing.T) {
	head := "id: a\nversion: \"1\"\nmessages:\n- role: user\n  content: "
	tests := []struct {
		why, text string
		exact     bool
	}{
		{"a literal block", head + "|\n    one @@\n    @@ two\n", true},
		{"the last line of a file without a line feed", head + "|\n    one @@", true},
		{"a blank first line", head + "|\n\n    @@\n", true},
		{"a first line of spaces only", head + "|\n  \n    @@\n", true},
		{"blank lines of all lengths", head + "|\n    a\n\n  \n      \n    @@\n", true},
		{"deeper lines keep their own indentation", head + "|\n    a\n      @@\n    @@\n", true},
		{"an indentation indicator", head + "|2\n      @@\n    @@\n", true},
		{"an indentation indicator after a chomping one", head + "|-2\n      @@\n    @@\n", true},
		{"chomping that strips", head + "|-\n    @@\n\n\n", true},
		{"chomping that keeps", head + "|+\n    @@\n\n\n", true},
		{"a comment after the header", head + "| # @ comment\n    @@\n", true},
		{"a tag before the block", head + "!!str |\n    @@\n", true},
		{"a tag in a line of its own", head + "!!str\n    # a comment with |\n    |\n    @@\n", true},
		{"an anchor before the block", head + "&x |\n    @@\n", true},
		{"characters of several bytes", head + "|\n    é → @@\n    日本 @@\n", true},
		{"CRLF", strings.ReplaceAll(head+"|\n    one @@\n\n    @@ two\n", "\n", "\r\n"), true},
		{"a byte order mark", byteOrderMark + head + "|\n    one @@\n", true},
		{"a document start", "--- # first\n" + head + "|\n    @@\n", true},
		{"a deeply nested mapping", "id: a\nversion: \"1\"\nmessages:\n      -   role: user\n          content:   |\n            @@\n", true},
		{"tabs in the text", head + "|\n    \t@@\n", true},
		{"trailing spaces", head + "|\n    @@  \n    @@ \n", true},
		{"a folded block", head + ">\n    one\n    @@\n", false},
		{"a plain scalar", head + "one @@\n", false},
		{"a plain scalar of several lines", head + "one\n    @@\n", false},
		{"a quoted scalar", head + "\"one \\u00e9 @@\"\n", false},
		{"a line separator inside the block", head + "|\n    one\u2028    @@\n    @@\n", false},
		{"a next-line character inside the block", head + "|\n    one\u0085    two @@\n", false},
		{"a lone carriage return inside the block", head + "|\n    one\r    two @@\n", false},
		{"a line separator before the block", "id: a # \u2028\nversion: \"1\"\nmessages:\n- role: user\n  content: |\n    @@\n", true},
		{"a lone carriage return before the block", "id: a\rversion: \"1\"\nmessages:\n- role: user\n  content: |\n    @@\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			p := onlyPrompt(t, fstest.MapFS{"a.yaml": {Data: []byte(tt.text)}})
			text := p.Messages[0].Content
			if text.Origin.Exact != tt.exact {
				t.Fatalf("Exact is %v, want %v (body %q)", text.Origin.Exact, tt.exact, text.Body)
			}
			if tt.exact {
				checkMarkers(t, text, tt.text)
			} else {
				checkScalar(t, text, tt.text)
			}
		})
	}
}

func TestOriginOfMessageFiles(t *testing.T) {
	def := "id: a\nversion: \"1\"\nmessages:\n- {role: user, content_file: a.tmpl}\n"
	for why, text := range map[string]string{
		"line feeds":        "one @@\n\n  @@ two\n",
		"CRLF":              "one @@\r\n\r\n  @@ two\r\n",
		"a byte order mark": byteOrderMark + "@@\n@@",
		"several bytes":     "é @@\n日本 @@\n",
	} {
		t.Run(why, func(t *testing.T) {
			p := onlyPrompt(t, fstest.MapFS{"d/a.yaml": {Data: []byte(def)}, "d/a.tmpl": {Data: []byte(text)}})
			got := p.Messages[0].Content
			if want := (diag.Origin{File: "d/a.tmpl", Line: 1, Column: 1, Exact: true}); got.Origin != want {
				t.Errorf("origin %+v, want %+v", got.Origin, want)
			}
			if want := strings.TrimPrefix(text, byteOrderMark); got.Body != want {
				t.Errorf("body %q, want %q", got.Body, want)
			}
			checkMarkers(t, got, text)
		})
	}
}

func onlyPrompt(t *testing.T, files fstest.MapFS) *Prompt {
	t.Helper()
	c, err := LoadPrompts(source.FS(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	loaded := c.Loaded()
	if len(loaded) != 1 {
		t.Fatalf("%d prompts loaded, want 1; failures %+v", len(loaded), c.Failures())
	}
	return loaded[0]
}

// checkMarkers maps each marker of a template to the file and looks there.
func checkMarkers(t *testing.T, text Text, file string) {
	t.Helper()
	found := 0
	for i, line := range strings.Split(text.Body, "\n") {
		for from := 0; ; found++ {
			at := strings.Index(line[from:], marker)
			if at < 0 {
				break
			}
			from += at + len(marker)
			pos := text.Origin.At(i+1, from-len(marker)+1)
			if got := bytesAt(file, pos); !strings.HasPrefix(got, marker) {
				t.Errorf("line %d of the template is at %v, where the file has %.20q", i+1, pos, got)
			}
		}
	}
	if found == 0 {
		t.Errorf("no marker in %q", text.Body)
	}
}

// checkScalar looks for the start of the scalar at the position of any place in it.
func checkScalar(t *testing.T, text Text, file string) {
	t.Helper()
	got, _, _ := strings.Cut(file[strings.Index(file, "content: ")+len("content: "):], "\n")
	if at := bytesAt(file, text.Origin.At(3, 7)); !strings.HasPrefix(at, got) {
		t.Errorf("the scalar is reported where the file has %.20q, want %.20q", at, got)
	}
}

// bytesAt returns the rest of a file from a position, as an editor finds it.
func bytesAt(file string, pos diag.Position) string {
	file = strings.TrimPrefix(file, byteOrderMark)
	for range pos.Line - 1 {
		_, file, _ = strings.Cut(file, "\n")
	}
	return file[min(pos.Column-1, len(file)):]
}

// TestPositions checks positions that are not those of templates, with
// characters of several bytes before them.
func TestPositions(t *testing.T) {
	p := onlyPrompt(t, fstest.MapFS{"é.yaml": {Data: []byte(
		"{\"version\": \"日本\", id: \"é\", default_profile: fast, inputs: [{description: \"ü\", name: x}],\n" +
			" messages: [{role: user, content: \"→\"}], output: {validation: json_schema, schema: s.json}}")}})
	for _, tt := range []struct {
		what string
		at   diag.Position
		want string
	}{
		{"id", p.Position, `"é"`},
		{"default profile", p.DefaultProfilePosition, "fast,"},
		{"input", p.Inputs[0].Position, "{description"},
		{"message", p.Messages[0].Position, "{role"},
		{"schema", p.Output.SchemaPosition, "s.json"},
	} {
		text := "{\"version\": \"日本\", id: \"é\", default_profile: fast, inputs: [{description: \"ü\", name: x}],\n" +
			" messages: [{role: user, content: \"→\"}], output: {validation: json_schema, schema: s.json}}"
		if got := bytesAt(text, tt.at); !strings.HasPrefix(got, tt.want) || tt.at.File != "é.yaml" {
			t.Errorf("the %s is reported at %v, where the file has %.20q, want %q", tt.what, tt.at, got, tt.want)
		}
	}
}
