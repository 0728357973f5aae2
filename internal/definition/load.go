package definition

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// LoadPrompts captures every prompt of a source, good or bad, and reads all
// that belongs to them. It returns an error only if the source as a whole
// cannot be read.
//
// If inspect is not nil it is called once for each prompt that loaded, in
// discovery order. The problems it returns, a template that does not parse
// for instance, do not keep the prompt from being selected; they only make
// SourceLine answer for the files they are in.
func LoadPrompts(src *source.Source, inspect func(*Prompt) []diag.Problem) (*Catalog[Prompt], error) {
	var e encoder
	decode := func(d *document, root *yaml.Node) *Prompt {
		p := d.prompt(root)
		if len(d.problems) == 0 {
			p.Hash = e.hash(p)
		}
		return p
	}
	c := newCapture(KindPrompt, decode)
	if inspect != nil {
		c.loaded = func(p *Prompt, data []byte) { keepLines(c.cat, p, data, inspect(p)) }
	}
	if err := c.files(src); err != nil {
		return nil, err
	}
	return c.catalog(), nil
}

// keepLines keeps the files of a prompt that problems point into.
func keepLines(c *Catalog[Prompt], p *Prompt, data []byte, problems []diag.Problem) {
	for _, problem := range problems {
		if problem.File == p.Position.File {
			c.sources[problem.File] = masked(readable(data))
			continue
		}
		for i := range p.Messages {
			if text := p.Messages[i].Content; text.Origin.File == problem.File {
				c.sources[problem.File] = text.Body
			}
		}
	}
}

// LoadProfiles captures every profile of a source, which may be nil, and the
// values as further entries after those of the source. It returns an error
// only if the source as a whole cannot be read.
func LoadProfiles(src *source.Source, values ...Profile) (*Catalog[Profile], error) {
	c := newCapture(KindProfile, (*document).profile)
	if err := c.files(src); err != nil {
		return nil, err
	}
	for i := range values {
		p := values[i]
		p.Stop.Value, p.Fallback.Value = slices.Clone(p.Stop.Value), slices.Clone(p.Fallback.Value)
		c.value(i, p.ID, &p, p.validate)
	}
	return c.catalog(), nil
}

// LoadBackends captures every backend of a source, which may be nil, and the
// values as further entries after those of the source. A field of a value
// that is not Set gets its default. It returns an error only if the source as
// a whole cannot be read.
func LoadBackends(src *source.Source, values ...Backend) (*Catalog[Backend], error) {
	c := newCapture(KindBackend, (*document).backend)
	if err := c.files(src); err != nil {
		return nil, err
	}
	for i := range values {
		b := values[i]
		b.Headers = slices.Clone(b.Headers)
		b.fillIn()
		c.value(i, b.ID, &b, b.validate)
	}
	return c.catalog(), nil
}
