package oracle

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
)

// Completion is one assignment to the names of a case, and what came of it.
type Completion struct {
	Vars, Inputs map[string]string
	Answers      []int // what custom functions answered, in order of calls
	Succeeds     bool
}

// String renders the completion on one line.
func (c Completion) String() string {
	outcome := "fails"
	if c.Succeeds {
		outcome = "succeeds"
	}
	text := fmt.Sprintf("vars %q inputs %q %s", c.Vars, c.Inputs, outcome)
	if len(c.Answers) > 0 {
		text += fmt.Sprintf(" with answers %v", c.Answers)
	}
	return text
}

// Outcome is what text/template does with a completion.
type Outcome struct {
	OK     bool
	Output []string // of each unit up to the failing one, that one's partial output included
	Calls  []string // of input, in order
}

// plainRun is one execution of the templates as they were written.
type plainRun struct {
	inputs  map[string]string
	answers []int
	calls   []string
}

var errUnbound = errors.New("input is not bound")

func (s *Subject) plainFuncs() template.FuncMap {
	funcs := s.customFuncs(func(int) int {
		if len(s.plain.answers) == 0 {
			return 0
		}
		a := s.plain.answers[0]
		s.plain.answers = s.plain.answers[1:]
		return a
	})
	funcs["input"] = func(name string) (string, error) {
		s.plain.calls = append(s.plain.calls, name)
		text, ok := s.plain.inputs[name]
		if !ok {
			return "", errUnbound
		}
		return text, nil
	}
	return funcs
}

// Execute runs the units as they were written, each on its own copy of the
// variables, up to the first that fails.
func (s *Subject) Execute(c Completion) Outcome {
	s.plain = &plainRun{inputs: c.Inputs, answers: c.Answers}
	o := Outcome{OK: true}
	for _, u := range s.units {
		vars := maps.Clone(c.Vars)
		if vars == nil {
			vars = map[string]string{}
		}
		var out strings.Builder
		err := u.plain.Execute(&out, vars)
		o.Output = append(o.Output, out.String())
		if err != nil {
			o.OK = false
			break
		}
	}
	o.Calls = s.plain.calls
	return o
}

// fixed replays a completion through the probes: nothing is left to choose.
func (s *Subject) fixed(c Completion) *run {
	st := &start{
		vars:    c.Vars,
		inputs:  c.Inputs,
		bound:   true,
		answers: c.Answers,
		rule:    func(string) rule { return absent },
	}
	return s.execute(st, func(int) int { return 0 }, true)
}

// Agree executes a completion plainly and through the probes, and says how
// they differ, if they do.
func (s *Subject) Agree(c Completion) error {
	r := s.fixed(c)
	if r.endless {
		return nil // text/template would go on for long
	}
	o := s.Execute(c)
	var calls []string
	for _, e := range r.events {
		if e.kind == called {
			calls = append(calls, e.name)
		}
	}
	switch {
	case r.ok != o.OK:
		return fmt.Errorf("%v: outcome %t, with probes %t", c, o.OK, r.ok)
	case !slices.Equal(r.output, o.Output):
		return fmt.Errorf("%v: output %q, with probes %q", c, o.Output, r.output)
	case !slices.Equal(calls, o.Calls):
		return fmt.Errorf("%v: calls %q, with probes %q", c, o.Calls, calls)
	}
	return nil
}
