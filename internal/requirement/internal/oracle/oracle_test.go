package oracle

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// semantics is one verified fact about text/template.
type semantics struct {
	ID, Template string
	Vars, Inputs map[string]string
	Kind, Output string
	InputCalls   []string `json:"input_calls"`

	Option      string
	ExtraFuncs  bool  `json:"extra_funcs"`
	LaterParses []any `json:"later_parses"`
	NilMap      bool  `json:"nil_map"`
}

// applicable reports whether the case is about this product's templates.
func (c semantics) applicable() bool {
	return c.Option == "" && !c.ExtraFuncs && c.LaterParses == nil && !c.NilMap
}

// namedRoot lists the cases that call their own root template by the name m.
var namedRoot = []string{"template-297", "template-298", "template-299"}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// TestProbesChangeNothing runs every verified fact with probes and without.
func TestProbesChangeNothing(t *testing.T) {
	var cases []semantics
	readJSON(t, "../../../prompt/testdata/gotemplate_semantics.json", &cases)
	ran := 0
	for _, c := range cases {
		if !c.applicable() || slices.Contains(namedRoot, c.ID) {
			continue
		}
		ran++
		s, err := NewSubject(Case{Units: []Unit{{0, c.Template}}, Vars: c.Vars})
		if err != nil {
			if c.Kind != "parse_error" {
				t.Errorf("%s: %v", c.ID, err)
			}
			continue
		}
		completion := Completion{Vars: c.Vars, Inputs: c.Inputs}
		got := s.Execute(completion)
		if got.OK != (c.Kind == "ok") || got.Output[0] != c.Output || !slices.Equal(got.Calls, c.InputCalls) {
			t.Errorf("%s: %s: got %+v", c.ID, c.Template, got)
		}
		if err := s.Agree(completion); err != nil {
			t.Errorf("%s: %s: %v", c.ID, c.Template, err)
		}
	}
	if ran < 300 {
		t.Errorf("only %d facts apply", ran)
	}
}

// known is a case with its right answer.
type known struct {
	Ref, Template string
	Vars          map[string]string
	Declared      []Declared
	Expect        struct {
		Inputs, Variables map[string]string
		InactiveOnly      []string `json:"inactive_only"`
		Complete          bool
		Issues            []string
	}
}

func (k known) report() *Report {
	r := &Report{Issues: k.Expect.Issues}
	r.Inputs = k.entries("input ", k.Expect.Inputs)
	r.Variables = k.entries("variable ", k.Expect.Variables)
	for i, e := range r.Inputs {
		r.Inputs[i].Declared = slices.ContainsFunc(k.Declared, func(d Declared) bool { return d.Name == e.Name })
	}
	for i, e := range r.Variables {
		_, r.Variables[i].Supplied = k.Vars[e.Name]
	}
	return r
}

func (k known) entries(prefix string, kinds map[string]string) []Entry {
	var out []Entry
	for name, kind := range kinds {
		e := Entry{Name: name, Kind: map[string]Kind{"optional": Optional, "conditional": Conditional, "required": Required}[kind]}
		e.Inactive = slices.Contains(k.Expect.InactiveOnly, prefix+name)
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (k known) judge(t *testing.T, r *Report) (Judgement, *Exactness) {
	t.Helper()
	s, err := NewSubject(Case{Units: []Unit{{0, k.Template}}, Vars: k.Vars, Declared: k.Declared})
	if err != nil {
		t.Fatal(err)
	}
	return s.Measure(r, Limits{Paths: 2000, Samples: 50})
}

func readKnown(t *testing.T) []known {
	var cases []known
	readJSON(t, "../../testdata/requirement_cases.json", &cases)
	return cases
}

// TestRightAnswersHold judges answers that are known to be right and exact.
func TestRightAnswersHold(t *testing.T) {
	for _, k := range readKnown(t) {
		j, x := k.judge(t, k.report())
		for _, v := range j.Violations {
			t.Errorf("%s: %s\n%v", k.Ref, k.Template, v)
		}
		if x == nil {
			t.Errorf("%s: %s: not exact: %+v", k.Ref, k.Template, j)
			continue
		}
		for _, e := range x.Entries {
			if e.Exact != e.Said {
				t.Errorf("%s: %s: %s is said to be %v and could be %v", k.Ref, k.Template, e.Name, e.Said, e.Exact)
			}
		}
		if x.Incomplete {
			t.Errorf("%s: %s: could be complete", k.Ref, k.Template)
		}
	}
}

// TestWrongAnswersFall changes right answers one entry at a time and expects
// the judge to see each change that makes a claim.
func TestWrongAnswersFall(t *testing.T) {
	for _, k := range readKnown(t) {
		right := k.report()
		for _, kind := range []Kind{Optional, Required} {
			for i := range right.Variables {
				wrong := k.report()
				wrong.Variables[i].Kind = kind
				k.expectFall(t, wrong, right.Variables[i], kind)
			}
			for i := range right.Inputs {
				wrong := k.report()
				wrong.Inputs[i].Kind = kind
				k.expectFall(t, wrong, right.Inputs[i], kind)
			}
		}
	}
}

func (k known) expectFall(t *testing.T, wrong *Report, right Entry, kind Kind) {
	t.Helper()
	if right.Kind == kind {
		return
	}
	if j, _ := k.judge(t, wrong); len(j.Violations) == 0 {
		t.Errorf("%s: %s: nothing speaks against %s being %v", k.Ref, k.Template, right.Name, kind)
	}
}

func TestShrinkKeepsWhatMatters(t *testing.T) {
	c := Case{
		Units: []Unit{
			{-1, "{{.team}}"},
			{0, `Hello {{if and .a (eq .b "x" "y")}}{{with .c}}{{input (print "n" .)}}{{end}}{{else}}{{.d}}{{end}} {{template "t" .}}{{define "t"}}{{.z}}{{end}}`},
		},
		Vars:     map[string]string{"a": "1", "b": "x"},
		Declared: []Declared{{"n", true}},
	}
	got := Shrink(c, func(c Case) bool {
		return slices.ContainsFunc(c.Units, func(u Unit) bool { return strings.Contains(u.Text, "{{input") })
	})
	if len(got.Units) != 1 || got.Units[0].Text != `{{input ""}}` || len(got.Vars)+len(got.Declared) != 0 {
		t.Errorf("got %+v", got)
	}
}
