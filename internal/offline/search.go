package offline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/promptkit-go/promptkit/internal/schema"
)

const (
	maxDepth = 24      // of nested objects and arrays in a reply
	maxSteps = 100_000 // values judged, and places looked at, in all
	maxBytes = 1 << 20 // of a string that has to be long
)

// Error says that no reply was found.
type Error struct {
	Schema string // path of the schema
	Place  string // JSON Pointer in the reply at which nothing fitted
}

// Error says where, and what can be done.
func (e *Error) Error() string {
	place := e.Place
	if place == "" {
		place = "the top level"
	}
	return fmt.Sprintf("the offline backend finds no value at %s that schema %q accepts: "+
		"simplify the schema there, an enum or a default helps, or use another backend", place, e.Schema)
}

// search finds a document that a schema accepts.
func search(s *schema.Schema) (string, error) {
	g := &generator{}
	for _, g.literal = range []bool{false, true} {
		for depth := 1; depth <= maxDepth && g.steps < maxSteps; depth++ {
			g.deepest = depth
			if v, ok := g.first([]*jsonschema.Schema{s.Compiled()}, nil); ok {
				return encode(v), nil
			}
		}
	}
	return "", &Error{Schema: s.Path(), Place: pointer(g.stuck)}
}

// generator is the state of one search.
type generator struct {
	deepest int      // how many levels may be nested in this round
	literal bool     // a schema that describes properties may be answered with a number
	steps   int      // taken so far, in all rounds
	stuck   []string // the deepest place at which there was no value
	stuckAt int      // its depth
}

// values yields values that all of the schemas accept, smallest first as far
// as can be foreseen.
func (g *generator) values(all []*jsonschema.Schema, at []string) iter.Seq[any] {
	return func(yield func(any) bool) {
		if g.steps++; g.steps > maxSteps {
			return
		}
		found := false
		for v := range g.proposals(expand(all), at) {
			if g.steps++; g.steps > maxSteps {
				break
			}
			if !accepted(all, v) {
				continue
			}
			found = true
			if !yield(v) {
				return
			}
		}
		if !found && len(at) >= g.stuckAt && len(at) < g.deepest {
			g.stuckAt, g.stuck = len(at), slices.Clone(at)
		}
	}
}

// first is the first value that all of the schemas accept.
func (g *generator) first(all []*jsonschema.Schema, at []string) (any, bool) {
	for v := range g.values(all, at) {
		return v, true
	}
	return nil, false
}

func accepted(all []*jsonschema.Schema, v any) bool {
	for _, s := range all {
		if s.Validate(v) != nil {
			return false
		}
	}
	return true
}

// expand adds the schemas that the given ones always imply.
func expand(all []*jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	var add func(s *jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(out, s) {
			return
		}
		out = append(out, s)
		add(s.Ref)
		add(s.RecursiveRef)
		if s.DynamicRef != nil {
			add(s.DynamicRef.Ref)
		}
		for _, implied := range s.AllOf {
			add(implied)
		}
	}
	for _, s := range all {
		add(s)
	}
	return out
}

// proposals yields values that may be right. Where the schemas leave a
// choice, it is made here, cheapest option first.
func (g *generator) proposals(all []*jsonschema.Schema, at []string) iter.Seq[any] {
	if fixed, ok := enumerated(all); ok {
		return slices.Values(fixed)
	}
	options := choice(all)
	if options == nil {
		return g.ofTypes(all, at)
	}
	return func(yield func(any) bool) {
		for _, option := range g.sorted(options, at) {
			for v := range g.values(option, at) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// sorted orders options by the size of the first value of each, and drops
// those without one.
func (g *generator) sorted(options [][]*jsonschema.Schema, at []string) [][]*jsonschema.Schema {
	type sized struct {
		option []*jsonschema.Schema
		size   int
	}
	var possible []sized
	for _, option := range options {
		if v, ok := g.first(option, at); ok {
			possible = append(possible, sized{option, len(encode(v))})
		}
	}
	slices.SortStableFunc(possible, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	out := make([][]*jsonschema.Schema, len(possible))
	for i, p := range possible {
		out[i] = p.option
	}
	return out
}

// choice takes the first choice that the schemas leave open and returns the
// schemas for each way to make it; nil if they leave none.
func choice(all []*jsonschema.Schema) [][]*jsonschema.Schema {
	for _, s := range all {
		var ways [][]*jsonschema.Schema
		for _, alternatives := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
			if len(alternatives) > 0 && !containsAny(all, alternatives) {
				for _, a := range alternatives {
					ways = append(ways, expand(append(slices.Clone(all), a)))
				}
				return ways
			}
		}
		if s.If != nil && !slices.Contains(all, s.If) && !decided(all, s) {
			then := append(slices.Clone(all), s.If)
			if s.Then != nil {
				then = append(then, s.Then)
			}
			otherwise := append(slices.Clone(all), unless(s))
			if s.Else != nil {
				otherwise = append(otherwise, s.Else)
			}
			return [][]*jsonschema.Schema{expand(otherwise), expand(then)}
		}
	}
	return nil
}

// unless is the schema of what does not fit the condition of s.
func unless(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{DraftVersion: s.DraftVersion, Location: s.Location, Not: s.If}
}

// decided reports whether the condition of s was already taken not to hold.
func decided(all []*jsonschema.Schema, s *jsonschema.Schema) bool {
	return slices.ContainsFunc(all, func(o *jsonschema.Schema) bool { return o.Not == s.If })
}

func containsAny(all, some []*jsonschema.Schema) bool {
	return slices.ContainsFunc(some, func(s *jsonschema.Schema) bool { return slices.Contains(all, s) })
}

// enumerated returns the values that the schemas list, smallest first.
func enumerated(all []*jsonschema.Schema) ([]any, bool) {
	for _, s := range all {
		if s.Const != nil {
			return []any{*s.Const}, true
		}
	}
	for _, s := range all {
		if s.Enum != nil {
			listed := slices.Clone(s.Enum.Values)
			slices.SortStableFunc(listed, func(a, b any) int { return cmp.Compare(len(encode(a)), len(encode(b))) })
			return listed, true
		}
	}
	return nil, false
}

// encode writes a value as JSON, with sorted members.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil { // only what came out of JSON or was made here
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(at []string) string {
	var b strings.Builder
	for _, token := range at {
		b.WriteByte('/')
		b.WriteString(escaper.Replace(token))
	}
	return b.String()
}
