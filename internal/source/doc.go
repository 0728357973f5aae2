// Package source finds and reads the files an engine is made of, and nothing
// outside them.
//
// A Source is one root: a directory, a caller's fs.FS, or the folder of a
// single file. Everything below the root is named by a slash-separated path
// relative to it. Discovery is deterministic, reads are contained and bounded,
// and whatever is not a regular file is refused before it is opened, so that
// a named pipe cannot make a program wait.
//
// A Source is open from its construction to Close. What has to stay readable
// after that is kept by the caller as bytes.
package source
