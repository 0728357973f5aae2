package binding_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/binding"
)

const (
	required    = promptkit.RequirementRequired
	conditional = promptkit.RequirementConditional
	optional    = promptkit.RequirementOptional
)

func inspection(issues ...promptkit.RequirementIssueCode) *promptkit.RequirementInspection {
	in := &promptkit.RequirementInspection{
		Inputs: []promptkit.InputRequirement{
			{Name: "agenda", Kind: conditional},
			{Name: "glossary", Kind: optional},
			{Name: "transcript", Kind: required},
		},
		Variables: []promptkit.VariableRequirement{
			{Name: "date", Kind: required},
			{Name: "focus", Kind: conditional},
			{Name: "team", Kind: required, Supplied: true},
		},
		Complete: len(issues) == 0,
	}
	for _, code := range issues {
		in.Issues = append(in.Issues, promptkit.RequirementIssue{Code: code})
	}
	return in
}

func TestCompare(t *testing.T) {
	tests := []struct {
		why        string
		plan       binding.Plan
		inspection *promptkit.RequirementInspection
		want       binding.Report
		ok         bool
	}{
		{
			"everything that is required, and what is conditional too",
			binding.Plan{Inputs: []string{"transcript", "agenda"}, Variables: []string{"date", "focus"}},
			inspection(), binding.Report{Complete: true}, true,
		},
		{
			"an empty plan misses what is required; a supplied variable is not missing",
			binding.Plan{}, inspection(),
			binding.Report{
				Inputs:    binding.Comparison{Missing: []string{"transcript"}, Uncovered: []string{"agenda"}},
				Variables: binding.Comparison{Missing: []string{"date"}, Uncovered: []string{"focus"}},
				Complete:  true,
			}, false,
		},
		{
			"optional inputs may be bound, order and repetition are free",
			binding.Plan{Inputs: []string{"transcript", "glossary", "agenda", "glossary"}, Variables: []string{"team", "focus", "date"}},
			inspection(), binding.Report{Complete: true}, true,
		},
		{
			"a misspelt name is unknown, and the missing one is what was meant",
			binding.Plan{Inputs: []string{"transcirpt", "agenda"}, Variables: []string{"date", "focus", "weather"}},
			inspection(),
			binding.Report{
				Inputs: binding.Comparison{
					Missing: []string{"transcript"},
					Unknown: []binding.Unknown{{Name: "transcirpt", Nearest: "transcript"}},
				},
				Variables: binding.Comparison{Unknown: []binding.Unknown{{Name: "weather"}}},
				Complete:  true,
			}, false,
		},
		{
			"a name that is planned already is not suggested for another",
			binding.Plan{Inputs: []string{"transcript", "transcripts", "agenda"}, Variables: []string{"date", "focus"}},
			inspection(),
			binding.Report{
				Inputs:   binding.Comparison{Unknown: []binding.Unknown{{Name: "transcripts"}}},
				Complete: true,
			}, false,
		},
		{
			"an undecided branch hides no name, so an unlisted one is unknown",
			binding.Plan{Inputs: []string{"transcript", "agenda", "notes"}, Variables: []string{"date", "focus"}},
			inspection(promptkit.RequirementIssueMissingVariable, promptkit.RequirementIssueInputContent),
			binding.Report{Inputs: binding.Comparison{Unknown: []binding.Unknown{{Name: "notes"}}}}, false,
		},
		{
			"an unresolved input name could be any input, and is no variable",
			binding.Plan{Inputs: []string{"transcript", "agenda", "notes"}, Variables: []string{"date", "focus", "lang"}},
			inspection(promptkit.RequirementIssueDynamicInputName),
			binding.Report{
				Inputs:    binding.Comparison{Undecided: []binding.Unknown{{Name: "notes"}}},
				Variables: binding.Comparison{Unknown: []binding.Unknown{{Name: "lang"}}},
			}, false,
		},
		{
			"a construct that hides what it needs leaves both undecided",
			binding.Plan{Inputs: []string{"transcript", "agenda", "agend"}, Variables: []string{"date", "focus", "dat"}},
			inspection(promptkit.RequirementIssueUnsupportedConstruct),
			binding.Report{
				Inputs:    binding.Comparison{Undecided: []binding.Unknown{{Name: "agend"}}},
				Variables: binding.Comparison{Undecided: []binding.Unknown{{Name: "dat"}}},
			}, true,
		},
		{
			"no inspection lists nothing",
			binding.Plan{Inputs: []string{"a"}}, nil,
			binding.Report{Inputs: binding.Comparison{Unknown: []binding.Unknown{{Name: "a"}}}, Complete: true}, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := binding.Compare(tt.plan, tt.inspection)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
			if got.OK() != tt.ok {
				t.Errorf("OK() = %v, want %v", got.OK(), tt.ok)
			}
			if (got.Err() == nil) != tt.ok {
				t.Errorf("Err() = %v with OK() = %v", got.Err(), tt.ok)
			}
		})
	}
}

func TestCompareLeavesItsArguments(t *testing.T) {
	plan := binding.Plan{Inputs: []string{"b", "a"}, Variables: []string{"y", "x"}}
	in := inspection()
	binding.Compare(plan, in)
	if want := (binding.Plan{Inputs: []string{"b", "a"}, Variables: []string{"y", "x"}}); !reflect.DeepEqual(plan, want) {
		t.Errorf("the plan became %+v", plan)
	}
	if !reflect.DeepEqual(in, inspection()) {
		t.Error("the inspection was changed")
	}
}

func TestError(t *testing.T) {
	err := binding.Compare(binding.Plan{Inputs: []string{"transcirpt", "x"}}, inspection()).Err()
	var typed *binding.Error
	if !errors.As(err, &typed) {
		t.Fatalf("%T is no *binding.Error", err)
	}
	want := `the plan does not fit the prompt: required input "transcript" is missing; ` +
		`input "transcirpt" is unknown (did you mean "transcript"?); input "x" is unknown; ` +
		`required variable "date" is missing`
	if err.Error() != want {
		t.Errorf("\n got %s\nwant %s", err, want)
	}
}

func ExampleCompare() {
	inspection := &promptkit.RequirementInspection{ // from Engine.InspectRequirements
		Inputs: []promptkit.InputRequirement{
			{Name: "forecast-oslo", Kind: promptkit.RequirementRequired},
			{Name: "tides", Kind: promptkit.RequirementConditional},
		},
	}
	report := binding.Compare(binding.Plan{Inputs: []string{"forecast-olso"}}, inspection)
	fmt.Println(report.Err())
	fmt.Println("perhaps:", report.Inputs.Uncovered)
	// Output:
	// the plan does not fit the prompt: required input "forecast-oslo" is missing; input "forecast-olso" is unknown (did you mean "forecast-oslo"?)
	// perhaps: [tides]
}
