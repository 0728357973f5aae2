package oracle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// wellFormed holds the report against what can be told without executing:
// order, membership, and how its parts fit together.
func (j *judge) wellFormed() {
	r := j.report
	byName := func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(r.Inputs, byName) || !slices.IsSortedFunc(r.Variables, byName) {
		j.malformed("", "entries are not sorted by name")
	}
	for i, e := range r.Inputs {
		if i > 0 && r.Inputs[i-1].Name == e.Name {
			j.malformed(e.Name, "listed twice")
		}
		j.inputForm(e)
	}
	for i, e := range r.Variables {
		if i > 0 && r.Variables[i-1].Name == e.Name {
			j.malformed(e.Name, "listed twice")
		}
		if _, ok := j.s.Case.Vars[e.Name]; ok != e.Supplied {
			j.malformed(e.Name, "supplied is wrong")
		}
		j.entryForm(e, siteField)
	}
	for _, d := range j.s.Case.Declared {
		if _, ok := kindOf(r.Inputs, d.Name); !ok {
			j.malformed(d.Name, "declared, but not listed")
		}
	}
	j.issueForm()
}

func (j *judge) malformed(name, detail string) {
	j.out.Malformed = append(j.out.Malformed, strconv.Quote(name)+": "+detail)
}

func (j *judge) inputForm(e Entry) {
	declared := slices.ContainsFunc(j.s.Case.Declared, func(d Declared) bool { return d.Name == e.Name })
	if declared != e.Declared {
		j.malformed(e.Name, "declared is wrong")
	}
	if j.s.Case.inputRequired(e.Name) && e.Kind != Required {
		j.malformed(e.Name, "a required declaration that is "+e.Kind.String())
	}
	j.entryForm(e, siteInput)
}

func (j *judge) entryForm(e Entry, kind siteKind) {
	if e.Inactive && e.Kind != Optional {
		j.malformed(e.Name, "inactive_use of a name that is "+e.Kind.String())
	}
	if e.Kind == Conditional && j.report.Complete() {
		j.malformed(e.Name, "conditional in a complete report")
	}
	if !j.known(e, kind) {
		j.malformed(e.Name, "the name occurs nowhere")
	}
	j.useForm(e, kind)
}

// known reports whether the templates could be meant by a listed name: it
// occurs literally, is declared, or some place computes its names.
func (j *judge) known(e Entry, kind siteKind) bool {
	if e.Declared {
		return true
	}
	return slices.ContainsFunc(j.s.sites, func(s site) bool {
		return (s.kind == siteInput) == (kind == siteInput) && (!s.literal || s.name == e.Name)
	})
}

func (j *judge) useForm(e Entry, kind siteKind) {
	for i, u := range e.Uses {
		if i > 0 && compareUses(e.Uses[i-1], u) >= 0 {
			j.malformed(e.Name, "uses are not sorted, or repeated")
		}
		if len(j.sitesOf(e.Name, kind, u)) == 0 {
			j.malformed(e.Name, "a use where no such name is read")
		}
		if e.Inactive && u.State != Inactive {
			j.malformed(e.Name, "inactive_use with a use that is "+u.State.String())
		}
		if u.State == Certain && kind == siteInput && e.Kind != Required {
			j.malformed(e.Name, "certainly used, but "+e.Kind.String())
		}
	}
	if len(e.Uses) == 0 && !e.Declared {
		j.malformed(e.Name, "listed without a use")
	}
}

func compareUses(a, b Use) int {
	return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func (j *judge) issueForm() {
	if !slices.IsSorted(j.report.Issues) {
		j.malformed("", "issues are not sorted")
	}
	unresolved := false
	for i, issue := range j.report.Issues {
		if i > 0 && j.report.Issues[i-1] == issue {
			j.malformed(issue, "issue repeated")
		}
		unresolved = unresolved || strings.HasPrefix(issue, "expression_unresolved")
	}
	if j.report.CannotRender && !unresolved {
		j.malformed("", "nothing can render, but expression_unresolved is missing")
	}
}

// sitesOf lists the sites that a use of a name can mean.
func (j *judge) sitesOf(name string, kind siteKind, u Use) []int {
	var ids []int
	for i, s := range j.s.sites {
		if s.message == u.Message && (s.kind == siteInput) == (kind == siteInput) &&
			(!s.literal || s.name == name) && slices.Contains(s.at, place{u.Line, u.Column}) {
			ids = append(ids, i)
		}
	}
	return ids
}

// uses holds the states of uses against the tally.
func (j *judge) uses() {
	for _, e := range j.report.Inputs {
		j.useStates(e, siteInput)
	}
	for _, e := range j.report.Variables {
		j.useStates(e, siteField)
	}
}

func (j *judge) useStates(e Entry, kind siteKind) {
	for _, u := range e.Uses {
		ids := j.sitesOf(e.Name, kind, u)
		executed, read := 0, 0
		for _, id := range ids {
			if c := j.tally.places[placeKey{id, e.Name}]; c != nil {
				executed, read = executed+c.executed, read+c.read
			}
		}
		at := func(r *run) bool {
			return slices.ContainsFunc(r.events, func(ev event) bool {
				return ev.name == e.Name && slices.Contains(ids, ev.site)
			})
		}
		switch {
		case u.State == Certain && read < j.tally.successes:
			j.contradict("use certain", e.Name, "", func(r *run) bool { return r.ok && !at(r) })
		case u.State == Inactive && executed > 0:
			j.contradict("use inactive", e.Name, "", func(r *run) bool { return !j.without(r) && at(r) })
		}
	}
}
