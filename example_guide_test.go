package promptkit_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/binding"
	"github.com/promptkit-go/promptkit/examples"
)

// exampleProject is an engine over the project in the folder examples, which a
// program would name in a Config.
func exampleProject() *promptkit.Engine {
	folder := func(name string) fs.FS {
		sub, err := fs.Sub(examples.FS, name)
		if err != nil {
			log.Fatal(err)
		}
		return sub
	}
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(folder("prompts")),
		promptkit.WithProfileFS(folder("profiles")),
		promptkit.WithBackendFS(folder("backends")),
		promptkit.WithSchemaFS(folder("schemas")),
	)
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// At start-up an application checks that the prompt it was configured with
// exists and declares what the application is going to bind.
func Example_startUp() {
	engine, ctx := exampleProject(), context.Background()

	inspection, err := engine.InspectPrompt(ctx, "weather-report", "1.3.0")
	switch {
	case errors.Is(err, promptkit.ErrPromptNotFound):
		log.Fatal("configure another prompt: ", err)
	case err != nil:
		log.Fatal("mend the prompt: ", err)
	}

	declared := make(map[string]bool)
	for _, in := range inspection.Inputs {
		declared[in.Name] = true
	}
	for _, name := range []string{"tides", "soil", "pollen"} {
		if !declared[name] {
			fmt.Printf("%s@%s does not declare %q\n", inspection.PromptID, inspection.PromptVersion, name)
		}
	}
	fmt.Println("output:", inspection.OutputContract.Format)
	// Output:
	// weather-report@1.3.0 does not declare "pollen"
	// output: text
}

// Before it spends hours on computing inputs, a pipeline asks which of them
// the prompt is going to read with the variables that it will be given.
func Example_plan() {
	engine, ctx := exampleProject(), context.Background()

	inspection, err := engine.InspectRequirements(ctx, promptkit.RequirementInspectionRequest{
		PromptID: "weather-report",
		Vars:     map[string]string{"city": "oslo", "audience": "sailors"},
	})
	if err != nil {
		log.Fatal(err)
	}
	report := binding.Compare(binding.Plan{Inputs: []string{"forecast-oslo", "tide"}}, inspection)
	fmt.Println("missing:", report.Inputs.Missing)
	for _, u := range report.Inputs.Unknown {
		fmt.Printf("unknown: %s (did you mean %s?)\n", u.Name, u.Nearest)
	}
	fmt.Println("complete:", report.Complete)
	// Output:
	// missing: [tides]
	// unknown: tide (did you mean tides?)
	// complete: true
}

// A kind, and not the length of a list, says what has to be supplied. Where
// something is unresolved, an issue says what would resolve it.
func Example_undecided() {
	engine, ctx := exampleProject(), context.Background()

	inspection, err := engine.InspectRequirements(ctx, promptkit.RequirementInspectionRequest{
		PromptID: "weather-report",
		Vars:     map[string]string{"city": "oslo"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, in := range inspection.Inputs {
		fmt.Println(in.Kind, in.Name)
	}
	for _, issue := range inspection.Issues {
		fmt.Println(issue.Code, issue.VariableName)
	}
	// Output:
	// required forecast-oslo
	// conditional soil
	// conditional tides
	// missing_variable audience
}

// What a profile comes to after inheritance, without reading a credential.
func Example_target() {
	engine, ctx := exampleProject(), context.Background()

	profile, err := engine.InspectProfile(ctx, "careful")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(profile.Target.BackendID, profile.Target.Model, profile.APIKeyEnv)
	fmt.Println("attempts:", profile.MaxAttempts)
	// Output:
	// openai gpt-4.1 OPENAI_API_KEY
	// attempts: 3
}

// Everything that is missing comes in one error.
func Example_missing() {
	engine, ctx := exampleProject(), context.Background()

	_, err := engine.Prepare(ctx, promptkit.RunRequest{
		PromptID: "weather-report",
		Vars:     map[string]string{"city": "oslo", "audience": "farmers"},
	})
	var missing *promptkit.MissingError
	if errors.As(err, &missing) {
		fmt.Println("inputs:", missing.Inputs)
		fmt.Println("variables:", missing.Variables)
	}
	// Output:
	// inputs: [forecast-oslo soil]
	// variables: []
}

// Preparing shows exactly what a run would send, and sends nothing.
func Example_prepare() {
	engine, ctx := exampleProject(), context.Background()

	prepared, err := engine.Prepare(ctx, promptkit.RunRequest{
		PromptID: "meeting-summary", PromptVersion: "1.0.0",
		Vars:   map[string]string{"audience": "the board"},
		Inputs: []promptkit.Input{{Name: "transcript", Text: "Ana: We ship on Friday."}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(prepared.Target.BackendID, prepared.Target.Model)
	for _, m := range prepared.Messages {
		fmt.Printf("%s: %s", m.Role, m.Content)
	}
	// Output:
	// openai gpt-4.1-mini
	// system: You summarise meetings for the board.
	// Report only what was said. Where nothing was decided, say so.
	// user: Summarise this meeting in at most five sentences.
	//
	// Ana: We ship on Friday.
}

// A run validates the reply before anybody sees it. Offline, the answer is the
// smallest that keeps the contract, and is marked as nobody's.
func Example_run() {
	engine, ctx := exampleProject(), context.Background()

	result, err := engine.Run(ctx, promptkit.RunRequest{
		PromptID: "translation",
		Vars:     map[string]string{"target": "German"},
		Inputs:   []promptkit.Input{{Name: "text", Text: "Good morning."}},
		Offline:  true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Offline, len(result.Attempts), len(result.Output) > 0)
	// Output:
	// true 1 true
}
