package cli

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

// replayAnswer says whether a recorded run would still send the same; its
// JSON form is promptkit.replay/v1.
type replayAnswer struct {
	Format string    `json:"format"`
	Record string    `json:"record"`
	RunID  string    `json:"run_id"`
	Prompt promptRef `json:"prompt"`
	// RequestCompared is false where the body of the request could not be
	// written again, for lack of a credential.
	RequestCompared bool         `json:"request_compared"`
	Same            bool         `json:"same"`
	Differences     []difference `json:"differences"`
}

// A difference names what changed. Values of variables and contents of
// inputs are not in it.
type difference struct {
	What     string `json:"what"`
	Name     string `json:"name,omitempty"`
	Recorded string `json:"recorded,omitempty"`
	Now      string `json:"now,omitempty"`
}

func newReplay(a *app) *cobra.Command {
	f := &contextFlags{}
	cmd := &cobra.Command{
		Use:   "replay RECORD",
		Short: "Would a recorded run still send the same?",
		Long: `Prepare a recorded run again, with the same --var and --input flags, and say
whether it would send the same: same prompt, same messages, same target, same
request to the byte. If not, say what changed. A record holds no values, so they
have to be given again. Nothing is sent.

The exit code is 1 if anything differs.`,
		Example: `  promptkit run weather-report --vars-file vars.yaml --input … --record runs/1
  promptkit replay runs/1 --vars-file vars.yaml --input …`,
		Args: exactly("a folder that run --record has written"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), f, args[0]) },
	}
	f.register(a, cmd)
	a.registerOutput(cmd)
	return cmd
}

func (a *app) replay(ctx context.Context, f *contextFlags, dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	p, err := a.open()
	if err != nil {
		return err
	}
	s := selection{id: m.Prompt.ID, version: m.Prompt.Version}
	req, err := f.runRequest(a, s)
	if err != nil {
		return err
	}
	m.restore(&req)
	prepared, body, err := prepareAgain(ctx, p, req)
	if err != nil {
		return p.explainRequest(err, s, req)
	}
	answer := replayAnswer{
		Format: "promptkit.replay/v1", Record: dir, RunID: m.RunID, Prompt: m.Prompt,
		RequestCompared: body != nil && len(m.Attempts) > 0, Differences: m.differences(req, prepared),
	}
	if answer.RequestCompared && len(answer.Differences) == 0 {
		answer.Differences = append(answer.Differences, m.requestDifference(body)...)
	}
	answer.Same = len(answer.Differences) == 0
	if err := a.emit(answer, func(pg *page) { layOutReplay(pg, answer) }); err != nil {
		return err
	}
	if !answer.Same {
		return shown(exitFailed)
	}
	return nil
}

// prepareAgain prepares a run, and writes the body of its request if the
// backend's credential is there: without one, an engine freezes no request.
func prepareAgain(ctx context.Context, p *project, req promptkit.RunRequest) (*promptkit.PreparedRun, []byte, error) {
	execution, err := p.engine.PrepareExecution(ctx, req)
	if err == nil {
		return execution.Prepared(), execution.RequestBody(), nil
	}
	if !errors.Is(err, promptkit.ErrCredentialMissing) {
		return nil, nil, err
	}
	prepared, err := p.engine.Prepare(ctx, req)
	return prepared, nil, err
}

// requestDifference finds what shows in nothing but the request itself: a
// schema, or how the backend is to be asked for it.
func (m *manifest) requestDifference(body []byte) []difference {
	recorded, now := m.Attempts[0].RequestDigest, digest(body)
	if recorded == now {
		return nil
	}
	return []difference{{What: "request", Recorded: recorded, Now: now}}
}

// restore adds what the record knows and flags do not say.
func (m *manifest) restore(req *promptkit.RunRequest) {
	req.Offline = m.Offline
	req.Overrides = promptkit.Overrides{
		Model: m.Overrides.Model, Parameters: promptkit.Parameters(m.Overrides.parametersAnswer), MaxAttempts: m.Overrides.MaxAttempts,
	}
	if req.ProfileID == "" {
		req.ProfileID = m.Profile
	}
	if m.Turn != nil {
		req.Turn = &fact.Turn{Action: m.Turn.Action, Budget: m.Turn.Budget}
	}
}

