package cli

import (
	"context"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// preparedAnswer is a prepared run; its JSON form is promptkit.prepared/v1.
type preparedAnswer struct {
	Format       string                   `json:"format"`
	Prompt       promptRef                `json:"prompt"`
	RenderedHash string                   `json:"rendered_hash"`
	Profile      string                   `json:"profile"`
	Session      string                   `json:"session"`
	Target       targetAnswer             `json:"target"`
	Output       promptkit.OutputContract `json:"output"`
	Inputs       []preparedInput          `json:"inputs"`
	Instructions []preparedInstruction    `json:"instructions"`
	Messages     []messageAnswer          `json:"messages"`
}

type targetAnswer struct {
	Backend string `json:"backend"`
	BaseURL string `json:"base_url"`
	Model   string `json:"model"`
	Offline bool   `json:"offline"`
}

type preparedInput struct {
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	Digest      string `json:"digest"`
}

type preparedInstruction struct {
	ID     string   `json:"id"`
	State  string   `json:"state"`
	Reason string   `json:"reason,omitempty"`
	Facts  []string `json:"facts,omitempty"`
}

type messageAnswer struct {
	Role         string        `json:"role"`
	Content      string        `json:"content"`
	CacheControl *cacheControl `json:"cache_control,omitempty"`
}

type cacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

type prepareFlags struct {
	contextFlags
	turnFlags
	overrideFlags
	offline bool
}

func (f *prepareFlags) register(a *app, cmd *cobra.Command) {
	f.contextFlags.register(a, cmd)
	f.turnFlags.register(cmd)
	f.overrideFlags.register(cmd)
	cmd.Flags().BoolVar(&f.offline, "offline", false, "answer without a model, and say so in every result")
	a.registerOutput(cmd)
}

// request is what the flags ask to prepare or run.
func (f *prepareFlags) request(a *app, s selection) (promptkit.RunRequest, error) {
	if err := f.turnFlags.check(); err != nil {
		return promptkit.RunRequest{}, err
	}
	overrides, err := f.overrides()
	if err != nil {
		return promptkit.RunRequest{}, err
	}
	req, err := f.runRequest(a, s)
	req.Overrides, req.Turn, req.Offline = overrides, f.turn(), f.offline
	return req, err
}

func newPrepare(a *app) *cobra.Command {
	f := &prepareFlags{}
	cmd := &cobra.Command{
		Use:   "prepare PROMPT",
		Short: "Render it: exactly what would be sent",
		Long: `Render a prompt and show exactly what a run would send, without contacting a
model and without reading a credential. Everything that is missing is named at
once.`,
		Example: `  promptkit prepare weather-report --var city=oslo --var audience=everyone \
    --input forecast-oslo=oslo.csv`,
		Args:              exactly("a prompt, ID or ID@version"),
		ValidArgsFunction: a.completePrompts(1),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.prepare(cmd.Context(), f, args[0]) },
	}
	f.register(a, cmd)
	return cmd
}

func (a *app) prepare(ctx context.Context, f *prepareFlags, arg string) error {
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
	prepared, err := p.engine.Prepare(ctx, req)
	if err != nil {
		return p.explainRequest(err, s, req)
	}
	answer := newPreparedAnswer(prepared)
	terminal := a.toTerminal()
	return a.emit(answer, func(pg *page) { layOutPrepared(pg, answer, terminal) })
}

func newPreparedAnswer(r *promptkit.PreparedRun) preparedAnswer {
	answer := preparedAnswer{
		Format: "promptkit.prepared/v1", Prompt: promptRef{r.PromptID, r.PromptVersion, r.PromptHash},
		RenderedHash: r.RenderedHash, Profile: r.ProfileID, Session: r.SessionID,
		Target: newTarget(r.Target), Output: r.Output,
		Inputs: preparedInputs(r.Inputs), Instructions: preparedInstructions(r.Instructions), Messages: []messageAnswer{},
	}
	for _, m := range r.Messages {
		answer.Messages = append(answer.Messages, messageAnswer{m.Role, m.Content, (*cacheControl)(m.CacheControl)})
	}
	return answer
}

