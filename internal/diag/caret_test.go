package diag

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	tests := []struct {
		name, line string
		column     int
		width      int
		text       string
		caret      string
	}{
		{"plain", `  contnet: hello`, 3, 80, `  contnet: hello`, `  ^`},
		{"first column", `id: x`, 1, 80, `id: x`, `^`},
		{"just past the end", `id:`, 4, 80, `id:`, `   ^`},
		{"far past the end is moved to the end", `id:`, 99, 80, `id:`, `   ^`},
		{"no column, no caret", `id: x`, 0, 80, `id: x`, ``},
		{"empty line", ``, 1, 80, ``, `^`},
		{"line ending is not part of the line", "id: x\r\n", 5, 80, `id: x`, `    ^`},
		{"tabs go to the next stop", "\ta\tb", 4, 80, `    a   b`, `        ^`},
		{"columns are bytes", `é: {{name}}`, 7, 80, `é: {{name}}`, `     ^`},
		{"a byte inside a character", `éx`, 2, 80, `éx`, `^`},
		{"wide characters take two cells", `会議 {{name}}`, 10, 80, `会議 {{name}}`, `       ^`},
		{"combining marks take none", "e\u0301x", 4, 80, "e\u0301x", ` ^`},
		{"escape sequences are shown, not obeyed", "a\x1b[31mb", 7, 80, "a\uFFFD[31mb", `      ^`},
		{"bidirectional overrides are shown", "a\u202eb", 5, 80, "a\uFFFDb", `  ^`},
		{"no-break space is seen", "a:\u00a0b", 5, 80, "a:\uFFFDb", `   ^`},
		{"invalid UTF-8", "a\xffb", 3, 80, "a\uFFFDb", `  ^`},
		{"long line, early column", strings.Repeat("a", 100), 2, 20, strings.Repeat("a", 19) + "…", ` ^`},
		{"long line, late column", strings.Repeat("a", 90) + "!" + strings.Repeat("b", 50), 91, 20, "…" + strings.Repeat("a", 9) + "!" + strings.Repeat("b", 8) + "…", strings.Repeat(" ", 10) + "^"},
		{"long line, last column", strings.Repeat("a", 99) + "!", 100, 20, "…" + strings.Repeat("a", 17) + "!", strings.Repeat(" ", 18) + "^"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Quote(tt.line, tt.column, tt.width)
			if got.Text != tt.text || got.Caret != tt.caret {
				t.Errorf("Quote(%q, %d, %d)\n got %q\n     %q\nwant %q\n     %q", tt.line, tt.column, tt.width, got.Text, got.Caret, tt.text, tt.caret)
			}
		})
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("\t会議 {{name}}", 5, 10)
	f.Add("a\xff\x1b", -3, 0)
	f.Fuzz(func(t *testing.T, line string, column, width int) {
		if len(line) > 1<<12 {
			return
		}
		got := Quote(line, column, width)
		if strings.ContainsAny(got.Text+got.Caret, "\x1b\n\r\t\x00") {
			t.Errorf("control characters in %q", got)
		}
		if !utf8.ValidString(got.Text) {
			t.Errorf("invalid UTF-8 in %q", got.Text)
		}
		if len(got.Caret) > max(width, 20) {
			t.Errorf("caret at %d of %d", len(got.Caret), width)
		}
	})
}
