package offline

import (
	"iter"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bySize are the types of JSON, those with the shortest values first.
var bySize = []string{"integer", "number", "string", "array", "object", "null", "boolean"}

// ofTypes yields values of each type that the schemas allow.
func (g *generator) ofTypes(all []*jsonschema.Schema, at []string) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, name := range g.order(all) {
			for v := range g.ofType(name, all, at) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

func (g *generator) ofType(name string, all []*jsonschema.Schema, at []string) iter.Seq[any] {
	switch name {
	case "integer":
		return numbers(all, true)
	case "number":
		return numbers(all, false)
	case "string":
		return texts(all)
	case "array":
		return g.arrays(all, at)
	case "object":
		return g.objects(all, at)
	case "null":
		return slices.Values([]any{nil})
	}
	return slices.Values([]any{true, false})
}

// order is the types to try. A schema that describes properties and forgets
// to say that it means an object means one, unless that leads nowhere.
func (g *generator) order(all []*jsonschema.Schema) []string {
	allowed := bySize
	said := false
	for _, s := range all {
		if s.Types == nil || s.Types.IsEmpty() {
			continue
		}
		said = true
		types := s.Types.ToStrings()
		allowed = slices.DeleteFunc(slices.Clone(allowed), func(name string) bool {
			return !slices.Contains(types, name) && (name != "integer" || !slices.Contains(types, "number"))
		})
	}
	if hint := hinted(all); hint != "" && !said && !g.literal {
		return []string{hint}
	}
	return allowed
}

// hinted is the type whose keywords the schemas use.
func hinted(all []*jsonschema.Schema) string {
	for _, s := range all {
		switch {
		case s.Properties != nil, s.Required != nil, s.PatternProperties != nil, s.AdditionalProperties != nil,
			s.MinProperties != nil, s.PropertyNames != nil:
			return "object"
		case s.Items != nil, s.Items2020 != nil, s.PrefixItems != nil, s.MinItems != nil, s.Contains != nil:
			return "array"
		case s.Pattern != nil, s.MinLength != nil, s.Format != nil:
			return "string"
		case s.Minimum != nil, s.Maximum != nil, s.MultipleOf != nil:
			return "number"
		}
	}
	return ""
}
