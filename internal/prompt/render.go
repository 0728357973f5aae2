package prompt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"text/template"
)

// MaxRenderedBytes is the most that one template may render to. A template
// can loop, so its output needs a limit of its own.
const MaxRenderedBytes = 64 << 20

// Render executes the template over vars, which it does not change, and
// returns the text. input is called for each input the template reads, in
// order; its error ends the rendering. The error is a *RenderError.
func (t *Template) Render(ctx context.Context, vars map[string]string, input func(name string) (string, error)) (string, error) {
	r, _ := t.renderers.Get().(*renderer)
	if r == nil {
		r = t.newRenderer()
	}
	r.ctx, r.input = ctx, input
	if len(t.functions.custom) > 0 {
		// Only a caller's function can change the map it is handed.
		vars = maps.Clone(vars)
	}
	if vars == nil {
		vars = map[string]string{}
	}
	err := r.execute(vars)
	text := string(r.out)
	r.release(t)
	if err != nil {
		return "", t.renderError(ctx, err)
	}
	return text, nil
}

// renderer is one executable copy of a template. text/template binds
// functions when a template is built, so the input helper of a call has to
// belong to a copy that no other call uses; copies are pooled.
type renderer struct {
	tmpl   *template.Template
	ctx    context.Context
	input  func(name string) (string, error)
	out    []byte
	writes uint
}

func (t *Template) newRenderer() *renderer {
	r := &renderer{}
	r.tmpl = template.New(t.root.Name).Option("missingkey=error").Funcs(t.functions.custom).
		Funcs(template.FuncMap{InputFunc: r.readInput})
	for name, tree := range t.trees {
		template.Must(r.tmpl.AddParseTree(name, tree))
	}
	return r
}

// release returns the renderer to the pool without anything of the call.
func (r *renderer) release(t *Template) {
	const keep = 64 << 10 // a larger buffer would be held for a rare prompt
	if cap(r.out) > keep {
		r.out = nil
	}
	clear(r.out[:cap(r.out)])
	r.ctx, r.input, r.out, r.writes = nil, nil, r.out[:0], 0
	t.renderers.Put(r)
}

func (r *renderer) execute(vars map[string]string) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.tmpl.Execute(r, vars)
}

// inputError marks what the input helper returned on its way through
// text/template, and which input it was about.
type inputError struct {
	name string
	err  error
}

func (e *inputError) Error() string { return "input failed" }
func (e *inputError) Unwrap() error { return e.err }

func (r *renderer) readInput(name string) (string, error) {
	content, err := r.input(name)
	if err != nil {
		return "", &inputError{name, err}
	}
	return content, nil
}

var errTooLarge = errors.New("rendered text too large")

// Write collects the output. It is also where a rendering notices that its
// context has ended: see markProgress.
func (r *renderer) Write(p []byte) (int, error) {
	const every = 64 // writes; asking the context costs more than a short copy
	if r.writes++; r.writes%every == 0 {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
	}
	if len(r.out)+len(p) > MaxRenderedBytes {
		return 0, fmt.Errorf("%w: over %d bytes", errTooLarge, MaxRenderedBytes)
	}
	r.out = append(r.out, p...)
	return len(p), nil
}
