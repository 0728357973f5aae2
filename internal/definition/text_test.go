package definition

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/source"
)

// firstProblem loads one definition file and returns its first problem.
func firstProblem(t *testing.T, data string) string {
	t.Helper()
	c, err := LoadPrompts(source.FS(fstest.MapFS{"a.yaml": {Data: []byte(data)}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := c.Failures()
	if len(f) == 0 {
		return "loaded"
	}
	return f[0].Problems[0].String()
}

func TestBytes(t *testing.T) {
	ok := good("a", "1")
	utf16 := func(big bool) string {
		mark := []byte{0xFF, 0xFE}
		if big {
			mark = []byte{0xFE, 0xFF}
		}
		for _, c := range []byte(ok) {
			if pair := []byte{c, 0}; big {
				mark = append(mark, pair[1], pair[0])
			} else {
				mark = append(mark, pair...)
			}
		}
		return string(mark)
	}
	for _, tt := range []struct{ why, data, want string }{
		{"plain", ok, "loaded"},
		{"a byte order mark", byteOrderMark + ok, "loaded"},
		{"CRLF", strings.ReplaceAll(ok, "\n", "\r\n"), "loaded"},
		{"CR alone", strings.ReplaceAll(ok, "\n", "\r"), "loaded"},
		{"nothing", "", "a.yaml: error: the file is empty; a definition starts with its id"},
		{"a byte order mark alone", byteOrderMark, "a.yaml: error: the file is empty; a definition starts with its id"},
		{"NUL", "id: a\nversion: \"\x00\"\n", "a.yaml:2:11: error: the file holds a NUL byte, so it is not text; save it as UTF-8"},
		{"invalid UTF-8", "id: é\nversion: \"\xE9\"\n", "a.yaml:2:11: error: the file is not valid UTF-8 here; save it as UTF-8"},
		{"invalid UTF-8 in a comment", ok + "# caf\xE9\n", "a.yaml:4:6: error: the file is not valid UTF-8 here; save it as UTF-8"},
		{"half a surrogate", "id: \xED\xA0\x80\n", "a.yaml:1:5: error: the file is not valid UTF-8 here; save it as UTF-8"},
		{"a control character", "id: a\nversion: \"1\x1B\"\n", "a.yaml:2:12: error: the character U+001B is not allowed in YAML; write it as an escape in a quoted text"},
		{"a noncharacter", "id: a\uFFFE\n", "a.yaml:1:6: error: the character U+FFFE is not allowed in YAML; write it as an escape in a quoted text"},
		{"UTF-16, little end first", utf16(false), "a.yaml:1:1: error: the file is encoded in UTF-16; save it as UTF-8"},
		{"UTF-16, big end first", utf16(true), "a.yaml:1:1: error: the file is encoded in UTF-16; save it as UTF-8"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			if got := firstProblem(t, tt.data); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBytesOfMessageFiles(t *testing.T) {
	for _, tt := range []struct{ why, data, want string }{
		{"NUL", "a\nb\x00", "a.tmpl:2:2: error: the file holds a NUL byte, so it is not text; save it as UTF-8"},
		{"invalid UTF-8", "é\xFF", "a.tmpl:1:3: error: the file is not valid UTF-8 here; save it as UTF-8"},
		{"UTF-16", "\xFF\xFEa\x00", "a.tmpl:1:1: error: the file is encoded in UTF-16; save it as UTF-8"},
		{"too large", strings.Repeat("x", 1<<20+1), `a.yaml:4:30: error: the message file "a.tmpl" is larger than 1 MiB, the limit for a message file`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			c := loadPrompts(t, map[string]string{
				"a.yaml": "id: a\nversion: \"1\"\nmessages:\n- {role: user, content_file: a.tmpl}\n", "a.tmpl": tt.data,
			})
			if f := c.Failures(); len(f) != 1 || f[0].Problems[0].String() != tt.want {
				t.Errorf("got %+v, want %s", f, tt.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	head := "id: a\nversion: \"1\"\nmessages:\n"
	tests := []struct{ why, data, want string }{
		{"a large file", good("a", "1") + strings.Repeat("#\n", 1<<19), "a.yaml: error: the file is larger than 1 MiB, the limit for a definition file"},
		{"flow nesting", "id: " + strings.Repeat("[", 1<<14), "a.yaml:1:69: error: collections are nested deeper than 64 levels, the limit for a definition file"},
		{"block nesting", strings.Repeat("- ", 1<<13), "a.yaml:1:129: error: collections are nested deeper than 64 levels, the limit for a definition file"},
		{"more problems than anyone reads", head + "- {role: user, content: x}\n" + strings.Repeat("a: 1\n", 2000), `a.yaml:5:1: error: a prompt has no key "a"; its keys are id, version, description, default_profile, session_id, inputs, messages, instructions, output`},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := firstProblem(t, tt.data); got != tt.want {
				t.Errorf("got  %.300s\nwant %s", got, tt.want)
			}
		})
	}
	t.Run("problems are counted", func(t *testing.T) {
		c := loadPrompts(t, map[string]string{"a.yaml": tests[3].data})
		p := c.Failures()[0].Problems
		want := "a.yaml: error: there are 1000 more problems in this file; only the first 1000 found are listed"
		if got := p[len(p)-1].String(); len(p) != 1001 || got != want {
			t.Errorf("%d problems, the last %s, want %s", len(p), got, want)
		}
	})
}

// TestLargeTemplate is about a text that escapes make larger than its file. It
// starts from a node, because parsing a file of that size is slow.
func TestLargeTemplate(t *testing.T) {
	var d document
	d.reset("a.yaml")
	d.lines.index(nil)
	d.template(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.Repeat("x", MaxTemplate), Line: 1, Column: 1})
	if len(d.problems) != 0 {
		t.Errorf("a template as large as the limit: %v", d.problems)
	}
	d.template(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.Repeat("x", MaxTemplate+1), Line: 1, Column: 1})
	want := "a.yaml:1:1: error: this template is larger than 1 MiB, the limit for a template"
	if len(d.problems) != 1 || d.problems[0].String() != want {
		t.Errorf("got %v, want %s", d.problems, want)
	}
}

// TestManyMessageFiles shows that a small definition cannot make the loader
// read without end.
func TestManyMessageFiles(t *testing.T) {
	var def bytes.Buffer
	def.WriteString("id: a\nversion: \"1\"\nmessages:\n- &m {role: user, content_file: a.tmpl}\n")
	for range 1000 {
		def.WriteString("- *m\n")
	}
	c := loadPrompts(t, map[string]string{"a.yaml": def.String(), "a.tmpl": strings.Repeat("x", 1<<20)})
	f := c.Failures()
	want := "a.yaml:4:33: error: the message files of this prompt together are larger than 16 MiB, the limit for one prompt"
	if len(f) != 1 || len(f[0].Problems) != 1 || f[0].Problems[0].String() != want {
		t.Errorf("got %+v, want %s", f, want)
	}
}
