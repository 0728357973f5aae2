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
	if name, twice := boundTwice(r.Inputs); twice {
		return failf(ErrInvalidRequest, "the input %q is bound twice; bind it once", name)
	}
	return nil
}

// boundTwice finds a name that occurs twice. Requests bind a handful, for
// which comparing each with each is the least work; many are another matter.
func boundTwice(inputs []Input) (string, bool) {
	if len(inputs) > 16 {
		seen := make(map[string]bool, len(inputs))
		for i := range inputs {
			if seen[inputs[i].Name] {
				return inputs[i].Name, true
			}
			seen[inputs[i].Name] = true
		}
		return "", false
	}
	for i := range inputs {
		for j := range inputs[:i] {
			if inputs[i].Name == inputs[j].Name {
				return inputs[i].Name, true
			}
		}
	}
	return "", false
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
