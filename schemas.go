package promptkit

import (
	"context"
	"errors"
	"fmt"
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
	compiled, err := s.compile(path)
	if err != nil {
		return nil, fail(ErrSchemaLoad, err.Error(), err)
	}
	return compiled, nil
}

// errNoSchemas answers for every schema if there is nowhere to look.
var errNoSchemas = errors.New("there is no source of schemas; set Config.SchemaDir or use WithSchemaFS")

// compile is load with an error whose problems have positions, where it is a
// *schema.Error.
func (s *schemaSet) compile(path string) (*schema.Schema, error) {
	if s.choice.kind == sourceNone {
		return nil, fmt.Errorf("the schema %q cannot be read: %w", path, errNoSchemas)
	}
	compiled, err := s.set.Compile(path)
	if err == nil {
		s.compiled.Store(path, compiled)
		return compiled, nil
	}
	// A source that cannot be opened is no missing schema, and why a file
	// cannot be read is known only to the source.
	var inSource *source.Error
	if errors.As(err, &inSource) && !(errors.Is(err, fs.ErrNotExist) && inSource.File == path) {
		return nil, fmt.Errorf("the schema %q cannot be read: %w", path, inSource)
	}
	return nil, err
}
