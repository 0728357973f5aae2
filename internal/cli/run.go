package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// runFlags are those of preparation and what becomes of a run beside its
// output.
type runFlags struct {
	prepareFlags
	trace         string
	record        string
	recordContent bool
	seen          observed
}

func (f *runFlags) register(a *app, cmd *cobra.Command) {
	f.prepareFlags.register(a, cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.trace, "trace", "", "add OpenTelemetry spans to a `FILE`, one JSON document a line")
	flags.StringVar(&f.record, "record", "", "write a record of the run to a new `FOLDER`: names and digests, no values")
	flags.BoolVar(&f.recordContent, "record-content", false, "add the messages and replies to the record")
	_ = cmd.MarkFlagFilename("trace")
	_ = cmd.MarkFlagDirname("record")
}

func (f *runFlags) check() error {
	if f.recordContent && f.record == "" {
		return usagef("--record-content adds to a record; name its folder with --record")
	}
	return nil
}

func newRun(a *app) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run PROMPT",
		Short: "Run it, validate the answer, repair it if need be",
		Long: `Prepare a prompt, send it to the profile's backend, validate the reply against
the output contract and, as far as the profile allows, repair it. The output
goes to standard output; on a terminal it appears as it comes.

With -o the validated output is written to the file, whole or not at all.
With --format json the whole record is printed. --offline asks no model.`,
		Example: `  promptkit run weather-report --offline --var city=oslo --var audience=everyone \
    --input forecast-oslo=oslo.csv
  git diff | promptkit run code-review --var language=Go --var depth=quick --input diff=-`,
		Args:              exactly("a prompt, ID or ID@version"),
		ValidArgsFunction: a.completePrompts(1),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), f, args[0]) },
	}
	f.register(a, cmd)
	return cmd
}

func (a *app) run(ctx context.Context, f *runFlags, arg string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	opts, closeTrace, err := f.tracing()
	if err != nil {
		return err
	}
	defer func() {
		if closed := closeTrace(); err == nil {
			err = closed
		}
	}()
	if f.record != "" {
		opts = append(opts, promptkit.WithObserver(&f.seen))
	}
	p, err := a.open(opts...)
	if err != nil {
		return err
	}
	s, err := p.choose(arg)
	if err != nil {
		return err
	}
	req, err := f.request(a, s)
	if err != nil {
		return err
	}
	execution, err := p.engine.PrepareExecution(ctx, req)
	if err != nil {
		return withOfflineHint(p.explainRequest(err, s, req), err)
	}
	return a.execute(ctx, f, p, s, req, execution)
}

// tracing is what --trace asks of the engine, and what ends it.
func (f *runFlags) tracing() (opts []promptkit.Option, end func() error, err error) {
	if f.trace == "" {
		return nil, func() error { return nil }, nil
	}
	t, err := newTracer(f.trace)
	if err != nil {
		return nil, nil, err
	}
	option, err := t.option()
	return []promptkit.Option{option}, t.close, err
}

// execute runs what has been frozen, and records and prints what comes of it.
func (a *app) execute(ctx context.Context, f *runFlags, p *project, s selection, req promptkit.RunRequest, execution *promptkit.PreparedExecution) error {
	rec, err := f.recorder()
	if err != nil {
		return err
	}
	prepared := execution.Prepared()
	live := a.watch(prepared.Target)
	result, err := p.engine.RunPrepared(ctx, execution, a.runOptions(f, live)...)
	live.end()
	recordErr := rec.write(req, prepared, result, err)
	if err != nil {
		err = withAttempts(p.explain(err, s, req.ProfileID), err)
	} else {
		err = a.delivered(result, live) // an output that was paid for is not lost to a record
	}
	if err != nil && recordErr != nil {
		return errors.Join(err, recordErr)
	}
	return cmp.Or(err, recordErr)
}

// recorder is nil if no record was asked for.
func (f *runFlags) recorder() (*recorder, error) {
	if f.record == "" {
		return nil, nil
	}
	return newRecorder(f.record, f.recordContent, &f.seen)
}

func (a *app) runOptions(f *runFlags, live *live) []promptkit.RunOption {
	var opts []promptkit.RunOption
	if f.recordContent {
		opts = append(opts, promptkit.KeepContent())
	}
	if a.output != "" {
		opts = append(opts, promptkit.OutputTo(a.output))
	}
	if live != nil {
		opts = append(opts, promptkit.OnText(live.text))
	}
	return opts
}

// delivered prints what a run brought: the record, or the output unless it
// went to a file or has been seen already.
func (a *app) delivered(result *promptkit.RunResult, live *live) error {
	path := a.output
	a.output = "" // the engine has written the file
	if a.format == formatJSON {
		return a.emit(newRunAnswer(result), nil)
	}
	if path == "" && !live.shows(result.Output) {
		pg := newPage(nil, fallbackWidth, false)
		pg.text(result.Output, a.toTerminal())
		if err := a.deliver(pg.bytes()); err != nil {
			return err
		}
	}
	a.afterwards(result, path)
	return nil
}

// afterwards says on standard error what is worth knowing. In a pipe that is
// only what must not be overlooked.
func (a *app) afterwards(result *promptkit.RunResult, path string) {
	pg := a.diagnostics()
	if result.Offline {
		pg.line(pg.warn("offline:"), " ", offlineNote)
	}
	skippedInstructions(pg, result.Instructions)
	if a.toTerminal() {
		pg.line(pg.faint(summary(result)))
		if path != "" {
			pg.line(pg.faint("written to " + printable(path)))
		}
	}
	pg.flush()
}

// skippedInstructions names what the model was not told, and for which facts.
func skippedInstructions(pg *page, instructions []promptkit.PreparedInstruction) {
	for _, in := range instructions {
		if in.State == promptkit.InstructionSkipped {
			pg.line(pg.warn("skipped:"), " instruction ", label(in.ID), ", which states ",
				strings.Join(in.Facts, ", "), "; see --action and --action-budget")
		}
	}
}

// offlineNote marks an output that no model has written.
const offlineNote = "no model was asked; this output is a placeholder that keeps the contract."

func summary(r *promptkit.RunResult) string {
	s := printable(r.Target.Model) + " · " + countOf(len(r.Attempts), "attempt")
	if n := r.Usage.TotalTokens; n > 0 {
		s += " · " + countOf(int(n), "token")
	}
	return s + " · " + seconds(r.Duration)
}

// withAttempts adds what the attempts were to the error of a run.
func withAttempts(explained, err error) error {
	s, ok := explained.(*stop)
	attempts := attemptsOf(err)
	if !ok || len(attempts) < 2 {
		return explained
	}
	for _, at := range attempts {
		s.hint("attempt %d: %s, %s", at.Number, orWord(string(at.Class), "accepted"), seconds(at.Duration))
	}
	return s
}

// withOfflineHint adds a way to go on without a credential.
func withOfflineHint(explained, err error) error {
	if s, ok := explained.(*stop); ok && errors.Is(err, promptkit.ErrCredentialMissing) {
		s.hint("To try the prompt without a model, add --offline")
	}
	return explained
}
