package promptkit

import "context"

// InputDeclaration is where a definition declares an input.
type InputDeclaration struct {
	Name string
	// File is slash-separated and relative to the prompt source.
	File string
	// Line and Column count from 1, columns in bytes.
	Line, Column int
}

// InputDeclarations says where a definition declares its inputs, in
// definition order, for editors and for people who want to look there.
// InspectPrompt reports what is declared and leaves places out, because they
// change when a file is moved and the prompt does not.
//
// The errors are those of InspectPrompt. The result belongs to the caller.
func (e *Engine) InputDeclarations(ctx context.Context, promptID, promptVersion string) ([]InputDeclaration, error) {
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
	list := make([]InputDeclaration, 0, len(def.Inputs))
	for _, in := range def.Inputs {
		list = append(list, InputDeclaration{in.Name, in.Position.File, in.Position.Line, in.Position.Column})
	}
	return list, nil
}
