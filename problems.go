package promptkit

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
	return nil
}

// SourceLine returns the line of the file that p is about, as its author
// wrote it and as it was when the engine captured it, with the values of
// credential fields masked. It reports false if p names no line, or if the
// engine kept no text of the file; it keeps only files with problems.
func (e *Engine) SourceLine(p Problem) (string, bool) {
	return "", false
}
