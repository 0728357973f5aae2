package fact

import (
	"strconv"
	"strings"
)

// Render returns text with the facts of t in place of the placeholders that
// name them. If t lacks a fact that text names, it returns "" and false: the
// instruction is to be left out, and [Missing] tells why.
//
// Placeholders with unknown names stay as they are; a host refuses those with
// [CheckKnown] when it loads the instruction. Text without a known fact is
// returned unchanged.
func Render(text string, t Turn) (string, bool) {
	var b strings.Builder
	written := 0 // text[:written] is in b
	for p, ok := next(text, 0); ok; p, ok = next(text, p.end) {
		if !known(p.name) {
			continue
		}
		n, ok := t.value(p.name)
		if !ok {
			return "", false
		}
		if written == 0 {
			b.Grow(len(text))
		}
		b.WriteString(text[written:p.start])
		writeInt(&b, n)
		written = p.end
	}
	if written == 0 {
		return text, true
	}
	b.WriteString(text[written:])
	return b.String(), true
}

// writeInt spares the string that strconv.Itoa would allocate.
func writeInt(b *strings.Builder, n int) {
	var digits [20]byte // a 64-bit integer with its sign
	b.Write(strconv.AppendInt(digits[:0], int64(n), 10))
}
