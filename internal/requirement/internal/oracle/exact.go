package oracle

import "slices"

// Exactness compares an answer that holds with the strongest one that would.
type Exactness struct {
	Entries []EntryExactness
	// Incomplete says that the report raises issues although the strongest
	// answer, for the same completions, has none to raise.
	Incomplete bool
	// Undetected says that nothing can succeed and the report does not say so.
	Undetected bool
}

// EntryExactness is the comparison for one entry.
type EntryExactness struct {
	Name  string
	Input bool
	Said  Kind
	Exact Kind
	// Touched says that an unresolved decision bears on the entry: places
	// that read it are executed in some successes and not in others, or the
	// report could not decide.
	Touched bool
}

// Weaker reports whether the answer could have been stronger.
func (e EntryExactness) Weaker() bool { return e.Said == Conditional && e.Exact != Conditional }

// Measure judges a report and, where every completion was seen, compares it
// with the exact answer. The second result is nil where that is unknown or
// means nothing: nothing succeeds, or the search was cut short.
func (s *Subject) Measure(report *Report, l Limits) (Judgement, *Exactness) {
	j := s.newJudge(report, l)
	out := j.judge()
	if !out.Exhausted || len(out.Violations) > 0 {
		return out, nil
	}
	if out.Successes == 0 {
		if out.Vacuous && !report.CannotRender {
			return out, &Exactness{Undetected: true}
		}
		return out, nil
	}
	return out, j.exactness()
}

func (j *judge) exactness() *Exactness {
	x := &Exactness{}
	all := true
	for _, e := range j.report.Inputs {
		x.Entries = append(x.Entries, EntryExactness{
			Name: e.Name, Input: true, Said: e.Kind, Exact: j.exactInput(e), Touched: j.touched(e, true),
		})
	}
	for _, e := range j.report.Variables {
		x.Entries = append(x.Entries, EntryExactness{
			Name: e.Name, Said: e.Kind, Exact: j.exactVariable(e), Touched: j.touched(e, false),
		})
	}
	for _, e := range x.Entries {
		all = all && e.Exact != Conditional
	}
	x.Incomplete = !j.report.Complete() && all && j.allListed()
	return x
}

func (j *judge) allListed() bool {
	for key, c := range j.tally.names {
		entries := j.report.Variables
		if key.input {
			entries = j.report.Inputs
		}
		if _, listed := kindOf(entries, key.name); !listed && c.read > 0 {
			return false
		}
	}
	return true
}

func (j *judge) exactInput(e Entry) Kind {
	c := j.tally.of(e.Name, true)
	switch {
	case e.Kind != Conditional:
		return e.Kind
	case c.read == j.tally.successes:
		return Required
	case c.read == 0:
		return Optional
	}
	return Conditional
}

func (j *judge) exactVariable(e Entry) Kind {
	c := j.tally.of(e.Name, false)
	switch {
	case e.Kind != Conditional:
		return e.Kind
	case c.demanded == j.tally.successes:
		return Required
	case e.Supplied && c.demanded == 0, !e.Supplied && j.couldBeOptional(e.Name):
		return Optional
	}
	return Conditional
}

// couldBeOptional reports whether calling an absent variable optional would
// have been true: with it left out, no completion fails for want of it that
// having it would save. False also means that it is not known.
func (j *judge) couldBeOptional(name string) bool {
	st := *j.start
	st.rule = func(n string) rule {
		if n == name {
			return absent
		}
		return j.start.rule(n)
	}
	st.pool = slices.DeleteFunc(slices.Clone(st.pool), func(n string) bool { return n == name })
	holds, tries, successes := true, 0, 0
	seenAll := j.s.search(&st, j.limits, func(r *run) bool {
		if r.ok {
			successes++
		}
		if r.failed == name && !r.withheld {
			tries++
			holds = tries < maxAdditions && j.s.addition(j.s.assignments(j.s.Case.Vars), r, name, j.limits) == nil
		}
		return holds
	})
	return holds && seenAll && successes > 0
}

// touched reports whether places that read the name are executed in some
// successes and not in others.
func (j *judge) touched(e Entry, input bool) bool {
	if e.Kind == Conditional {
		return true
	}
	for key, c := range j.tally.places {
		if key.name == e.Name && (j.s.sites[key.site].kind == siteInput) == input &&
			c.read > 0 && c.read < j.tally.successes {
			return true
		}
	}
	return false
}
