package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// profileAnswer is the effective target of a profile; its JSON form is
// promptkit.profile/v1.
type profileAnswer struct {
	Format           string           `json:"format"`
	Profile          string           `json:"profile"`
	Extends          []string         `json:"extends"`
	Executable       bool             `json:"executable"`
	Reason           string           `json:"reason,omitempty"`
	Backend          string           `json:"backend"`
	BaseURL          string           `json:"base_url"`
	Model            string           `json:"model"`
	Offline          bool             `json:"offline"`
	APIKeyEnv        string           `json:"api_key_env"`
	Headers          []string         `json:"headers"`
	StructuredOutput string           `json:"structured_output"`
	MaxAttempts      int              `json:"max_attempts"`
	Fallback         []string         `json:"fallback"`
	MaxConcurrent    int              `json:"max_concurrent"`
	MaxWaiting       int              `json:"max_waiting"`
	TimeoutMS        int64            `json:"timeout_ms"`
	Settings         []profileSetting `json:"settings"`
}

type profileSetting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

// profilesAnswer lists the profiles; its JSON form is promptkit.profiles/v1.
type profilesAnswer struct {
	Format   string          `json:"format"`
	Profiles []profileAnswer `json:"profiles"`
}

func newProfile(a *app) *cobra.Command {
	f := &overrideFlags{}
	cmd := &cobra.Command{
		Use:   "profile [ID]",
		Short: "What would it run against, with which parameters?",
		Long: `Show the effective target of a profile after inheritance: backend, model,
parameters, limits, the name of the credential's variable, and where each
value came from. Without an ID, list the profiles. No credential is read.

--model and --set show what they would replace in a run.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly("a profile")(cmd, args)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completeProfiles(cmd, args, toComplete)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.profiles(cmd.Context())
			}
			return a.profile(cmd.Context(), f, args[0])
		},
	}
	f.register(cmd)
	a.registerOutput(cmd)
	return cmd
}

func (a *app) profile(ctx context.Context, f *overrideFlags, id string) error {
	overrides, err := f.settings()
	if err != nil {
		return err
	}
	p, err := a.open()
	if err != nil {
		return err
	}
	found, err := p.engine.InspectProfile(ctx, id)
	if err != nil {
		return p.explain(err, selection{}, id)
	}
	answer := newProfileAnswer(found)
	answer.override(overrides)
	return a.emit(answer, func(pg *page) { layOutProfile(pg, p, answer) })
}

func (a *app) profiles(ctx context.Context) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	answer := profilesAnswer{Format: "promptkit.profiles/v1", Profiles: []profileAnswer{}}
	for _, id := range p.engine.ProfileIDs() {
		found, err := p.engine.InspectProfile(ctx, id)
		if err != nil {
			return p.explain(err, selection{}, id)
		}
		answer.Profiles = append(answer.Profiles, newProfileAnswer(found))
	}
	return a.emit(answer, func(pg *page) { layOutProfiles(pg, p, answer) })
}

func newProfileAnswer(f *promptkit.ProfileInspection) profileAnswer {
	answer := profileAnswer{
		Format: "promptkit.profile/v1", Profile: f.ProfileID, Extends: orEmpty(f.Extends),
		Executable: f.Executable, Reason: f.Reason,
		Backend: f.Target.BackendID, BaseURL: f.Target.BaseURL, Model: f.Target.Model, Offline: f.Target.Offline,
		APIKeyEnv: f.APIKeyEnv, Headers: orEmpty(f.HeaderNames), StructuredOutput: f.StructuredOutput,
		MaxAttempts: f.MaxAttempts, Fallback: orEmpty(f.Fallback),
		MaxConcurrent: f.MaxConcurrent, MaxWaiting: f.MaxWaiting, TimeoutMS: f.Timeout.Milliseconds(),
		Settings: []profileSetting{},
	}
	for _, s := range f.Settings {
		answer.Settings = append(answer.Settings, profileSetting{s.Name, s.Value, s.From, string(s.Kind), s.File, s.Line})
	}
	return answer
}

// override puts settings in the place of those of the same name.
func (answer *profileAnswer) override(settings []profileSetting) {
	for _, s := range settings {
		switch s.Name {
		case "model":
			answer.Model = s.Value
		case "repair.max_attempts":
			answer.MaxAttempts, _ = strconv.Atoi(s.Value) // it was checked as a flag
		}
		i := slices.IndexFunc(answer.Settings, func(old profileSetting) bool { return old.Name == s.Name })
		if i < 0 {
			answer.Settings = append(answer.Settings, s)
			continue
		}
		answer.Settings[i] = s
	}
}

func layOutProfile(pg *page, p *project, answer profileAnswer) {
	right := ""
	if len(answer.Extends) > 0 {
		right = pg.faint("extends ") + printable(strings.Join(answer.Extends, ", then "))
	}
	pg.spread(pg.bold("profile "+label(answer.Profile)), right)
	pg.line()
	var rows [][]string
	for _, s := range answer.Settings {
		rows = append(rows, []string{pg.name(printable(s.Name)), orWord(s.Value, `""`), settingOrigin(p, s)})
	}
	if len(rows) > 0 {
		pg.table([]string{"SETTING", "VALUE", "FROM"}, rows)
		pg.line()
	}
	pg.hanging("", 0, profileVerdict(pg, answer))
}

func settingOrigin(p *project, s profileSetting) string {
	if s.File == "" {
		return orWord(s.From, "default")
	}
	place := p.place(promptkit.ProblemKind(s.Kind), s.File)
	if s.Line > 0 {
		place += ":" + itoa(s.Line)
	}
	return printable(place)
}

func profileVerdict(pg *page, answer profileAnswer) string {
	switch {
	case !answer.Executable:
		return pg.warn("Cannot be run:") + " " + printable(answer.Reason)
	case answer.Offline:
		return pg.good("✓ Can be run.") + " It is offline: no model is asked, and every result says so."
	case answer.APIKeyEnv == "":
		return pg.good("✓ Can be run.") + " It needs no credential."
	}
	return pg.good("✓ Can be run") + " if the environment variable " + printable(answer.APIKeyEnv) + " holds the credential."
}

func layOutProfiles(pg *page, p *project, answer profilesAnswer) {
	if len(answer.Profiles) == 0 {
		pg.line("There is no profile in this project.")
		return
	}
	var rows [][]string
	for _, f := range answer.Profiles {
		runs := pg.good("yes")
		if !f.Executable {
			runs = pg.faint("no, only extended")
		}
		rows = append(rows, []string{pg.name(label(f.Profile)), printable(f.Backend), printable(f.Model), runs, strings.Join(f.Extends, ", ")})
	}
	pg.table([]string{"PROFILE", "BACKEND", "MODEL", "CAN RUN", "EXTENDS"}, rows)
	pg.line()
	pg.line("Where does each value come from? promptkit", p.dirFlag(), " profile ", shellWord(answer.Profiles[0].Profile))
}

// seconds words a duration for people.
func seconds(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "less than 1 ms"
	case d < time.Second:
		return itoa(int(d.Milliseconds())) + " ms"
	}
	return d.Round(100 * time.Millisecond).String()
}
