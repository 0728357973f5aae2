package promptkit

import (
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/promptkit-go/promptkit/fact"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// preparation is one request on its way to rendered messages. Its methods are
// the stages, each of which fails with its own category; prepare calls them
// in the order in which failures are promised.
type preparation struct {
	selection
	engine *Engine
	req    *RunRequest
	turn   *fact.Turn // the caller's, or that of an execution that repairs

	plan     *plan
	contract OutputContract
	schema   *schema.Schema // nil if the contract names none
	bound    []binding
	analysed bool // nothing that analysis can see is missing

	input func(name string) (string, error) // the template helper

	// prepared is what the caller gets. It is a value of its own, so that
	// keeping it does not keep the request alive.
	prepared *PreparedRun
}

// binding is an input with its content in memory.
type binding struct{ name, content string }

// prepare takes a request through every stage but sending.
func (e *Engine) prepare(ctx context.Context, req *RunRequest, execution bool) (*preparation, error) {
	sel, err := e.choose(ctx, choice{
		promptID: req.PromptID, promptVersion: req.PromptVersion, profileID: req.ProfileID, sessionID: req.SessionID,
	})
	if err != nil {
		return nil, err
	}
	if err := req.check(); err != nil {
		return nil, err
	}
	p := &preparation{selection: sel, engine: e, req: req, turn: req.Turn, prepared: &PreparedRun{}}
	p.input = p.boundInput
	if p.plan, err = e.profiles.plan(sel.profileID, &req.Overrides, req.Offline); err != nil {
		return nil, err
	}
	if execution {
		if err := p.plan.checkCredentials(); err != nil {
			return nil, err
		}
		p.turn = p.plan.turn(p.turn)
	}
	if p.contract, err = effectiveContract(req.Output, sel.def.Output); err != nil {
		return nil, err
	}
	if err := p.fill(ctx); err != nil {
		return nil, err
	}
	p.describe()
	return p, nil
}

// fill goes through the stages that need more than names.
func (p *preparation) fill(ctx context.Context) error {
	if err := p.requirements(ctx); err != nil {
		return err
	}
	if err := p.artifacts(ctx); err != nil {
		return err
	}
	if err := p.loadSchema(ctx); err != nil {
		return err
	}
	return p.render(ctx)
}

// requirements looks for what is missing, where it has to be known before
// anything else happens: something declared is not bound, or files would be
// read. Otherwise rendering finds out for itself, at less cost, because what
// renders lacked nothing; unlessMissing then tells the two reasons for a
// failure apart.
func (p *preparation) requirements(ctx context.Context) error {
	if p.readsFiles() || p.lacksDeclared() {
		return p.unlessMissing(ctx, nil)
	}
	return nil
}

func (p *preparation) readsFiles() bool {
	for i := range p.req.Inputs {
		if p.req.Inputs[i].Path != "" {
			return true
		}
	}
	return false
}

func (p *preparation) lacksDeclared() bool {
	for _, in := range p.def.Inputs {
		if in.Required && !p.binds(in.Name) {
			return true
		}
	}
	return false
}

func (p *preparation) binds(name string) bool {
	for i := range p.req.Inputs {
		if p.req.Inputs[i].Name == name {
			return true
		}
	}
	return false
}

// unlessMissing returns what the request lacks, all of it at once, or else
// err, the failure of a later stage.
func (p *preparation) unlessMissing(ctx context.Context, err error) error {
	if p.analysed {
		return err
	}
	var missing *MissingError
	stopped := p.program.analyze(ctx, p.req.Vars, p.sessionID != "", func(report *requirement.Report) {
		missing = p.missing(report)
	})
	if stopped != nil {
		return interrupted(ErrPromptRender, "the requirements were worked out", stopped)
	}
	p.analysed = true
	if len(missing.Inputs)+len(missing.Variables) == 0 {
		return err
	}
	return fail(ErrInvalidRequest, identity(p.def)+" cannot be prepared: "+missing.Error()+"; bind them and try again", missing)
}

// missing compares a report with what the request binds.
func (p *preparation) missing(report *requirement.Report) *MissingError {
	missing := &MissingError{}
	for _, in := range report.Inputs {
		if in.Kind == requirement.Required && !p.binds(in.Name) {
			missing.Inputs = append(missing.Inputs, in.Name)
		}
	}
	for _, v := range report.Variables {
		if v.Kind == requirement.Required && !v.Supplied {
			missing.Variables = append(missing.Variables, v.Name)
		}
	}
	return missing
}

// loadSchema compiles the schema that the contract names.
func (p *preparation) loadSchema(ctx context.Context) error {
	if p.contract.Validation != ValidateJSONSchema {
		return nil
	}
	var err error
	if p.schema, err = p.engine.schemas.load(ctx, p.contract.Schema); err != nil {
		return p.unlessMissing(ctx, err)
	}
	return nil
}

// render renders the session, the messages and the instructions.
func (p *preparation) render(ctx context.Context) error {
	if err := p.renderSession(ctx); err != nil {
		return p.unlessMissing(ctx, err)
	}
	messages := make([]Message, len(p.def.Messages), len(p.def.Messages)+len(p.def.Instructions))
	for i, m := range p.def.Messages {
		content, err := p.program.messages[i].Render(ctx, p.req.Vars, p.input)
		if err == nil && !utf8.ValidString(content) {
			err = errNotText
		}
		if err != nil {
			return p.unlessMissing(ctx, p.renderFailure(i, err))
		}
		messages[i] = Message{Role: m.Role, Content: content, CacheControl: copyOf((*CacheControl)(m.CacheControl))}
	}
	said, records := execution.Instruct(p.program.instructions, p.turn)
	for _, m := range said {
		messages = append(messages, Message{Role: m.Role, Content: m.Content, CacheControl: copyOf((*CacheControl)(m.Cache))})
	}
	p.prepared.Messages, p.prepared.Instructions = messages, instructionRecords(records)
	return nil
}

// renderSession gives the run its session ID, unless the request did.
func (p *preparation) renderSession(ctx context.Context) error {
	if p.sessionID != "" || p.program.session == nil {
		return nil
	}
	rendered, err := p.program.session.Render(ctx, p.req.Vars, p.input)
	if err != nil {
		return p.renderFailure(-1, err)
	}
	id, fault := normalSession(rendered)
	if fault != "" {
		return fail(ErrPromptRender, identity(p.def)+": the session ID that its template gives "+fault, nil)
	}
	p.sessionID = id
	return nil
}

// errNotText reports bytes that no request could carry faithfully.
var errNotText = errors.New("the rendered text is not valid UTF-8; a variable or an input holds bytes that are no text")

// errNotBound is what the helper input answers for a name that is not bound.
var errNotBound = errors.New("not bound")

// boundInput is the template helper: the content of a bound input.
func (p *preparation) boundInput(name string) (string, error) {
	for i := range p.bound {
		if p.bound[i].name == name {
			return p.bound[i].content, nil
		}
	}
	return "", errNotBound
}

// renderFailure words the failure of one template; message -1 is the session.
func (p *preparation) renderFailure(message int, err error) error {
	where := "the session template"
	if message >= 0 {
		where = "message " + strconv.Itoa(message+1) + " (" + p.def.Messages[message].Role + ")"
	}
	text := identity(p.def) + ": " + where + ": "
	var failed *prompt.RenderError
	switch {
	case !errors.As(err, &failed):
	case errors.Is(err, errNotBound):
		return failf(ErrPromptRender, "%s%v: the template reads input %q, which is not bound", text, failed.Position, failed.Input)
	case failed.Position.File != "":
		return fail(ErrPromptRender, text+failed.Position.String()+": "+failed.Reason, err)
	}
	return fail(ErrPromptRender, text+err.Error(), err)
}

// describe fills in what is known once everything is rendered.
func (p *preparation) describe() {
	r := p.prepared
	r.PromptID, r.PromptVersion, r.PromptHash = p.def.ID, p.def.Version, p.def.Hash
	r.ProfileID, r.SessionID = p.profileID, p.sessionID
	r.Target, r.Output = p.plan.target.clone(), p.contract
	r.RenderedHash = renderedHash(r.Messages)
}
