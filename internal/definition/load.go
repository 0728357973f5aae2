package definition

import (
	"errors"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// LoadPrompts captures every prompt of a source, good or bad, and reads all
// that belongs to them. It returns an error only if the source as a whole
// cannot be read.
//
// If inspect is not nil it is called once for each prompt that loaded, while
// the bytes of its files are at hand. The problems it returns, a template that
// does not parse for instance, do not keep the prompt from being selected;
// they only make SourceLine answer for the files they are in.
func LoadPrompts(src *source.Source, inspect func(*Prompt) []diag.Problem) (*Catalog[Prompt], error) {
	return nil, errors.ErrUnsupported
}

// LoadProfiles captures every profile of a source, which may be nil, and the
// values as further entries after those of the source.
func LoadProfiles(src *source.Source, values ...Profile) (*Catalog[Profile], error) {
	return nil, errors.ErrUnsupported
}

// LoadBackends captures every backend of a source, which may be nil, and the
// values as further entries after those of the source. A field of a value that
// is not Set gets its default.
func LoadBackends(src *source.Source, values ...Backend) (*Catalog[Backend], error) {
	return nil, errors.ErrUnsupported
}
