package cli

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/binding"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// A plan is what somebody intends to supply: names, and values where they are
// known already.
type plan struct {
	inputs    []string
	variables []string
	values    map[string]string
}

// planAnswer is the plan's part in the answer of needs.
type planAnswer struct {
	OK        bool           `json:"ok"`
	Inputs    planComparison `json:"inputs"`
	Variables planComparison `json:"variables"`
}

type planComparison struct {
	Missing   []string      `json:"missing"`
	Uncovered []string      `json:"uncovered"`
	Unknown   []planUnknown `json:"unknown"`
	Undecided []planUnknown `json:"undecided"`
}

type planUnknown struct {
	Name    string `json:"name"`
	Nearest string `json:"nearest,omitempty"`
}

func (p *plan) compare(found *promptkit.RequirementInspection) *planAnswer {
	report := binding.Compare(binding.Plan{Inputs: p.inputs, Variables: p.variables}, found)
	return &planAnswer{OK: report.OK(), Inputs: planPart(report.Inputs), Variables: planPart(report.Variables)}
}

func planPart(c binding.Comparison) planComparison {
	return planComparison{
		Missing: orEmpty(c.Missing), Uncovered: orEmpty(c.Uncovered),
		Unknown: planUnknowns(c.Unknown), Undecided: planUnknowns(c.Undecided),
	}
}

func planUnknowns(us []binding.Unknown) []planUnknown {
	out := make([]planUnknown, 0, len(us))
	for _, u := range us {
		out = append(out, planUnknown{u.Name, u.Nearest})
	}
	return out
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

const maxPlanFile = 4 << 20

// read adds what a plan file holds.
func (p *plan) read(path string) error {
	data, err := readRegular(path, maxPlanFile)
	if err != nil {
		return failedf("cannot read the plan in %q: %s", printable(path), err)
	}
	root, problem := oneMapping(data, path)
	if problem == nil && root != nil {
		problem = p.take(root, path)
	}
	if problem != nil {
		return &stop{code: exitFailed, message: problem.String()}
	}
	return nil
}

func (p *plan) take(root *yaml.Node, file string) *diag.Problem {
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return &diag.Problem{Position: position(file, key), Message: quoteName(key.Value) + " is there twice; keep one"}
		}
		seen[key.Value] = true
		var problem *diag.Problem
		switch key.Value {
		case "inputs":
			p.inputs, problem = nameList(p.inputs, value, file)
		case "variables":
			problem = p.takeVariables(value, file)
		default:
			problem = unknownPlanKey(key, file)
		}
		if problem != nil {
			return problem
		}
	}
	return nil
}

func unknownPlanKey(key *yaml.Node, file string) *diag.Problem {
	message := quoteName(key.Value) + " is no key of a plan, which holds inputs and variables"
	if near := diag.Nearest(key.Value, []string{"inputs", "variables"}); near != "" {
		message = quoteName(key.Value) + " is no key of a plan; did you mean " + quoteName(near) + "?"
	}
	return &diag.Problem{Position: position(file, key), Message: message}
}

// takeVariables reads either a list of names, or names with the values that
// are known; a name without a value is one whose value comes later.
func (p *plan) takeVariables(node *yaml.Node, file string) *diag.Problem {
	if node.Kind != yaml.MappingNode {
		var problem *diag.Problem
		p.variables, problem = nameList(p.variables, node, file)
		return problem
	}
	p.values = map[string]string{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		switch {
		case name.Kind != yaml.ScalarNode:
			return &diag.Problem{Position: position(file, name), Message: "a name must be plain text"}
		case slices.Contains(p.variables, name.Value):
			return &diag.Problem{Position: position(file, name), Message: quoteName(name.Value) + " is there twice; keep one"}
		case value.Kind != yaml.ScalarNode:
			return &diag.Problem{Position: position(file, value), Message: quoteName(name.Value) + " is nested; a value must be one text, number or word"}
		}
		p.variables = append(p.variables, name.Value)
		if value.ShortTag() != "!!null" {
			p.values[name.Value] = value.Value
		}
	}
	return nil
}

func nameList(names []string, node *yaml.Node, file string) ([]string, *diag.Problem) {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return names, nil
	}
	if node.Kind != yaml.SequenceNode {
		return names, &diag.Problem{Position: position(file, node), Message: "this must be a list of names, such as [a, b]"}
	}
	for _, n := range node.Content {
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			return names, &diag.Problem{Position: position(file, n), Message: "a name must be plain text"}
		}
		names = append(names, n.Value)
	}
	return names, nil
}
