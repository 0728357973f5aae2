package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the command with its streams on a pseudo-terminal of the
// given width and returns everything that was written to it.
func onTerminal(t *testing.T, width int, args ...string) (output string, code int) {
	t.Helper()
	master, slave := openTerminal(t, width)
	done := make(chan string)
	go func() {
		data, _ := io.ReadAll(master) // ends with an error once nobody writes
		done <- string(data)
	}()
	code = Main(args, slave, slave, slave)
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	output = <-done
	_ = master.Close()
	return strings.ReplaceAll(output, "\r\n", "\n"), code
}

func openTerminal(t *testing.T, width int) (master, slave *os.File) {
	t.Helper()
	// Not os.OpenFile: a file in the poller would not see the other end go.
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	name, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+itoa(name), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	return master, slave
}

func TestColourOnlyOnACapableTerminal(t *testing.T) {
	args := []string{"-C", "../../examples", "needs", "weather-report"}
	tests := []struct {
		why           string
		noColor, term string
		coloured      bool
	}{
		{"a terminal", "", "xterm-256color", true},
		{"NO_COLOR", "1", "xterm-256color", false},
		{"a terminal that can do nothing", "", "dumb", false},
	}
	for _, tt := range tests {
		t.Setenv("NO_COLOR", tt.noColor)
		t.Setenv("TERM", tt.term)
		out, code := onTerminal(t, 80, args...)
		if code != 0 || !strings.Contains(out, "weather-report@1.3.0") {
			t.Fatalf("%s: exit code %d:\n%s", tt.why, code, out)
		}
		if got := strings.Contains(out, "\x1b["); got != tt.coloured {
			t.Errorf("%s: coloured %v, want %v", tt.why, got, tt.coloured)
		}
	}
}

func TestPagesFitTheTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	for _, width := range []int{40, 64, 80, 100, 200} {
		out, _ := onTerminal(t, width, "-C", "../../examples", "needs", "support-triage")
		for l := range strings.Lines(out) {
			if n := len([]rune(strings.TrimRight(l, "\n"))); n > min(width, 100) {
				t.Errorf("%d columns on a terminal of %d: %s", n, width, l)
			}
		}
	}
}

// terminalProject writes a project whose profiles misbehave as their names say.
func terminalProject(t *testing.T, behaviours ...string) string {
	t.Helper()
	server := newModelServer()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	files := map[string]string{
		"prompts/say.yaml": "{id: say, version: '1', messages: [{role: user, content: hello}]}",
		"prompts/sum.yaml": "{id: sum, version: '1', messages: [{role: user, content: hello}], output: {format: json, validation: json}}",
	}
	for _, b := range behaviours {
		files["profiles/"+b+".yaml"] = "{id: " + b + ", backend: " + b + ", model: test-model, repair: {max_attempts: 2}}"
		files["backends/"+b+".yaml"] = "{id: " + b + ", base_url: '" + server.URL + "/" + b + "'}"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRunOnATerminal looks at the screen after a run: the reply stands there
// once, the status line is gone, and a summary follows.
func TestRunOnATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "xterm-256color")
	dir := terminalProject(t, "ok", "repair", "escape")
	tests := []struct {
		why  string
		args []string
		want []string // lines; the last one is a prefix, because it tells the time
	}{
		{"a reply as it comes", []string{"run", "say", "--profile", "ok"}, []string{"It will rain.", "test-model · 1 attempt · 18 tokens · "}},
		{"a second attempt", []string{"run", "sum", "--profile", "repair"}, []string{
			"Certainly!", "attempt 2: the last reply could not be used",
			`{"title":"Ferry","points":["a bus instead"]}`, "test-model · 2 attempts · 36 tokens · "}},
		{"nothing that a terminal obeys", []string{"run", "say", "--profile", "escape"}, []string{
			"red \uFFFD[31mtext\uFFFD here", "test-model · 1 attempt · 18 tokens · "}},
		{"to a file", []string{"run", "say", "--profile", "ok", "-o", filepath.Join(dir, "out")}, []string{
			"test-model · 1 attempt · 18 tokens · "}},
	}
	for _, tt := range tests {
		out, code := onTerminal(t, 80, append([]string{"-C", dir}, tt.args...)...)
		if code != 0 {
			t.Fatalf("%s: exit code %d:\n%s", tt.why, code, out)
		}
		s := newScreen(80)
		_, _ = s.Write([]byte(strings.ReplaceAll(out, "\n", "\r\n")))
		got := s.lines()
		for i, w := range tt.want {
			last := i == len(tt.want)-1
			if i >= len(got) || !last && got[i] != w || last && !strings.HasPrefix(got[i], w) {
				t.Errorf("%s: screen\n%s\nwant\n%s", tt.why, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
				break
			}
		}
	}
}
