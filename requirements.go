package promptkit

import (
	"context"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/requirement"
)

// RequirementInspectionRequest says for which context to inspect.
type RequirementInspectionRequest struct {
	// PromptID and PromptVersion select the prompt exactly. An empty version
	// stands for the only one there is.
	PromptID, PromptVersion string
	// ProfileID defaults to the prompt's default profile. Only its identity
	// is established.
	ProfileID string
	// Vars are the variables that will be supplied. A key that is present
	// counts as supplied, even with an empty value.
	Vars map[string]string
	// SessionID, if not blank, takes the place of the session template, so
	// that what the template refers to is not needed.
	SessionID string
}

// RequirementKind says whether something has to be supplied.
type RequirementKind string

// The kinds of requirement.
const (
	// RequirementRequired: without it the prompt cannot be prepared here.
	RequirementRequired RequirementKind = "required"
	// RequirementConditional: whether it is needed is unresolved.
	RequirementConditional RequirementKind = "conditional"
	// RequirementOptional: it is known not to be needed.
	RequirementOptional RequirementKind = "optional"
)

// RequirementExplanation says why an entry has its kind, where that is not
// plain from its uses.
type RequirementExplanation string

// RequirementExplanationInactiveUse explains an optional entry whose only
// occurrences are on paths that are known not to be taken in this context.
const RequirementExplanationInactiveUse RequirementExplanation = "inactive_use"

// RequirementUseState says whether a place is reached.
type RequirementUseState string

// The states of a use.
const (
	RequirementUseCertain  RequirementUseState = "certain"
	RequirementUsePossible RequirementUseState = "possible"
	RequirementUseInactive RequirementUseState = "inactive"
)

// RequirementUse is one place that refers to an input or a variable.
type RequirementUse struct {
	// Message counts the prompt's messages from 0; -1 is the session template.
	Message int
	// File is slash-separated and relative to the prompt source.
	File string
	// Line and Column count from 1, columns in bytes. Inside an inline scalar
	// that is not a literal block they are those of the scalar.
	Line, Column int
	State        RequirementUseState
}

// InputRequirement is one input that the prompt declares or refers to.
type InputRequirement struct {
	Name     string
	Kind     RequirementKind
	Declared bool
	// ContentType and Description are as declared: nil if absent or null, and
	// a pointer to "" if explicitly empty.
	ContentType *string
	Description *string
	Explanation RequirementExplanation
	Uses        []RequirementUse // in order of position
}

// VariableRequirement is one variable that the prompt refers to.
type VariableRequirement struct {
	Name string
	Kind RequirementKind
	// Supplied reports whether the request's Vars hold the name.
	Supplied    bool
	Explanation RequirementExplanation
	Uses        []RequirementUse // in order of position
}

// RequirementIssueCode names a reason for an incomplete inventory.
type RequirementIssueCode string

// The reasons why an inventory is not complete.
const (
	// RequirementIssueMissingVariable: an absent variable decides a branch or
	// a name.
	RequirementIssueMissingVariable RequirementIssueCode = "missing_variable"
	// RequirementIssueInputContent: the content of an input decides what else
	// is needed.
	RequirementIssueInputContent RequirementIssueCode = "input_content"
	// RequirementIssueDynamicInputName: which input is read stays unresolved.
	RequirementIssueDynamicInputName RequirementIssueCode = "dynamic_input_name"
	// RequirementIssueDynamicVariableName: which variable is read stays
	// unresolved.
	RequirementIssueDynamicVariableName RequirementIssueCode = "dynamic_variable_name"
	// RequirementIssueUnsupportedConstruct: a construct hides what it needs.
	RequirementIssueUnsupportedConstruct RequirementIssueCode = "unsupported_construct"
	// RequirementIssueExpressionUnresolved: an expression cannot be
	// evaluated, or fails.
	RequirementIssueExpressionUnresolved RequirementIssueCode = "expression_unresolved"
)

// RequirementIssue is one reason why an inventory is not complete.
type RequirementIssue struct {
	Code RequirementIssueCode
	// InputName or VariableName is the cause, where there is one.
	InputName, VariableName string
	// Description is one fixed sentence for each code and cause.
	Description string
}

// RequirementInspection is what a prompt will need in one context.
type RequirementInspection struct {
	PromptID, PromptVersion, PromptHash, ProfileID string
	Inputs                                         []InputRequirement    // sorted by name
	Variables                                      []VariableRequirement // sorted by name
	// Complete reports that the inventory is final: everything that can be
	// read is listed and nothing is conditional. It says nothing about
	// whether what is required has been supplied.
	Complete bool
	// Issues are the reasons why it is not; sorted by code, input, variable.
	Issues []RequirementIssue
	// CannotRender is set if no values whatever make the prompt render in
	// this context.
	CannotRender *RequirementFailure
}

// RequirementFailure is a place at which every rendering fails.
type RequirementFailure struct {
	// Message counts the prompt's messages from 0; -1 is the session template.
	Message int
	// File is slash-separated and relative to the prompt source.
	File string
	// Line and Column count from 1, columns in bytes.
	Line, Column int
	// Description is one plain sentence.
	Description string
}

