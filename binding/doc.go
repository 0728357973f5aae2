// Package binding compares what a caller plans to supply with what a prompt
// will need, before anything is read or paid for.
//
// A program that runs prompts usually knows early which input names it is
// going to bind, and which variables it is going to set: they are in its
// code or in its configuration. Comparing those names with a requirement
// inspection at start-up, or before a long job, finds the forgotten input and
// the misspelt name while they are still cheap:
//
//	inspection, err := engine.InspectRequirements(ctx, request)
//	…
//	report := binding.Compare(binding.Plan{Inputs: names}, inspection)
//	if err := report.Err(); err != nil {
//		return err // what is missing, what is unknown, what was meant
//	}
//
// The package works on names alone. It takes an inspection and needs no
// engine, so a plan can be compared with several contexts, or with an
// inspection that was made elsewhere.
package binding
