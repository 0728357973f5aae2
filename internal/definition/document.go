package definition

import (
	"cmp"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// document is the state of decoding one file: what was read and what was
// wrong with it. It exists so that one pass over the YAML nodes can go on
// after a problem and report all of them. It is reused from file to file.
type document struct {
	src      *source.Source
	file     string
	lines    lines
	problems []diag.Problem
	causes   []error
	content  int64 // bytes of message files read so far
	dropped  int   // problems beyond maxProblems
}

// maxProblems is how many problems of one file are kept. A person who has
// mended those will look again.
const maxProblems = 1000

// reset prepares d for another file.
func (d *document) reset(file string) {
	d.file, d.problems, d.causes, d.content, d.dropped = file, nil, nil, 0, 0
}

// at returns where a node stands.
func (d *document) at(n *yaml.Node) diag.Position { return d.lines.mark(d.file, n.Line, n.Column) }

// report records a problem. The arguments may be names, never values.
func (d *document) report(at diag.Position, format string, args ...any) {
	if len(d.problems) == maxProblems {
		d.dropped++
		return
	}
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	d.problems = append(d.problems, diag.Problem{Position: at, Message: message})
}

// fail records that a file could not be read.
func (d *document) fail(at diag.Position, err error, format string, args ...any) {
	d.report(at, format, args...)
	d.causes = append(d.causes, err)
}

// verdict returns the problems in the order of their positions. Those at one
// place stay in the order in which they were found.
func (d *document) verdict() []diag.Problem {
	sortProblems(d.problems)
	if d.dropped > 0 {
		d.problems = append(d.problems, diag.Problem{
			Position: diag.Position{File: d.file},
			Message:  fmt.Sprintf("there are %d more problems in this file; only the first %d found are listed", d.dropped, maxProblems),
		})
	}
	return d.problems
}

func sortProblems(problems []diag.Problem) {
	slices.SortStableFunc(problems, func(a, b diag.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