// InspectRequirements reports what a caller will have to supply to the prompt
// in this context, before any input exists. It reads no input, schema or
// credential, renders nothing and contacts nothing.
//
// Uncertainty is a successful answer: see RequirementInspection.Complete. The
// selection errors are those of InspectPrompt and of the profile's lookup
// (ErrProfileRequired, ErrProfileNotFound, ErrProfileLoad); ErrPromptLoad if a
// template that is needed does not parse; ErrInvalidRequest for a direct
// session ID that is not acceptable. No result accompanies an error. The
// result belongs to the caller.
func (e *Engine) InspectRequirements(ctx context.Context, req RequirementInspectionRequest) (*RequirementInspection, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	sel, err := e.choose(ctx, choice{
		promptID: req.PromptID, promptVersion: req.PromptVersion, profileID: req.ProfileID, sessionID: req.SessionID,
	})
	if err != nil {
		return nil, err
	}
	if err := e.profiles.exists(sel.profileID); err != nil {
		return nil, err
	}
	var inspection *RequirementInspection
	err = sel.program.analyze(ctx, req.Vars, sel.sessionID != "", func(report *requirement.Report) {
		inspection = sel.inspection(report)
	})
	if err != nil {
		return nil, interrupted(ErrPromptLoad, "the requirements were worked out", err)
	}
	return inspection, nil
}

// inspection words an analysis in public values.
func (s *selection) inspection(report *requirement.Report) *RequirementInspection {
	uses := newUseList(report)
	return &RequirementInspection{
		PromptID:      s.def.ID,
		PromptVersion: s.def.Version,
		PromptHash:    s.def.Hash,
		ProfileID:     s.profileID,
		Inputs:        inputRequirements(report.Inputs, s.def.Inputs, uses),
		Variables:     variableRequirements(report.Variables, uses),
		Complete:      len(report.Issues) == 0,
		Issues:        requirementIssues(report.Issues),
		CannotRender:  requirementFailure(report.CannotRender),
	}
}

func inputRequirements(inputs []requirement.Input, declared []definition.Input, uses *useList) []InputRequirement {
	if len(inputs) == 0 {
		return nil
	}
	list := make([]InputRequirement, len(inputs))
	for i, in := range inputs {
		list[i] = InputRequirement{
			Name: in.Name, Kind: RequirementKind(in.Kind.String()), Explanation: explanation(in.Inactive), Uses: uses.add(in.Uses),
		}
		if in.Declared >= 0 {
			list[i].Declared = true
			list[i].ContentType = copyOf(declared[in.Declared].ContentType)
			list[i].Description = copyOf(declared[in.Declared].Description)
		}
	}
	return list
}

func variableRequirements(variables []requirement.Variable, uses *useList) []VariableRequirement {
	if len(variables) == 0 {
		return nil
	}
	list := make([]VariableRequirement, len(variables))
	for i, v := range variables {
		list[i] = VariableRequirement{
			Name: v.Name, Kind: RequirementKind(v.Kind.String()), Supplied: v.Supplied,
			Explanation: explanation(v.Inactive), Uses: uses.add(v.Uses),
		}
	}
	return list
}

// useList holds the uses of all entries, one after the other: an inspection is
// asked for often, and one allocation is cheaper than one an entry.
type useList []RequirementUse

func newUseList(report *requirement.Report) *useList {
	n := 0
	for _, in := range report.Inputs {
		n += len(in.Uses)
	}
	for _, v := range report.Variables {
		n += len(v.Uses)
	}
	list := make(useList, 0, n)
	return &list
}

// add returns the public form of an entry's uses. Appending to it does not
// reach those of another entry.
func (l *useList) add(uses []requirement.Use) []RequirementUse {
	if len(uses) == 0 {
		return nil
	}
	from := len(*l)
	for _, u := range uses {
		*l = append(*l, RequirementUse{
			Message: u.Message, File: u.Position.File, Line: u.Position.Line, Column: u.Position.Column, State: RequirementUseState(u.State.String()),
		})
	}
	return (*l)[from:len(*l):len(*l)]
}

func requirementIssues(issues []requirement.Issue) []RequirementIssue {
	if len(issues) == 0 {
		return nil
	}
	list := make([]RequirementIssue, len(issues))
	for i, issue := range issues {
		list[i] = RequirementIssue{
			Code: RequirementIssueCode(issue.Code.String()), InputName: issue.Input, VariableName: issue.Variable, Description: issue.Sentence(),
		}
	}
	return list
}

func requirementFailure(f *requirement.Failure) *RequirementFailure {
	if f == nil {
		return nil
	}
	return &RequirementFailure{
		Message: f.Message, File: f.Position.File, Line: f.Position.Line, Column: f.Position.Column, Description: f.Sentence,
	}
}

func explanation(inactive bool) RequirementExplanation {
	if inactive {
		return RequirementExplanationInactiveUse
	}
	return ""
}

// copyOf copies what a pointer points to, so that the copy is the caller's.
func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
