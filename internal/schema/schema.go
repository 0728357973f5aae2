package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Schema is a compiled schema with everything that it refers to. It is
// immutable and safe for concurrent use.
type Schema struct {
	path     string
	compiled *jsonschema.Schema
	main     *document
	docs     map[string]*document
	names    map[string]bool // the property names that the schema itself has
}

// Path is where the schema stands in its source.
func (s *Schema) Path() string { return s.path }

// Compiled is the schema as the validator sees it, for those who read it. It
// must not be changed.
func (s *Schema) Compiled() *jsonschema.Schema { return s.compiled }

// propertyNames collects the names that the schemas give to properties. In a
// reply, any other name is something that the model made up.
func (l *loading) propertyNames() map[string]bool {
	names := make(map[string]bool)
	for _, doc := range l.docs {
		walk(doc.value, nil, func(object map[string]any, _ []string) {
			properties, _ := object["properties"].(map[string]any)
			for name := range properties {
				names[name] = true
			}
			required, _ := object["required"].([]any)
			for _, name := range required {
				if name, ok := name.(string); ok {
					names[name] = true
				}
			}
		})
	}
	return names
}

// compileError places what the compiler says. Its words quote the schema and
// its addresses are internal, so the known kinds get words of their own.
func (l *loading) compileError(main *document, cause error) *Error {
	if e := (*jsonschema.SchemaValidationError)(nil); errors.As(cause, &e) {
		return l.metaschemaError(main, e)
	}
	var (
		regex   *jsonschema.InvalidRegexError
		missing *jsonschema.JSONPointerNotFoundError
		anchor  *jsonschema.AnchorNotFoundError
		draft   *jsonschema.UnsupportedDraftError
		load    *jsonschema.LoadURLError // every reference was followed before, but for metaschemas
	)
	switch {
	case errors.As(cause, &regex):
		return problem(l.place(main, regex.URL), "the pattern is not a regular expression as Go understands them "+
			"(no look-around and no back-references)", nil)
	case errors.As(cause, &missing):
		return problem(l.reference(main, missing.URL), "the reference leads to nothing: there is no schema at that pointer", nil)
	case errors.As(cause, &anchor):
		return problem(l.reference(main, anchor.Reference), "the reference leads to nothing: there is no such anchor", nil)
	case errors.As(cause, &draft), errors.As(cause, &load):
		return problem(main.at([]string{"$schema"}), "the draft of JSON Schema is not a known one", nil)
	}
	return problem(diag.Position{File: main.name}, "the schema cannot be compiled; check $schema, $id and the references in it", nil)
}

// metaschemaError lists what in a schema is no schema.
func (l *loading) metaschemaError(main *document, e *jsonschema.SchemaValidationError) *Error {
	doc := main
	if name, ok := l.locate(e.URL); ok && l.docs[name] != nil {
		doc = l.docs[name]
	}
	result := &Error{}
	var invalid *jsonschema.ValidationError
	if errors.As(e.Err, &invalid) {
		for _, leaf := range leavesBelow(invalid) {
			p := diag.Problem{Position: doc.at(leaf.InstanceLocation), Message: misuse(leaf)}
			if !slices.Contains(result.Problems, p) {
				result.Problems = append(result.Problems, p)
			}
		}
	}
	if len(result.Problems) == 0 {
		return problem(diag.Position{File: doc.name}, "the schema does not follow the rules of JSON Schema", nil)
	}
	slices.SortFunc(result.Problems, func(a, b diag.Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return result
}

// misuse words what is wrong with a keyword.
func misuse(leaf *jsonschema.ValidationError) string {
	n := len(leaf.InstanceLocation)
	if n == 0 {
		return "the schema " + rule(leaf.ErrorKind)
	}
	keyword := leaf.InstanceLocation[n-1]
	if _, none := leaf.ErrorKind.(*kind.AnyOf); none && keyword == "type" {
		return `"type" is neither null, boolean, integer, number, string, array or object, nor a list of those`
	}
	return fmt.Sprintf("%q %s", keyword, rule(leaf.ErrorKind))
}

// place is the position of an internal address with a pointer.
func (l *loading) place(main *document, address string) diag.Position {
	name, ok := l.locate(address)
	doc := l.docs[name]
	if !ok || doc == nil {
		return diag.Position{File: main.name}
	}
	_, fragment, _ := strings.Cut(address, "#")
	plain, _ := unescapePath(fragment)
	return doc.at(tokens(plain))
}

// reference is the position of the reference that leads to an address.
func (l *loading) reference(main *document, address string) diag.Position {
	result := diag.Position{File: main.name}
	for _, name := range sortedDocs(l.docs) {
		doc := l.docs[name]
		walk(doc.value, nil, func(object map[string]any, at []string) {
			for _, keyword := range referenceKeywords {
				if to, ok := object[keyword].(string); ok && result.Line == 0 && sameAddress(resolve(doc.base(), to), address) {
					result = doc.at(append(slices.Clip(at), keyword))
				}
			}
		})
	}
	return result
}

// sameAddress compares addresses whose fragments may be escaped differently.
func sameAddress(a, b string) bool {
	plainA, errA := unescapePath(a)
	plainB, errB := unescapePath(b)
	return a == b || errA == nil && errB == nil && plainA == plainB
}

func sortedDocs(docs map[string]*document) []string {
	names := make([]string, 0, len(docs))
	for name := range docs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
