// Package profile turns a captured profile into the target of an execution:
// it follows inheritance, remembers which profile each value came from, and
// says what a target still lacks to be executable.
package profile

import (
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// Value is an effective setting and where it was made.
type Value[T any] struct {
	Value    T
	From     string        // ID of the profile that says it; "" if none does
	Position diag.Position // where it says it; zero for a profile from memory
}

// Set reports whether any profile of the line makes the setting.
func (v Value[T]) Set() bool { return v.From != "" }

// Target is what a profile amounts to after inheritance. A target may be
// partial. It belongs to the caller, who may change it.
type Target struct {
	ProfileID string
	Line      []string // IDs from the profile itself to its oldest ancestor

	Backend Value[string] // ID of a backend, not resolved
	Model   Value[string]

	Temperature     Value[float64]
	TopP            Value[float64]
	MaxOutputTokens Value[int]
	Seed            Value[int64]
	Stop            Value[[]string]
	ReasoningEffort Value[string]
	RepairAttempts  Value[int] // every try, the first included

	// Fallback holds profile IDs in the order they are tried, without the
	// profile itself. They are not resolved, and their own fallbacks are not
	// followed.
	Fallback Value[[]string]
}

// inherit takes over what p says and its descendants left open.
func (t *Target) inherit(p *definition.Profile) {
	t.Line = append(t.Line, p.ID)
	take(&t.Backend, p.Backend, p.ID)
	take(&t.Model, p.Model, p.ID)
	take(&t.Temperature, p.Temperature, p.ID)
	take(&t.TopP, p.TopP, p.ID)
	take(&t.MaxOutputTokens, p.MaxOutputTokens, p.ID)
	take(&t.Seed, p.Seed, p.ID)
	take(&t.Stop, p.Stop, p.ID)
	take(&t.ReasoningEffort, p.ReasoningEffort, p.ID)
	take(&t.RepairAttempts, p.RepairAttempts, p.ID)
	take(&t.Fallback, p.Fallback, p.ID)
}

func take[T any](v *Value[T], f definition.Field[T], from string) {
	if !v.Set() && f.Set {
		*v = Value[T]{Value: f.Value, From: from, Position: f.Position}
	}
}
