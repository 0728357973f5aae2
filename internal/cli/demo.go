package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/examples"
)

func newDemo(a *app) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "A tour on built-in examples; no network, no key",
		Long: `Show on built-in examples what a prompt needs, how the answer changes with a
variable, what would be sent, and what a run brings. Nothing is contacted and
nothing is written, unless --to names a folder for the examples.`,
		Args:              exactly(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to != "" {
				return a.writeExamples(to)
			}
			return a.demo(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the example project to this `FOLDER` instead")
	_ = cmd.MarkFlagDirname("to")
	return cmd
}

func (a *app) writeExamples(dir string) error {
	files, err := writeTree(examples.FS, dir, "the examples")
	if err != nil {
		return err
	}
	answer := initAnswer{"promptkit.init/v1", dir, files}
	return a.emit(answer, func(pg *page) {
		pg.line(pg.good("✓"), " Wrote the examples to ", folderName(dir), ", ", countOf(len(files), "file"), ".")
		pg.section("Next")
		pg.line("  promptkit", (&project{dir: dir}).dirFlag(), " list")
	})
}

// The demo's prompts.
const (
	demoPrompt = "weather-report"
	demoSecond = "support-triage"
)

func (a *app) demo(ctx context.Context) error {
	if a.format == formatJSON {
		return usagef("the demo is for reading; ask the commands that it shows for JSON")
	}
	p, err := exampleProject()
	if err != nil {
		return err
	}
	pg := pageFor(a.stdout)
	d := &tour{ctx: ctx, p: p, pg: pg}
	for _, step := range []func() error{d.opening, d.unknown, d.known, d.other, d.prepare, d.run, d.closing} {
		if err := step(); err != nil {
			return err
		}
	}
	return a.deliver(pg.bytes())
}

// exampleProject is the embedded project, named as its folder in a checkout.
func exampleProject() (*project, error) {
	sub := func(name string) fs.FS {
		f, _ := fs.Sub(examples.FS, name) // fails for invalid names only
		return f
	}
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(sub("prompts")), promptkit.WithProfileFS(sub("profiles")),
		promptkit.WithBackendFS(sub("backends")), promptkit.WithSchemaFS(sub("schemas")))
	if err != nil {
		return nil, err
	}
	return &project{dir: "examples", folders: usualFolders(), engine: engine}, nil
}

// A tour is the demo on its way.
type tour struct {
	ctx  context.Context
	p    *project
	pg   *page
	step int
}

func (d *tour) opening() error {
	d.pg.line(d.pg.bold("Promptkit in a minute"))
	d.pg.prose("A prompt is a file. Below is part of one, " + demoPrompt + ". Which inputs will it read? That depends:")
	d.pg.line()
	source, err := fs.ReadFile(examples.FS, "prompts/"+demoPrompt+".yaml")
	if err != nil {
		return err
	}
	_, body, _ := strings.Cut(string(source), "  - role: user\n")
	for l := range strings.Lines(body) {
		d.pg.line(d.pg.faint("  │ "), strings.TrimRight(strings.TrimPrefix(l, "    "), "\n"))
	}
	return nil
}

// say begins a step: a title, a sentence, and the command it comes from.
func (d *tour) say(title, text string, command ...string) {
	d.step++
	d.pg.line()
	d.pg.rule(itoa(d.step) + "  " + title)
	d.pg.prose(text)
	d.pg.line()
	flagLines(d.pg, d.pg.faint("$ "), append([]string{"promptkit"}, command...))
	d.pg.line()
}

func (d *tour) needs(vars ...string) (selection, question, *needsAnswer, error) {
	s, err := d.p.choose(demoPrompt)
	if err != nil {
		return s, question{}, nil, err
	}
	q := question{flags: contextFlags{vars: vars}}
	if q.request, err = q.flags.requirementRequest(s); err != nil {
		return s, q, nil, err
	}
	answer, err := d.p.ask(d.ctx, s, q)
	return s, q, answer, err
}

func (d *tour) unknown() error {
	d.say("What will it need?",
		"Promptkit reads templates as the template engine does, but without inputs and without a model: it says what is certain, and why the rest is not.",
		"needs", demoPrompt)
	_, q, answer, err := d.needs()
	if err != nil {
		return err
	}
	layOutNeeds(d.pg, d.p, q, answer)
	return nil
}

