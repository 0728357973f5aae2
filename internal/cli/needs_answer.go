package cli

import (
	"context"
	"slices"

	"github.com/promptkit-go/promptkit"
)

// needsAnswer is the answer of needs; its JSON form is promptkit.needs/v1.
type needsAnswer struct {
	Format   string    `json:"format"`
	Prompt   promptRef `json:"prompt"`
	Profile  string    `json:"profile"`
	Complete bool      `json:"complete"`

	Inputs       []inputNeed       `json:"inputs"`
	Variables    []variableNeed    `json:"variables"`
	Issues       []issueAnswer     `json:"issues"`
	CannotRender *failureAnswer    `json:"cannot_render,omitempty"`
	Instructions []instructionNeed `json:"instructions"`

	Missing names       `json:"missing"`
	Resolve names       `json:"resolve"`
	Plan    *planAnswer `json:"plan,omitempty"`

	description string
	attempts    int // that the profile allows a run; 0 if it is not known
}

type promptRef struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Hash    string `json:"hash"`
}

func (r promptRef) name() string { return r.ID + "@" + r.Version }

// names is a set of inputs and variables.
type names struct {
	Inputs    []string `json:"inputs"`
	Variables []string `json:"variables"`
}

func (n names) empty() bool { return len(n.Inputs)+len(n.Variables) == 0 }

type inputNeed struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"`
	Supplied    bool        `json:"supplied"`
	Declared    bool        `json:"declared"`
	Declaration *place      `json:"declaration"`
	ContentType *string     `json:"content_type"`
	Description *string     `json:"description"`
	Explanation string      `json:"explanation"`
	Uses        []useAnswer `json:"uses"`
}

type variableNeed struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"`
	Supplied    bool        `json:"supplied"`
	Explanation string      `json:"explanation"`
	Uses        []useAnswer `json:"uses"`
}

// place is where something stands in a file of the prompt source.
type place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type useAnswer struct {
	Message int    `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	State   string `json:"state"`
}

type issueAnswer struct {
	Code        string `json:"code"`
	Input       string `json:"input,omitempty"`
	Variable    string `json:"variable,omitempty"`
	Description string `json:"description"`
}

type failureAnswer struct {
	Message     int    `json:"message"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Description string `json:"description"`
}

// ask puts a question to the engine.
func (p *project) ask(ctx context.Context, s selection, q question) (*needsAnswer, error) {
	found, err := p.engine.InspectRequirements(ctx, q.request)
	if err != nil {
		return nil, err
	}
	declared, err := p.engine.InspectPrompt(ctx, found.PromptID, found.PromptVersion)
	if err != nil {
		return nil, err
	}
	places, err := p.engine.InputDeclarations(ctx, found.PromptID, found.PromptVersion)
	if err != nil {
		return nil, err
	}
	n := newNeedsAnswer(found, q.bound)
	n.locate(places)
	n.Instructions = instructionNeeds(declared.Instructions, q.turn.turn())
	n.description = s.identity.Description
	if profile, err := p.engine.InspectProfile(ctx, found.ProfileID); err == nil {
		n.attempts = profile.MaxAttempts
	}
	if q.plan != nil {
		n.Plan = q.plan.compare(found)
	}
	return n, nil
}

func newNeedsAnswer(found *promptkit.RequirementInspection, bound []string) *needsAnswer {
	n := &needsAnswer{
		Format:   "promptkit.needs/v1",
		Prompt:   promptRef{found.PromptID, found.PromptVersion, found.PromptHash},
		Profile:  found.ProfileID,
		Complete: found.Complete,
		Inputs:   []inputNeed{}, Variables: []variableNeed{}, Issues: []issueAnswer{},
	}
	for _, in := range found.Inputs {
		n.Inputs = append(n.Inputs, inputNeed{
			Name: in.Name, Kind: string(in.Kind), Supplied: slices.Contains(bound, in.Name), Declared: in.Declared,
			ContentType: in.ContentType, Description: in.Description,
			Explanation: string(in.Explanation), Uses: useAnswers(in.Uses),
		})
	}
	for _, v := range found.Variables {
		n.Variables = append(n.Variables, variableNeed{
			Name: v.Name, Kind: string(v.Kind), Supplied: v.Supplied,
			Explanation: string(v.Explanation), Uses: useAnswers(v.Uses),
		})
	}
	for _, i := range found.Issues {
		n.Issues = append(n.Issues, issueAnswer{string(i.Code), i.InputName, i.VariableName, i.Description})
	}
	if f := found.CannotRender; f != nil {
		n.CannotRender = &failureAnswer{f.Message, f.File, f.Line, f.Column, f.Description}
	}
	n.Missing = n.missing()
	n.Resolve = n.resolve()
	return n
}

// locate adds where inputs are declared.
func (n *needsAnswer) locate(declarations []promptkit.InputDeclaration) {
	for i := range n.Inputs {
		for _, d := range declarations {
			if d.Name == n.Inputs[i].Name {
				n.Inputs[i].Declaration = &place{d.File, d.Line, d.Column}
			}
		}
	}
}

func useAnswers(uses []promptkit.RequirementUse) []useAnswer {
	out := make([]useAnswer, 0, len(uses))
	for _, u := range uses {
		out = append(out, useAnswer{u.Message, u.File, u.Line, u.Column, string(u.State)})
	}
	return out
}

const (
	kindRequired    = string(promptkit.RequirementRequired)
	kindConditional = string(promptkit.RequirementConditional)
	kindOptional    = string(promptkit.RequirementOptional)
)

// missing is what is required and not supplied.
func (n *needsAnswer) missing() names { return n.unsupplied(kindRequired) }

// unsupplied lists what has this kind and is not supplied.
func (n *needsAnswer) unsupplied(kind string) names {
	out := names{Inputs: []string{}, Variables: []string{}}
	for _, in := range n.Inputs {
		if in.Kind == kind && !in.Supplied {
			out.Inputs = append(out.Inputs, in.Name)
		}
	}
	for _, v := range n.Variables {
		if v.Kind == kind && !v.Supplied {
			out.Variables = append(out.Variables, v.Name)
		}
	}
	return out
}

// resolve is what would make the answer more complete: the variables that
// decide something and are not supplied. Inputs whose content decides are
// listed too, although no flag of needs can settle those.
func (n *needsAnswer) resolve() names {
	out := names{Inputs: []string{}, Variables: []string{}}
	for _, i := range n.Issues {
		switch i.Code {
		case string(promptkit.RequirementIssueMissingVariable):
			if i.Variable != "" && !slices.Contains(out.Variables, i.Variable) {
				out.Variables = append(out.Variables, i.Variable)
			}
		case string(promptkit.RequirementIssueInputContent):
			if i.Input != "" && !slices.Contains(out.Inputs, i.Input) {
				out.Inputs = append(out.Inputs, i.Input)
			}
		}
	}
	return out
}
