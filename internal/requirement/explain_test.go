package requirement_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/generate"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

func show(c oracle.Case) string {
	var b strings.Builder
	for _, u := range c.Units {
		fmt.Fprintf(&b, "  message %d: %s\n", u.Message, u.Text)
	}
	fmt.Fprintf(&b, "  vars %q, session skipped %t, declared %+v", c.Vars, c.SkipSession, c.Declared)
	return b.String()
}

func showReport(r *oracle.Report) string {
	if r == nil {
		return "  no report"
	}
	var b strings.Builder
	show := func(what string, entries []oracle.Entry) {
		for _, e := range entries {
			fmt.Fprintf(&b, "  %s %q %v supplied=%t inactive=%t uses %v\n", what, e.Name, e.Kind, e.Supplied, e.Inactive, e.Uses)
		}
	}
	show("input", r.Inputs)
	show("variable", r.Variables)
	fmt.Fprintf(&b, "  issues %q cannot render %t", r.Issues, r.CannotRender)
	return b.String()
}

// explain shows a case with its report and what contradicts it.
func explain(c oracle.Case) string {
	var b strings.Builder
	b.WriteString(show(c))
	report, err := analyse(context.Background(), c)
	if err != nil {
		fmt.Fprintf(&b, "\n  error: %v", err)
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s", showReport(report))
	s, err := oracle.NewSubject(c)
	if err != nil {
		return b.String()
	}
	j, x := s.Measure(report, limits)
	for _, v := range j.Violations {
		fmt.Fprintf(&b, "\n  %v", v)
	}
	for _, m := range j.Malformed {
		fmt.Fprintf(&b, "\n  form: %s", m)
	}
	if x != nil {
		for _, e := range x.Entries {
			if e.Weaker() {
				fmt.Fprintf(&b, "\n  %q (input %t) could be %v", e.Name, e.Input, e.Exact)
			}
		}
	}
	return b.String()
}

// wrong names the first thing that is wrong with a report.
func wrong(j oracle.Judgement) string {
	switch {
	case len(j.Violations) > 0:
		return j.Violations[0].Claim
	case len(j.Malformed) > 0:
		_, detail, _ := strings.Cut(j.Malformed[0], ": ")
		return detail
	}
	return ""
}

// shrinkTo shrinks a case as long as the same claim is wrong.
func shrinkTo(c oracle.Case, claim string) oracle.Case {
	return oracle.Shrink(c, func(c oracle.Case) bool {
		s, err := oracle.NewSubject(c)
		if err != nil {
			return false
		}
		report, err := analyse(context.Background(), c)
		if err != nil {
			return claim == "error"
		}
		return wrong(s.Judge(report, limits)) == claim
	})
}

// weakKind is a shape of prompts whose answer could be stronger.
type weakKind struct {
	count int
	text  string // the first of them
}

// sampleWeak shrinks a prompt whose answer could be stronger and counts it
// under what is left of it.
func (d *differential) sampleWeak(p generate.Prompt, x *oracle.Exactness) {
	kind := weakness(x)
	if kind == "" || p.Custom || d.weakTaken.Add(1) > int64(d.weakWanted) {
		return
	}
	small := oracle.Shrink(p.Case, func(c oracle.Case) bool { return weaknessOf(c) == kind })
	shape := kind + "\n" + generate.Anonymous(show(small))
	text := kind + "\n" + explain(small)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.weak == nil {
		d.weak = map[string]*weakKind{}
	}
	if d.weak[shape] == nil {
		d.weak[shape] = &weakKind{text: text}
	}
	d.weak[shape].count++
}

// weakness names the first way in which an answer is weaker than exact.
func weakness(x *oracle.Exactness) string {
	switch {
	case x == nil:
		return ""
	case x.Undetected:
		return "nothing succeeds, undetected"
	}
	for _, e := range x.Entries {
		if e.Weaker() {
			return fmt.Sprintf("input %t: conditional, could be %v", e.Input, e.Exact)
		}
	}
	if x.Incomplete {
		return "incomplete without need"
	}
	return ""
}

func weaknessOf(c oracle.Case) string {
	s, err := oracle.NewSubject(c)
	if err != nil {
		return ""
	}
	report, err := analyse(context.Background(), c)
	if err != nil {
		return ""
	}
	_, x := s.Measure(report, limits)
	return weakness(x)
}
