package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"
)

// listAnswer is the answer of list; its JSON form is promptkit.list/v1.
type listAnswer struct {
	Format   string       `json:"format"`
	Prompts  []listPrompt `json:"prompts"`
	Problems int          `json:"problems"`
}

type listPrompt struct {
	ID             string `json:"id"`
	Version        string `json:"version"`
	Description    string `json:"description"`
	File           string `json:"file"`
	DefaultProfile string `json:"default_profile"`
	Inputs         int    `json:"inputs"`
	RequiredInputs int    `json:"required_inputs"`
	OutputFormat   string `json:"output_format"`
}

func newList(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "list",
		Short:             "Which prompts are there?",
		Args:              exactly(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context()) },
	}
	a.registerOutput(cmd)
	return cmd
}

func (a *app) list(ctx context.Context) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	answer := listAnswer{Format: "promptkit.list/v1", Prompts: []listPrompt{}, Problems: len(p.engine.Problems())}
	for _, identity := range p.engine.Prompts() {
		declared, err := p.engine.InspectPrompt(ctx, identity.ID, identity.Version)
		if err != nil {
			return err
		}
		entry := listPrompt{
			ID: identity.ID, Version: identity.Version, Description: identity.Description, File: identity.File,
			DefaultProfile: declared.DefaultProfileID, Inputs: len(declared.Inputs), OutputFormat: string(declared.OutputContract.Format),
		}
		for _, in := range declared.Inputs {
			if in.Required {
				entry.RequiredInputs++
			}
		}
		answer.Prompts = append(answer.Prompts, entry)
	}
	return a.emit(answer, func(pg *page) { layOutList(pg, p, answer) })
}

func layOutList(pg *page, p *project, answer listAnswer) {
	if len(answer.Prompts) == 0 {
		pg.line("There is no prompt in ", p.place("prompt", ""), "/ yet.")
	} else {
		var rows [][]string
		for _, e := range answer.Prompts {
			rows = append(rows, []string{
				pg.name(printable(e.ID + "@" + e.Version)), e.OutputFormat, strconv.Itoa(e.Inputs), printable(e.Description),
			})
		}
		pg.table([]string{"PROMPT", "OUTPUT", "INPUTS", "WHAT FOR"}, rows)
	}
	if answer.Problems > 0 {
		pg.line()
		pg.line(pg.bad(countOf(answer.Problems, "problem")), " kept definitions from loading. See promptkit", p.dirFlag(), " check")
	}
	if len(answer.Prompts) > 0 {
		pg.line()
		pg.line("What does one need? promptkit", p.dirFlag(), " needs PROMPT")
	}
}

// countOf words a number of things: 1 problem, 2 problems.
func countOf(n int, noun string) string { return strconv.Itoa(n) + " " + plural(noun, n) }
