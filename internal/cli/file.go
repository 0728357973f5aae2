package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// encodeJSON encodes an answer for people and programs: indented, one
// trailing newline, and no characters escaped that need not be.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, failedf("cannot encode the answer as JSON")
	}
	return b.Bytes(), nil
}

// writeFile writes a file whole or not at all: to a neighbour first, which
// then takes its name. What is not a regular file, such as /dev/stderr, has
// no name to take and is written to directly.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return outputError(path, writeThrough(path, data))
	}
	target := path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		target = linked // a link stays one; what it points to changes
	}
	return outputError(path, replaceFile(target, data))
}

func outputError(path string, err error) error {
	if err == nil {
		return nil
	}
	return failedf("cannot write %s: %s", strconv.Quote(path), fileReason(err))
}

func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func replaceFile(path string, data []byte) error {
	temporary := filepath.Join(filepath.Dir(path), ".promptkit-"+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}

// readRegular reads a regular file of at most limit bytes. It looks before it
// opens: opening a named pipe would wait for a writer.
func readRegular(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, errors.New(fileReason(err))
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit:
		return nil, tooLarge(limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New(fileReason(err))
	}
	defer func() { _ = f.Close() }() // nothing was written that could be lost
	return readLimited(f, limit)
}

// readLimited reads everything, up to limit bytes.
func readLimited(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, errors.New(fileReason(err))
	}
	if int64(len(data)) > limit {
		return nil, tooLarge(limit)
	}
	return data, nil
}

func tooLarge(limit int64) error {
	return errors.New("it is larger than " + byteSize(limit))
}

// fileReason words what the operating system said, without the path, which
// the caller names.
func fileReason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// byteSize words a number of bytes.
func byteSize(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
	case n >= 1<<10:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
	case n == 1:
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
