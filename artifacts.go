package promptkit

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// MaxArtifactBytes is how large a file that an input names may be: 16 MiB.
const MaxArtifactBytes = 16 << 20

// ArtifactReader reads what Input.Path names. Implementations must be safe
// for concurrent use.
type ArtifactReader interface {
	// ReadArtifact returns the whole content, which the engine does not
	// change. Context and file errors stay reachable through the engine's
	// error; the words of any other error are not shown.
	ReadArtifact(ctx context.Context, path string) ([]byte, error)
}

// fileReader reads artifacts from the operating system's files.
type fileReader struct{}

// artifactError says why a file cannot be an input. Unlike the errors of a
// caller's reader, its words were written to be shown.
type artifactError struct {
	reason string
	cause  error
}

func (e *artifactError) Error() string { return e.reason }
func (e *artifactError) Unwrap() error { return e.cause }

// ReadArtifact reads a regular file of at most MaxArtifactBytes.
func (fileReader) ReadArtifact(ctx context.Context, path string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Asked before the file is opened: opening a named pipe would wait for a
	// writer, and opening a device can have effects.
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileFailure(err)
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, &artifactError{reason: "is " + describeMode(mode) + ", not a regular file"}
	}
	if info.Size() > MaxArtifactBytes {
		return nil, errArtifactTooLarge
	}
	return readFile(path)
}

var errArtifactTooLarge = &artifactError{
	reason: "is larger than " + strconv.Itoa(MaxArtifactBytes>>20) + " MiB, the limit for an input",
}

// readFile reads one byte more than the limit allows, because the file may
// have grown since its size was asked.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileFailure(err)
	}
	defer f.Close() // nothing was written, so nothing can be lost
	content, err := io.ReadAll(io.LimitReader(f, MaxArtifactBytes+1))
	if err != nil {
		return nil, fileFailure(err)
	}
	if len(content) > MaxArtifactBytes {
		return nil, errArtifactTooLarge
	}
	return content, nil
}

// fileFailure words an error of the file system; the path is the caller's to
// name.
func fileFailure(err error) *artifactError {
	reason := "cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "does not exist"
	case errors.Is(err, fs.ErrPermission):
		reason = "cannot be read: permission denied"
	default:
		if cause := fileCause(err); cause != nil {
			reason += ": " + cause.Error()
		}
	}
	return &artifactError{reason: reason, cause: err}
}

func describeMode(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "a special file"
	}
}
