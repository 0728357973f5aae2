package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestTableFitsThePageAndLosesNothing(t *testing.T) {
	rows := [][]string{
		{"a", "● required", "● short.yaml:1:2"},
		{strings.Repeat("long-name-", 12), "◐ conditional", "● " + strings.Repeat("folder/", 12) + "p.yaml:123:45\n○ q.yaml:1:1"},
	}
	for _, width := range []int{40, 60, 80, 100} {
		p := newPage(nil, width, false)
		p.table([]string{"INPUT", "NEED", "WHERE"}, rows)
		for l := range strings.Lines(string(p.bytes())) {
			if w := ansi.StringWidth(strings.TrimRight(l, "\n")); w > width {
				t.Errorf("%d columns on a page of %d: %q", w, width, l)
			}
		}
		joined := strings.Join(strings.Fields(string(p.bytes())), "")
		for _, part := range []string{"p.yaml:123:45", "q.yaml:1:1"} {
			if !strings.Contains(joined, part) {
				t.Errorf("width %d: %q is lost:\n%s", width, part, p.bytes())
			}
		}
		if n := strings.Count(joined, "long-name-"); n < 10 {
			t.Errorf("width %d: the name was cut:\n%s", width, p.bytes())
		}
	}
}

func TestTableKeepsMarksInAColumnOfTheirOwn(t *testing.T) {
	p := newPage(nil, 30, false)
	p.table([]string{"N", "WHERE"}, [][]string{{"x", "● some/very/long/path/to/a/file.yaml:1:1"}})
	want := "" +
		"N  WHERE\n" +
		"──────────────────────────────\n" +
		"x  ● some/very/long/path/to/a/\n" +
		"     file.yaml:1:1\n"
	if got := string(p.bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPageWithoutColourHasNoEscapes(t *testing.T) {
	plain, coloured := newPage(nil, 80, false), newPage(nil, 80, true)
	for _, p := range []*page{plain, coloured} {
		p.line(p.bold("a"), p.faint("b"), p.good("c"), p.warn("d"), p.bad("e"), p.name("f"))
		p.rule("title")
		p.table([]string{"A"}, [][]string{{p.name("x")}})
	}
	if strings.Contains(string(plain.bytes()), "\x1b") {
		t.Errorf("escapes without colour: %q", plain.bytes())
	}
	if !strings.Contains(string(coloured.bytes()), "\x1b[") {
		t.Errorf("no colour: %q", coloured.bytes())
	}
	if got := ansi.Strip(string(coloured.bytes())); got != string(plain.bytes()) {
		t.Errorf("colour changes the layout:\n%s\nplain:\n%s", got, plain.bytes())
	}
}

func TestLabel(t *testing.T) {
	tests := []struct{ name, want string }{
		{"plain-name", "plain-name"},
		{"Grüße 会議", "Grüße 会議"},
		{"", `""`},
		{"  ", `"  "`},
		{"two\nlines", `"two\nlines"`},
		{"\x1b[31mred", `\x1b[31mred`},
		{"a\u202eb", `a\u202eb`},
		{"bad\xff", `bad\xff`},
		{`say "x"`, `say "x"`},
	}
	for _, tt := range tests {
		if got := label(tt.name); got != tt.want {
			t.Errorf("label(%q) = %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestShellWord(t *testing.T) {
	tests := []struct{ word, want string }{
		{"weather-report@1.3.0", "weather-report@1.3.0"},
		{"my prompts/x", "'my prompts/x'"},
		{"it's", `'it'\''s'`},
		{"", "''"},
		{"$HOME", "'$HOME'"},
	}
	for _, tt := range tests {
		if got := shellWord(tt.word); got != tt.want {
			t.Errorf("shellWord(%q) = %s, want %s", tt.word, got, tt.want)
		}
	}
}

func TestByteSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1536: "1.5 KiB", 16 << 20: "16 MiB", 3 << 19: "1.5 MiB"} {
		if got := byteSize(n); got != want {
			t.Errorf("byteSize(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestFlagLinesCanBeCopied(t *testing.T) {
	p := newPage(nil, 40, false)
	flagLines(p, "  ", []string{"promptkit", "prepare", "x", "--var aaaaaaaaa=VALUE", "--input bbbbbbbbbbb=FILE"})
	want := "  promptkit prepare x \\\n    --var aaaaaaaaa=VALUE \\\n    --input bbbbbbbbbbb=FILE\n"
	if got := string(p.bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
