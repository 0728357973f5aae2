package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of scripts and panes")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"promptkit": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command as a user would. In the scripts $EXAMPLES is
// the example project and $SERVER a model server that misbehaves on request.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("S", filepath.Join(examples, "samples"))
			env.Setenv("SERVER", startModelServer(env))
			env.Setenv("OPENAI_API_KEY", "")
			env.Setenv("TERM", "xterm-256color")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "fill": fill, "mkfifo": mkfifo, "lines": lines,
		},
	})
}

// exits runs a command and wants exactly this exit code: exits CODE COMMAND….
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if neg || err != nil {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT…")
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// fill replaces $SERVER in files: fill FILE….
func fill(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$SERVER", ts.Getenv("SERVER"))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

// lines wants no line of a file to be wider than a number of columns:
// lines FILE WIDTH. Characters count, and none in the pages is a wide one.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	width, err := strconv.Atoi(args[1])
	ts.Check(err)
	for l := range strings.Lines(ts.ReadFile(args[0])) {
		if n := len([]rune(strings.TrimRight(l, "\n"))); n > width {
			ts.Fatalf("%d columns: %s", n, l)
		}
	}
}
