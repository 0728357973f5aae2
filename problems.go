package promptkit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/profile"
)

// Severity tells whether a Problem stops a definition from being used.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"   // the definition cannot be used
	SeverityWarning Severity = "warning" // it can, but is probably not what was meant
)

// ProblemKind tells which source a Problem's file belongs to.
type ProblemKind string

// The kinds of problem.
const (
	ProblemPrompt  ProblemKind = "prompt"
	ProblemProfile ProblemKind = "profile"
	ProblemBackend ProblemKind = "backend"
	ProblemSchema  ProblemKind = "schema"
)

// Problem is one thing that is wrong with a project, and where.
type Problem struct {
	Severity Severity
	Kind     ProblemKind
	// File is slash-separated and relative to the source of its Kind.
	File string
	// Line and Column count from 1, columns in bytes; 0 means the file as a
	// whole.
	Line, Column int
	// Message is one plain sentence without the position. It never holds a
	// credential or the text of a template.
	Message string
	// PromptID and PromptVersion are the identity concerned, as far as it
	// could be read; "" for other kinds.
	PromptID, PromptVersion string
}

// Problems lists everything that failed when the engine captured its sources,
// sorted by kind, file and position. The slice belongs to the caller. It is
// empty, and nil, for a nil engine.
func (e *Engine) Problems() []Problem {
	if !e.usable() {
		return nil
	}
	return slices.Clone(e.problems)
}

// SourceLine returns the line of the file that p is about, as its author
// wrote it and as it was when the engine captured it, with the values of
// credential fields masked. It reports false if p names no line, or if the
// engine kept no text of the file; it keeps only files with problems.
func (e *Engine) SourceLine(p Problem) (string, bool) {
	if !e.usable() {
		return "", false
	}
	switch p.Kind {
	case ProblemPrompt:
		if line, ok := e.prompts.catalog.SourceLine(p.File, p.Line); ok {
			return line, true
		}
		return e.templateLine(p)
	case ProblemProfile:
		return e.profiles.profiles.SourceLine(p.File, p.Line)
	case ProblemBackend:
		return e.profiles.backends.SourceLine(p.File, p.Line)
	default:
		return "", false
	}
}

// templateLine finds a line of a file that loaded, in the templates that the
// engine keeps anyway.
func (e *Engine) templateLine(p Problem) (string, bool) {
	def, err := e.prompts.lookup(p.PromptID, p.PromptVersion)
	if err != nil {
		return "", false
	}
	if def.Session != nil {
		if line, ok := lineOf(def.Session, p.File, p.Line); ok {
			return line, true
		}
	}
	for i := range def.Messages {
		if line, ok := lineOf(&def.Messages[i].Content, p.File, p.Line); ok {
			return line, true
		}
	}
	return "", false
}

// lineOf restores a line of the file that a text was written in: the text has
// lost nothing but its indentation.
func lineOf(t *definition.Text, file string, line int) (string, bool) {
	if !t.Origin.Exact || t.Origin.File != file || line < t.Origin.Line {
		return "", false
	}
	rest := t.Body
	for ; line > t.Origin.Line; line-- {
		var more bool
		if _, rest, more = strings.Cut(rest, "\n"); !more {
			return "", false
		}
	}
	found, _, _ := strings.Cut(rest, "\n")
	return strings.Repeat(" ", t.Origin.Column-1) + strings.TrimSuffix(found, "\r"), true
}

// capturedProblems gathers what went wrong during capture.
func (e *Engine) capturedProblems() []Problem {
	var list []Problem
	for _, f := range e.prompts.catalog.Failures() {
		list = appendProblems(list, ProblemPrompt, f.ID, f.Version, f.Problems)
	}
	for def, p := range e.prompts.programs {
		list = appendProblems(list, ProblemPrompt, def.ID, def.Version, p.problems())
	}
	for _, f := range e.profiles.profiles.Failures() {
		list = appendProblems(list, ProblemProfile, "", "", f.Problems)
	}
	for _, f := range e.profiles.backends.Failures() {
		list = appendProblems(list, ProblemBackend, "", "", f.Problems)
	}
	list = appendProblems(list, ProblemProfile, "", "", profile.Check(e.profiles.profiles, e.profiles.backends, builtInProfileID))
	return sortProblems(list)
}

func appendProblems(list []Problem, kind ProblemKind, id, version string, problems []diag.Problem) []Problem {
	for _, p := range problems {
		list = append(list, Problem{
			Severity: severityOf(p.Severity), Kind: kind, File: p.File, Line: p.Line, Column: p.Column,
			Message: p.Message, PromptID: id, PromptVersion: version,
		})
	}
	return list
}

func severityOf(s diag.Severity) Severity {
	if s == diag.Warning {
		return SeverityWarning
	}
	return SeverityError
}

// kindOrder is the order in which kinds are listed.
var kindOrder = []ProblemKind{ProblemPrompt, ProblemProfile, ProblemBackend, ProblemSchema}

func sortProblems(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kindOrder, a.Kind), slices.Index(kindOrder, b.Kind)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(list)
}
