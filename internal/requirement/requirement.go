package requirement

import (
	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
)

// Unit is one template of a prompt: a message, or the session template.
type Unit struct {
	Message  int // index of the message; Session for the session template
	Template *prompt.Template
}

// Session is the Message of the session template's Unit.
const Session = -1

// Declared is an input that the definition declares.
type Declared struct {
	Name     string
	Required bool
}

// Query is the context in which the requirements are asked for.
type Query struct {
	// Vars are the supplied variables. Analyze only reads them.
	Vars map[string]string
	// SkipSession leaves the session template out: its value was given.
	SkipSession bool
	// AnyVars asks about every context at once: nothing is supplied, and
	// nothing is taken to stay absent. Only Report.CannotRender is of use then.
	AnyVars bool
}

// Kind says whether a name has to be supplied.
type Kind uint8

// The kinds, weakest first. Conditional claims nothing.
const (
	Optional Kind = iota
	Conditional
	Required
)

// State says whether the template executes a use.
type State uint8

// The states of a use.
const (
	Inactive State = iota // on a path that no execution takes
	Possible              // some execution may take it
	Certain               // every execution that succeeds takes it
)

// Use is a place that reads a name, and whether it is reached. The place
// belongs to the Program: it must not be changed.
type Use struct {
	*Place
	State State
}

// Place is where a template reads a name.
type Place struct {
	Message  int
	Position diag.Position
}

// Input is the answer for one input.
type Input struct {
	Name     string
	Kind     Kind
	Inactive bool // every occurrence is on a path known to be inactive
	Declared int  // index in the declared inputs, or -1
	Uses     []Use
}

// Variable is the answer for one variable of the caller.
type Variable struct {
	Name     string
	Kind     Kind
	Supplied bool
	Inactive bool
	Uses     []Use
}

// Code classifies what the analysis could not find out.
type Code uint8

// The codes in the order of their spelling, which is the order of a report.
const (
	DynamicInputName Code = iota
	DynamicVariableName
	ExpressionUnresolved
	InputContent
	MissingVariable
	UnsupportedConstruct
)

// Issue is one reason why discovery is incomplete. Input or Variable is the
// cause, where there is one.
type Issue struct {
	Code            Code
	Input, Variable string
}

// Failure says why no value of any name makes the templates render.
type Failure struct {
	Message  int
	Position diag.Position
	Sentence string
}

// Report is the answer to a Query. The caller owns it.
type Report struct {
	Inputs    []Input    // sorted by name; every declared input is among them
	Variables []Variable // sorted by name
	Issues    []Issue    // sorted by code, then input, then variable
	// CannotRender is set if every completion of this context fails.
	CannotRender *Failure
}
