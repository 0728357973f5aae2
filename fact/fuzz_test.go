package fact_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/promptkit-go/promptkit/fact"
)

// grammar states the placeholder as one regular expression, which the package
// does not use: an independent model of what it scans by hand.
var grammar = regexp.MustCompile(`\{\{[\t\n\v\f\r\p{Zs}\x{2028}\x{2029}\x{FEFF}]*([0-9A-Za-z_]+)[\t\n\v\f\r\p{Zs}\x{2028}\x{2029}\x{FEFF}]*\}\}`)

// model is what a turn supplies, by name.
func model(t fact.Turn) map[string]string {
	facts := make(map[string]string)
	if t.Action < 1 {
		return facts
	}
	facts["action"] = strconv.Itoa(t.Action)
	if t.Budget != nil {
		facts["actionBudget"] = strconv.Itoa(*t.Budget)
		left := 0
		if *t.Budget > t.Action {
			left = *t.Budget - t.Action
		}
		facts["actionsRemaining"] = strconv.Itoa(left)
	}
	return facts
}

func modelPlaceholders(text string) []string {
	var list []string
	for _, m := range grammar.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

func modelRender(text string, facts map[string]string) string {
	return grammar.ReplaceAllStringFunc(text, func(s string) string {
		if v, ok := facts[grammar.FindStringSubmatch(s)[1]]; ok {
			return v
		}
		return s
	})
}

func isKnown(name string) bool { return slices.Contains(fact.Names(), name) }

func FuzzModel(f *testing.F) {
	for _, v := range vectors(f) {
		for _, r := range v.Renders {
			budget := 0
			if r.Budget != nil {
				budget = *r.Budget
			}
			f.Add(v.Text, r.Action, budget, r.Budget != nil)
		}
	}
	f.Add("{{\xff}} {{action\xc2}} {{\u2003action\u00a0}}", 1, 2, true)
	f.Add("{{{{{{action}}}}}} {{ {{ actionBudget", -1, -1, false)
	f.Fuzz(func(t *testing.T, text string, action, budget int, budgeted bool) {
		turn := fact.Turn{Action: action}
		if budgeted {
			turn.Budget = &budget
		}
		agree(t, text, turn)
	})
}

// agree holds the functions of the package against the model and against one
// another.
func agree(t *testing.T, text string, turn fact.Turn) {
	t.Helper()
	facts, asked := model(turn), modelPlaceholders(text)
	equalNames(t, "Placeholders", fact.Placeholders(text), asked)
	if got := fact.IsTemplate(text); got != (len(asked) > 0) {
		t.Errorf("IsTemplate = %v with placeholders %q", got, asked)
	}

	var strange, missing []string
	for _, name := range asked {
		if !isKnown(name) {
			strange = append(strange, name)
		} else if _, ok := facts[name]; !ok {
			missing = append(missing, name)
		}
	}
	equalNames(t, "CheckKnown", unknown(t, text), strange)
	equalNames(t, "Missing", fact.Missing(text, turn), missing)

	got, ok := fact.Render(text, turn)
	switch want := modelRender(text, facts); {
	case ok != (len(missing) == 0):
		t.Errorf("Render reports %v with %q missing", ok, missing)
	case ok && got != want:
		t.Errorf("Render = %q, want %q", got, want)
	case !ok && got != "":
		t.Errorf("a skipped instruction rendered %q", got)
	case ok && len(asked) == 0 && got != text:
		t.Errorf("text without facts changed to %q", got)
	}
}

// TestModelOnCombinations runs the model over every sequence of a few pieces
// that matter to the grammar, which random bytes seldom hit.
func TestModelOnCombinations(t *testing.T) {
	pieces := []string{"{", "{{", "}", "}}", "action", "x", " ", "\u00a0", "\u200b", "\xff"}
	turns := []fact.Turn{{Action: 3, Budget: new(7)}, {Action: 9}, {Budget: new(1)}}
	var text strings.Builder
	for n := range len(pieces) * len(pieces) * len(pieces) * len(pieces) {
		text.Reset()
		for range 4 {
			text.WriteString(pieces[n%len(pieces)])
			n /= len(pieces)
		}
		for _, whole := range []string{text.String(), "{{" + text.String() + "}}"} {
			agree(t, whole, turns[len(whole)%len(turns)])
		}
	}
}
