package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// panes are what docs/panes shows: the answers for every example at 80
// columns, without variables and with those of its samples.
var panes = []struct{ name, args string }{
	{"agent-step", "needs agent-step"},
	{"agent-step-turn", "needs agent-step --vars-file samples/agent-step/vars.yaml --action 26 --action-budget 30"},
	{"code-review", "needs code-review"},
	{"code-review-security", "needs code-review --vars-file samples/code-review/vars.yaml"},
	{"meeting-summary-1", "needs meeting-summary@1.0.0"},
	{"meeting-summary-2", "needs meeting-summary@2.0.0"},
	{"meeting-summary-2-agenda", "needs meeting-summary@2.0.0 --vars-file samples/meeting-summary/vars.yaml"},
	{"meeting-summary-diff", "diff meeting-summary@1.0.0 meeting-summary@2.0.0"},
	{"release-notes", "needs release-notes"},
	{"release-notes-vars", "needs release-notes --vars-file samples/release-notes/vars.yaml"},
	{"support-triage", "needs support-triage"},
	{"support-triage-team", "needs support-triage --vars-file samples/support-triage/vars.yaml"},
	{"translation", "needs translation"},
	{"translation-accounting", "needs translation --vars-file samples/translation/vars.yaml"},
	{"weather-report", "needs weather-report"},
	{"weather-report-sailors", "needs weather-report --var city=oslo --var audience=sailors"},
	{"weather-report-against", "needs weather-report --var city=oslo --var audience=sailors --against audience=farmers"},
	{"weather-report-plan", "needs weather-report --var city=oslo --var audience=sailors --bind forecast-olso --bind tides"},
}

// TestPanes compares the answers with docs/panes, plain and coloured. With
// -update it rewrites them.
func TestPanes(t *testing.T) {
	docs, err := filepath.Abs("../../docs/panes")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../examples")
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm-256color")
	for _, p := range panes {
		t.Run(p.name, func(t *testing.T) {
			args := strings.Fields(p.args)
			var plain, stderr bytes.Buffer
			Main(args, nil, &plain, &stderr)
			if stderr.Len() > 0 {
				t.Fatal(stderr.String())
			}
			coloured, _ := onTerminal(t, 80, args...)
			head := "$ promptkit " + p.args + "\n\n"
			comparePane(t, filepath.Join(docs, p.name+".txt"), head+plain.String())
			comparePane(t, filepath.Join(docs, p.name+".colour.txt"), head+coloured)
		})
	}
}

func comparePane(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the command prints:\n%s\nprinted:\n%s", path, want, got)
	}
}
