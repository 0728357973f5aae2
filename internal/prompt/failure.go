package prompt

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// RenderError says why and where a rendering failed. It holds names and a
// position, never a value.
type RenderError struct {
	// Position is where in the prompt's files; the zero value if the failure
	// belongs to no place (a cancelled context).
	Position diag.Position
	// Variable or Input is the name concerned, where there is one.
	Variable, Input string
	// Reason is a plain sentence without the position.
	Reason string
	// Err is the context's error, or what the input function returned.
	Err error
}

// Error returns the position, if any, and the reason.
func (e *RenderError) Error() string {
	if e.Position.File == "" {
		return e.Reason
	}
	return e.Position.String() + ": " + e.Reason
}

// Unwrap returns the context's error or the input function's.
func (e *RenderError) Unwrap() error { return e.Err }

// renderError classifies an error of text/template without quoting it.
func (t *Template) renderError(ctx context.Context, err error) *RenderError {
	offset := t.failureOffset(err)
	e := &RenderError{}
	if offset >= 0 {
		e.Position = place(t.origin, t.text, offset)
	}
	var in *inputError
	var exec template.ExecError
	switch {
	case errors.As(err, &in):
		e.Input, e.Err = in.name, in.err
		e.Reason = fmt.Sprintf("the template reads input %q, which could not be read", in.name)
	case errors.Is(err, errTooLarge):
		e.Reason = fmt.Sprintf("the rendered text exceeds %d bytes, which is the limit", MaxRenderedBytes)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		e.Err, e.Reason = ctx.Err(), "rendering was stopped"
	case !errors.As(err, &exec):
		e.Reason = "the template could not be executed"
	default:
		t.wordExec(e, err.Error(), offset)
	}
	return e
}

// failureOffset reads the place text/template puts in front of its messages,
// NAME:LINE:COLUMN with a column that counts bytes from 0; -1 without one.
func (t *Template) failureOffset(err error) int {
	rest, ok := strings.CutPrefix(err.Error(), "template: "+t.root.Name+":")
	if !ok {
		return -1
	}
	m := lineColumn.FindStringSubmatch(rest)
	if m == nil {
		return -1
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	offset := 0
	for ; line > 1; line-- {
		offset += strings.IndexByte(t.text[offset:], '\n') + 1
	}
	return offset + column
}

var lineColumn = regexp.MustCompile(`^(\d+):(\d+): `)

// wordExec gives the sentence for an execution error. A message may quote a
// value, so it only ever selects among fixed sentences; the one name taken
// from it has to stand in the template at that very place.
func (t *Template) wordExec(e *RenderError, message string, offset int) {
	if key, ok := missingKey(message); ok {
		if at, ok := t.fieldAt(offset, key); ok {
			e.Variable = key
			e.Position = place(t.origin, t.text, at)
			e.Reason = fmt.Sprintf("the template needs variable %q, which was not supplied", key)
			return
		}
	}
	e.Reason = "this expression cannot be evaluated"
	for _, w := range execWording {
		if strings.Contains(message, w.part) {
			e.Reason = w.sentence
			break
		}
	}
	if about, ok := t.concerned(offset); ok {
		e.Reason += " (" + about.String() + ")"
		if about.input {
			e.Input = about.name
		} else {
			e.Variable = about.name
		}
	}
}

func missingKey(message string) (string, bool) {
	const marker = "map has no entry for key "
	i := strings.LastIndex(message, marker)
	if i < 0 {
		return "", false
	}
	key, err := strconv.Unquote(message[i+len(marker):])
	return key, err == nil
}

// fieldAt returns where .key stands: at offset, or just before it, because
// the parser places a chain of fields at its second one.
func (t *Template) fieldAt(offset int, key string) (int, bool) {
	field := "." + key
	for _, at := range []int{offset, offset - len(field)} {
		if t.hasAt(at, field) {
			return at, true
		}
	}
	return 0, false
}

var execWording = []struct{ part, sentence string }{
	{"can't evaluate field", "a field is taken of a text or number, which has none: only . and $ have the caller's variables"},
	{"nil data; no entry for key", "a field is taken of no value: the template was invoked without an argument"},
	{"is not a method but has arguments", "a variable is followed by an argument; variables take none"},
	{"can't give argument to non-function", "something that is not a function is given an argument"},
	{"range can't iterate over", "range needs a list, a map or a number; a variable is a text"},
	{"to iterate over more than one variable", "range over a number declares one variable, not two"},
	{"exceeded maximum template depth", "a template invokes itself without end"},
	{"not defined", "an invoked template is not defined"},
	{"wrong number of args", "a function is given the wrong number of arguments"},
	{"incompatible types for comparison", "values of different types are compared"},
	{"invalid type for comparison", "values that have no order are compared"},
	{"non-comparable type", "values that cannot be compared are compared"},
	{"missing argument for comparison", "a comparison lacks its second value"},
	{"index out of range", "an index is beyond the end of the value"},
	{"out of range", "an index is beyond the end of the value"},
	{"invalid slice index", "the end of a slice is before its start"},
	{"cannot index slice/array with type", "a text is indexed by number only"},
	{"can't index item of type", "this value cannot be indexed"},
	{"can't slice item of type", "this value cannot be sliced"},
	{"cannot 3-index slice a string", "a text is sliced with at most two indexes"},
	{"of untyped nil", "there is no value to take an element of"},
	{"len of type", "this value has no length"},
	{"expected string", "a text is needed here"},
	{"wrong type for value", "a function is given a value of the wrong type"},
	{"nil is not a command", "nil stands where a value is needed"},
	{"undefined variable", "a template variable is used where it was not declared"},
	{"overflows int", "a number is too large"},
	{"error calling", "a function reported an error"},
}
