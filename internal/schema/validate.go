package schema

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// MaxViolations is how many violations are reported of one reply.
const MaxViolations = 100

// Violation is one place in a reply that the schema rejects.
type Violation struct {
	// Path is a JSON Pointer into the reply; "" is the whole of it. A name
	// that is not the schema's own, but the model's, shows as *.
	Path string
	// Message says which rule is broken, and holds nothing of the reply.
	Message string
	// Exact is the same for the model that wrote the reply, and for no log:
	// it may quote the reply.
	Exact Exact
}

// Exact is a violation in words that may quote the reply. Only its fields
// hold them: every formatting prints a mask.
type Exact struct {
	path, message string
}

// Path is a JSON Pointer into the reply.
func (e Exact) Path() string { return e.path }

// Message says which rule is broken, and by what.
func (e Exact) Message() string { return e.message }

const mask = "[reply]"

// Format prints the mask, whatever the verb.
func (Exact) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask) }

// LogValue returns the mask.
func (Exact) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask.
func (Exact) MarshalText() ([]byte, error) { return []byte(mask), nil }

// Validate holds a JSON document to the schema. It returns what the schema
// rejects, in the order of the document, and an error only if the text is no
// JSON document.
func (s *Schema) Validate(text []byte) ([]Violation, error) {
	value, _, err := decode(text)
	if errors.Is(err, errNumber) {
		const message = "holds a number with an exponent too large to handle"
		return []Violation{{Message: message, Exact: Exact{"", message}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.ValidateValue(value, text), nil
}

// ValidateValue is Validate for a document that is already decoded, with
// numbers as json.Number. The text gives the order of the violations.
func (s *Schema) ValidateValue(value any, text []byte) []Violation {
	var invalid *jsonschema.ValidationError
	if !errors.As(s.compiled.Validate(value), &invalid) {
		return nil
	}
	found := leavesOf(invalid)
	offsets := make(map[string]int, len(found))
	for _, leaf := range found {
		offsets[pointer(leaf.InstanceLocation)] = 0
	}
	findOffsets(text, offsets)
	violations := make([]Violation, 0, len(found))
	for _, leaf := range found {
		violations = append(violations, s.violation(leaf, value))
	}
	slices.SortStableFunc(violations, func(a, b Violation) int {
		return cmp.Or(
			cmp.Compare(offsets[a.Exact.path], offsets[b.Exact.path]),
			strings.Compare(a.Exact.path, b.Exact.path),
			strings.Compare(a.Exact.message, b.Exact.message))
	})
	violations = slices.CompactFunc(violations, func(a, b Violation) bool { return a.Exact == b.Exact })
	return violations[:min(len(violations), MaxViolations)]
}

// violation words one leaf of the validator's tree.
func (s *Schema) violation(leaf *jsonschema.ValidationError, value any) Violation {
	exact := leaf.ErrorKind.LocalizedString(english)
	return Violation{
		Path:    pointer(s.masked(leaf.InstanceLocation, value)),
		Message: rule(leaf.ErrorKind),
		Exact:   Exact{pointer(leaf.InstanceLocation), clip(exact, 400)},
	}
}

var english = message.NewPrinter(language.English)

// clip keeps a quotation of a long value from filling the conversation.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// masked replaces the names in a location that are not the schema's.
func (s *Schema) masked(location []string, value any) []string {
	shown := make([]string, len(location))
	for i, token := range location {
		switch v := value.(type) {
		case []any:
			shown[i] = token
			if n, err := strconv.Atoi(token); err == nil && n < len(v) {
				value = v[n]
			}
		case map[string]any:
			shown[i] = "*"
			if s.names[token] {
				shown[i] = token
			}
			value = v[token]
		}
	}
	return shown
}

// leavesOf finds the violations that say something by themselves. Of
// alternatives none of which fits, it follows the one that comes closest.
func leavesOf(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return append([]*jsonschema.ValidationError{{InstanceLocation: e.InstanceLocation, ErrorKind: e.ErrorKind}}, closest(e)...)
	case *kind.PropertyNames:
		return []*jsonschema.ValidationError{e}
	}
	return leavesBelow(e)
}

// leavesBelow finds the leaves below e, whatever it is itself.
func leavesBelow(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var found []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		found = append(found, leavesOf(cause)...)
	}
	return found
}

// closest returns the violations of the alternative that was most likely
// meant: one that fails below its own place rather than at it (a wrong kind of
// value, a different discriminator), and then the one with the fewest. If all
// fail at the place itself there is nothing to say beyond that.
func closest(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	var best []*jsonschema.ValidationError
	for _, alternative := range e.Causes {
		found := leavesOf(alternative)
		meant := !slices.ContainsFunc(found, func(leaf *jsonschema.ValidationError) bool {
			return disqualifies(leaf, len(e.InstanceLocation))
		})
		if meant && (best == nil || len(found) < len(best)) {
			best = found
		}
	}
	return best
}

// disqualifies reports whether a violation shows that an alternative was not
// meant: another type at its own place, or another constant directly below.
func disqualifies(leaf *jsonschema.ValidationError, depth int) bool {
	switch leaf.ErrorKind.(type) {
	case *kind.Type:
		return len(leaf.InstanceLocation) == depth
	case *kind.Const, *kind.Enum:
		return len(leaf.InstanceLocation) <= depth+1
	}
	return false
}

// rule says which rule is broken without quoting the reply.
func rule(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "is a " + k.Got + " and has to be " + alternatives(k.Want)
	case *kind.Required:
		return "lacks " + quoted(k.Missing)
	case *kind.DependentRequired:
		return "lacks " + quoted(k.Missing) + ", which another property requires"
	case *kind.Dependency:
		return "lacks " + quoted(k.Missing) + ", which another property requires"
	case *kind.AdditionalProperties:
		return "has " + count(len(k.Properties), "property", "properties") + " that the schema does not allow"
	case *kind.Enum:
		return "is not one of the " + count(len(k.Want), "value", "values") + " that the schema allows"
	case *kind.Format:
		return "is not a valid " + k.Want
	case *kind.AnyOf:
		return "fits none of the alternatives of anyOf"
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return "fits more than one of the alternatives of oneOf"
		}
		return "fits none of the alternatives of oneOf"
	case *kind.FalseSchema:
		return "is not allowed here"
	case *kind.PropertyNames:
		return "has a property whose name the schema does not allow"
	}
	return bound(k)
}

