package repair

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	const fence = "```"
	tests := []struct{ name, reply, want string }{
		{"as it is", ` {"a": [1, 2.50, "x"]} ` + "\n", ` {"a": [1, 2.50, "x"]} ` + "\n"},
		{"a scalar", `"text"`, `"text"`},
		{"a fence that is inside a string", `"` + fence + `"`, `"` + fence + `"`},
		{"a fence", fence + "\n{}\n" + fence, "{}\n"},
		{"a fence with a language", fence + "json\n{}\n" + fence, "{}\n"},
		{"space around a fence", "\n  " + fence + "json\n{}\n" + fence + "\n\n", "{}\n"},
		{"a longer fence", "````json\n{\"a\":\"```\"}\n````", "{\"a\":\"```\"}\n"},
		{"CRLF", fence + "json\r\n{}\r\n" + fence, "{}\r\n"},
		{"a number that no machine has", `1e400`, `1e400`},
	}
	for _, tt := range tests {
		if got, err := JSON(tt.reply); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestNotJSONSaysWhere(t *testing.T) {
	const fence = "```"
	tests := []struct {
		name, reply string
		line, col   int
		problem     string
	}{
		{"nothing", "", 1, 1, "no document"},
		{"white space", " \n ", 2, 2, "no document"},
		{"prose", "Sure!", 1, 1, "unexpected character"},
		{"prose before a fence", "Here:\n" + fence + "\n{}\n" + fence, 1, 1, "unexpected character"},
		{"prose after a fence", fence + "\n{}\n" + fence + "\nDone.", 1, 1, "unexpected character"},
		{"two fences", fence + "\n{}\n" + fence + "\n" + fence + "\n{}\n" + fence, 1, 1, "unexpected character"},
		{"a fence that is not closed", fence + "json\n{}", 1, 1, "unexpected character"},
		{"a fence on one line", fence + "{}" + fence, 1, 1, "unexpected character"},
		{"a fence around prose", fence + "\nnothing\n" + fence, 1, 2, "unexpected character"},
		{"a fence around half a document", fence + "json\n{\"a\":\n" + fence, 2, 1, "unexpected end"},
		{"an end too early", "{\"a\":\n [1", 2, 4, "unexpected end"},
		{"a comma too many", "{\n  \"a\": 1,\n}", 3, 1, "unexpected character"},
		{"a second document", "{}\n{}", 2, 1, "more text after the document"},
		{"text after the document", "[1] secret", 1, 5, "more text after the document"},
		{"a bare word", "{\"a\": tru}", 1, 10, "unexpected character"},
	}
	for _, tt := range tests {
		_, err := JSON(tt.reply)
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v", tt.name, err)
			continue
		}
		if e.Line != tt.line || e.Column != tt.col || e.Problem != tt.problem {
			t.Errorf("%s: got %v; want %s at %d:%d", tt.name, e, tt.problem, tt.line, tt.col)
		}
		if strings.Contains(e.Error(), "secret") {
			t.Errorf("%s: the reply is quoted: %v", tt.name, e)
		}
	}
}

// TestDeepNestingEnds: the decoder has a limit, and the text is refused.
func TestDeepNestingEnds(t *testing.T) {
	if _, err := JSON(strings.Repeat("[", 1_000_000)); err == nil {
		t.Error("accepted")
	}
}

func TestWords(t *testing.T) {
	var many []Violation
	for i := range MaxViolations + 5 {
		many = append(many, Violation{Path: fmt.Sprintf("/items/%d", i), Message: "got string, want integer"})
	}
	tests := []struct {
		name, words string
		has         []string
		hasNot      string
	}{
		{"no text", Empty(false), []string{"was empty", "Answer the request above"}, "JSON"},
		{"no document", Empty(true), []string{"was empty", "one JSON document"}, "schema"},
		{"no JSON", NotJSON("unexpected end at line 3, column 1"), []string{"not valid JSON: unexpected end at line 3, column 1.", "no code fence"}, "schema"},
		{"one violation", Mismatch([]Violation{{Path: "", Message: `missing property 'a'`}}), []string{"- at the top level: missing property 'a'\n", "Keep what was right"}, "more of the kind"},
		{"many", Mismatch(many), []string{"- at /items/0: got", "- at /items/19: got", "- and 5 more of the kind"}, "/items/20"},
	}
	for _, tt := range tests {
		for _, part := range tt.has {
			if !strings.Contains(tt.words, part) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, part, tt.words)
			}
		}
		if strings.Contains(tt.words, tt.hasNot) {
			t.Errorf("%s: %q is in\n%s", tt.name, tt.hasNot, tt.words)
		}
	}
}

// FuzzJSON: what comes out parses, and is the reply or inside of it.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"{}", "```json\n[1]\n```", "```\n```\n```", "````\n```\n````", " \ufeff{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got, err := JSON(reply)
		if err != nil {
			if e := (*SyntaxError)(nil); !errors.As(err, &e) || e.Line < 1 || e.Column < 1 {
				t.Errorf("error %#v", err)
			}
			return
		}
		if !strings.Contains(reply, got) || parse(got) != nil {
			t.Errorf("%q came out of %q", got, reply)
		}
	})
}
