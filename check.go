package promptkit

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// Check looks closer than capture does. It returns the captured Problems and
// what only a second look finds: templates that can never render, default
// profiles and backends that do not exist, schemas that are missing,
// malformed, or spell a keyword wrongly. It contacts nothing and reads no
// credential. The result is sorted as Problems is and belongs to the caller.
//
// A cancelled context gives an error that matches ErrPromptLoad and the
// context's error; a nil engine gives ErrInvalidConfig.
func (e *Engine) Check(ctx context.Context) ([]Problem, error) {
	if !e.usable() {
		return nil, errNoEngine
	}
	list := e.Problems()
	for _, def := range e.prompts.catalog.Loaded() {
		if err := ctx.Err(); err != nil {
			return nil, interrupted(ErrPromptLoad, "all prompts were checked", err)
		}
		found, err := e.checkPrompt(ctx, def)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return sortProblems(list), nil
}

// checkPrompt looks closer at one prompt that loaded.
func (e *Engine) checkPrompt(ctx context.Context, def *definition.Prompt) ([]Problem, error) {
	found := appendProblems(nil, ProblemPrompt, def.ID, def.Version, e.checkDefaultProfile(def))
	unrenderable, err := e.prompts.programs[def].checkRendering(ctx)
	if err != nil {
		return nil, err
	}
	found = appendProblems(found, ProblemPrompt, def.ID, def.Version, unrenderable)
	inPrompt, inSchema := e.checkSchema(def)
	found = appendProblems(found, ProblemPrompt, def.ID, def.Version, inPrompt)
	return appendProblems(found, ProblemSchema, "", "", inSchema), nil
}

// checkDefaultProfile looks whether the default profile exists. It is a
// warning: a request may name another.
func (e *Engine) checkDefaultProfile(def *definition.Prompt) []diag.Problem {
	if def.DefaultProfile == "" || e.profiles.exists(def.DefaultProfile) == nil {
		return nil
	}
	return []diag.Problem{{
		Position: def.DefaultProfilePosition, Severity: diag.Warning,
		Message: "the default profile " + strconv.Quote(def.DefaultProfile) +
			" does not exist or does not load; define it, or every request has to name a profile",
	}}
}

// checkRendering finds the place at which no values whatever make the
// templates render.
func (p *program) checkRendering(ctx context.Context) ([]diag.Problem, error) {
	if p.analysis == nil {
		return nil, nil
	}
	failure, err := p.analysis.Failure(ctx)
	if err != nil {
		return nil, interrupted(ErrPromptLoad, "all prompts were checked", err)
	}
	if failure == nil {
		return nil, nil
	}
	return []diag.Problem{{
		Position: failure.Position, Severity: diag.Warning, Message: "this can never render: " + failure.Sentence,
	}}, nil
}

// checkSchema looks at the schema of the declared contract. What is wrong in
// a schema is reported there, and one that is missing where it is named.
func (e *Engine) checkSchema(def *definition.Prompt) (inPrompt, inSchema []diag.Problem) {
	if def.Output.Schema == "" {
		return nil, nil
	}
	compiled, err := e.schemas.compile(def.Output.Schema)
	if err == nil {
		return nil, compiled.Misspelt()
	}
	var broken *schema.Error
	switch {
	case !errors.As(err, &broken):
		return []diag.Problem{{Position: def.Output.SchemaPosition, Message: err.Error()}}, nil
	case errors.Is(err, fs.ErrNotExist) && broken.Problems[0].Line == 0:
		return []diag.Problem{{Position: def.Output.SchemaPosition, Message: broken.Problems[0].Message}}, nil
	default:
		return nil, broken.Problems
	}
}
