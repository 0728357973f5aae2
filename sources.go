package promptkit

import (
	"errors"

	"github.com/promptkit-go/promptkit/internal/source"
)

// dirChoice is the choice of a directory of Config; an empty name is no source.
func dirChoice(path string) sourceChoice {
	if path == "" {
		return sourceChoice{}
	}
	return sourceChoice{kind: sourceDir, path: path}
}

// open opens the source, which is nil if there is none. The caller closes it.
func (c sourceChoice) open() (*source.Source, error) {
	switch c.kind {
	case sourceDir:
		return source.Open(c.path)
	case sourceFile:
		return source.File(c.path)
	case sourceFS:
		return source.FS(c.fsys), nil
	default:
		return nil, nil
	}
}

// capture opens a source, hands it to load and closes it again: what has to
// stay readable is kept by load as bytes. An error is one of the root of the
// source, and gets the given category.
func capture[T any](choice sourceChoice, kind error, what string, load func(*source.Source) (T, error)) (T, error) {
	var none T
	src, err := choice.open()
	if err != nil {
		return none, sourceFailure(kind, what, err)
	}
	if src != nil {
		defer func() { _ = src.Close() }()
	}
	captured, err := load(src)
	if err != nil {
		return none, sourceFailure(kind, what, err)
	}
	return captured, nil
}

// sourceFailure words the failure of a whole source.
func sourceFailure(kind error, what string, err error) error {
	var inSource *source.Error
	if errors.As(err, &inSource) {
		return fail(kind, "the source of "+what+" "+inSource.Error(), err)
	}
	return fail(kind, "the source of "+what+" cannot be read", err)
}
