package promptkit

import (
	"context"
	"errors"
	"mime"
	"strconv"
	"strings"
)

// artifacts puts the content of every input in memory, in the order of the
// request, and holds it against what the prompt declares.
func (p *preparation) artifacts(ctx context.Context) error {
	if len(p.req.Inputs) == 0 {
		return nil
	}
	p.bound = make([]binding, len(p.req.Inputs))
	p.prepared.Inputs = make([]PreparedInput, len(p.req.Inputs))
	for i := range p.req.Inputs {
		in := &p.req.Inputs[i]
		contentType, err := p.contentType(in)
		if err != nil {
			return p.unlessMissing(ctx, err)
		}
		content, err := p.content(ctx, in)
		if err != nil {
			return p.unlessMissing(ctx, err)
		}
		p.bound[i] = binding{name: in.Name, content: content}
		p.prepared.Inputs[i] = PreparedInput{
			Name: in.Name, ContentType: contentType, Size: int64(len(content)), Digest: digest(content),
		}
	}
	return nil
}

// contentType is the bound media type, or else the declared one. It is an
// error if both exist and name different types; parameters are no difference.
func (p *preparation) contentType(in *Input) (string, error) {
	declared := ""
	for i := range p.def.Inputs {
		if p.def.Inputs[i].Name == in.Name {
			declared = text(p.def.Inputs[i].ContentType)
		}
	}
	switch {
	case in.ContentType == "":
		return declared, nil
	case declared == "" || mediaType(declared) == mediaType(in.ContentType):
		return in.ContentType, nil
	}
	return "", failf(ErrArtifactLoad, "the input %q is declared as %q and bound as %q; bind content of the declared type",
		in.Name, declared, in.ContentType)
}

// mediaType reduces a content type to what is compared.
func mediaType(contentType string) string {
	if parsed, _, err := mime.ParseMediaType(contentType); err == nil {
		return parsed
	}
	bare, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(bare))
}

// content is the text of an input, read from its path if it has one.
func (p *preparation) content(ctx context.Context, in *Input) (string, error) {
	if in.Path == "" {
		return in.Text, nil
	}
	if err := ctx.Err(); err != nil {
		return "", interrupted(ErrArtifactLoad, "all inputs were read", err)
	}
	content, err := p.engine.artifacts.ReadArtifact(ctx, in.Path)
	if err == nil {
		return string(content), nil
	}
	reason := "cannot be read"
	var known *artifactError
	switch {
	case errors.As(err, &known):
		reason = known.reason
	case ctx.Err() != nil:
		reason = "was not read: " + ctx.Err().Error()
	case fileCause(err) != nil:
		reason = fileFailure(err).reason
	}
	return "", fail(ErrArtifactLoad, "the input "+strconv.Quote(in.Name)+": the file "+strconv.Quote(in.Path)+" "+reason, err)
}
