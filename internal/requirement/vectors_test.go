package requirement_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// patient limits are for the few cases that tests name.
var patient = oracle.Limits{Paths: 5000, Samples: 500}

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

// knownCase is a template that other analysers answered wrongly, with the
// right answer.
type knownCase struct {
	Ref, What, Template string
	Vars                map[string]string
	Declared            []oracle.Declared
	Expect              struct {
		Inputs, Variables map[string]string
		InactiveOnly      []string `json:"inactive_only"`
		MustNotList       []string `json:"must_not_list"`
		Complete          bool
		Issues            []string
	}
}

// TestKnownCases wants the right answer, or one that claims more and that
// executions do not contradict.
func TestKnownCases(t *testing.T) {
	var cases []knownCase
	readJSON(t, "testdata/requirement_cases.json", &cases)
	exact := 0
	for _, k := range cases {
		t.Run(strings.ReplaceAll(k.Ref, " ", "_"), func(t *testing.T) {
			c := oracle.Case{Units: []oracle.Unit{{Text: k.Template}}, Vars: k.Vars, Declared: k.Declared}
			report := mustAnalyse(t, c)
			expectHolds(t, c, report)
			diffs := k.compare(t, report)
			for _, d := range diffs {
				t.Logf("not as expected: %s", d)
			}
			if len(diffs) == 0 {
				exact++
			}
		})
	}
	t.Logf("%d of %d cases have exactly the expected answer", exact, len(cases))
}

func mustAnalyse(t *testing.T, c oracle.Case) *oracle.Report {
	t.Helper()
	report, err := analyse(context.Background(), c)
	if err != nil {
		t.Fatalf("%s\n%v", show(c), err)
	}
	return report
}

// expectHolds fails if executions contradict the report.
func expectHolds(t *testing.T, c oracle.Case, report *oracle.Report) *oracle.Exactness {
	t.Helper()
	s, err := oracle.NewSubject(c)
	if err != nil {
		t.Fatal(err)
	}
	j, x := s.Measure(report, patient)
	if wrong(j) != "" {
		t.Errorf("%s", explain(c))
	}
	return x
}

// compare lists how a report differs from the expected answer. What would be
// wrong even if it held is an error.
func (k knownCase) compare(t *testing.T, r *oracle.Report) []string {
	var diffs []string
	for _, space := range []struct {
		what    string
		want    map[string]string
		entries []oracle.Entry
	}{{"input ", k.Expect.Inputs, r.Inputs}, {"variable ", k.Expect.Variables, r.Variables}} {
		diffs = append(diffs, k.compareEntries(t, space.what, space.want, space.entries)...)
	}
	if r.Complete() != k.Expect.Complete {
		diffs = append(diffs, "completeness")
		if k.Expect.Complete {
			t.Errorf("incomplete: %q", r.Issues)
		}
	}
	for _, issue := range k.Expect.Issues {
		if !slices.Contains(r.Issues, issue) {
			diffs = append(diffs, "no issue "+issue)
		}
	}
	return diffs
}

func (k knownCase) compareEntries(t *testing.T, what string, want map[string]string, entries []oracle.Entry) []string {
	var diffs []string
	got := map[string]string{}
	for _, e := range entries {
		got[e.Name] = e.Kind.String()
		if slices.Contains(k.Expect.MustNotList, e.Name) {
			t.Errorf("%s%q is listed", what, e.Name)
		}
		if slices.Contains(k.Expect.InactiveOnly, what+e.Name) != e.Inactive {
			diffs = append(diffs, what+e.Name+" inactive use")
		}
	}
	for name, kind := range want {
		switch {
		case got[name] == "":
			t.Errorf("%s%q is not listed", what, name)
		case got[name] != kind && kind != "conditional":
			t.Errorf("%s%q is %s, want %s", what, name, got[name], kind)
		case got[name] != kind:
			diffs = append(diffs, what+name+" is "+got[name])
		}
	}
	return diffs
}

// semantics is one verified fact about text/template.
type semantics struct {
	ID, Template, Kind, Option string
	Vars, Inputs               map[string]string
	ExtraFuncs                 bool            `json:"extra_funcs"`
	NilMap                     bool            `json:"nil_map"`
	LaterParses                json.RawMessage `json:"later_parses"`
}

// applies reports whether the fact is about templates of this product, whose
// root no definition can name.
func (s semantics) applies() bool {
	return s.Option == "" && !s.ExtraFuncs && !s.NilMap && s.LaterParses == nil &&
		s.Kind != "parse_error" && s.ID != "template-297" && s.ID != "template-298"
}

// TestSemantics analyses every verified fact about text/template and holds
// the answer against that execution and against all others.
func TestSemantics(t *testing.T) {
	var all []semantics
	readJSON(t, "../prompt/testdata/gotemplate_semantics.json", &all)
	n := 0
	for _, fact := range all {
		if !fact.applies() {
			continue
		}
		n++
		t.Run(fact.ID, func(t *testing.T) {
			c := oracle.Case{Units: []oracle.Unit{{Text: fact.Template}}, Vars: fact.Vars}
			report := mustAnalyse(t, c)
			expectHolds(t, c, report)
			s, err := oracle.NewSubject(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range s.Contradicts(report, oracle.Completion{Vars: fact.Vars, Inputs: fact.Inputs}, patient) {
				t.Errorf("%s\n%v", explain(c), v)
			}
		})
	}
	if n < 270 {
		t.Errorf("only %d facts apply", n)
	}
}
