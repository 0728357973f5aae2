package promptkit

import (
	"cmp"
	"context"

	"github.com/promptkit-go/promptkit/internal/definition"
)

// choice is what a request says about the prompt, profile and session it
// means.
type choice struct {
	promptID, promptVersion, profileID, sessionID string
}

// selection is the outcome of a choice. Inspection and execution select by
// the same function, so that what was inspected is what runs.
type selection struct {
	def       *definition.Prompt
	program   *program
	profileID string // asked for or default; whether it exists is not known
	sessionID string // the direct one, normalised; "" leaves it to the template
}

// choose establishes what a request means, in the order in which failures
// are promised: context, blank ID, session ID, prompt, profile.
func (e *Engine) choose(ctx context.Context, c choice) (selection, error) {
	if err := ctx.Err(); err != nil {
		return selection{}, interrupted(ErrPromptLoad, "the prompt was looked up", err)
	}
	if isBlank(c.promptID) {
		return selection{}, errBlankPromptID
	}
	sessionID, fault := normalSession(c.sessionID)
	if fault != "" {
		return selection{}, fail(ErrInvalidRequest, "the session ID "+fault, nil)
	}
	def, err := e.prompts.lookup(c.promptID, c.promptVersion)
	if err != nil {
		return selection{}, err
	}
	sel := selection{def: def, program: e.prompts.programs[def], sessionID: sessionID}
	if err := sel.program.check(def, sessionID != ""); err != nil {
		return selection{}, err
	}
	sel.profileID = cmp.Or(c.profileID, def.DefaultProfile)
	if sel.profileID == "" {
		return selection{}, fail(ErrProfileRequired, identity(def)+" has no default_profile; name a profile in the request", nil)
	}
	return sel, nil
}
