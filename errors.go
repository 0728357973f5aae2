package promptkit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
)

// The categories of failure. Every error that an Engine returns matches
// exactly one of them with errors.Is. A cancelled operation matches the stage
// that it interrupted, and the context's error.
var (
	// ErrInvalidConfig: no engine can be built from this configuration, or
	// the engine is nil.
	ErrInvalidConfig = errors.New("invalid configuration")
	// ErrInvalidRequest: the request is malformed or lacks something that
	// the prompt needs (see MissingError).
	ErrInvalidRequest = errors.New("invalid request")

	// ErrPromptNotFound: no captured prompt has this ID, or this version.
	ErrPromptNotFound = errors.New("prompt not found")
	// ErrPromptLoad: the definition, or one that it cannot be told apart
	// from, failed to load; or the version was omitted and there are several.
	ErrPromptLoad = errors.New("prompt load failed")
	// ErrPromptRender: a template failed to render.
	ErrPromptRender = errors.New("prompt rendering failed")

	// ErrProfileRequired: neither the request nor the prompt names a profile.
	ErrProfileRequired = errors.New("profile required")
	// ErrProfileNotFound: no captured profile has this ID.
	ErrProfileNotFound = errors.New("profile not found")
	// ErrProfileLoad: the profile, or one that it extends, is malformed,
	// unknown, or extends itself.
	ErrProfileLoad = errors.New("profile load failed")
	// ErrTarget: the profile cannot be executed; it is partial or its backend
	// is unknown or malformed.
	ErrTarget = errors.New("no executable target")
	// ErrCredentialMissing: an environment variable that the backend names
	// for a credential is unset or empty.
	ErrCredentialMissing = errors.New("credential missing")

	// ErrArtifactLoad: an input could not be read, or is not what the prompt
	// declares.
	ErrArtifactLoad = errors.New("input load failed")
	// ErrSchemaLoad: the schema of the output contract is missing or broken.
	ErrSchemaLoad = errors.New("schema load failed")
	// ErrOutputWrite: the validated output could not be written.
	ErrOutputWrite = errors.New("output write failed")

	// ErrCapacity: the run was not admitted to its backend (see
	// CapacityError).
	ErrCapacity = errors.New("not admitted")
	// ErrGenerate: the backend gave no reply (see ProviderError).
	ErrGenerate = errors.New("generation failed")
	// ErrValidation: the reply does not keep the output contract (see
	// OutputError).
	ErrValidation = errors.New("output validation failed")
)

// failure is the one error type that leaves the engine. It matches one
// sentinel, and of what caused it it exposes only context errors, file errors
// and the public typed errors: internal causes stay inside, and so do their
// words, which were not written to be safe to show.
type failure struct {
	kind    error
	message string
	cause   error
}

// fail makes an error of the given category. The message says what, where,
// why and what to do, and quotes no value.
func fail(kind error, message string, cause error) error {
	return &failure{kind: kind, message: message, cause: exposed(cause)}
}

// failf is fail with a formatted message and no cause.
func failf(kind error, format string, args ...any) error {
	return fail(kind, fmt.Sprintf(format, args...), nil)
}

// Error returns the category and the message.
func (f *failure) Error() string { return f.kind.Error() + ": " + f.message }

// Is reports whether target is the category of this failure.
func (f *failure) Is(target error) bool { return target == f.kind }

// Unwrap returns the part of the cause that callers may look at, or nil.
func (f *failure) Unwrap() error { return f.cause }

// Format prints the message whatever the verb, so that %#v shows no more than
// %v does.
func (f *failure) Format(s fmt.State, verb rune) { formatText(s, verb, f.Error()) }

// LogValue makes slog record the message and nothing else.
func (f *failure) LogValue() slog.Value { return slog.StringValue(f.Error()) }

// MarshalText makes encoders record the message and nothing else.
func (f *failure) MarshalText() ([]byte, error) { return []byte(f.Error()), nil }

// formatText prints text for any verb, quoted for %q.
func formatText(s fmt.State, verb rune, text string) {
	if verb == 'q' {
		_, _ = fmt.Fprintf(s, "%q", text)
		return
	}
	_, _ = fmt.Fprint(s, text)
}

// exposed reduces an error to what callers may reach: a context error, a file
// error, or one of the public typed errors. Of several it keeps all.
func exposed(err error) error {
	if err == nil {
		return nil
	}
	var kept []error
	for _, sentinel := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, sentinel) {
			kept = append(kept, sentinel)
		}
	}
	kept = append(kept, typedErrors(err)...)
	kept = append(kept, fileErrors(err)...)
	if len(kept) == 1 {
		return kept[0]
	}
	return errors.Join(kept...)
}

// typedErrors finds the public typed errors in err.
func typedErrors(err error) []error {
	var kept []error
	if e := (*MissingError)(nil); errors.As(err, &e) {
		kept = append(kept, e)
	}
	if e := (*OutputError)(nil); errors.As(err, &e) {
		kept = append(kept, e)
	}
	if e := (*ProviderError)(nil); errors.As(err, &e) {
		kept = append(kept, e)
	}
	if e := (*CapacityError)(nil); errors.As(err, &e) {
		kept = append(kept, e)
	}
	return kept
}

// fileErrors finds what the file system said in err. A path error is kept
// whole; a bare number or fs sentinel is kept as it is.
func fileErrors(err error) []error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return []error{&fs.PathError{Op: e.Op, Path: e.Path, Err: fileCause(e.Err)}}
	}
	if cause := fileCause(err); cause != nil {
		return []error{cause}
	}
	return nil
}

// fileCause is the operating system's or io/fs's own error in err, or nil.
func fileCause(err error) error {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno
	}
	for _, sentinel := range []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, fs.ErrInvalid, fs.ErrClosed} {
		if errors.Is(err, sentinel) {
			return sentinel
		}
	}
	return nil
}

// MissingError says what a request lacks: every input and every variable that
// the prompt needs in this context and that the request does not bind. It
// comes with ErrInvalidRequest.
type MissingError struct {
	Inputs    []string // input names, sorted
	Variables []string // variable names, sorted
}

// Error lists what is missing, by name.
func (e *MissingError) Error() string {
	var parts []string
	if len(e.Inputs) > 0 {
		parts = append(parts, counted("input", e.Inputs))
	}
	if len(e.Variables) > 0 {
		parts = append(parts, counted("variable", e.Variables))
	}
	if len(parts) == 0 {
		return "nothing is missing"
	}
	return "missing " + strings.Join(parts, " and ")
}

// counted words a list of names: variable "a", or variables "a" and "b".
func counted(noun string, names []string) string {
	if len(names) != 1 {
		noun += "s"
	}
	return noun + " " + quotedList(names)
}

// quotedList words names as "a", "b" and "c".
func quotedList(names []string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
	}
	return b.String()
}

// failureCategory is a short stable word for what an error of the engine is.
func failureCategory(err error) string {
	if e := (*OutputError)(nil); errors.As(err, &e) {
		return string(e.Class)
	}
	if e := (*ProviderError)(nil); errors.As(err, &e) {
		return string(e.Class)
	}
	for sentinel, category := range categories {
		if errors.Is(err, sentinel) {
			return category
		}
	}
	return "unknown"
}

var categories = map[error]string{
	ErrCredentialMissing: "credential_missing",
	ErrCapacity:          "capacity",
	ErrGenerate:          "generate",
	ErrValidation:        "validation",
	ErrOutputWrite:       "output_write",
}
