package promptkit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
)

var errBlankPromptID = fail(ErrInvalidRequest, "the prompt ID is blank; name a prompt", nil)

// isBlank reports whether s is empty or white space only.
func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// identity names a prompt in a sentence.
func identity(def *definition.Prompt) string {
	return "prompt " + strconv.Quote(def.ID) + " version " + strconv.Quote(def.Version)
}

// interrupted is the error of a cancelled operation: it matches the stage
// that was interrupted and the context's error.
func interrupted(stage error, before string, err error) error {
	return fail(stage, fmt.Sprintf("interrupted before %s: %v", before, err), err)
}

// check refuses a request that contradicts itself, whatever the prompt is.
func (r *RunRequest) check() error {
	if r.Turn != nil && r.Turn.Action < 1 {
		return failf(ErrInvalidRequest, "the turn's action is %d; actions are counted from 1", r.Turn.Action)
	}
	if fault := r.Overrides.fault(); fault != "" {
		return fail(ErrInvalidRequest, "the overrides of the request are not usable: "+fault, nil)
	}
	for i, in := range r.Inputs {
		for _, other := range r.Inputs[:i] {
			if in.Name == other.Name {
				return failf(ErrInvalidRequest, "the input %q is bound twice; bind it once", in.Name)
			}
		}
	}
	return nil
}

// fault says which override no profile file could hold either; "" if none is.
func (o *Overrides) fault() string {
	if o.none() {
		return ""
	}
	as := Profile{ID: "overrides", Model: o.Model, Parameters: o.Parameters}
	if o.MaxAttempts != 0 {
		as.Repair = &Repair{MaxAttempts: o.MaxAttempts}
	}
	// Without a source there is nothing that could not be read.
	catalog, _ := definition.LoadProfiles(nil, profileDefinitions([]Profile{as})...)
	var faults []string
	for _, f := range catalog.Failures() {
		for _, p := range f.Problems {
			faults = append(faults, p.Message)
		}
	}
	return strings.Join(faults, "; ")
}
