package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// document is one file of the source.
type document struct {
	name  string
	data  []byte
	value any // with numbers as json.Number
}

// parse reads a JSON document. The error is an *Error with a position.
func parse(name string, data []byte) (*document, error) {
	doc := &document{name: name, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if !utf8.Valid(data) {
		return nil, problem(diag.Position{File: name}, "the schema is not UTF-8 text", nil)
	}
	value, at, err := decode(doc.data)
	if err != nil {
		return nil, problem(doc.position(at), "the schema is not valid JSON: "+err.Error(), nil)
	}
	doc.value = value
	switch value.(type) {
	case map[string]any, bool:
		return doc, nil
	}
	return nil, problem(doc.position(0), "a schema is a JSON object, or true or false", nil)
}

// Errors of decode: fixed words, since those of encoding/json quote the text.
var (
	errCharacter = errors.New("unexpected character")
	errEnd       = errors.New("unexpected end of the text")
	errMore      = errors.New("more text after the end of the document")
	errDepth     = errors.New("it is nested too deep to be read")
	errNumber    = errors.New("a number with an exponent that large cannot be handled")
)

// decode reads exactly one document, keeping numbers as they are written. With
// an error comes the offset of its place.
func decode(data []byte) (value any, at int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return decodeFailure(err, len(data))
	}
	at = int(dec.InputOffset())
	at = len(data) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, at, errMore
	}
	if !sane(value) {
		return nil, 0, errNumber
	}
	return value, 0, nil
}

// decodeFailure says in our words what a decoder found, and where. What it
// found is told by its text: encoding/json exports no value to compare with.
func decodeFailure(err error, end int) (value any, at int, _ error) {
	var syntax *json.SyntaxError
	switch {
	case !errors.As(err, &syntax), strings.HasPrefix(syntax.Error(), "unexpected end"):
		return nil, end, errEnd
	case strings.HasSuffix(syntax.Error(), "max depth"):
		return nil, int(syntax.Offset) - 1, errDepth
	}
	return nil, int(syntax.Offset) - 1, errCharacter
}

// maxExponent bounds the numbers that are handled exactly: 1e999999999 is
// twelve bytes long and a gigabyte wide.
const maxExponent = 1000

// sane reports whether every number in v has an exponent within bounds.
func sane(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if !sane(e) {
				return false
			}
		}
	case []any:
		for _, e := range v {
			if !sane(e) {
				return false
			}
		}
	case json.Number:
		_, exponent, ok := strings.Cut(strings.ToLower(v.String()), "e")
		n, err := strconv.Atoi(exponent)
		return !ok || err == nil && -maxExponent <= n && n <= maxExponent
	}
	return true
}

// position turns an offset into a place in the file.
func (d *document) position(offset int) diag.Position {
	before := d.data[:min(max(offset, 0), len(d.data))]
	return diag.Position{
		File:   d.name,
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
	}
}

// at is the place of the value that a pointer's tokens lead to.
func (d *document) at(tokens []string) diag.Position {
	return d.position(offsetOf(d.data, tokens))
}

// id is the document's own $id, without a fragment.
func (d *document) id() string {
	object, _ := d.value.(map[string]any)
	id, _ := object["$id"].(string)
	id, _, _ = strings.Cut(id, "#")
	return id
}

// base is the address that relative references in the document start from.
func (d *document) base() string {
	own := address(d.name)
	if id := d.id(); id != "" {
		return resolve(own, id)
	}
	return own
}

// resolve follows a reference from a base address; "" if either is malformed.
func resolve(base, reference string) string {
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	to, err := from.Parse(reference)
	if err != nil {
		return ""
	}
	return to.String()
}

// folder is an address up to its last slash.
func folder(address string) string {
	return address[:strings.LastIndexByte(address, '/')+1]
}

func escapePath(name string) string { return (&url.URL{Path: name}).EscapedPath() }

func unescapePath(escaped string) (string, error) { return url.PathUnescape(escaped) }
