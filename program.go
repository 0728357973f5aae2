package promptkit

import (
	"context"
	"errors"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
	"github.com/promptkit-go/promptkit/internal/source"
)

// program is what a prompt's templates came to when the engine captured it.
// It is immutable.
type program struct {
	session  *prompt.Template   // nil if there is none, or it is broken
	messages []*prompt.Template // in definition order; nil where broken
	// analysis covers every template that is not broken; nil if a message is.
	analysis     *requirement.Program
	instructions []execution.Instruction

	brokenSession  *diag.Problem
	brokenMessages []diag.Problem
}

// promptSet is the captured prompts and their programs.
type promptSet struct {
	catalog  *definition.Catalog[definition.Prompt]
	programs map[*definition.Prompt]*program
	// found answers every lookup that succeeds; what it does not hold, the
	// catalog refuses with a reason. Omitted versions are among its keys.
	found map[promptKey]*definition.Prompt
}

type promptKey struct{ id, version string }

// capturePrompts loads the definitions and compiles their templates.
func capturePrompts(s *settings, funcs *prompt.Functions) (*promptSet, error) {
	set := &promptSet{programs: make(map[*definition.Prompt]*program)}
	compile := func(def *definition.Prompt) []diag.Problem {
		p := compileProgram(def, funcs)
		set.programs[def] = p
		return p.problems()
	}
	load := func(src *source.Source) (*definition.Catalog[definition.Prompt], error) {
		return definition.LoadPrompts(src, compile)
	}
	var err error
	if set.catalog, err = capture(s.prompts, ErrPromptLoad, "prompts", load); err != nil {
		return nil, err
	}
	set.index()
	return set, nil
}

func (p *promptSet) index() {
	loaded := p.catalog.Loaded()
	p.found = make(map[promptKey]*definition.Prompt, 2*len(loaded))
	for _, def := range loaded {
		p.found[promptKey{def.ID, def.Version}] = def
		if only, err := p.catalog.Select(def.ID, ""); err == nil {
			p.found[promptKey{def.ID, ""}] = only
		}
	}
}

// lookup selects a captured prompt exactly.
func (p *promptSet) lookup(id, version string) (*definition.Prompt, error) {
	if def, ok := p.found[promptKey{id, version}]; ok {
		return def, nil
	}
	_, err := p.catalog.Select(id, version)
	var missing *definition.NotFoundError
	if errors.As(err, &missing) {
		return nil, fail(ErrPromptNotFound, err.Error(), nil)
	}
	return nil, fail(ErrPromptLoad, err.Error(), err)
}

// compileProgram compiles every template of a definition.
func compileProgram(def *definition.Prompt, funcs *prompt.Functions) *program {
	p := &program{messages: make([]*prompt.Template, len(def.Messages))}
	units := make([]requirement.Unit, 0, len(def.Messages)+1)
	if def.Session != nil {
		if p.session, p.brokenSession = prompt.Compile(def.Session.Body, def.Session.Origin, funcs); p.brokenSession == nil {
			units = append(units, requirement.Unit{Message: requirement.Session, Template: p.session})
		}
	}
	for i, m := range def.Messages {
		t, problem := prompt.Compile(m.Content.Body, m.Content.Origin, funcs)
		if problem != nil {
			p.brokenMessages = append(p.brokenMessages, *problem)
			continue
		}
		p.messages[i] = t
		units = append(units, requirement.Unit{Message: i, Template: t})
	}
	p.instructions = instructionsOf(def.Instructions)
	if len(p.brokenMessages) == 0 {
		p.analysis = requirement.Compile(units, declarations(def.Inputs))
	}
	return p
}

func declarations(inputs []definition.Input) []requirement.Declared {
	declared := make([]requirement.Declared, len(inputs))
	for i, in := range inputs {
		declared[i] = requirement.Declared{Name: in.Name, Required: in.Required}
	}
	return declared
}

// analyze works out what the prompt needs with these variables. The report is
// valid only until visit returns.
func (p *program) analyze(ctx context.Context, vars map[string]string, skipSession bool, visit func(*requirement.Report)) error {
	return p.analysis.Visit(ctx, requirement.Query{Vars: vars, SkipSession: skipSession}, visit)
}

// problems lists the templates that do not parse.
func (p *program) problems() []diag.Problem {
	if p.brokenSession == nil {
		return p.brokenMessages
	}
	return append([]diag.Problem{*p.brokenSession}, p.brokenMessages...)
}

// check fails if a template that is needed does not parse. A session template
// that a direct session ID takes the place of is not needed.
func (p *program) check(def *definition.Prompt, sessionBypassed bool) error {
	if len(p.brokenMessages) == 0 && (p.brokenSession == nil || sessionBypassed) {
		return nil
	}
	problems := p.brokenMessages
	if !sessionBypassed {
		problems = p.problems()
	}
	parts := make([]string, len(problems))
	for i, problem := range problems {
		parts[i] = problem.Position.String() + ": " + problem.Message
	}
	return fail(ErrPromptLoad, identity(def)+" has a template that does not parse: "+strings.Join(parts, "; "), nil)
}
