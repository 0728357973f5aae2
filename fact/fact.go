package fact

// Turn is what the host knows when it is about to ask the model for an action.
type Turn struct {
	// Action is the number of the action about to be taken, counted from 1.
	// A Turn whose Action is below 1 supplies no fact at all.
	Action int
	// Budget is how many actions may be taken. Nil means that the host has
	// no budget; a pointer to 0 is a budget of zero. The functions of this
	// package only read it.
	Budget *int
}

// The vocabulary. It is closed: see the package documentation.
const (
	action           = "action"
	actionBudget     = "actionBudget"
	actionsRemaining = "actionsRemaining"
)

// Names returns the facts that exist: action, actionBudget and
// actionsRemaining, in this order. The caller owns the slice.
func Names() []string {
	return []string{action, actionBudget, actionsRemaining}
}

// known tells whether a fact of that exact name exists.
func known(name string) bool {
	return name == action || name == actionBudget || name == actionsRemaining
}

// value returns the fact of that name, which must be a known one. It reports
// false if t does not supply it.
func (t Turn) value(name string) (int, bool) {
	switch {
	case t.Action < 1:
		return 0, false
	case name == action:
		return t.Action, true
	case t.Budget == nil:
		return 0, false
	case name == actionBudget:
		return *t.Budget, true
	default:
		return remaining(t.Action, *t.Budget), true
	}
}

// remaining compares before it subtracts: the difference of two ints may
// overflow, and an action beyond the budget (a wrap-up action) leaves nothing
// rather than less than nothing.
func remaining(action, budget int) int {
	if budget <= action {
		return 0
	}
	return budget - action
}

// Placeholders returns every name that text asks for, known or not, in order
// of first appearance and each once. It returns nil if there is none.
func Placeholders(text string) []string {
	return names(text, func(string) bool { return true })
}

// IsTemplate reports whether text names at least one fact, known or not. Text
// that does not is the same in every turn.
func IsTemplate(text string) bool {
	_, ok := next(text, 0)
	return ok
}

// Missing returns the facts that text names and t cannot supply, in order of
// first appearance and each once: nil if it lacks none. Unknown names are not
// facts and so are never missing; [CheckKnown] reports those.
func Missing(text string, t Turn) []string {
	return names(text, func(name string) bool {
		if !known(name) {
			return false
		}
		_, ok := t.value(name)
		return !ok
	})
}

// names returns the placeholder names of text that keep accepts, in order of
// first appearance and each once.
func names(text string, keep func(name string) bool) []string {
	var list []string
	seen := make(map[string]bool) // a hostile text may hold many names
	for p, ok := next(text, 0); ok; p, ok = next(text, p.end) {
		if seen[p.name] || !keep(p.name) {
			continue
		}
		seen[p.name] = true
		list = append(list, p.name)
	}
	return list
}
