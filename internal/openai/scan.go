package openai

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads one JSON document from front to back, taking the members that
// its caller asks for and checking the rest. A chunk of a stream is a hundred
// bytes of which one member matters, and comes a hundred times a second for
// every run; encoding/json takes five times as long over it. A fuzz test holds
// the two to the same answers.
//
// After a mistake in the document every method returns at once, so that only
// end has to be asked.
type scanner struct {
	data []byte
	pos  int
	deep int  // how many objects and arrays are open
	bad  bool // the document is not JSON

	escaped bool // the last string has an escape sequence in it
}

// maxDeep bounds the nesting, as that of encoding/json is bounded.
const maxDeep = 10_000

// end reports whether the document was JSON to its end.
func (s *scanner) end() bool {
	s.space()
	return !s.bad && s.pos == len(s.data)
}

func (s *scanner) fail() { s.bad = true }

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// peek is the first byte of the next value or punctuation; 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.bad || s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// take passes a byte of punctuation if it is the next.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

// object calls member for each member of the next value, after its name; it
// has to read the value. Any other value is passed.
func (s *scanner) object(member func(name []byte)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	for more := s.open('}'); more; more = s.next('}') {
		name := s.raw()
		if s.escaped {
			name = []byte(unquote(name))
		}
		if !s.take(':') {
			s.fail()
			return
		}
		member(name)
	}
}

// array calls element for each element of the next value; it has to read it.
// Any other value is passed.
func (s *scanner) array(element func()) {
	if s.peek() != '[' {
		s.skip()
		return
	}
	for more := s.open(']'); more; more = s.next(']') {
		element()
	}
}

// open passes the bracket that stands here, and reports whether there is
// anything before the closing one.
func (s *scanner) open(closing byte) bool {
	s.pos++
	if s.deep++; s.deep > maxDeep {
		s.fail()
	}
	if s.take(closing) {
		s.deep--
		return false
	}
	return !s.bad
}

// next passes what follows an item, and reports whether that is another.
func (s *scanner) next(closing byte) bool {
	if s.take(',') {
		return true
	}
	if !s.take(closing) {
		s.fail()
	}
	s.deep--
	return false
}

// skip passes the next value.
func (s *scanner) skip() {
	switch c := s.peek(); {
	case c == '{':
		s.object(func([]byte) { s.skip() })
	case c == '[':
		s.array(s.skip)
	case c == '"':
		s.raw()
	case c == '-' || '0' <= c && c <= '9':
		s.number()
	default:
		s.word()
	}
}

// word passes true, false or null.
func (s *scanner) word() {
	for _, word := range words {
		if bytes.HasPrefix(s.data[s.pos:], word) {
			s.pos += len(word)
			return
		}
	}
	s.fail()
}

var words = [][]byte{[]byte("null"), []byte("true"), []byte("false")}

// number passes a number and returns it as it is written.
func (s *scanner) number() []byte {
	start := s.pos
	s.one('-')
	if !s.one('0') && s.digits() == 0 {
		s.fail()
	}
	if s.one('.') && s.digits() == 0 {
		s.fail()
	}
	if s.one('e') || s.one('E') {
		if !s.one('+') {
			s.one('-')
		}
		if s.digits() == 0 {
			s.fail()
		}
	}
	return s.data[start:s.pos]
}

// one passes a certain byte if it is right here.
func (s *scanner) one(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// count is the next value if it is a whole number that is not negative, else 0.
func (s *scanner) count() int {
	if c := s.peek(); c != '-' && (c < '0' || c > '9') {
		s.skip()
		return 0
	}
	n, err := strconv.ParseFloat(string(s.number()), 64)
	if err != nil || n < 0 || n >= 1<<53 {
		return 0
	}
	return int(n)
}

// text is the next value if it is a string, else "".
func (s *scanner) text() string {
	if s.peek() != '"' {
		s.skip()
		return ""
	}
	raw := s.raw()
	if s.escaped {
		return unquote(raw)
	}
	return valid(raw)
}

// textLike is text, which is likely to be what it was the last time and is
// then not copied again.
func (s *scanner) textLike(last string) string {
	if s.peek() != '"' {
		return s.text()
	}
	raw := s.raw()
	switch {
	case s.escaped:
		return unquote(raw)
	case string(raw) != last:
		return valid(raw)
	}
	return last
}

// raw passes a string and returns what stands between its quotes.
func (s *scanner) raw() []byte {
	s.escaped = false
	if s.peek() != '"' {
		s.fail()
		return nil
	}
	start := s.pos + 1
	for i := start; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case plain[c]:
		case c == '"':
			s.pos = i + 1
			return s.data[start:i]
		case c < ' ':
			s.fail()
			return nil
		case c == '\\':
			n := escape(s.data[i:])
			if n == 0 {
				s.fail()
				return nil
			}
			s.escaped = true
			i += n - 1
		}
	}
	s.fail()
	return nil
}

// plain are the bytes that stand for themselves in a string.
var plain = func() (table [256]bool) {
	for c := ' '; c < 256; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// escape is the length of the escape sequence that data begins with; 0 if it
// is none.
func escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	if strings.IndexByte(`"\/bfnrt`, data[1]) >= 0 {
		return 2
	}
	if _, ok := hex4(data); ok {
		return 6
	}
	return 0
}

// hex4 is the code unit of a \u escape.
func hex4(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 32)
	return rune(n), err == nil
}

// unquote resolves the escapes of a string that raw has passed. What is no
// text becomes U+FFFD, as in encoding/json.
func unquote(raw []byte) string {
	first := bytes.IndexByte(raw, '\\')
	if first < 0 {
		return valid(raw)
	}
	out := make([]byte, first, len(raw))
	copy(out, raw)
	for i := first; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		r, n := unescape(raw[i:])
		out = utf8.AppendRune(out, r)
		i += n
	}
	return valid(out)
}

// valid is text as a string, with U+FFFD for each byte that is no text.
func valid(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string([]rune(string(text)))
}

// unescape is the character of an escape sequence, and its length.
func unescape(data []byte) (rune, int) {
	switch data[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, _ := hex4(data)
		if utf16.IsSurrogate(r) {
			if low, ok := hex4(data[6:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, 12
				}
			}
			return utf8.RuneError, 6
		}
		return r, 6
	}
	return rune(data[1]), 2
}
