package fact

import (
	"strings"
	"unicode/utf8"
)

// placeholder is one occurrence of a name between braces: text[start:end].
type placeholder struct {
	start, end int
	name       string
}

// next returns the first placeholder of text at or after from. It takes time
// linear in the text it passes, whatever that holds: no byte is looked at more
// than a constant number of times.
func next(text string, from int) (placeholder, bool) {
	for {
		open := strings.Index(text[from:], "{{")
		if open < 0 {
			return placeholder{}, false
		}
		start := from + open
		p, stop, ok := match(text, start)
		if ok {
			return p, true
		}
		// What was passed after the braces is white space and name bytes, so
		// nothing before stop can open a placeholder. Only the second of three
		// braces in a row can, and then stop is right behind it.
		from = max(start+1, stop-1)
	}
}

// match reads the placeholder whose braces open at start. If there is none, it
// returns the index of the byte that cannot belong to one.
func match(text string, start int) (p placeholder, stop int, ok bool) {
	nameStart := skipSpace(text, start+len("{{"))
	nameEnd := skipName(text, nameStart)
	if nameEnd == nameStart {
		return placeholder{}, nameStart, false
	}
	end := skipSpace(text, nameEnd)
	if !strings.HasPrefix(text[end:], "}}") {
		return placeholder{}, end, false
	}
	return placeholder{start: start, end: end + len("}}"), name: text[nameStart:nameEnd]}, 0, true
}

func skipName(text string, i int) int {
	for i < len(text) && isNameByte(text[i]) {
		i++
	}
	return i
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func skipSpace(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isSpace(r) {
			break
		}
		i += size
	}
	return i
}

// isSpace reports whether r is white space or a line terminator of ECMAScript.
// Those are not the runes of unicode.IsSpace, which has U+0085 and lacks
// U+FEFF.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ',
		'\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff':
		return true
	}
	return '\u2000' <= r && r <= '\u200a'
}
