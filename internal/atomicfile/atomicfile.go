// Package atomicfile writes a file as a whole or not at all.
//
// The content goes to a new file in the same folder, is forced to the disk,
// and then takes the place of the old file in one step. A process that dies
// in between leaves the old file as it was, and at worst a file beside it
// whose name begins with a dot and ends in .tmp.
package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Error says why a file was not written. The file is what it was before.
type Error struct {
	Path   string
	Reason string // what is wrong and what to do, without a subject
	Err    error  // the file system's or the context's error
}

// Error names the file and the reason.
func (e *Error) Error() string { return fmt.Sprintf("%s was not written: %s", e.Path, e.Reason) }

// Unwrap returns the file system's or the context's error.
func (e *Error) Unwrap() error { return e.Err }

// Write makes data the whole content of the file at path. An existing file
// keeps its permissions, and a link leads to the file that is replaced; a new
// file gets permissions 0o666 before umask. Anything but a regular file is
// refused. The context is looked at until the last step. The error is an
// *Error.
func Write(ctx context.Context, path string, data []byte) error {
	target, mode, err := destination(path)
	if err != nil {
		return explain(path, err)
	}
	if err := replace(ctx, target, mode, data); err != nil {
		return explain(path, err)
	}
	return nil
}

// Destinations that cannot be replaced.
var (
	errNotRegular = errors.New("not a regular file")
	errDangling   = errors.New("a link to nothing")
)

// destination is the file that path leads to, and its permissions; 0 for a
// file that does not exist yet.
func destination(path string) (string, fs.FileMode, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", 0, errors.Join(errDangling, err)
		}
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, 0, nil
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, syscall.EISDIR
	case !info.Mode().IsRegular():
		return "", 0, errNotRegular
	}
	return path, info.Mode().Perm(), nil
}

// replace writes a file beside the target and renames it.
func replace(ctx context.Context, target string, mode fs.FileMode, data []byte) (err error) {
	dir, base := filepath.Split(target)
	// Not os.CreateTemp: that makes files for the owner only, and nobody but
	// the kernel knows the umask.
	f, err := create(dir, base)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if mode != 0 {
		if err = f.Chmod(mode); err != nil {
			return err
		}
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = ctx.Err(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), target); err != nil {
		return err
	}
	syncDir(dir)
	return nil
}

// create makes a new file beside the target, under a name that is not taken.
func create(dir, base string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", clip(base), os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || i > 10_000 {
			return f, err
		}
	}
}

// clip leaves room in a name of 255 bytes for what is put around it.
func clip(name string) string { return name[:min(len(name), 200)] }

// syncDir forces the renaming to the disk, where the folder may be read and
// the file system can. Where not, it happens a little later; the file is whole
// either way.
func syncDir(dir string) {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}

// explain words what went wrong.
func explain(path string, err error) *Error {
	return &Error{Path: path, Reason: reason(err), Err: err}
}

func reason(err error) string {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err.Error()
	case errors.Is(err, errNotRegular):
		return "it is not a regular file, which alone can be replaced as a whole; name another, or write to standard output"
	case errors.Is(err, errDangling):
		return "it is a link that leads nowhere, or in a circle"
	case errors.Is(err, syscall.EISDIR):
		return "it is a folder; name a file in it"
	case errors.Is(err, fs.ErrNotExist):
		return "the folder does not exist; create it first"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of the path is a file and not a folder"
	case errors.Is(err, fs.ErrPermission):
		return "the folder does not permit it; a new file has to be made beside the old one"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "there is no space left; free some and run again"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "the name is too long"
	}
	return "the file system failed"
}
