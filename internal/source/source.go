package source

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Source is an open root. It is safe for concurrent use until it is closed.
type Source struct {
	fsys fs.FS
	root *os.Root // nil for a caller's own file system
	only string   // the one definition to discover; "" for every one
}

// Open opens a directory as a source. Links are followed as long as they stay
// below it. The error is an *Error.
func Open(dir string) (*Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure(dir, err)
	}
	return &Source{fsys: root.FS(), root: root}, nil
}

// File opens the folder of one definition file as a source in which only that
// file is discovered. The error is an *Error.
func File(name string) (*Source, error) {
	if name == "" {
		return nil, &Error{File: name, Reason: "names no file", Err: fs.ErrNotExist}
	}
	s, err := Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	s.only = filepath.Base(name)
	if _, err := s.stat(s.only); errors.Is(err, fs.ErrNotExist) {
		_ = s.Close()
		return nil, failure(name, err)
	}
	return s, nil
}

// FS makes a source of a caller's file system. Its containment is as good as
// that file system's own.
func FS(fsys fs.FS) *Source { return &Source{fsys: fsys} }

// Close releases the root. A closed source reads nothing more.
func (s *Source) Close() error {
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}

func (s *Source) stat(name string) (fs.FileInfo, error) {
	if s.root != nil {
		return s.root.Stat(name)
	}
	return fs.Stat(s.fsys, name)
}

func (s *Source) open(name string) (fs.File, error) {
	if s.root != nil {
		return s.root.Open(name)
	}
	return s.fsys.Open(name)
}

// Beside resolves a reference that a file makes to another one: a relative,
// slash-separated path that starts at the folder of the file. Neither it nor
// an error reveals anything about the files themselves. The error is an *Error.
func Beside(file, reference string) (string, error) {
	if err := CheckReference(reference); err != nil {
		return "", err
	}
	name := path.Join(path.Dir(file), reference)
	if !fs.ValidPath(name) {
		return "", leaves(reference)
	}
	return name, nil
}

// Below checks that a reference, followed from the root itself, stays below
// it, and returns it in its shortest form. The error is an *Error.
func Below(reference string) (string, error) { return Beside("root", reference) }
