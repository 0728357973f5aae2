package definition

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// template returns a scalar as template source.
func (d *document) template(n *yaml.Node) Text {
	if len(n.Value) > MaxTemplate {
		d.report(d.at(n), "this template is larger than %d MiB, the limit for a template", MaxTemplate>>20)
	}
	return Text{Body: n.Value, Origin: d.origin(n)}
}

// origin tells where a scalar's text was written. It is exact for a literal
// block whose lines are found again, byte for byte, in the file.
func (d *document) origin(n *yaml.Node) diag.Origin {
	if n.Style&yaml.LiteralStyle != 0 {
		if at, ok := d.block(n); ok {
			return diag.Origin{File: at.File, Line: at.Line, Column: at.Column, Exact: true}
		}
	}
	at := d.at(n)
	return diag.Origin{File: at.File, Line: at.Line, Column: at.Column}
}

// block returns where the text of a literal block starts.
func (d *document) block(n *yaml.Node) (diag.Position, bool) {
	start, ok := d.header(n)
	if !ok {
		return diag.Position{}, false
	}
	_, rest, ok := bytes.Cut(d.lines.data[start:], []byte("\n"))
	if !ok {
		return diag.Position{}, false
	}
	indent, ok := indentation(rest, n.Value)
	at := d.lines.position(d.file, start)
	at.Line++
	at.Column = indent + 1
	return at, ok
}

// header returns the offset of the "|" that starts a literal block. Its node
// stands where its tag and its anchor do, which precede it.
func (d *document) header(n *yaml.Node) (offset int, ok bool) {
	data, i := d.lines.data, d.lines.offset(n.Line, n.Column)
	for i < len(data) {
		switch data[i] {
		case '|':
			return i, true
		case ' ', '\t', '\r', '\n':
			i++
		case '#':
			i += untilAny(data[i:], "\n")
		case '!', '&':
			i += untilAny(data[i:], " \t\r\n")
		default:
			return 0, false
		}
	}
	return 0, false
}

// untilAny returns how many bytes precede the first of stops.
func untilAny(data []byte, stops string) int {
	if i := bytes.IndexAny(data, stops); i >= 0 {
		return i
	}
	return len(data)
}

// indentation returns by how many bytes the lines of a block are indented,
// after comparing every line of the text with the file. A block with line
// breaks other than line feeds does not compare equal.
func indentation(file []byte, text string) (indent int, ok bool) {
	known := false
	for text != "" {
		var want string
		var line []byte
		want, text, _ = strings.Cut(text, "\n")
		line, file, _ = bytes.Cut(file, []byte("\n"))
		if want == "" {
			continue // blank lines may be indented less
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if !known {
			indent, known = len(line)-len(want), true
		}
		if indent < 0 || len(line) < indent || string(line[indent:]) != want {
			return 0, false
		}
	}
	return indent, true
}
