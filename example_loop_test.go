package promptkit_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

// An agent loop tells the model how far it is. Each action is a run with its
// own Turn; the definition says what to make of it. An instruction that waits
// for a late action needs no code in the loop.
func Example_agentLoop() {
	const definition = `
id: step
version: "1.0.0"
default_profile: dry
inputs:
  - {name: goal, required: true}
messages:
  - {role: user, content: '{{input "goal"}}'}
instructions:
  - {id: pace, role: system, template: 'Action {{action}} of {{actionBudget}}, {{actionsRemaining}} left.'}
  - {id: wrap-up, role: system, from_action: 29, text: Finish what is begun.}
`
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(fstest.MapFS{"step.yaml": {Data: []byte(definition)}}),
		promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "offline", Model: "none"}),
		promptkit.WithBackends(promptkit.Backend{ID: "offline", Kind: "offline"}),
	)
	if err != nil {
		log.Fatal(err)
	}

	const budget = 30
	for action := 1; action <= budget; action++ {
		execution, err := engine.PrepareExecution(context.Background(), promptkit.RunRequest{
			PromptID: "step",
			Inputs:   []promptkit.Input{{Name: "goal", Text: "Explain the empty export."}},
			Turn:     &fact.Turn{Action: action, Budget: new(budget)},
		})
		if err != nil {
			log.Fatal(err)
		}
		if action == 1 || action >= 28 {
			for _, m := range execution.Prepared().Messages[1:] {
				fmt.Println(m.Content)
			}
		}
		if _, err := engine.RunPrepared(context.Background(), execution); err != nil {
			log.Fatal(err)
		}
		// Here a real loop would take the action that the model named.
	}
	// Output:
	// Action 1 of 30, 29 left.
	// Action 28 of 30, 2 left.
	// Action 29 of 30, 1 left.
	// Finish what is begun.
	// Action 30 of 30, 0 left.
	// Finish what is begun.
}
