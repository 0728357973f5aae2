package fact

import (
	"slices"
	"strconv"
	"strings"
)

// UnknownFactError says that a text names facts that do not exist.
type UnknownFactError struct {
	// Label is what the caller calls the text: the instruction's ID, say.
	Label string
	// Unknown are the names that do not exist, in order of first appearance
	// and each once.
	Unknown []string
}

// Error names the text, every unknown fact and the facts that exist.
func (e *UnknownFactError) Error() string {
	noun := "an unknown fact: "
	if len(e.Unknown) > 1 {
		noun = "unknown facts: "
	}
	return strconv.Quote(e.Label) + " names " + noun + strings.Join(e.Unknown, ", ") +
		"; the facts that exist are " + strings.Join(Names(), ", ")
}

// CheckKnown returns an [*UnknownFactError] if text names a fact that does not
// exist, and nil otherwise. Label says in the error which text it was. A host
// calls it when it loads an instruction, so that a misspelt fact never reaches
// a model. Names are compared exactly: Action is not action.
func CheckKnown(text, label string) error {
	unknown := slices.DeleteFunc(Placeholders(text), known)
	if len(unknown) == 0 {
		return nil
	}
	return &UnknownFactError{Label: label, Unknown: unknown}
}
