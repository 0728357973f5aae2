package definition

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MaxTemplate is the greatest size of one template in bytes.
const MaxTemplate = 1 << 20

const byteOrderMark = "\xEF\xBB\xBF"

// plain returns data without a byte order mark if it is UTF-8 text. Else it
// returns where in the result the first bad byte stands and what is wrong
// with it.
func plain(data []byte) (text []byte, bad int, why string) {
	if bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		return data, 0, "the file is encoded in UTF-16; save it as UTF-8"
	}
	text = bytes.TrimPrefix(data, []byte(byteOrderMark))
	// Either check alone is fast; only what fails one is looked at byte by byte.
	if nul := bytes.IndexByte(text, 0); nul >= 0 {
		return text, nul, "the file holds a NUL byte, so it is not text; save it as UTF-8"
	}
	if !utf8.Valid(text) {
		return text, invalid(text), "the file is not valid UTF-8 here; save it as UTF-8"
	}
	return text, -1, ""
}

func invalid(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// control returns the first character that YAML does not allow in a file.
func control(text []byte) (at int, why string) {
	for i, c := range text {
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			return i, unprintable(rune(c))
		case c == 0xEF && (bytes.HasPrefix(text[i:], []byte("\uFFFE")) || bytes.HasPrefix(text[i:], []byte("\uFFFF"))):
			r, _ := utf8.DecodeRune(text[i:])
			return i, unprintable(r)
		}
	}
	return -1, ""
}

func unprintable(r rune) string {
	return fmt.Sprintf("the character U+%04X is not allowed in YAML; write it as an escape in a quoted text", r)
}
