package promptkit

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/promptkit-go/promptkit/internal/schema"
	"github.com/promptkit-go/promptkit/internal/source"
)

// schemaSet compiles schemas when something first needs them and keeps what
// compiled. What failed is tried again: it may be mended meanwhile.
type schemaSet struct {
	choice   sourceChoice
	set      *schema.Set
	compiled sync.Map // path to *schema.Schema; read without a lock
}

func newSchemaSet(choice sourceChoice) *schemaSet {
	s := &schemaSet{choice: choice}
	s.set = schema.NewSet(s.read)
	return s
}

// read opens the source for one file. Holding it open for as long as the
// engine lives would gain nothing: a schema is read once.
func (s *schemaSet) read(path string) ([]byte, error) {
	src, err := s.choice.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.Close() }()
	return src.Read(path, source.Schema)
}

// load returns the compiled schema at a path below the source.
func (s *schemaSet) load(ctx context.Context, path string) (*schema.Schema, error) {
	if done, ok := s.compiled.Load(path); ok {
		return done.(*schema.Schema), nil
	}
	if err := ctx.Err(); err != nil {
		return nil, interrupted(ErrSchemaLoad, "the schema was read", err)
	}
	if s.choice.kind == sourceNone {
		return nil, failf(ErrSchemaLoad, "the contract names the schema %q and there is no source of schemas; set Config.SchemaDir or use WithSchemaFS", path)
	}
	compiled, err := s.set.Compile(path)
	if err != nil {
		return nil, s.failure(err)
	}
	s.compiled.Store(path, compiled)
	return compiled, nil
}

// failure words why a schema cannot be used. A source that cannot be opened
// is named as such, not as a missing schema.
func (s *schemaSet) failure(err error) error {
	if src, cause := s.choice.open(); cause != nil {
		return sourceFailure(ErrSchemaLoad, "schemas", cause)
	} else {
		_ = src.Close()
	}
	var inFile *source.Error
	if errors.As(err, &inFile) && !errors.Is(err, fs.ErrNotExist) {
		return fail(ErrSchemaLoad, "the schema "+inFile.Error(), err)
	}
	return fail(ErrSchemaLoad, err.Error(), err)
}
