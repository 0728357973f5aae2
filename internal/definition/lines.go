package definition

import (
	"bytes"
	"unicode/utf8"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// lines maps between the marks of the YAML parser, byte offsets, and the
// positions that people see. The parser counts columns in characters, and
// takes a lone CR, NEL, LS and PS for line breaks; editors and compilers count
// bytes and line feeds.
type lines struct {
	data   []byte
	starts []int // offset of each line as the parser counts them
	odd    bool  // the file has line breaks that are no line feeds
	ascii  bool
}

// index fills l for data, reusing its memory.
func (l *lines) index(data []byte) {
	l.data, l.ascii, l.odd = data, true, false
	l.starts = append(l.starts[:0], 0)
	for i := range data {
		switch c := data[i]; {
		case c == '\n':
			l.starts = append(l.starts, i+1)
		case c == '\r' && !bytes.HasPrefix(data[i+1:], []byte("\n")):
			l.starts, l.odd = append(l.starts, i+1), true
		case c >= utf8.RuneSelf:
			l.ascii = false
			if n := unicodeBreak(data[i:]); n > 0 {
				l.starts, l.odd = append(l.starts, i+n), true
			}
		}
	}
}

// unicodeBreak returns the length of the NEL, LS or PS that text starts with.
func unicodeBreak(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\u0085")):
		return len("\u0085")
	case bytes.HasPrefix(text, []byte("\u2028")), bytes.HasPrefix(text, []byte("\u2029")):
		return len("\u2028")
	}
	return 0
}

// offset returns the byte offset of a parser's mark, both parts from 1.
func (l *lines) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(l.starts) {
		return len(l.data)
	}
	at := l.starts[line-1]
	if l.ascii {
		return min(at+column-1, len(l.data))
	}
	for ; column > 1 && at < len(l.data); column-- {
		_, size := utf8.DecodeRune(l.data[at:])
		at += size
	}
	return at
}

// position returns what people call a byte offset.
func (l *lines) position(file string, offset int) diag.Position {
	before := l.data[:offset]
	return diag.Position{
		File:   file,
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: offset - bytes.LastIndexByte(before, '\n'),
	}
}

// mark returns what people call a parser's mark.
func (l *lines) mark(file string, line, column int) diag.Position {
	if l.odd || line < 1 || line > len(l.starts) {
		return l.position(file, l.offset(line, column))
	}
	return diag.Position{File: file, Line: line, Column: l.offset(line, column) - l.starts[line-1] + 1}
}
