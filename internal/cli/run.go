package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// runAnswer is the record of a run and its output; its JSON form is
// promptkit.run/v1.
type runAnswer struct {
	Format       string                   `json:"format"`
	RunID        string                   `json:"run_id"`
	Prompt       promptRef                `json:"prompt"`
	RenderedHash string                   `json:"rendered_hash"`
	Profile      string                   `json:"profile"`
	Session      string                   `json:"session"`
	Target       targetAnswer             `json:"target"`
	Contract     promptkit.OutputContract `json:"contract"`
	Offline      bool                     `json:"offline"`
	Output       string                   `json:"output"`
	OutputPath   string                   `json:"output_path,omitempty"`
	Usage        usageAnswer              `json:"usage"`
	Attempts     []attemptAnswer          `json:"attempts"`
	Inputs       []preparedInput          `json:"inputs"`
	Instructions []preparedInstruction    `json:"instructions"`
	StartedAt    time.Time                `json:"started_at"`
	DurationMS   int64                    `json:"duration_ms"`
}

type usageAnswer struct {
	InputTokens       int64 `json:"input_tokens"`
	OutputTokens      int64 `json:"output_tokens"`
	TotalTokens       int64 `json:"total_tokens"`
	CachedInputTokens int64 `json:"cached_input_tokens"`
	ReasoningTokens   int64 `json:"reasoning_tokens"`
}

type attemptAnswer struct {
	Number       int         `json:"number"`
	Profile      string      `json:"profile"`
	Backend      string      `json:"backend"`
	Model        string      `json:"model"`
	Class        string      `json:"class"` // "" if the output was accepted
	FinishReason string      `json:"finish_reason"`
	Usage        usageAnswer `json:"usage"`
	Try          int         `json:"try"` // at a valid output; retries and fallbacks belong to the same
	DurationMS   int64       `json:"duration_ms"`
}

func newRun(a *app) *cobra.Command {
	f := &prepareFlags{}
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

func (a *app) run(ctx context.Context, f *prepareFlags, arg string) error {
	p, err := a.open()
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
		return p.explainRequest(err, s, req)
	}
	var opts []promptkit.RunOption
	if a.output != "" {
		opts = append(opts, promptkit.OutputTo(a.output))
	}
	live := a.watch(execution.Prepared().Target)
	if live != nil {
		opts = append(opts, promptkit.OnText(live.text))
	}
	result, err := p.engine.RunPrepared(ctx, execution, opts...)
	live.end()
	if err != nil {
		return a.runFailed(p.explain(err, s, req.ProfileID), err)
	}
	return a.delivered(result, live)
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
	if a.toTerminal() {
		pg.line(pg.faint(summary(result)))
		if path != "" {
			pg.line(pg.faint("written to " + printable(path)))
		}
	}
	pg.flush()
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

// runFailed adds what the attempts were to the error of a run.
func (a *app) runFailed(explained, err error) error {
	s, ok := explained.(*stop)
	if !ok {
		return explained
	}
	var attempts []promptkit.Attempt
	if e := (*promptkit.OutputError)(nil); errors.As(err, &e) {
		attempts = e.Attempts
	}
	if e := (*promptkit.ProviderError)(nil); errors.As(err, &e) {
		attempts = e.Attempts
	}
	if len(attempts) > 1 {
		for _, at := range attempts {
			s.hint("attempt %d: %s, %s", at.Number, orWord(string(at.Class), "accepted"), seconds(at.Duration))
		}
	}
	if errors.Is(err, promptkit.ErrCredentialMissing) {
		s.hint("To try the prompt without a model, add --offline")
	}
	return s
}

func newRunAnswer(r *promptkit.RunResult) runAnswer {
	answer := runAnswer{
		Format: "promptkit.run/v1", RunID: r.RunID, Prompt: promptRef{r.PromptID, r.PromptVersion, r.PromptHash},
		RenderedHash: r.RenderedHash, Profile: r.ProfileID, Session: r.SessionID, Target: newTarget(r.Target),
		Contract: r.Contract, Offline: r.Offline, Output: r.Output, OutputPath: r.OutputPath,
		Usage: usageAnswer(r.Usage), Attempts: []attemptAnswer{},
		Inputs: preparedInputs(r.Inputs), Instructions: preparedInstructions(r.Instructions),
		StartedAt: r.StartedAt, DurationMS: r.Duration.Milliseconds(),
	}
	for _, at := range r.Attempts {
		answer.Attempts = append(answer.Attempts, attemptAnswer{
			at.Number, at.ProfileID, at.BackendID, at.Model, string(at.Class), at.FinishReason,
			usageAnswer(at.Usage), at.Try, at.Duration.Milliseconds(),
		})
	}
	return answer
}
