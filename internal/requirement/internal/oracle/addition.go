package oracle

import (
	"maps"
	"slices"
)

// maxAdditions bounds the searches for one variable's sake.
const maxAdditions = 24

// absentOptional holds "variable optional, absent" against one completion: if
// it fails for want of such a variable, adding it must not help.
func (j *judge) absentOptional(r *run) {
	if r.failed == "" || r.withheld || j.tried[r.failed] >= maxAdditions {
		return
	}
	j.tried[r.failed]++
	if _, supplied := j.s.Case.Vars[r.failed]; supplied {
		return // a custom function took it away
	}
	if k, listed := kindOf(j.report.Variables, r.failed); !listed || k != Optional {
		return
	}
	if p := j.s.addition(j.s.assignments(j.s.Case.Vars), r, r.failed, j.limits); p != nil {
		c := r.completion()
		j.out.Violations = append(j.out.Violations, Violation{
			Claim: "variable optional, absent", Name: r.failed, Completion: c, Perturbed: p,
		})
		j.tried[r.failed] = maxAdditions
	}
}

// addition searches for a success that differs from a failed completion only
// in variables added, name among them.
func (s *Subject) addition(all *start, r *run, name string, l Limits) *Completion {
	st := &start{
		vars:    maps.Clone(r.start.vars),
		inputs:  maps.Clone(r.start.inputs),
		bound:   r.start.bound,
		answers: r.answers,
		pool:    all.pool,
	}
	if st.vars == nil {
		st.vars = map[string]string{}
	}
	if st.inputs == nil {
		st.inputs = map[string]string{}
	}
	there := map[string]bool{name: true}
	for n, v := range r.vars {
		switch {
		case v.present && v.valued:
			st.vars[n] = v.value
		case v.present:
			there[n] = true
		}
	}
	for n, c := range r.inputs {
		if c.valued {
			st.inputs[n] = c.value
		}
	}
	st.rule = func(n string) rule {
		if there[n] {
			return present
		}
		return free
	}
	return s.success(st, l)
}

// vacuity tells whether anything at all can succeed, and holds the claim that
// nothing can against it.
func (j *judge) vacuity() {
	if j.tally.successes > 0 && !j.report.CannotRender {
		return
	}
	c := j.s.success(j.s.assignments(j.s.Case.Vars), j.limits)
	j.out.Vacuous = c == nil
	if c != nil && j.report.CannotRender {
		j.out.Violations = append(j.out.Violations, Violation{
			Claim: "cannot render", Completion: *c,
		})
	}
}

// Render searches for any assignment with which the case's units render,
// whatever its variables are now. It returns nil if it finds none.
func (s *Subject) Render(l Limits) *Completion { return s.success(s.assignments(nil), l) }

// assignments is the start of all assignments to absent variables, whatever
// a report says of them.
func (s *Subject) assignments(vars map[string]string) *start {
	st := &start{vars: vars, rule: func(string) rule { return free }}
	for _, name := range slices.Sorted(maps.Keys(s.domains.fieldUse)) {
		st.addToPool(name)
	}
	for _, name := range s.domains.keys {
		st.addToPool(name)
	}
	return st
}

func (st *start) addToPool(name string) {
	if _, supplied := st.vars[name]; !supplied && !slices.Contains(st.pool, name) {
		st.pool = append(st.pool, name)
	}
}
