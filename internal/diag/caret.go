package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const tabStop = 4

// Excerpt is the author's own line, made safe to print, and the caret line
// that belongs below it.
type Excerpt struct {
	Text  string
	Caret string // blanks and one "^"; empty if the column is unknown
}

// Quote makes an excerpt of a source line. The column counts bytes from 1, as
// in a Position; 0 means the line as a whole. Tabs are expanded, whatever a
// terminal would obey or hide becomes visible, and a line that is wider than
// width cells is cut around the column. A width below 20 is taken for 20.
//
// The caret stands below the first cell of the character that holds the
// column, wide characters included.
func Quote(line string, column, width int) Excerpt {
	line = strings.TrimRight(line, "\r\n")
	if column > len(line)+1 {
		column = len(line) + 1
	}
	cells, at := layOut(line, column-1)
	text, at := cut(cells, at, max(width, 20))
	if column < 1 {
		return Excerpt{Text: text}
	}
	return Excerpt{Text: text, Caret: strings.Repeat(" ", at) + "^"}
}

// A cell is what one character of the source looks like and how many columns
// of the terminal it takes.
type cell struct {
	text  string
	width int
}

// layOut returns the line's cells and the column of the terminal at which the
// byte at offset is shown.
func layOut(line string, offset int) (cells []cell, at int) {
	total := 0
	at = -1
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		if at < 0 && offset < i+size {
			at = total
		}
		c := show(r, size, total)
		cells = append(cells, c)
		total += c.width
		i += size
	}
	if at < 0 {
		at = total
	}
	return cells, at
}

// show gives a character's visible form. Escape sequences in a prompt file
// must not reach the terminal, and a no-break space that breaks a template
// should be seen.
func show(r rune, size, column int) cell {
	switch {
	case r == '\t':
		n := tabStop - column%tabStop
		return cell{strings.Repeat(" ", n), n}
	case r == utf8.RuneError && size == 1, r == '\uFEFF', r == '\u00A0':
		return cell{"\uFFFD", 1}
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return cell{"\uFFFD", 1}
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
		return cell{string(r), 0}
	case isWide(r):
		return cell{string(r), 2}
	}
	return cell{string(r), 1}
}

// isWide tells whether terminals give a character two columns: the wide and
// fullwidth blocks of Unicode's East Asian Width, and emoji.
func isWide(r rune) bool {
	for _, b := range wideBlocks {
		if r < b[0] {
			return false
		}
		if r <= b[1] {
			return true
		}
	}
	return false
}

var wideBlocks = [][2]rune{
	{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
	{0xA000, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
	{0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x16FE0, 0x18DFF}, {0x1AFF0, 0x1B2FF}, {0x1F300, 0x1F64F},
	{0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
}

// cut keeps at most width columns, such that the one at which something is
// wrong stays in view with some of what stands before it.
func cut(cells []cell, at, width int) (string, int) {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	if total <= width && at < width {
		return join(cells, 0, total), at
	}
	from := 0
	if at > width*2/3 {
		from = min(at-width/2, max(total+1-width, 0))
	}
	to, head, tail := min(from+width, total), "", ""
	start := from
	if from > 0 {
		start, head = from+1, "…"
	}
	if to < total {
		to, tail = to-1, "…"
	}
	return head + join(cells, start, to) + tail, at - from
}

// join renders the cells that lie wholly in the columns from..to. Half of a
// wide character becomes a blank, so that the caret stays below its place.
func join(cells []cell, from, to int) string {
	var b strings.Builder
	x := 0
	for _, c := range cells {
		end := x + c.width
		switch {
		case c.width == 0 && x == from && from > 0: // a mark on a character that is cut off
		case x >= from && end <= to:
			b.WriteString(c.text)
		case x < to && end > from:
			b.WriteString(strings.Repeat(" ", min(end, to)-max(x, from)))
		}
		x = end
	}
	return b.String()
}