func newTarget(t promptkit.Target) targetAnswer {
	return targetAnswer{t.BackendID, t.BaseURL, t.Model, t.Offline}
}

func preparedInputs(inputs []promptkit.PreparedInput) []preparedInput {
	out := []preparedInput{}
	for _, in := range inputs {
		out = append(out, preparedInput(in))
	}
	return out
}

func preparedInstructions(instructions []promptkit.PreparedInstruction) []preparedInstruction {
	out := []preparedInstruction{}
	for _, in := range instructions {
		out = append(out, preparedInstruction{in.ID, string(in.State), in.Reason, in.Facts})
	}
	return out
}

func layOutPrepared(pg *page, answer preparedAnswer, terminal bool) {
	header(pg, answer.Prompt, answer.Profile)
	for _, m := range answer.Messages {
		pg.line()
		pg.rule(messageTitle(m))
		pg.text(m.Content, terminal)
	}
	pg.line()
	pg.rule("")
	facts := [][2]string{
		{"target", targetWords(pg, answer.Target)},
		{"output", contractWords(answer.Output)},
	}
	if answer.Session != "" {
		facts = append(facts, [2]string{"session", printable(answer.Session)})
	}
	facts = append(facts, [2]string{"hash", answer.RenderedHash})
	for _, in := range answer.Inputs {
		facts = append(facts, [2]string{"input", label(in.Name) + ", " + byteSize(in.Size) + ", " + shortDigest(in.Digest)})
	}
	pg.facts(facts)
	preparedInstructionTable(pg, answer.Instructions)
}

func preparedInstructionTable(pg *page, instructions []preparedInstruction) {
	if len(instructions) == 0 {
		return
	}
	var rows [][]string
	for _, in := range instructions {
		rows = append(rows, []string{pg.name(label(in.ID)), instructionWords(in)})
	}
	pg.line()
	pg.table([]string{"INSTRUCTION", "IN THIS TURN"}, rows)
}

func messageTitle(m messageAnswer) string {
	title := m.Role
	if m.CacheControl != nil {
		title += ", cached up to here"
		if m.CacheControl.TTL != "" {
			title += " for " + m.CacheControl.TTL
		}
	}
	return title
}

func targetWords(pg *page, t targetAnswer) string {
	if t.Offline {
		return pg.warn("offline") + ": no model will be asked"
	}
	return printable(t.Model) + " at " + printable(t.BaseURL)
}

func instructionWords(in preparedInstruction) string {
	if len(in.Facts) == 0 {
		return in.State
	}
	return in.State + ": no " + strings.Join(in.Facts, ", ")
}

// shortDigest keeps enough of a digest to compare by eye.
func shortDigest(digest string) string {
	if len(digest) > 19 {
		return digest[:19] + "…"
	}
	return digest
}

// rule writes a line across the page, with a title in it.
func (p *page) rule(title string) {
	if title == "" {
		p.line(p.faint(strings.Repeat("─", p.width)))
		return
	}
	rest := max(p.width-len([]rune(title))-4, 3)
	p.line(p.faint("──"), " ", p.bold(title), " ", p.faint(strings.Repeat("─", rest)))
}

// text writes content as it is. To a terminal it goes without the characters
// that a terminal obeys: contents come from elsewhere.
func (p *page) text(content string, terminal bool) {
	if terminal {
		content = harmless(content)
	}
	p.b.WriteString(content)
	if !strings.HasSuffix(content, "\n") {
		p.b.WriteByte('\n')
	}
}

// harmless replaces control characters other than line ends and tabs.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !isJoiner(r)) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// isJoiner spares the format characters that scripts and emoji are built of.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' || r == '\ufeff' }

// explainRequest adds to an error of prepare or run the flags that would help.
func (p *project) explainRequest(err error, s selection, req promptkit.RunRequest) error {
	out := p.explain(err, s, req.ProfileID)
	missing := missingFlags(err)
	if stop, ok := out.(*stop); ok && len(missing) > 0 {
		stop.hint("Add %s", strings.Join(missing, " "))
	}
	return out
}
