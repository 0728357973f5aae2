package oracle

import (
	"fmt"
	"maps"
	"slices"
)

// Facts says of each name whether it is read, and a variable demanded, in
// some and in all successes.
type Facts map[string]string

func factsOf(t *tally) Facts {
	f := Facts{}
	some := func(n int) string {
		switch n {
		case 0:
			return "none"
		case t.successes:
			return "all"
		}
		return "some"
	}
	for key, c := range t.names {
		if c.read > 0 {
			f[fmt.Sprintf("%s input=%t", key.name, key.input)] = "read " + some(c.read) + " demanded " + some(c.demanded)
		}
	}
	return f
}

// Lazily finds the facts as Judge does, over all assignments.
func (s *Subject) Lazily(l Limits) (Facts, bool) {
	j := s.newJudge(&Report{}, l)
	j.start = j.s.assignments(j.s.Case.Vars)
	j.execute()
	return factsOf(j.tally), j.out.Exhausted
}

// maxBrute bounds the assignments that Brutely tries.
const maxBrute = 4000

// Brutely finds the facts by trying every value for every name that the case
// mentions.
func (s *Subject) Brutely() (Facts, bool) {
	var names []nameKey
	for _, name := range slices.Sorted(maps.Keys(s.domains.fieldUse)) {
		if _, ok := s.Case.Vars[name]; !ok {
			names = append(names, nameKey{name, false})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.domains.inputUse)) {
		names = append(names, nameKey{name, true})
	}
	total := 1
	for range names {
		if total *= len(s.domains.any) + 1; total > maxBrute {
			return nil, false
		}
	}
	t := newTally()
	known := true
	for i := range total {
		c := Completion{Vars: maps.Clone(s.Case.Vars), Inputs: map[string]string{}}
		for _, n := range names {
			choice := i % (len(s.domains.any) + 1)
			i /= len(s.domains.any) + 1
			switch {
			case choice == len(s.domains.any):
			case n.input:
				c.Inputs[n.name] = s.domains.any[choice]
			default:
				c.Vars[n.name] = s.domains.any[choice]
			}
		}
		r := s.fixed(c)
		known = known && !r.endless
		t.add(r)
	}
	return factsOf(t), known
}

// Dynamic reports whether names are chosen at run time: names that the case
// does not mention could be read then.
func (s *Subject) Dynamic() bool {
	return slices.ContainsFunc(s.sites, func(x site) bool { return !x.literal && x.kind != siteField })
}
