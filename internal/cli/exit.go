package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/promptkit-go/promptkit"
)

// The exit codes, as the command documents them.
const (
	exitDone        = 0
	exitFailed      = 1   // the project, a prompt, a binding or an output failed a check
	exitUsage       = 2   // flags, unknown or ambiguous names, a folder that is no project
	exitIncomplete  = 3   // discovery is incomplete where completeness was demanded
	exitBackend     = 4   // credential, admission, call
	exitInterrupted = 130 // as shells report an interrupt
)

// A stop is an error with an exit code of its own and, perhaps, lines that
// help. An empty message stands for a failure that the output has shown
// already.
type stop struct {
	code    int
	message string
	hints   []string
	cause   error
}

func (s *stop) Error() string { return s.message }
func (s *stop) Unwrap() error { return s.cause }

// usagef makes an error about how the command was called.
func usagef(format string, args ...any) *stop {
	return &stop{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

// failedf makes an error about what the command was called with.
func failedf(format string, args ...any) *stop {
	return &stop{code: exitFailed, message: fmt.Sprintf(format, args...)}
}

// hint adds a line that says what to do.
func (s *stop) hint(format string, args ...any) *stop {
	s.hints = append(s.hints, fmt.Sprintf(format, args...))
	return s
}

// shown is a failure that needs no further words.
func shown(code int) *stop { return &stop{code: code} }

// exitCode tells which code an error ends the program with.
func exitCode(err error) int {
	if s := (*stop)(nil); errors.As(err, &s) {
		return s.code
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if m := (*promptkit.MissingError)(nil); errors.As(err, &m) {
		return exitFailed
	}
	for _, c := range codes {
		if errors.Is(err, c.category) {
			return c.code
		}
	}
	return exitFailed
}

var codes = []struct {
	category error
	code     int
}{
	{promptkit.ErrPromptNotFound, exitUsage},
	{promptkit.ErrProfileNotFound, exitUsage},
	{promptkit.ErrProfileRequired, exitUsage},
	{promptkit.ErrInvalidRequest, exitUsage},
	{promptkit.ErrCredentialMissing, exitBackend},
	{promptkit.ErrCapacity, exitBackend},
	{promptkit.ErrGenerate, exitBackend},
}

// report prints an error to standard error: what is wrong, then what to do.
func (a *app) report(err error) {
	var hints []string
	if s := (*stop)(nil); errors.As(err, &s) {
		hints = s.hints
	}
	p := a.diagnostics()
	if errors.Is(err, context.Canceled) {
		p.line(p.bad("promptkit:"), " interrupted")
	} else if message := err.Error(); message != "" {
		p.message(p.bad("promptkit:")+" ", 11, printable(message))
	}
	for _, h := range hints {
		p.line(strings.Repeat(" ", 11), h)
	}
	p.flush()
}
