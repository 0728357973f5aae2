package fact_test

import (
	"fmt"
	"strings"

	"github.com/promptkit-go/promptkit/fact"
)

func Example() {
	instruction := "This is action {{action}} of {{actionBudget}}; {{actionsRemaining}} left."

	// Once, when the instruction is loaded:
	if err := fact.CheckKnown(instruction, "pace"); err != nil {
		fmt.Println(err)
		return
	}

	// Before each action:
	for action := 1; action <= 3; action++ {
		text, ok := fact.Render(instruction, fact.Turn{Action: action, Budget: new(3)})
		if ok {
			fmt.Println(text)
		}
	}
	// Output:
	// This is action 1 of 3; 2 left.
	// This is action 2 of 3; 1 left.
	// This is action 3 of 3; 0 left.
}

// A host without a budget leaves out what would need one, and can say why.
func ExampleMissing() {
	turn := fact.Turn{Action: 5}
	for _, text := range []string{
		"Answer in one paragraph.",
		"This is action {{action}}.",
		"{{actionsRemaining}} actions left; wrap up at 0.",
	} {
		if rendered, ok := fact.Render(text, turn); ok {
			fmt.Println(rendered)
		} else {
			fmt.Println("(skipped: no " + strings.Join(fact.Missing(text, turn), ", ") + ")")
		}
	}
	// Output:
	// Answer in one paragraph.
	// This is action 5.
	// (skipped: no actionsRemaining)
}

func ExampleCheckKnown() {
	fmt.Println(fact.CheckKnown("Step {{action}} of {{maxSteps}}", "pace"))
	// Output: "pace" names an unknown fact: maxSteps; the facts that exist are action, actionBudget, actionsRemaining
}

func ExamplePlaceholders() {
	fmt.Println(fact.Placeholders("{{ actionsRemaining }} of {{actionBudget}} left, {{actionsRemaining}}! {{.action}} {action}"))
	// Output: [actionsRemaining actionBudget]
}

// Braces that hold anything but a name are text, so an instruction may show
// JSON or a Go template.
func ExampleIsTemplate() {
	fmt.Println(fact.IsTemplate(`Answer as {"city": {"name": "…"}}.`))
	fmt.Println(fact.IsTemplate("Answer with {{.City}}."))
	fmt.Println(fact.IsTemplate("Action {{action}}."))
	// Output:
	// false
	// false
	// true
}