func (d *tour) known() error {
	d.say("With two variables the answer is final",
		"The forecast has a name, the tides are needed, and the soil is not.",
		"needs", demoPrompt, "--var city=oslo", "--var audience=sailors")
	_, _, answer, err := d.needs("city=oslo", "audience=sailors")
	if err != nil {
		return err
	}
	d.pg.tables(inputGrid(d.pg, answer.Inputs))
	d.pg.line()
	conclusion(d.pg, d.p, answer)
	return nil
}

func (d *tour) other() error {
	d.say("What would another audience need?",
		"Two contexts can be compared before either exists.",
		"needs", demoPrompt, "--var city=oslo", "--var audience=sailors", "--against audience=farmers")
	s, q, before, err := d.needs("city=oslo", "audience=sailors")
	if err != nil {
		return err
	}
	after, err := d.p.ask(d.ctx, s, q.with(map[string]string{"audience": "farmers"}))
	if err != nil {
		return err
	}
	layOutAgainst(d.pg, compareContexts(before, after, []string{"audience"}), before, after)
	return nil
}

func (d *tour) prepare() error {
	d.say("Exactly what would be sent",
		"Preparing renders the messages and hashes them, so that two preparations can be compared.",
		"prepare", demoPrompt, "--var city=oslo", "--var audience=sailors",
		"--input forecast-oslo=oslo.csv", "--input tides=tides.csv")
	s, q, _, err := d.needs("city=oslo", "audience=sailors")
	if err != nil {
		return err
	}
	inputs, err := samples(demoPrompt, "forecast-oslo.csv", "tides.csv")
	if err != nil {
		return err
	}
	prepared, err := d.p.engine.Prepare(d.ctx, promptkit.RunRequest{
		PromptID: s.id, Vars: q.request.Vars, Inputs: inputs,
	})
	if err != nil {
		return err
	}
	layOutPrepared(d.pg, abridged(newPreparedAnswer(prepared)), false)
	return nil
}

// abridged keeps the beginning of each message.
func abridged(answer preparedAnswer) preparedAnswer {
	const keep = 7
	for i, m := range answer.Messages {
		lines := strings.Split(strings.TrimRight(m.Content, "\n"), "\n")
		if len(lines) > keep {
			answer.Messages[i].Content = strings.Join(lines[:keep-1], "\n") + "\n… and " + countOf(len(lines)-keep+1, "line") + " more"
		}
	}
	return answer
}

func (d *tour) run() error {
	d.say("A run, without a model",
		"A run validates the reply, here against a JSON Schema. Offline, the smallest output that keeps the contract takes the place of a reply, and is marked as such.",
		"run", demoSecond, "--offline", "--vars-file vars.yaml", "--input ticket=ticket.txt")
	s, err := d.p.choose(demoSecond)
	if err != nil {
		return err
	}
	inputs, err := samples(demoSecond, "ticket.txt")
	if err != nil {
		return err
	}
	result, err := d.p.engine.Run(d.ctx, promptkit.RunRequest{
		PromptID: s.id, PromptVersion: s.version, Inputs: inputs, Offline: true,
		Vars: map[string]string{"product": "Ledgerly", "ticket_id": "48121", "plan": "free"},
	})
	if err != nil {
		return err
	}
	d.pg.text(indented(result.Output), false)
	d.pg.hanging(d.pg.warn("offline:")+" ", 9, offlineNote)
	return nil
}

// indented lays a JSON text out, if it is one.
func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}

func (d *tour) closing() error {
	d.pg.line()
	d.pg.rule("")
	d.pg.line(d.pg.bold("Next"))
	d.pg.line("  promptkit init my-prompts     a small project of your own")
	d.pg.line("  promptkit demo --to examples  these examples, to look at and change")
	d.pg.line("  promptkit --help              everything else")
	return nil
}

// samples are inputs of an example, named after their files.
func samples(prompt string, files ...string) ([]promptkit.Input, error) {
	var inputs []promptkit.Input
	for _, file := range files {
		data, err := fs.ReadFile(examples.FS, "samples/"+prompt+"/"+file)
		if err != nil {
			return nil, err
		}
		name, _ := cutLast(file, ".")
		inputs = append(inputs, promptkit.Input{Name: name, Text: string(data)})
	}
	return inputs, nil
}