// bound words the rules that set a limit.
func bound(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return "is shorter than " + count(k.Want, "character", "characters")
	case *kind.MaxLength:
		return "is longer than " + count(k.Want, "character", "characters")
	case *kind.MinItems:
		return "has fewer than " + count(k.Want, "item", "items")
	case *kind.MaxItems:
		return "has more than " + count(k.Want, "item", "items")
	case *kind.MinProperties:
		return "has fewer than " + count(k.Want, "property", "properties")
	case *kind.MaxProperties:
		return "has more than " + count(k.Want, "property", "properties")
	case *kind.Minimum:
		return "is below the minimum of " + k.Want.RatString()
	case *kind.Maximum:
		return "is above the maximum of " + k.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "is not above " + k.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "is not below " + k.Want.RatString()
	case *kind.MultipleOf:
		return "is not a multiple of " + k.Want.RatString()
	case *kind.Const:
		return "is not the value that the schema prescribes"
	case *kind.Pattern:
		return "does not match the pattern " + strconv.Quote(clip(k.Want, 80))
	case *kind.UniqueItems:
		return "has items that are equal"
	case *kind.Not:
		return "is what the schema excludes"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return "breaks the rule " + strconv.Quote(path[0])
	}
	return "does not match"
}

// alternatives words a list of types.
func alternatives(types []string) string {
	return strings.Join(types, " or ")
}

// quoted words a list of property names, which are the schema's own.
func quoted(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = strconv.Quote(name)
	}
	return strings.Join(all, ", ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
