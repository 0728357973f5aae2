package promptkit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"testing/fstest"
	"text/template"

	"github.com/promptkit-go/promptkit"
)

// greeting is a project of one prompt in memory.
func greeting(opts ...promptkit.Option) *promptkit.Engine {
	prompts := fstest.MapFS{
		"greeting.yaml": {Data: []byte(`id: greeting
version: "1.0.0"
description: Greet somebody.
default_profile: dry
messages:
  - role: user
    content: Greet {{.name}}{{if .formal}} with the title {{.title}}{{end}}.
`)},
	}
	engine, err := promptkit.New(promptkit.Config{}, append([]promptkit.Option{
		promptkit.WithPromptFS(prompts),
		promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "dry"}),
		promptkit.WithBackends(promptkit.Backend{ID: "dry", Kind: "offline"}),
	}, opts...)...)
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// New captures a project once. Directories are the usual source; file systems
// and values from memory serve programs that carry their prompts along.
func ExampleNew() {
	engine, err := promptkit.New(promptkit.Config{
		PromptDir:  "examples/prompts",
		ProfileDir: "examples/profiles",
		BackendDir: "examples/backends",
		SchemaDir:  "examples/schemas",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine)
	// Output:
	// promptkit.Engine with 8 prompts and 5 profiles
}

func ExampleEngine_Prompts() {
	for _, p := range greeting().Prompts() {
		fmt.Println(p.ID, p.Version, p.File)
	}
	// Output:
	// greeting 1.0.0 greeting.yaml
}

func ExampleEngine_ProfileIDs() {
	fmt.Println(greeting().ProfileIDs())
	// Output:
	// [dry]
}

func ExampleEngine_InspectPrompt() {
	inspection, err := greeting().InspectPrompt(context.Background(), "greeting", "1.0.0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inspection.DefaultProfileID, inspection.OutputContract.Format, inspection.OutputContract.Validation)
	_, err = greeting().InspectPrompt(context.Background(), "greeting", "2.0.0")
	fmt.Println(errors.Is(err, promptkit.ErrPromptNotFound))
	// Output:
	// dry text none
	// true
}

func ExampleEngine_InspectRequirements() {
	for _, formal := range []string{"", "yes"} {
		inspection, err := greeting().InspectRequirements(context.Background(), promptkit.RequirementInspectionRequest{
			PromptID: "greeting",
			Vars:     map[string]string{"formal": formal},
		})
		if err != nil {
			log.Fatal(err)
		}
		for _, v := range inspection.Variables {
			fmt.Printf("%s: %s, supplied: %t\n", v.Name, v.Kind, v.Supplied)
		}
	}
	// Output:
	// formal: required, supplied: true
	// name: required, supplied: false
	// title: optional, supplied: false
	// formal: required, supplied: true
	// name: required, supplied: false
	// title: required, supplied: false
}

func ExampleEngine_InspectProfile() {
	inspection, err := greeting().InspectProfile(context.Background(), "dry")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inspection.Executable, inspection.Target.BackendID, inspection.Target.Offline)
	// Output:
	// true dry true
}

func ExampleEngine_Prepare() {
	prepared, err := greeting().Prepare(context.Background(), promptkit.RunRequest{
		PromptID: "greeting",
		Vars:     map[string]string{"name": "Ada", "formal": "yes", "title": "Countess"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(prepared.Messages[0].Content)
	// Output:
	// Greet Ada with the title Countess.
}

// What is frozen can be sent often, and is the same each time.
func ExampleEngine_RunPrepared() {
	ctx, engine := context.Background(), greeting()
	frozen, err := engine.PrepareExecution(ctx, promptkit.RunRequest{
		PromptID: "greeting",
		Vars:     map[string]string{"name": "Ada", "formal": ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	outputs, runs := map[string]bool{}, map[string]bool{}
	for range 3 {
		result, err := engine.RunPrepared(ctx, frozen)
		if err != nil {
			log.Fatal(err)
		}
		outputs[result.Output], runs[result.RunID] = true, true
	}
	fmt.Println(len(outputs), "output,", len(runs), "runs")
	// Output:
	// 1 output, 3 runs
}

func ExampleEngine_PrepareExecution() {
	frozen, err := greeting().PrepareExecution(context.Background(), promptkit.RunRequest{
		PromptID: "greeting",
		Vars:     map[string]string{"name": "Ada", "formal": ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(string(frozen.RequestBody()), "Greet Ada."))
	// Output:
	// true
}

// upper is a model of one's own.
type upper struct{}

func (upper) Generate(_ context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error) {
	return &promptkit.ModelReply{Text: strings.ToUpper(req.Messages[0].Content), FinishReason: "stop"}, nil
}

func ExampleEngine_Run() {
	engine := greeting(
		promptkit.WithModelClient(upper{}),
		promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "own", Model: "upper"}),
		promptkit.WithBackends(promptkit.Backend{ID: "own", BaseURL: "http://localhost"}),
	)
	result, err := engine.Run(context.Background(), promptkit.RunRequest{
		PromptID: "greeting",
		Vars:     map[string]string{"name": "Ada", "formal": ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output, result.Offline)
	// Output:
	// GREET ADA. false
}

func ExampleEngine_Check() {
	engine := greeting(promptkit.WithPromptFS(fstest.MapFS{
		"list.yaml": {Data: []byte("id: list\nversion: 1\nmessages:\n  - role: user\n    content: |\n      {{range .items}}{{.}}{{end}}\n")},
	}))
	problems, err := engine.Check(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range problems {
		fmt.Printf("%s:%d:%d: %s\n", p.File, p.Line, p.Column, p.Severity)
		line, _ := engine.SourceLine(p)
		fmt.Println(line)
	}
	// Output:
	// list.yaml:6:15: warning
	//       {{range .items}}{{.}}{{end}}
}

func ExampleEngine_Problems() {
	engine := greeting(promptkit.WithPromptFS(fstest.MapFS{
		"typo.yaml": {Data: []byte("id: typo\nversion: 1\nmesages: []\n")},
	}))
	for _, p := range engine.Problems() {
		fmt.Printf("%s:%d:%d: %s\n", p.File, p.Line, p.Column, p.Message)
	}
	// Output:
	// typo.yaml:3:1: a prompt has no key "mesages"; did you mean "messages"?
}

func ExampleEngine_Stats() {
	engine := greeting()
	_, err := engine.Run(context.Background(), promptkit.RunRequest{
		PromptID: "greeting", Vars: map[string]string{"name": "Ada", "formal": ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range engine.Stats().Backends {
		fmt.Println(b.BackendID, b.Admitted, b.Running, b.Waiting)
	}
	// Output:
	// dry 1 0 0
}

func ExampleWithFuncs() {
	engine := greeting(
		promptkit.WithFuncs(template.FuncMap{"title": strings.ToTitle}),
		promptkit.WithPromptFS(fstest.MapFS{
			"shout.yaml": {Data: []byte("id: shout\nversion: 1\ndefault_profile: dry\nmessages: [{role: user, content: \"{{title .name}}\"}]\n")},
		}))
	prepared, err := engine.Prepare(context.Background(), promptkit.RunRequest{PromptID: "shout", Vars: map[string]string{"name": "Ada"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(prepared.Messages[0].Content)
	// Output:
	// ADA
}

func ExampleNewSlogObserver() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case slog.TimeKey, "run", "duration":
				return slog.Attr{} // they differ from run to run
			}
			return a
		},
	}))
	engine := greeting(promptkit.WithObserver(promptkit.NewSlogObserver(logger)))
	_, err := engine.Run(context.Background(), promptkit.RunRequest{
		PromptID: "greeting", Vars: map[string]string{"name": "Ada", "formal": ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// level=INFO msg="prompt run finished" prompt=greeting version=1.0.0 attempts=1 input_tokens=0 output_tokens=0
}
