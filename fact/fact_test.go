package fact_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptkit-go/promptkit/fact"
)

type vector struct {
	What         string
	Text         string
	Placeholders []string
	IsTemplate   bool `json:"is_template"`
	Unknown      []string
	Renders      []struct {
		Action  int
		Budget  *int
		Missing []string
		Text    *string // nil: the instruction is skipped
	}
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	data, err := os.ReadFile("testdata/fact_cases.json")
	if err != nil {
		tb.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(data, &list); err != nil {
		tb.Fatal(err)
	}
	return list
}

func TestVectors(t *testing.T) {
	answers := 0
	for _, v := range vectors(t) {
		t.Run(v.What, func(t *testing.T) {
			equalNames(t, "Placeholders", fact.Placeholders(v.Text), v.Placeholders)
			if got := fact.IsTemplate(v.Text); got != v.IsTemplate {
				t.Errorf("IsTemplate = %v, want %v", got, v.IsTemplate)
			}
			equalNames(t, "unknown", unknown(t, v.Text), v.Unknown)
			for _, r := range v.Renders {
				answers++
				turn := fact.Turn{Action: r.Action, Budget: r.Budget}
				equalNames(t, "Missing", fact.Missing(v.Text, turn), r.Missing)
				got, ok := fact.Render(v.Text, turn)
				if ok != (r.Text != nil) {
					t.Errorf("Render at action %d reports %v, want %v", r.Action, ok, !ok)
				} else if ok && got != *r.Text {
					t.Errorf("Render at action %d = %q, want %q", r.Action, got, *r.Text)
				} else if !ok && got != "" {
					t.Errorf("a skipped instruction rendered %q", got)
				}
			}
		})
	}
	if want := 34 * 7; answers != want {
		t.Errorf("checked %d answers, want %d", answers, want)
	}
}

func equalNames(t *testing.T, what string, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// unknown returns what CheckKnown objects to.
func unknown(t *testing.T, text string) []string {
	t.Helper()
	err := fact.CheckKnown(text, "label")
	if err == nil {
		return nil
	}
	var e *fact.UnknownFactError
	if !errors.As(err, &e) {
		t.Fatalf("CheckKnown returned a %T", err)
	}
	if e.Label != "label" {
		t.Errorf("Label = %q", e.Label)
	}
	return e.Unknown
}

func TestNames(t *testing.T) {
	want := []string{"action", "actionBudget", "actionsRemaining"}
	got := fact.Names()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
	got[0] = "mine"
	if fact.Names()[0] != "action" {
		t.Error("a caller's change of the slice changed the vocabulary")
	}
}

func TestUnknownFactErrorText(t *testing.T) {
	tests := []struct{ text, want string }{
		{
			"{{iteration}}",
			`"pace" names an unknown fact: iteration; the facts that exist are action, actionBudget, actionsRemaining`,
		},
		{
			"{{Action}} of {{maxActions}}, {{action}}, {{Action}}",
			`"pace" names unknown facts: Action, maxActions; the facts that exist are action, actionBudget, actionsRemaining`,
		},
	}
	for _, tt := range tests {
		err := fact.CheckKnown(tt.text, "pace")
		if err == nil || err.Error() != tt.want {
			t.Errorf("CheckKnown(%q) = %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func TestTurnAtItsEdges(t *testing.T) {
	const text = "{{action}}/{{actionBudget}}/{{actionsRemaining}}"
	tests := []struct {
		why  string
		turn fact.Turn
		want string
	}{
		{"the last action leaves none", fact.Turn{Action: 30, Budget: new(30)}, "30/30/0"},
		{"beyond the budget nothing is left, not less", fact.Turn{Action: 31, Budget: new(30)}, "31/30/0"},
		{"a zero budget is a real zero", fact.Turn{Action: 1, Budget: new(0)}, "1/0/0"},
		{"the difference would overflow", fact.Turn{Action: 2, Budget: new(math.MinInt)}, "2/-9223372036854775808/0"},
		{"the largest of all", fact.Turn{Action: 1, Budget: new(math.MaxInt)}, "1/9223372036854775807/9223372036854775806"},
	}
	for _, tt := range tests {
		if got, ok := fact.Render(text, tt.turn); !ok || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.why, got, ok, tt.want)
		}
	}
}

func TestActionBelowOneSuppliesNothing(t *testing.T) {
	for _, action := range []int{0, -1, math.MinInt} {
		turn := fact.Turn{Action: action, Budget: new(30)}
		for _, name := range fact.Names() {
			text := "{{" + name + "}}"
			if got, ok := fact.Render(text, turn); ok {
				t.Errorf("Render(%q) at action %d = %q, want it skipped", text, action, got)
			}
			equalNames(t, "Missing", fact.Missing(text, turn), []string{name})
		}
		if got, ok := fact.Render("No facts.", turn); !ok || got != "No facts." {
			t.Errorf("static text at action %d: %q, %v", action, got, ok)
		}
	}
}

func TestWhiteSpaceIsECMAScripts(t *testing.T) {
	// The productions WhiteSpace and LineTerminator of ECMAScript.
	white := []rune{
		'\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680,
		0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
		0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF,
	}
	is := make(map[rune]bool)
	for _, r := range white {
		is[r] = true
	}
	for r := range rune(0x10000) {
		c := string(r)
		if got := fact.IsTemplate("{{" + c + "action" + c + "}}"); got != is[r] && !isWord(r) {
			t.Errorf("U+%04X between braces and name: template %v, want %v", r, got, is[r])
		}
	}
}

func isWord(r rune) bool {
	return strings.ContainsRune("0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", r)
}

func TestHostileTextTakesLinearTime(t *testing.T) {
	const size = 1 << 20
	unit := map[string]string{
		"open braces":       "{",
		"pairs":             "{{ ",
		"unterminated":      "{{action",
		"blank":             "{{" + strings.Repeat("\u3000", 1000),
		"one closing brace": "{{action }",
	}
	for name, u := range unit {
		text := strings.Repeat(u, size/len(u))
		start := time.Now()
		if fact.IsTemplate(text) {
			t.Errorf("%s: taken for a template", name)
		}
		if d := time.Since(start); d > 20*time.Second { // quadratic time would be minutes, this is for slow machines
			t.Errorf("%s: %v for 1 MiB", name, d)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	static := strings.Repeat("Keep the answer short, please. ", 33)
	turn := fact.Turn{Action: 3, Budget: new(30)}
	if n := testing.AllocsPerRun(100, func() { fact.IsTemplate(static) }); n != 0 {
		t.Errorf("IsTemplate of text without braces: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { fact.Render(static, turn) }); n != 0 {
		t.Errorf("Render of text without facts: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { fact.Render("Action {{action}}.", turn) }); n > 1 {
		t.Errorf("Render: %v allocations, want only the result", n)
	}
}
