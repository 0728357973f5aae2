package repair

import (
	"strconv"
	"strings"
)

// MaxViolations is how many violations the model is shown. They are usually
// one mistake repeated, and a model mends the rest with the first.
const MaxViolations = 20

// Empty asks again after a reply without text. JSON says that the contract is
// for JSON.
func Empty(json bool) string {
	if json {
		return "Your reply was empty. Answer the request above with one JSON document and nothing else."
	}
	return "Your reply was empty. Answer the request above."
}

// NotJSON asks for the reply as JSON; problem says where it is not.
func NotJSON(problem string) string {
	return "Your reply is not valid JSON: " + problem + ".\n" +
		"Send the whole reply again as one valid JSON document. " + only
}

// Mismatch asks for a reply that fits the schema.
func Mismatch(violations []Violation) string {
	var b strings.Builder
	b.WriteString("Your reply is valid JSON but does not match the required schema:\n")
	for _, v := range violations[:min(len(violations), MaxViolations)] {
		b.WriteString("- at " + place(v.Path) + ": " + v.Message + "\n")
	}
	if more := len(violations) - MaxViolations; more > 0 {
		b.WriteString("- and " + itoa(more) + " more of the kind\n")
	}
	b.WriteString("Send the whole reply again, corrected, as one JSON document. Keep what was right. " + only)
	return b.String()
}

const only = "Send the document only: no explanation, no code fence."

// Violation is one place in a reply that the schema rejects, in the words
// meant for the model that wrote it.
type Violation struct {
	Path    string // JSON Pointer; "" for the whole reply
	Message string
}

func place(pointer string) string {
	if pointer == "" {
		return "the top level"
	}
	return pointer
}

func itoa(n int) string { return strconv.Itoa(n) }
