package offline

import (
	"iter"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	moreItems = 3      // how much longer than the shortest an array may get
	maxItems  = 10_000 // how long it may be
)

// arrays yields arrays from the shortest on that may be right.
func (g *generator) arrays(all []*jsonschema.Schema, at []string) iter.Seq[any] {
	shortest, unique := 0, false
	var contained []*jsonschema.Schema // one for each element that has to be there
	for _, s := range all {
		if s.MinItems != nil {
			shortest = max(shortest, *s.MinItems)
		}
		unique = unique || s.UniqueItems
		if s.Contains != nil {
			times := 1
			if s.MinContains != nil {
				times = *s.MinContains
			}
			contained = append(contained, slices.Repeat([]*jsonschema.Schema{s.Contains}, min(times, maxItems))...)
		}
	}
	return func(yield func(any) bool) {
		for n := max(shortest, len(contained)); n <= max(shortest, len(contained))+moreItems; n++ {
			if n > 0 && len(at)+1 >= g.deepest || n > maxItems {
				return
			}
			// The elements that have to be there come first, or else last.
			for _, from := range slices.Compact([]int{0, n - len(contained)}) {
				if v, ok := g.array(all, at, n, unique, from, contained); ok && !yield(v) {
					return
				}
			}
		}
	}
}

// array makes an array of n elements.
func (g *generator) array(all []*jsonschema.Schema, at []string, n int, unique bool, from int, contained []*jsonschema.Schema) (any, bool) {
	elements := make([]any, 0, n)
	taken := make(map[string]bool)
	for i := range n {
		schemas := elementSchemas(all, i)
		if k := i - from; k >= 0 && k < len(contained) {
			schemas = append(schemas, contained[k])
		}
		found := false
		for v := range g.values(schemas, append(slices.Clip(at), strconv.Itoa(i))) {
			if key := encode(v); !unique || !taken[key] {
				taken[key], found = true, true
				elements = append(elements, v)
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return elements, true
}

// elementSchemas are the schemas for the element at an index, in all drafts.
func elementSchemas(all []*jsonschema.Schema, i int) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, s := range all {
		switch items := s.Items.(type) {
		case *jsonschema.Schema:
			out = append(out, items)
		case []*jsonschema.Schema:
			if i < len(items) {
				out = append(out, items[i])
			} else if rest, ok := s.AdditionalItems.(*jsonschema.Schema); ok {
				out = append(out, rest)
			}
		}
		if i < len(s.PrefixItems) {
			out = append(out, s.PrefixItems[i])
		} else if s.Items2020 != nil {
			out = append(out, s.Items2020)
		}
	}
	return out
}
