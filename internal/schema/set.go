package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Read returns the bytes of a file of the schema source. The path is
// slash-separated and relative to the root of the source. A file that does
// not exist is an error that matches fs.ErrNotExist. It may be called
// concurrently.
type Read func(path string) ([]byte, error)

// Set is the schemas of one source. What was compiled is kept. It is safe for
// concurrent use.
type Set struct {
	read Read

	mu       sync.Mutex
	compiled map[string]*Schema
}

// NewSet returns the schemas that read gives. It reads nothing yet.
func NewSet(read Read) *Set {
	return &Set{read: read, compiled: make(map[string]*Schema)}
}

// Error is why a schema cannot be used.
type Error struct {
	Problems []diag.Problem // at least one
	Err      error          // the reader's error, if that was the reason
}

// Error is the first problem, and how many more there are.
func (e *Error) Error() string {
	first := e.Problems[0].String()
	if more := len(e.Problems) - 1; more > 0 {
		return fmt.Sprintf("%s; and %d more", first, more)
	}
	return first
}

// Unwrap returns the reader's error.
func (e *Error) Unwrap() error { return e.Err }

// problem is an Error of one problem.
func problem(at diag.Position, message string, cause error) *Error {
	return &Error{Problems: []diag.Problem{{Position: at, Message: message}}, Err: cause}
}

// Compile returns the schema at a path below the root of the source. The
// error is an *Error.
func (s *Set) Compile(name string) (*Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if done := s.compiled[name]; done != nil {
		return done, nil
	}
	if !fs.ValidPath(name) || name == "." {
		return nil, problem(diag.Position{File: name}, "a schema is named by a relative path below the schema source", nil)
	}
	l := &loading{read: s.read, docs: make(map[string]*document)}
	schema, err := l.compile(name)
	if err != nil {
		return nil, err
	}
	s.compiled[name] = schema
	return schema, nil
}

// loading is the work of one compilation: the documents that the schema
// consists of.
type loading struct {
	read Read
	docs map[string]*document // by path
	// bases maps the folder of a document's own $id to its folder in the
	// source, so that relative references work from under an $id.
	bases map[string]string
}

// compile loads a schema with all that it refers to.
func (l *loading) compile(name string) (*Schema, error) {
	main, err := l.load(name, diag.Position{File: name})
	if err != nil {
		return nil, err
	}
	if err := l.follow(main); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(l)
	compiled, cause := c.Compile(address(name))
	if cause != nil {
		return nil, l.compileError(main, cause)
	}
	return &Schema{path: name, compiled: compiled, main: main, docs: l.docs, names: l.propertyNames()}, nil
}

// load reads and parses a document once. from is who asks for it.
func (l *loading) load(name string, from diag.Position) (*document, error) {
	if doc := l.docs[name]; doc != nil {
		return doc, nil
	}
	data, err := l.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem(from, fmt.Sprintf("schema %q does not exist in the schema source", name), err)
	case err != nil:
		return nil, problem(from, fmt.Sprintf("schema %q cannot be read", name), err)
	}
	doc, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	l.docs[name] = doc
	if id := doc.id(); id != "" {
		if l.bases == nil {
			l.bases = make(map[string]string)
		}
		l.bases[folder(id)] = path.Dir(name)
	}
	return doc, nil
}

// Load gives the compiler a document by its address. The references were
// followed before, so whatever is missing now is not to be had.
func (l *loading) Load(url string) (any, error) {
	name, ok := l.locate(url)
	if !ok {
		return nil, fs.ErrNotExist
	}
	doc, err := l.load(name, diag.Position{File: name})
	if err != nil {
		return nil, err
	}
	return doc.value, nil
}

// The addresses under which the compiler knows the documents of a source.
const root = "schema://source/"

func address(name string) string { return root + escapePath(name) }

// locate is the path in the source that an address stands for.
func (l *loading) locate(url string) (string, bool) {
	url, _, _ = strings.Cut(url, "#")
	if rest, ok := strings.CutPrefix(url, root); ok {
		name, err := unescapePath(rest)
		return name, err == nil && fs.ValidPath(name)
	}
	for base, dir := range l.bases {
		rest, ok := strings.CutPrefix(url, base)
		if name, err := unescapePath(rest); ok && err == nil && fs.ValidPath(path.Join(dir, name)) {
			return path.Join(dir, name), true
		}
	}
	return "", false
}
