package oracle

import (
	"fmt"
)

// Violation is a claim that an execution contradicts.
type Violation struct {
	Claim      string // as in "variable required"
	Name       string
	Completion Completion  // contradicts the claim
	Perturbed  *Completion // with the variable added, where the claim is about that
	Detail     string
}

// String renders the violation on a few lines.
func (v Violation) String() string {
	text := fmt.Sprintf("claim %q of %q is contradicted\n  by %v", v.Claim, v.Name, v.Completion)
	if v.Perturbed != nil {
		text += fmt.Sprintf("\n  and %v", *v.Perturbed)
	}
	if v.Detail != "" {
		text += "\n  (" + v.Detail + ")"
	}
	return text
}

// Judgement is what executions say about a report.
type Judgement struct {
	Violations []Violation
	Malformed  []string // what is wrong with the report's form
	Exhausted  bool     // every completion was seen, up to what cannot matter
	Successes  int      // among the completions the report allows
	Runs       int
	Vacuous    bool // no assignment to any name was found to succeed
	// Samples are a success and a failure among the completions, where there
	// are such.
	Samples []Completion
}

// judge is one judgement in the making.
type judge struct {
	s      *Subject
	report *Report
	limits Limits
	start  *start
	each   func(visit func(*run) bool) (exhausted bool) // runs the completions
	tally  *tally
	out    Judgement
	tried  map[string]int // searches for an addition, by variable
}

// Judge holds a report against executions of the case.
func (s *Subject) Judge(report *Report, l Limits) Judgement {
	return s.newJudge(report, l).judge()
}

func (s *Subject) newJudge(report *Report, l Limits) *judge {
	j := &judge{s: s, report: report, limits: l}
	j.start = j.completions()
	j.each = func(visit func(*run) bool) bool { return s.search(j.start, l, visit) }
	return j
}

// Contradicts holds a report against one completion.
func (s *Subject) Contradicts(report *Report, c Completion, l Limits) []Violation {
	j := s.newJudge(report, l)
	j.each = func(visit func(*run) bool) bool {
		r := s.fixed(c)
		r.withheld = j.without(r)
		visit(r)
		return false
	}
	j.execute()
	j.claims()
	return j.out.Violations
}

func (j *judge) judge() Judgement {
	j.wellFormed()
	j.execute()
	j.out.Runs, j.out.Successes = j.tally.runs, j.tally.successes
	j.claims()
	j.vacuity()
	return j.out
}

// claims holds the report's claims against what was counted.
func (j *judge) claims() {
	j.names()
	j.uses()
	j.complete()
}

// sample keeps the first success and the first failure.
func (j *judge) sample(r *run) {
	for _, c := range j.out.Samples {
		if c.Succeeds == r.ok {
			return
		}
	}
	if !r.endless {
		j.out.Samples = append(j.out.Samples, r.completion())
	}
}

// execute runs the completions and counts what they read. A run that asks
// for a variable after a look at the whole map ruled it out makes the search
// start anew, with that variable among those the map may show.
func (j *judge) execute() {
	for range maxGrowths {
		j.tally, j.tried = newTally(), map[string]int{}
		j.out.Violations, j.out.Samples = nil, nil
		missed := map[string]bool{}
		j.out.Exhausted = j.each(func(r *run) bool {
			j.tally.add(r)
			j.sample(r)
			j.absentOptional(r)
			r.addMissed(missed)
			return true
		})
		if !j.start.grow(missed) {
			return
		}
	}
	j.out.Exhausted = false
}

// completions is the start of all completions as the report defines them.
func (j *judge) completions() *start {
	st := &start{vars: j.s.Case.Vars, needed: map[string]bool{}}
	st.rule = func(name string) rule {
		if k, _ := kindOf(j.report.Variables, name); k == Optional {
			return absent
		}
		return free
	}
	for _, e := range j.report.Variables {
		if e.Supplied || e.Kind == Optional {
			continue
		}
		st.pool = append(st.pool, e.Name)
		st.needed[e.Name] = e.Kind == Required
	}
	for _, name := range j.s.domains.keys {
		if k, _ := kindOf(j.report.Variables, name); k != Optional {
			st.addToPool(name)
		}
	}
	return st
}

// contradict records the first completion that the predicate selects.
func (j *judge) contradict(claim, name, detail string, contradicts func(*run) bool) {
	v := Violation{Claim: claim, Name: name, Detail: detail}
	found := false
	j.each(func(r *run) bool {
		if !contradicts(r) {
			return true
		}
		found = true
		v.Completion = r.completion()
		return false
	})
	if !found {
		v.Detail += "; the oracle lost its witness"
	} else if r := j.s.fixed(v.Completion); !contradicts(r) {
		v.Detail += "; the oracle cannot replay its witness"
	}
	j.out.Violations = append(j.out.Violations, v)
}

// names holds the kinds against the tally, row by row.
func (j *judge) names() {
	for _, e := range j.report.Inputs {
		c := j.tally.of(e.Name, true)
		read := func(r *run) bool { return r.reads(e.Name, true, readEvent) }
		switch {
		case e.Kind == Required && c.read < j.tally.successes && !j.s.Case.inputRequired(e.Name):
			j.contradict("input required", e.Name, "", func(r *run) bool { return r.ok && !read(r) })
		case e.Kind == Optional && c.read > 0:
			j.contradict("input optional", e.Name, "", func(r *run) bool { return r.ok && read(r) })
		}
		j.inactive(e, c, true)
	}
	for _, e := range j.report.Variables {
		c := j.tally.of(e.Name, false)
		demand := func(r *run) bool { return r.reads(e.Name, false, demandEvent) }
		switch {
		case e.Kind == Required && c.demanded < j.tally.successes:
			j.contradict("variable required", e.Name, "", func(r *run) bool { return r.ok && !demand(r) })
		case e.Kind == Optional && e.Supplied && c.demanded > 0:
			j.contradict("variable optional, supplied", e.Name, "", func(r *run) bool { return r.ok && demand(r) })
		}
		j.inactive(e, c, false)
	}
}

func (j *judge) inactive(e Entry, c count, input bool) {
	if e.Inactive && c.executed > 0 {
		j.contradict("inactive_use", e.Name, "", func(r *run) bool {
			return !j.without(r) && r.reads(e.Name, input, anyEvent)
		})
	}
}

// without reports whether a completion lacks a variable reported required.
func (j *judge) without(r *run) bool {
	if r.withheld || !r.start.bound {
		return r.withheld
	}
	for name, needed := range j.start.needed {
		if _, ok := r.start.vars[name]; needed && !ok {
			return true
		}
	}
	return false
}

// complete holds a claim of completeness against the names that were read.
func (j *judge) complete() {
	if !j.report.Complete() {
		return
	}
	for key, c := range j.tally.names {
		entries := j.report.Variables
		if key.input {
			entries = j.report.Inputs
		}
		if _, listed := kindOf(entries, key.name); listed || c.read == 0 {
			continue
		}
		j.contradict("Complete", key.name, "read, but not listed", func(r *run) bool {
			return r.ok && r.reads(key.name, key.input, readEvent)
		})
	}
}
