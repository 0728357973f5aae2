// Package diag says where something is in a file and what is wrong with it.
//
// Every other package reports trouble in a definition as a Problem: a
// position that an editor can jump to and one plain sentence. An Origin maps
// a place inside a text (a template, say) back to the file the text came
// from, so that a message written inside a YAML block is reported at the
// line the author sees.
package diag

import (
	"strconv"
	"strings"
)

// Position is a place in a file. Line and Column count from 1; columns are in
// bytes. A zero Line means the file as a whole.
type Position struct {
	File   string // slash-separated, relative to the source that holds it
	Line   int
	Column int
}

// String renders the position as compilers do: file:line:col, without the
// parts that are unknown.
func (p Position) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(p.Line))
		if p.Column > 0 {
			b.WriteByte(':')
			b.WriteString(strconv.Itoa(p.Column))
		}
	}
	return b.String()
}

// Severity tells whether a Problem stops the definition from being used.
type Severity uint8

// The severities, worst first.
const (
	Error   Severity = iota // the definition cannot be used
	Warning                 // it can, but is probably not what was meant
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Problem is one thing that is wrong, and where.
type Problem struct {
	Position
	Severity Severity
	// Message is one plain sentence, without the position: what is wrong,
	// why, and what to do. It never holds a credential or template text.
	Message string
}

// String renders the problem on one line: position, severity, sentence.
func (p Problem) String() string {
	return p.Position.String() + ": " + p.Severity.String() + ": " + p.Message
}

// Origin tells where a text was written.
type Origin struct {
	// File is slash-separated and relative to the source that holds it.
	File string
	// Line and Column are where the text starts in File, both from 1.
	Line, Column int
	// Exact is true if each line of the text is one line of the file, shifted
	// right by Column-1 bytes: a whole file, or a YAML literal block. It is
	// false for quoted, plain and folded scalars, whose inner positions are
	// not known; every place in them is reported at Line and Column.
	Exact bool
}

// At maps a place in the text, both counted from 1, to its place in the file.
func (o Origin) At(line, column int) Position {
	if !o.Exact {
		return Position{File: o.File, Line: o.Line, Column: o.Column}
	}
	return Position{File: o.File, Line: o.Line + line - 1, Column: column + o.Column - 1}
}
