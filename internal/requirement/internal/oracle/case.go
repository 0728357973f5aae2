package oracle

import "maps"

// Case is one prompt in one context: what an analyser is asked about.
type Case struct {
	Units       []Unit
	Vars        map[string]string
	SkipSession bool
	Declared    []Declared
}

// Unit is one template of a prompt: a message, or the session template with
// Message -1.
type Unit struct {
	Message int
	Text    string
}

// Declared is a declared input.
type Declared struct {
	Name     string
	Required bool
}

// Clone returns a copy that shares nothing with c.
func (c Case) Clone() Case {
	c.Units = append([]Unit(nil), c.Units...)
	c.Declared = append([]Declared(nil), c.Declared...)
	c.Vars = maps.Clone(c.Vars)
	return c
}

// Kind is how necessary a name is said to be. Higher is stronger only in the
// sense of sorting; Conditional claims nothing.
type Kind uint8

// The kinds, in the order the analyser joins them.
const (
	Optional Kind = iota
	Conditional
	Required
)

// String returns the kind's public spelling.
func (k Kind) String() string {
	return [...]string{"optional", "conditional", "required"}[k]
}

// State is what is said of one use of a name.
type State uint8

// The states of a use. Possible claims nothing.
const (
	Certain State = iota
	Possible
	Inactive
)

// String returns the state's public spelling.
func (s State) String() string {
	return [...]string{"certain", "possible", "inactive"}[s]
}

// Report is an analyser's answer, in neutral form.
type Report struct {
	Inputs, Variables []Entry
	Issues            []string // code:name
	// CannotRender says that no assignment makes the prompt render.
	CannotRender bool
}

// Complete reports whether the answer claims that discovery is complete.
func (r *Report) Complete() bool { return len(r.Issues) == 0 }

// Entry is what the answer says of one name.
type Entry struct {
	Name     string
	Kind     Kind
	Supplied bool // variables: the name is among the case's Vars
	Declared bool // inputs: the name is declared
	Inactive bool // every occurrence is on a known inactive path
	Uses     []Use
}

// Use is what the answer says of one place. Line and Column count from 1,
// columns in bytes.
type Use struct {
	Message      int
	Line, Column int
	State        State
}

// kindOf finds what entries say of name; an omitted name is conditional.
func kindOf(entries []Entry, name string) (Kind, bool) {
	for i := range entries {
		if entries[i].Name == name {
			return entries[i].Kind, true
		}
	}
	return Conditional, false
}

// inputRequired reports whether name is declared and required.
func (c *Case) inputRequired(name string) bool {
	for _, d := range c.Declared {
		if d.Name == name && d.Required {
			return true
		}
	}
	return false
}
