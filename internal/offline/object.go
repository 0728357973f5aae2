package offline

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// alternatives is how many values are tried for one member when the object as
// a whole is not accepted with the first.
const alternatives = 8

// objects yields objects that may be right: with what is required, then with
// single members changed, then with members that are optional.
func (g *generator) objects(all []*jsonschema.Schema, at []string) iter.Seq[any] {
	all, names := required(all)
	return func(yield func(any) bool) {
		base, ok := g.object(all, at, names)
		if !ok || !yield(base) {
			return
		}
		for _, name := range names {
			tried := 0
			for v := range g.values(memberSchemas(all, name), append(slices.Clip(at), name)) {
				changed := maps.Clone(base)
				changed[name] = v
				if !yield(changed) {
					return
				}
				if tried++; tried == alternatives {
					break
				}
			}
		}
		g.larger(all, at, base, yield)
	}
}

// larger yields base with optional members: each alone, then more and more of
// them.
func (g *generator) larger(all []*jsonschema.Schema, at []string, base map[string]any, yield func(any) bool) {
	grown := maps.Clone(base)
	for _, name := range optional(all) {
		if _, there := base[name]; there || len(at)+1 >= g.deepest {
			continue
		}
		v, ok := g.first(memberSchemas(all, name), append(slices.Clip(at), name))
		if !ok {
			continue
		}
		single := maps.Clone(base)
		single[name], grown[name] = v, v
		if !yield(single) || len(grown) > len(single) && !yield(maps.Clone(grown)) {
			return
		}
	}
}

// object makes an object with the given members.
func (g *generator) object(all []*jsonschema.Schema, at []string, names []string) (map[string]any, bool) {
	object := make(map[string]any, len(names))
	if len(names) > 0 && len(at)+1 >= g.deepest {
		return nil, false
	}
	for _, name := range names {
		v, ok := g.first(memberSchemas(all, name), append(slices.Clip(at), name))
		if !ok {
			return nil, false
		}
		object[name] = v
	}
	return object, true
}

// required are the members that the schemas demand, with those that the
// demanded ones bring along, and the schemas that they bring along too.
func required(all []*jsonschema.Schema) ([]*jsonschema.Schema, []string) {
	var names []string
	add := func(more ...string) (grew bool) {
		for _, name := range more {
			if !slices.Contains(names, name) {
				names, grew = append(names, name), true
			}
		}
		return grew
	}
	for grew := true; grew; {
		grew = false
		for _, s := range all {
			grew = add(s.Required...) || grew
			for _, name := range names {
				grew = add(s.DependentRequired[name]...) || grew
				brought := s.DependentSchemas[name]
				switch d := s.Dependencies[name].(type) {
				case []string:
					grew = add(d...) || grew
				case *jsonschema.Schema:
					brought = d
				}
				if brought != nil && !slices.Contains(all, brought) {
					all, grew = expand(append(slices.Clone(all), brought)), true
				}
			}
		}
	}
	slices.Sort(names)
	return all, names
}

// optional are names of members that may be added: the declared ones, then as
// many made-up ones as some schema demands.
func optional(all []*jsonschema.Schema) []string {
	declared := make(map[string]bool)
	fewest := 0
	var made []string
	for _, s := range all {
		for name := range s.Properties {
			declared[name] = true
		}
		if s.MinProperties != nil {
			fewest = max(fewest, *s.MinProperties)
		}
		for _, pattern := range patterns(s) {
			made = append(made, slices.Collect(matching(pattern.String(), 0, fewest+1))...)
		}
		if s.PropertyNames != nil {
			for v := range (&generator{deepest: 1}).values([]*jsonschema.Schema{s.PropertyNames}, nil) {
				if name, ok := v.(string); ok {
					made = append(made, name)
				}
				if len(made) > fewest {
					break
				}
			}
		}
	}
	slices.Sort(made)
	for v := range plain(1, 1+fewest, min(fewest, maxNumbers)) {
		made = append(made, v)
	}
	return append(slices.Sorted(maps.Keys(declared)), made...)
}

// memberSchemas are the schemas for the member of a name.
func memberSchemas(all []*jsonschema.Schema, name string) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, s := range all {
		covered := false
		if p, ok := s.Properties[name]; ok {
			out, covered = append(out, p), true
		}
		for _, pattern := range patterns(s) {
			if pattern.MatchString(name) {
				out, covered = append(out, s.PatternProperties[pattern]), true
			}
		}
		if rest, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && !covered {
			out = append(out, rest)
		}
	}
	return out
}

// patterns are those of patternProperties, in an order that is always the same.
func patterns(s *jsonschema.Schema) []jsonschema.Regexp {
	return slices.SortedFunc(maps.Keys(s.PatternProperties), func(a, b jsonschema.Regexp) int {
		return strings.Compare(a.String(), b.String())
	})
}
