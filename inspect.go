package promptkit

import (
	"context"
	"slices"

	"github.com/promptkit-go/promptkit/internal/definition"
)

// PromptInspection is what a definition declares. Nothing in it is resolved:
// the default profile need not exist and the schema was not opened.
type PromptInspection struct {
	PromptID, PromptVersion string
	// PromptHash is an opaque equality value over the whole loaded definition
	// and the content of its message files, and nothing else. It is the same
	// one that PreparedRun and RunResult carry.
	PromptHash       string
	DefaultProfileID string // "" if the definition names none
	// Inputs are the declared inputs in definition order.
	Inputs []PromptInputDefinition
	// OutputContract is the declared one, with its defaults filled in.
	OutputContract OutputContract
	// Instructions are the run-time instructions in definition order,
	// without their text.
	Instructions []PromptInstruction
}

// PromptInputDefinition is one declared input.
type PromptInputDefinition struct {
	Name        string
	Required    bool
	ContentType string // a media type; "" if none is declared
	Description string
}

// PromptInstruction is one declared run-time instruction.
type PromptInstruction struct {
	ID   string
	Role string // system or user
	// Facts are the run-time facts that its template names, first appearance
	// first; empty for a static text.
	Facts []string
	// FromAction holds the instruction back before this action; 0 means that
	// it applies from the start, with or without a turn.
	FromAction int
}

// InspectPrompt reports what the definition with exactly this ID and version
// declares. An empty version stands for the only one there is. It needs no
// profile, backend, credential, input or schema and never looks at one.
//
// Errors: ErrInvalidRequest for a blank ID; ErrPromptNotFound if there is no
// such ID or version; ErrPromptLoad if the definition failed to load, if
// whether it exists cannot be known, or if the version is omitted and there
// are several; ErrPromptLoad and the context's error if ctx is done. No
// result accompanies an error. The result belongs to the caller.
func (e *Engine) InspectPrompt(ctx context.Context, promptID, promptVersion string) (*PromptInspection, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	if err := ctx.Err(); err != nil {
		return nil, interrupted(ErrPromptLoad, "the prompt was looked up", err)
	}
	if isBlank(promptID) {
		return nil, errBlankPromptID
	}
	def, err := e.prompts.lookup(promptID, promptVersion)
	if err != nil {
		return nil, err
	}
	return &PromptInspection{
		PromptID:         def.ID,
		PromptVersion:    def.Version,
		PromptHash:       def.Hash,
		DefaultProfileID: def.DefaultProfile,
		Inputs:           inputDefinitions(def.Inputs),
		OutputContract:   declaredContract(def.Output),
		Instructions:     instructionDefinitions(def.Instructions),
	}, nil
}

func inputDefinitions(inputs []definition.Input) []PromptInputDefinition {
	var list []PromptInputDefinition
	for _, in := range inputs {
		list = append(list, PromptInputDefinition{
			Name: in.Name, Required: in.Required, ContentType: text(in.ContentType), Description: text(in.Description),
		})
	}
	return list
}

func instructionDefinitions(instructions []definition.Instruction) []PromptInstruction {
	var list []PromptInstruction
	for _, in := range instructions {
		list = append(list, PromptInstruction{
			ID: in.ID, Role: in.Role, Facts: slices.Clone(in.Facts), FromAction: in.FromAction,
		})
	}
	return list
}

// text is an optional text; absent and explicitly empty are the same here.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
