package profile

import (
	"errors"
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// Resolve follows the inheritance of one profile. The error is that of
// Catalog.Select if the profile itself cannot be selected, and else an *Error:
// a parent that does not exist or cannot be loaded, or a cycle.
func Resolve(profiles *definition.Catalog[definition.Profile], id string) (*Target, error) {
	return nil, errors.ErrUnsupported
}

// Error reports a profile that cannot be resolved, and every place that is to
// blame. What kept a parent from being selected is reachable by errors.As.
type Error struct {
	ProfileID string
	Problems  []diag.Problem
	Err       error // nil for a cycle
}

// Error names the profile and each problem with its position.
func (e *Error) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.Position.String() + ": " + p.Message
	}
	return "profile " + strconv.Quote(e.ProfileID) + " cannot be resolved: " + strings.Join(parts, "; ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Check returns what is wrong between the profiles of a catalog and in
// what they refer to: unknown parents, cycles, unknown fallbacks and backends.
func Check(profiles *definition.Catalog[definition.Profile], backends *definition.Catalog[definition.Backend]) []diag.Problem {
	return nil
}

// TargetError reports that a target is not executable: it names no backend or
// no model, or its backend cannot be selected.
type TargetError struct {
	ProfileID string
	Reason    string // a sentence that says what is missing and where to put it
	Err       error  // the error of Catalog.Select, or nil
}

// Error is the reason, with the profile.
func (e *TargetError) Error() string {
	return "profile " + strconv.Quote(e.ProfileID) + " is not executable: " + e.Reason
}

// Unwrap returns the cause.
func (e *TargetError) Unwrap() error { return e.Err }

// Executable returns the backend that the target runs on. The error is a
// *TargetError. An offline backend needs no model.
func (t *Target) Executable(backends *definition.Catalog[definition.Backend]) (*definition.Backend, error) {
	return nil, errors.ErrUnsupported
}
