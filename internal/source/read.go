package source

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
)

// Read returns the content of a regular file that is no larger than limit.
// The name is one from Files, Beside or Below. The bytes are the caller's.
// The error is an *Error.
func (s *Source) Read(name string, limit Limit) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, leaves(name)
	}
	// Asked before the file is opened: opening a named pipe would wait for a
	// writer, and opening a device can have effects.
	info, err := s.stat(name)
	if err != nil {
		return nil, failure(name, err)
	}
	if err := check(name, info, limit); err != nil {
		return nil, err
	}
	file, err := s.open(name)
	if err != nil {
		return nil, failure(name, err)
	}
	defer func() { _ = file.Close() }() // nothing was written, so nothing can be lost
	return read(name, file, info.Size(), limit)
}

// check refuses what is no regular file or too large.
func check(name string, info fs.FileInfo, limit Limit) error {
	if mode := info.Mode(); !mode.IsRegular() {
		return &Error{File: name, Reason: "is " + describe(mode) + ", not a regular file"}
	}
	if info.Size() > limit.Bytes {
		return tooLarge(name, limit)
	}
	return nil
}

// read reads one byte more than the limit allows, because a file may grow, or
// a file system may not tell the truth about a size.
func read(name string, file io.Reader, size int64, limit Limit) ([]byte, error) {
	var content bytes.Buffer
	content.Grow(int(min(size, limit.Bytes)) + bytes.MinRead)
	if _, err := content.ReadFrom(io.LimitReader(file, limit.Bytes+1)); err != nil {
		return nil, failure(name, err)
	}
	if int64(content.Len()) > limit.Bytes {
		return nil, tooLarge(name, limit)
	}
	return content.Bytes(), nil
}

func describe(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
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

func tooLarge(name string, limit Limit) error {
	return &Error{File: name, Reason: fmt.Sprintf("is larger than %s, the limit for %s", limit.size(), limit.Name)}
}
