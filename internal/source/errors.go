package source

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// Error reports that one file or folder could not be found or read.
type Error struct {
	// File is slash-separated and relative to the source, or the root itself
	// as the caller named it.
	File string
	// Reason is a clause about File: why it cannot be read, and what to do.
	Reason string
	// Err is the cause where there is one, fs.ErrNotExist for instance.
	Err error
}

// Error names the file and the reason.
func (e *Error) Error() string { return strconv.Quote(e.File) + " " + e.Reason }

// Unwrap returns the cause, nil if this package alone refused the file.
func (e *Error) Unwrap() error { return e.Err }

// CheckReference refuses a reference to a file that cannot be meant to stay
// below a source: an empty, absolute or backslashed path. The error is an *Error.
func CheckReference(reference string) error {
	switch {
	case strings.TrimSpace(reference) == "":
		return &Error{File: reference, Reason: "names no file"}
	case path.IsAbs(reference) || drive(reference):
		return &Error{File: reference, Reason: "is an absolute path; name the file relative to its source"}
	case strings.Contains(reference, `\`):
		return &Error{File: reference, Reason: "has a backslash; separate folders with /"}
	}
	return nil
}

// drive reports whether a path starts with the letter of a Windows drive,
// which is refused everywhere because projects move between machines.
func drive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z' &&
		(len(name) == 2 || name[2] == '/' || name[2] == '\\')
}

func leaves(name string) error {
	return &Error{File: name, Reason: `leaves the source root by ".."; keep the file below the root`}
}

// failure words an error of the file system without its own mention of paths.
func failure(name string, err error) error {
	return &Error{File: name, Reason: reason(err), Err: err}
}

func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "cannot be read: permission denied"
	case errors.Is(err, syscall.ELOOP):
		return "is a link that leads back to itself"
	}
	var inPath *fs.PathError
	if !errors.As(err, &inPath) {
		return "cannot be read: " + err.Error()
	}
	// os.Root exports no value to compare with.
	if inPath.Err.Error() == "path escapes from parent" {
		return "is reached by a link that leaves the source root; keep the file below the root"
	}
	return "cannot be read: " + inPath.Err.Error()
}
