package requirement_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/generate"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// summary is what a run has counted.
type summary struct {
	prompts, hard, custom, vacuous, exhausted, runs int
	entries, touched, weaker                        int
	complete, incomplete, undetected                int
	hardMeasured, measured                          int
	byTag                                           map[string]*tagCount
}

type tagCount struct{ prompts, touched, weaker int }

func newSummary() *summary { return &summary{byTag: map[string]*tagCount{}} }

func (s *summary) count(p generate.Prompt, j oracle.Judgement, x *oracle.Exactness) {
	s.prompts++
	s.hard += toInt(p.Hard)
	s.custom += toInt(p.Custom)
	s.vacuous += toInt(j.Vacuous)
	s.exhausted += toInt(j.Exhausted)
	s.runs += j.Runs
	if x == nil || p.Custom {
		return
	}
	s.measured++
	s.hardMeasured += toInt(p.Hard)
	s.undetected += toInt(x.Undetected)
	s.incomplete += toInt(x.Incomplete)
	touched, weaker := 0, 0
	for _, e := range x.Entries {
		touched += toInt(e.Touched)
		weaker += toInt(e.Touched && e.Weaker())
	}
	s.entries += len(x.Entries)
	s.touched += touched
	s.weaker += weaker
	for _, tag := range p.Tags {
		c := s.byTag[tag]
		if c == nil {
			c = &tagCount{}
			s.byTag[tag] = c
		}
		c.prompts++
		c.touched += touched
		c.weaker += weaker
	}
}

func (s *summary) add(o *summary) {
	if s.byTag == nil {
		s.byTag = map[string]*tagCount{}
	}
	for _, c := range []struct{ to, from *int }{
		{&s.prompts, &o.prompts}, {&s.hard, &o.hard}, {&s.custom, &o.custom}, {&s.vacuous, &o.vacuous},
		{&s.exhausted, &o.exhausted}, {&s.runs, &o.runs}, {&s.entries, &o.entries}, {&s.touched, &o.touched},
		{&s.weaker, &o.weaker}, {&s.complete, &o.complete}, {&s.incomplete, &o.incomplete},
		{&s.undetected, &o.undetected}, {&s.hardMeasured, &o.hardMeasured}, {&s.measured, &o.measured},
	} {
		*c.to += *c.from
	}
	for tag, c := range o.byTag {
		if s.byTag[tag] == nil {
			s.byTag[tag] = &tagCount{}
		}
		s.byTag[tag].prompts += c.prompts
		s.byTag[tag].touched += c.touched
		s.byTag[tag].weaker += c.weaker
	}
}

func (s *summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d prompts: %.1f%% hard, %.1f%% with custom functions, %.1f%% vacuous, %.1f%% exhausted, %.1f executions each\n",
		s.prompts, percent(s.hard, s.prompts), percent(s.custom, s.prompts), percent(s.vacuous, s.prompts),
		percent(s.exhausted, s.prompts), float64(s.runs)/float64(max(s.prompts, 1)))
	fmt.Fprintf(&b, "looseness over %d exhausted prompts (%.1f%% hard): %d entries, %d touched by an unresolved decision, %d weaker than exact (%.2f%%)\n",
		s.measured, percent(s.hardMeasured, s.measured), s.entries, s.touched, s.weaker, percent(s.weaker, s.touched))
	fmt.Fprintf(&b, "incomplete without need: %d; nothing succeeds, undetected: %d\n", s.incomplete, s.undetected)
	fmt.Fprintf(&b, "%-18s %9s %9s %7s %7s\n", "construct", "prompts", "touched", "weaker", "%")
	for _, tag := range slices.Sorted(maps.Keys(s.byTag)) {
		c := s.byTag[tag]
		fmt.Fprintf(&b, "%-18s %9d %9d %7d %7.2f\n", tag, c.prompts, c.touched, c.weaker, percent(c.weaker, c.touched))
	}
	return b.String()
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
