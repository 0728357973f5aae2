package repair

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// JSON returns the JSON document that a reply consists of. The reply counts
// as it is if it parses. Only if it does not, and one Markdown fence encloses
// the whole of it, is the fence taken off. The error is a *SyntaxError.
func JSON(reply string) (string, error) {
	err := parse(reply)
	if err == nil {
		return reply, nil
	}
	body, ok := unfence(reply)
	if !ok {
		return "", err
	}
	if err := parse(body); err != nil {
		return "", err
	}
	return body, nil
}

// unfence takes the fence off a text that one fence encloses.
func unfence(reply string) (string, bool) {
	text := strings.TrimSpace(reply)
	fence := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	if len(fence) < 3 {
		return "", false
	}
	open, rest, ok := strings.Cut(text, "\n")
	if !ok || strings.Contains(open[len(fence):], "`") {
		return "", false
	}
	body, ok := strings.CutSuffix(rest, fence)
	if !ok || body != "" && !strings.HasSuffix(body, "\n") {
		return "", false
	}
	for line := range strings.Lines(body) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), fence) {
			return "", false // there is more than one
		}
	}
	return body, true
}

// parse reports whether text is exactly one JSON document.
func parse(text string) error {
	if json.Valid([]byte(text)) {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return syntaxError(text, err)
	}
	end := int(dec.InputOffset())
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		rest := text[end:]
		return newSyntaxError(text, end+len(rest)-len(strings.TrimLeft(rest, " \t\r\n")), "more text after the document")
	}
	return nil
}

// syntaxError places what the decoder says.
func syntaxError(text string, err error) error {
	if s := (*json.SyntaxError)(nil); errors.As(err, &s) && !strings.HasPrefix(s.Error(), "unexpected end") {
		return newSyntaxError(text, int(s.Offset)-1, "unexpected character")
	}
	if strings.TrimSpace(text) == "" {
		return newSyntaxError(text, len(text), "no document")
	}
	return newSyntaxError(text, len(text), "unexpected end")
}

// SyntaxError says where a text stops being JSON, without quoting it.
type SyntaxError struct {
	Line, Column int    // from 1; columns in bytes
	Problem      string // such as "unexpected end"
}

// Error says what is wrong, and where.
func (e *SyntaxError) Error() string {
	return e.Problem + " at line " + itoa(e.Line) + ", column " + itoa(e.Column)
}

// newSyntaxError turns an offset into a line and a column.
func newSyntaxError(text string, offset int, problem string) *SyntaxError {
	before := []byte(text[:min(max(offset, 0), len(text))])
	return &SyntaxError{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  len(before) - bytes.LastIndexByte(before, '\n'),
		Problem: problem,
	}
}
