package profile

import (
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Error reports a profile whose inheritance cannot be resolved, and every
// place that is to blame. What kept a parent from being selected is reachable
// by errors.As and errors.Is.
type Error struct {
	ProfileID string
	Problems  []diag.Problem
	Err       error // nil for a cycle
}

// Error names the profile and each problem with its position.
func (e *Error) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		if parts[i] = p.Message; p.Position != (diag.Position{}) {
			parts[i] = p.Position.String() + ": " + p.Message
		}
	}
	return "profile " + strconv.Quote(e.ProfileID) + " cannot be resolved: " + strings.Join(parts, "; ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// TargetError reports that a target is not executable: it names no backend or
// no model, or its backend cannot be selected.
type TargetError struct {
	ProfileID string
	Reason    string // a clause that says what is missing and where to put it
	Err       error  // the error of Catalog.Select, or nil
}

// Error is the reason, with the profile.
func (e *TargetError) Error() string {
	return "profile " + strconv.Quote(e.ProfileID) + " is not executable: " + e.Reason
}

// Unwrap returns the cause.
func (e *TargetError) Unwrap() error { return e.Err }
