package oracle

import (
	"text/template/parse"
)

// Two values that occur in no template, so that a value can be different from
// every literal and two values can be different from each other.
const (
	freshOne = "q7"
	freshTwo = "w88"
)

// otherKey is a variable that no template mentions. A completion may have it
// all the same, and a look at the whole map shows it.
const otherKey = "zz"

// domains knows which values a name has to be tried with to see everything
// that its value can bring about.
type domains struct {
	any                       []string // for a value that may be used in any way
	keys                      []string // names that the map may have besides those mentioned
	fieldUse, inputUse        map[string]use
	dynamicField, dynamicRead use // what names chosen at run time are used for
	cache                     map[string][]string
}

func newDomains(s *Subject, trees []*parse.Tree) domains {
	d := domains{fieldUse: map[string]use{}, inputUse: map[string]use{}, cache: map[string][]string{}}
	dynamic := false
	for _, site := range s.sites {
		uses, all := d.fieldUse, &d.dynamicField
		if site.kind == siteInput {
			uses, all = d.inputUse, &d.dynamicRead
		}
		if site.literal {
			uses[site.name] = uses[site.name].join(site.use)
			continue
		}
		dynamic = true
		*all = all.join(site.use)
	}
	l := newLiterals(s, trees, dynamic)
	d.any = l.values()
	d.keys = []string{otherKey}
	if l.ranged {
		d.keys = distinct(append(d.keys, l.texts[:min(len(l.texts), 2)]...))
	}
	return d
}

// of returns the values to try for a variable, or for an input's content.
func (d *domains) of(name string, input bool) []string {
	key := "v" + name
	if input {
		key = "i" + name
	}
	if values, ok := d.cache[key]; ok {
		return values
	}
	u := d.fieldUse[name].join(d.dynamicField)
	if input {
		u = d.inputUse[name].join(d.dynamicRead)
	}
	d.cache[key] = d.valuesFor(u)
	return d.cache[key]
}

func (d *domains) valuesFor(u use) []string {
	switch u.value {
	case usedNowhere:
		return []string{freshOne}
	case usedTruth, usedEqual: // a name may be tested here and compared there
		return distinct(append([]string{freshOne, ""}, u.lits...))
	}
	return d.any
}
