package profile

import (
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
)

// Executable returns the backend that the target runs on. The error is a
// *TargetError. An offline backend needs no model.
func (t *Target) Executable(backends *Backends) (*definition.Backend, error) {
	if !t.Backend.Set() {
		return nil, t.lacks("backend")
	}
	b, err := backends.Select(t.Backend.Value, "")
	if err != nil {
		return nil, &TargetError{ProfileID: t.ProfileID, Reason: err.Error(), Err: err}
	}
	if !t.Model.Set() && b.Kind.Value != definition.KindOffline {
		return nil, t.lacks("model")
	}
	return b, nil
}

// lacks reports a setting that no profile of the line makes.
func (t *Target) lacks(key string) *TargetError {
	reason := "it names no " + key
	if len(t.Line) > 1 {
		reason = "neither it nor what it extends (" + strings.Join(t.Line[1:], ", ") + ") names a " + key
	}
	return &TargetError{ProfileID: t.ProfileID, Reason: reason + "; add one, or run a profile that extends it and does"}
}
