package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionAnswer says what this program is; its JSON form is
// promptkit.version/v1.
type versionAnswer struct {
	Format   string `json:"format"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Which promptkit is this?",
		Args:              exactly(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			answer := readVersion()
			return a.emit(answer, func(pg *page) {
				pg.line("promptkit ", answer.Version, " ", pg.faint(answer.Go+" "+answer.Platform))
			})
		},
	}
}

func readVersion() versionAnswer {
	v := versionAnswer{Format: "promptkit.version/v1", Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
