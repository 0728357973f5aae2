package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// showAnswer is what a definition declares; its JSON form is
// promptkit.show/v1.
type showAnswer struct {
	Format         string                   `json:"format"`
	Prompt         promptRef                `json:"prompt"`
	Description    string                   `json:"description"`
	File           string                   `json:"file"`
	DefaultProfile string                   `json:"default_profile"`
	Inputs         []showInput              `json:"inputs"`
	Output         promptkit.OutputContract `json:"output"`
	Instructions   []showInstruction        `json:"instructions"`
}

type showInput struct {
	Name        string `json:"name"`
	Required    bool   `json:"required"`
	ContentType string `json:"content_type"`
	Description string `json:"description"`
}

type showInstruction struct {
	ID         string   `json:"id"`
	Role       string   `json:"role"`
	Facts      []string `json:"facts"`
	FromAction int      `json:"from_action"`
}

func newShow(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show PROMPT",
		Short: "What does its definition declare?",
		Long: `Show what a definition declares: inputs, output contract, default profile,
run-time instructions. Nothing is resolved: the profile and the schema need
not exist. What the prompt will really need depends on the context; ask needs.`,
		Args:              exactly("a prompt, ID or ID@version"),
		ValidArgsFunction: a.completePrompts(1),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.show(cmd.Context(), args[0]) },
	}
	a.registerOutput(cmd)
	return cmd
}

func (a *app) show(ctx context.Context, arg string) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	s, err := p.choose(arg)
	if err != nil {
		return err
	}
	declared, err := p.engine.InspectPrompt(ctx, s.id, s.version)
	if err != nil {
		return p.explain(err, s, "")
	}
	answer := newShowAnswer(s.identity, declared)
	return a.emit(answer, func(pg *page) { layOutShow(pg, p, answer) })
}

func newShowAnswer(identity promptkit.PromptIdentity, declared *promptkit.PromptInspection) showAnswer {
	answer := showAnswer{
		Format:      "promptkit.show/v1",
		Prompt:      promptRef{declared.PromptID, declared.PromptVersion, declared.PromptHash},
		Description: identity.Description, File: identity.File, DefaultProfile: declared.DefaultProfileID,
		Inputs: []showInput{}, Output: declared.OutputContract, Instructions: []showInstruction{},
	}
	for _, in := range declared.Inputs {
		answer.Inputs = append(answer.Inputs, showInput(in))
	}
	for _, in := range declared.Instructions {
		answer.Instructions = append(answer.Instructions, showInstruction{in.ID, in.Role, orEmpty(in.Facts), in.FromAction})
	}
	return answer
}

func layOutShow(pg *page, p *project, answer showAnswer) {
	header(pg, answer.Prompt, answer.DefaultProfile)
	if answer.Description != "" {
		pg.prose(printable(answer.Description))
	}
	pg.line()
	facts := [][2]string{
		{"file", p.place(promptkit.ProblemPrompt, answer.File)},
		{"hash", answer.Prompt.Hash},
		{"profile", orWord(answer.DefaultProfile, "none; name one with --profile")},
		{"output", contractWords(answer.Output)},
	}
	pg.facts(facts)
	pg.line()
	showInputs(pg, answer.Inputs)
	showInstructions(pg, answer.Instructions)
	pg.line()
	pg.prose("This is what the definition declares. What it will need depends on the variables: promptkit" +
		p.dirFlag() + " needs " + shellWord(answer.Prompt.name()))
}

func showInputs(pg *page, inputs []showInput) {
	if len(inputs) == 0 {
		pg.line("It declares no input.")
		return
	}
	var rows [][]string
	for _, in := range inputs {
		need := pg.faint("optional")
		if in.Required {
			need = pg.bold("required")
		}
		rows = append(rows, []string{pg.name(label(in.Name)), need, printable(in.ContentType), printable(in.Description)})
	}
	pg.table([]string{"INPUT", "DECLARED", "TYPE", "WHAT IT IS"}, rows)
}

func showInstructions(pg *page, instructions []showInstruction) {
	if len(instructions) == 0 {
		return
	}
	pg.line()
	var rows [][]string
	for _, in := range instructions {
		rows = append(rows, []string{pg.name(label(in.ID)), in.Role, orWord(strings.Join(in.Facts, ", "), "none"), fromWords(in.FromAction)})
	}
	pg.table([]string{"INSTRUCTION", "ROLE", "FACTS IT STATES", "APPLIES"}, rows)
}

func fromWords(action int) string {
	if action == 0 {
		return "always"
	}
	return "from action " + itoa(action)
}

func contractWords(c promptkit.OutputContract) string {
	switch c.Validation {
	case promptkit.ValidateJSONSchema:
		return string(c.Format) + ", validated against " + printable(c.Schema)
	case promptkit.ValidateJSON:
		return string(c.Format) + ", must parse"
	}
	return string(c.Format) + ", not validated"
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return printable(s)
}
