package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// diffAnswer is what a new version changes for those who use the prompt; its
// JSON form is promptkit.diff/v1.
type diffAnswer struct {
	Format    string       `json:"format"`
	Old       promptRef    `json:"old"`
	New       promptRef    `json:"new"`
	Same      bool         `json:"same"` // the definitions are identical
	Breaking  bool         `json:"breaking"`
	Inputs    []diffChange `json:"inputs"`
	Variables []diffChange `json:"variables"`
	Output    []diffChange `json:"output"`
	Other     []diffChange `json:"other"`
}

// diffChange is one difference. Change is adds, tightens, relaxes, drops or
// changes.
type diffChange struct {
	Name     string `json:"name"`
	Change   string `json:"change"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Breaking bool   `json:"breaking"`
}

type diffFlags struct {
	contextFlags
	breaking bool
}

func newDiff(a *app) *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "What does another version change for its users?",
		Long: `Compare two versions of a prompt, or two prompts, from the point of view of
those who use them: which inputs and variables the new one adds, needs more or
less than the old one, or drops, and what becomes of its output.

Breaking is what can make a caller fail that worked with the old one: more has
to be supplied, an input's type changes, or the output promises less or
something else. The comparison is made in the context that --var gives.`,
		Example: `  promptkit diff meeting-summary@1.0.0 meeting-summary@2.0.0
  promptkit diff meeting-summary@1.0.0 meeting-summary@2.0.0 --breaking`,
		Args:              exactly("an old prompt, ID@version", "a new prompt, ID@version"),
		ValidArgsFunction: a.completePrompts(2),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.diff(cmd.Context(), f, args[0], args[1]) },
	}
	f.contextFlags.register(a, cmd)
	_ = cmd.Flags().MarkHidden("input") // inputs have names here, and no contents
	cmd.Flags().BoolVar(&f.breaking, "breaking", false, "exit code 1 if the new version breaks callers")
	a.registerOutput(cmd)
	return cmd
}

func (a *app) diff(ctx context.Context, f *diffFlags, oldArg, newArg string) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	before, err := p.side(ctx, f, oldArg)
	if err != nil {
		return err
	}
	after, err := p.side(ctx, f, newArg)
	if err != nil {
		return err
	}
	answer := compareSides(before, after)
	if err := a.emit(answer, func(pg *page) { layOutDiff(pg, answer) }); err != nil {
		return err
	}
	if f.breaking && answer.Breaking {
		return shown(exitFailed)
	}
	return nil
}

// A side is one of the two prompts that are compared.
type side struct {
	declared *promptkit.PromptInspection
	needs    *needsAnswer
}

func (p *project) side(ctx context.Context, f *diffFlags, arg string) (side, error) {
	s, err := p.choose(arg)
	if err != nil {
		return side{}, err
	}
	request, err := f.requirementRequest(s)
	if err != nil {
		return side{}, err
	}
	found, err := p.engine.InspectRequirements(ctx, request)
	if err != nil {
		return side{}, p.explain(err, s, f.profile)
	}
	declared, err := p.engine.InspectPrompt(ctx, found.PromptID, found.PromptVersion)
	if err != nil {
		return side{}, p.explain(err, s, f.profile)
	}
	return side{declared, newNeedsAnswer(found, nil)}, nil
}

func compareSides(before, after side) diffAnswer {
	d := diffAnswer{
		Format: "promptkit.diff/v1", Old: before.needs.Prompt, New: after.needs.Prompt,
		Same:      before.declared.PromptHash == after.declared.PromptHash,
		Inputs:    diffKinds(before.needs.inputKinds(), after.needs.inputKinds()),
		Variables: diffKinds(before.needs.variableKinds(), after.needs.variableKinds()),
		Output:    diffOutput(before.declared.OutputContract, after.declared.OutputContract),
		Other:     []diffChange{},
	}
	d.Inputs = append(d.Inputs, diffTypes(before.declared.Inputs, after.declared.Inputs)...)
	if b, a := before.declared.DefaultProfileID, after.declared.DefaultProfileID; b != a {
		d.Other = append(d.Other, diffChange{"default profile", "changes", b, a, false})
	}
	d.Other = append(d.Other, diffInstructions(before.declared.Instructions, after.declared.Instructions)...)
	for _, list := range [][]diffChange{d.Inputs, d.Variables, d.Output, d.Other} {
		for _, c := range list {
			d.Breaking = d.Breaking || c.Breaking
		}
	}
	return d
}

// diffKinds compares what has to be supplied. More than before is breaking,
// also where it is only a possibility.
func diffKinds(before, after map[string]string) []diffChange {
	out := []diffChange{}
	for _, c := range kindChanges(before, after) {
		d := diffChange{Name: c.Name, Before: c.Before, After: c.After, Breaking: strength(c.After) > strength(c.Before)}
		switch {
		case c.Before == "":
			d.Change = "adds"
		case c.After == "":
			d.Change = "drops"
		case d.Breaking:
			d.Change = "tightens"
		default:
			d.Change = "relaxes"
		}
		out = append(out, d)
	}
	return out
}

// diffTypes compares the content types of inputs that both declare. A caller
// that names the type it binds is refused if it is another one.
func diffTypes(before, after []promptkit.PromptInputDefinition) []diffChange {
	var out []diffChange
	old := map[string]string{}
	for _, in := range before {
		old[in.Name] = in.ContentType
	}
	for _, in := range after {
		b, ok := old[in.Name]
		if !ok || b == in.ContentType {
			continue
		}
		out = append(out, diffChange{in.Name + " content type", "changes", b, in.ContentType, in.ContentType != ""})
	}
	return out
}

// diffOutput compares the output contracts. Stricter validation breaks no
// one who reads the output; a weaker one, another format and another schema
// may.
func diffOutput(before, after promptkit.OutputContract) []diffChange {
	out := []diffChange{}
	if before.Format != after.Format {
		out = append(out, diffChange{"format", "changes", string(before.Format), string(after.Format), true})
	}
	if b, a := promise(before.Validation), promise(after.Validation); b != a {
		change := "tightens"
		if a < b {
			change = "relaxes"
		}
		out = append(out, diffChange{"validation", change, string(before.Validation), string(after.Validation), a < b})
	}
	if before.Schema != after.Schema {
		breaking := before.Schema != "" && after.Schema != ""
		out = append(out, diffChange{"schema", "changes", before.Schema, after.Schema, breaking})
	}
	return out
}

// promise orders the validation modes by how much they guarantee.
func promise(v promptkit.ValidationMode) int {
	switch v {
	case promptkit.ValidateJSON:
		return 1
	case promptkit.ValidateJSONSchema:
		return 2
	}
	return 0
}

// diffInstructions compares which run-time instructions there are. They ask
// nothing of a caller that does not want them.
func diffInstructions(before, after []promptkit.PromptInstruction) []diffChange {
	var out []diffChange
	old, current := map[string]bool{}, map[string]bool{}
	for _, in := range before {
		old[in.ID] = true
	}
	for _, in := range after {
		current[in.ID] = true
		if !old[in.ID] {
			out = append(out, diffChange{"instruction " + in.ID, "adds", "", "", false})
		}
	}
	for _, in := range before {
		if !current[in.ID] {
			out = append(out, diffChange{"instruction " + in.ID, "drops", "", "", false})
		}
	}
	return out
}

func layOutDiff(pg *page, d diffAnswer) {
	pg.line(pg.bold(printable(d.Old.name())), pg.faint(" → "), pg.bold(printable(d.New.name())))
	pg.line()
	if d.Same {
		pg.line("The definitions are identical.")
		return
	}
	var rows [][]string
	for _, part := range []struct {
		noun    string
		changes []diffChange
	}{{"input", d.Inputs}, {"variable", d.Variables}, {"output", d.Output}, {"", d.Other}} {
		for _, c := range part.changes {
			rows = append(rows, diffRow(pg, part.noun, c))
		}
	}
	if len(rows) == 0 {
		pg.line("Nothing changes for those who use it; the texts differ.")
		return
	}
	pg.table([]string{"", "CHANGE", "", "WHAT", "BEFORE", "AFTER"}, rows)
	pg.line()
	if d.Breaking {
		pg.prose(pg.bad("! Breaking:") + " a caller that works with the old version can fail with the new one.")
		return
	}
	pg.line(pg.good("✓ Not breaking."))
}

func diffRow(pg *page, noun string, c diffChange) []string {
	mark := " "
	if c.Breaking {
		mark = pg.bad("!")
	}
	return []string{mark, c.Change, pg.faint(noun), pg.name(label(c.Name)), orWord(c.Before, "–"), orWord(c.After, "–")}
}
