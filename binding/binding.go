package binding

import (
	"slices"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// Plan is what a caller intends to supply, by name. Order and repetition do
// not matter.
type Plan struct {
	Inputs []string
	// Variables are those that the caller will set and that the inspection
	// did not know yet. Variables that it was given count as planned anyway.
	Variables []string
}

// Report is the outcome of a comparison. All names are sorted; a list without
// names is nil. The report belongs to the caller.
type Report struct {
	Inputs    Comparison
	Variables Comparison
	// Complete is the inspection's own: nothing further can turn out to be
	// needed in this context.
	Complete bool
}

// Comparison is the outcome for the inputs or for the variables.
type Comparison struct {
	// Missing is required and not planned.
	Missing []string
	// Uncovered is conditional and not planned: it may turn out to be needed.
	Uncovered []string
	// Unknown is planned, and the prompt has no use for it in any way.
	Unknown []Unknown
	// Undecided is planned and not in the inventory, which is too incomplete
	// to tell whether it will be used.
	Undecided []Unknown
}

// Unknown is a planned name that the inventory does not list.
type Unknown struct {
	Name string
	// Nearest is the listed name that it resembles most; "" if none does.
	Nearest string
}

// Compare compares a plan with an inspection, both of which it leaves as they
// are. It is a pure function. A nil inspection is one that lists nothing and
// is complete.
func Compare(plan Plan, inspection *promptkit.RequirementInspection) Report {
	if inspection == nil {
		inspection = &promptkit.RequirementInspection{Complete: true}
	}
	var inputs, variables []entry
	for _, in := range inspection.Inputs {
		inputs = append(inputs, entry{in.Name, in.Kind, false})
	}
	for _, v := range inspection.Variables {
		variables = append(variables, entry{v.Name, v.Kind, v.Supplied})
	}
	return Report{
		Inputs:    compare(plan.Inputs, inputs, namesAreFinal(inspection, promptkit.RequirementIssueDynamicInputName)),
		Variables: compare(plan.Variables, variables, namesAreFinal(inspection, promptkit.RequirementIssueDynamicVariableName)),
		Complete:  inspection.Complete,
	}
}

// An entry is one line of the inventory.
type entry struct {
	name     string
	kind     promptkit.RequirementKind
	supplied bool
}

func compare(plan []string, entries []entry, final bool) Comparison {
	var c Comparison
	planned := sortedSet(plan)
	listed := make([]string, 0, len(entries))
	for _, e := range entries {
		listed = append(listed, e.name)
		if _, ok := slices.BinarySearch(planned, e.name); ok || e.supplied {
			continue
		}
		switch e.kind {
		case promptkit.RequirementRequired:
			c.Missing = append(c.Missing, e.name)
		case promptkit.RequirementConditional:
			c.Uncovered = append(c.Uncovered, e.name)
		}
	}
	slices.Sort(c.Missing)
	slices.Sort(c.Uncovered)
	for _, name := range planned {
		if slices.Contains(listed, name) {
			continue
		}
		u := Unknown{Name: name, Nearest: diag.Nearest(name, notIn(planned, listed))}
		if final {
			c.Unknown = append(c.Unknown, u)
		} else {
			c.Undecided = append(c.Undecided, u)
		}
	}
	return c
}

// namesAreFinal tells whether a name that the inventory does not list cannot
// turn out to be used. An undecided branch does not put it in doubt: what
// both arms read is listed. An unresolved name does, and so does whatever
// hides a part of the prompt from the inspection.
func namesAreFinal(inspection *promptkit.RequirementInspection, dynamic promptkit.RequirementIssueCode) bool {
	return !slices.ContainsFunc(inspection.Issues, func(i promptkit.RequirementIssue) bool {
		return i.Code == dynamic ||
			i.Code == promptkit.RequirementIssueUnsupportedConstruct ||
			i.Code == promptkit.RequirementIssueExpressionUnresolved
	})
}

// notIn returns the listed names that are not planned: a name that the plan
// holds already is not what another one was meant to be.
func notIn(planned, listed []string) []string {
	return slices.DeleteFunc(slices.Clone(listed), func(name string) bool {
		_, ok := slices.BinarySearch(planned, name)
		return ok
	})
}

func sortedSet(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