func (m *manifest) differences(req promptkit.RunRequest, now *promptkit.PreparedRun) []difference {
	out := []difference{}
	add := func(what, recorded, current string) {
		if recorded != current {
			out = append(out, difference{What: what, Recorded: recorded, Now: current})
		}
	}
	add("prompt", m.Prompt.Hash, now.PromptHash)
	add("messages", m.RenderedHash, now.RenderedHash)
	add("profile", m.Profile, now.ProfileID)
	add("backend", m.Target.Backend, now.Target.BackendID)
	add("address", m.Target.BaseURL, now.Target.BaseURL)
	add("model", m.Target.Model, now.Target.Model)
	add("parameters", asJSON(m.Parameters), asJSON(parametersAnswer(now.Target.Parameters)))
	add("contract", asJSON(m.Contract), asJSON(now.Output))
	add("instructions", asJSON(m.Instructions), asJSON(preparedInstructions(now.Instructions)))
	out = append(out, m.inputDifferences(now.Inputs)...)
	out = append(out, m.variableDifferences(req.Vars)...)
	if m.Session != sessionDigest(m.Salt, now.SessionID) {
		out = append(out, difference{What: "session"})
	}
	return out
}

func sessionDigest(salt, session string) string {
	if session == "" {
		return ""
	}
	return keyedDigest(salt, session)
}

func (m *manifest) inputDifferences(now []promptkit.PreparedInput) []difference {
	recorded, current := map[string]string{}, map[string]string{}
	for _, in := range m.Inputs {
		recorded[in.Name] = in.Digest
	}
	for _, in := range now {
		current[in.Name] = in.Digest
	}
	return mapDifferences("input", recorded, current)
}

func (m *manifest) variableDifferences(vars map[string]string) []difference {
	current := map[string]string{}
	for name, value := range vars {
		current[name] = keyedDigest(m.Salt, value)
	}
	return mapDifferences("variable", m.Variables, current)
}

// mapDifferences lists the names whose digests differ or that one side lacks.
func mapDifferences(what string, recorded, now map[string]string) []difference {
	all := maps.Clone(recorded)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, now)
	var out []difference
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if recorded[name] != now[name] {
			out = append(out, difference{what, name, recorded[name], now[name]})
		}
	}
	return out
}

func asJSON(v any) string {
	data, _ := json.Marshal(v) // plain structs of strings and numbers
	return string(data)
}

func layOutReplay(pg *page, answer replayAnswer) {
	header(pg, answer.Prompt, "")
	if answer.Same {
		pg.prose(pg.good("✓ The same.") + " " + sameness(answer))
		return
	}
	pg.line(pg.warn("✗ Not the same any more:"))
	for _, d := range answer.Differences {
		pg.hanging("  · ", 4, differenceWords(d))
	}
}

func sameness(answer replayAnswer) string {
	if answer.RequestCompared {
		return "Prepared again, this run sends what it sent before, to the byte."
	}
	return "Prompt, messages and target are what they were. The request as a whole, with its schema, " +
		"was not compared: the record holds none, or the backend's credential is not set."
}

func differenceWords(d difference) string {
	subject := d.What
	if d.Name != "" {
		subject += " " + label(d.Name)
	}
	switch {
	case d.What == "prompt":
		return "the definition of the prompt has changed"
	case d.What == "messages":
		return "the rendered messages differ"
	case d.What == "request":
		return "the request differs, for what is asked of the backend: the schema, or a setting of the backend such as structured_output"
	case d.Name != "" && d.Recorded == "":
		return subject + " was not there then"
	case d.Name != "" && d.Now == "":
		return subject + " was there then and is not given now"
	case d.Name != "" || d.What == "session":
		return subject + " is another one"
	}
	return subject + ": then " + orWord(d.Recorded, "none") + ", now " + orWord(d.Now, "none")
}
