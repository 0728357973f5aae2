package binding

import (
	"strconv"
	"strings"
)

// OK reports whether the plan fits: nothing that is required is missing, and
// no name is unknown. What is merely conditional does not count against it;
// a caller that wants certainty asks for Complete as well.
func (r Report) OK() bool { return r.Inputs.ok() && r.Variables.ok() }

func (c Comparison) ok() bool { return len(c.Missing) == 0 && len(c.Unknown) == 0 }

// Err returns nil if the plan fits and an *Error if it does not.
func (r Report) Err() error {
	if r.OK() {
		return nil
	}
	return &Error{Report: r}
}

// Error says in what way a plan does not fit a prompt.
type Error struct {
	Report Report
}

// Error names everything that is missing or unknown, and what was meant.
func (e *Error) Error() string {
	parts := append(e.Report.Inputs.faults("input"), e.Report.Variables.faults("variable")...)
	return "the plan does not fit the prompt: " + strings.Join(parts, "; ")
}

func (c Comparison) faults(noun string) []string {
	var parts []string
	for _, name := range c.Missing {
		parts = append(parts, "required "+noun+" "+strconv.Quote(name)+" is missing")
	}
	for _, u := range c.Unknown {
		part := noun + " " + strconv.Quote(u.Name) + " is unknown"
		if u.Nearest != "" {
			part += " (did you mean " + strconv.Quote(u.Nearest) + "?)"
		}
		parts = append(parts, part)
	}
	return parts
}
