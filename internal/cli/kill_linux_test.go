package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const oldOutput = "what was there before"

// killProject is a project whose one prompt asks for JSON, and the folder
// that its output goes to, in which a file of an earlier run is waiting.
func killProject(t *testing.T, server *httptest.Server) (project, out string) {
	t.Helper()
	project, out = t.TempDir(), filepath.Join(t.TempDir(), "out.json")
	for path, text := range map[string]string{
		filepath.Join(project, "prompts/p.yaml"):  "{id: p, version: '1', messages: [{role: user, content: hello}], output: {format: json, validation: json}}",
		filepath.Join(project, "profiles/p.yaml"): "{id: p, backend: b, model: m, repair: {max_attempts: 3}}",
		filepath.Join(project, "backends/b.yaml"): "{id: b, base_url: '" + server.URL + "', retry: {max_attempts: 3, base_delay: 20s, max_delay: 20s}}",
		out: oldOutput,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return project, out
}

// startRun starts the command as a process of its own.
func startRun(t *testing.T, project, out string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("promptkit", append([]string{"-C", project, "run", "p", "--profile", "p", "-o", out}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// kill ends a process as nothing but the kernel can, and waits for the end.
func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// runsAgain wants the command to do its work in spite of what a process that
// was killed has left behind.
func runsAgain(t *testing.T, project, out, want string, args ...string) {
	t.Helper()
	cmd := startRun(t, project, out, args...)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the next run: %v", err)
	}
	if got := readFile(t, out); got != want {
		t.Errorf("the next run wrote %d bytes, want %d", len(got), len(want))
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestKilledBetweenAttempts kills a run that has had replies which were no
// JSON: while it waits for the reply to a repair, and while it waits to call a
// backend again that has failed. Nothing of it is on the disk.
func TestKilledBetweenAttempts(t *testing.T) {
	tests := map[string]func(w http.ResponseWriter, r *http.Request, killed <-chan struct{}){
		"the reply to a repair is awaited": func(_ http.ResponseWriter, r *http.Request, killed <-chan struct{}) {
			select {
			case <-killed:
			case <-r.Context().Done():
			}
		},
		"half the reply to a repair has come": func(w http.ResponseWriter, r *http.Request, killed <-chan struct{}) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"choices":[{"message":{"role":"assistant","content":"{}`))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-killed:
			case <-r.Context().Done():
			}
		},
		"the pause after a failure": func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) {
			http.Error(w, "{}", http.StatusServiceUnavailable)
		},
	}
	for name, second := range tests {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int64
			reached, killed := make(chan struct{}), make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch calls.Add(1) {
				case 1:
					reply(w, false, "Certainly! "+strings.Repeat("x", 1000))
				case 2:
					defer close(reached)
					second(w, r, killed)
				default:
					reply(w, false, `{"done":true}`)
				}
			}))
			defer server.Close()
			project, out := killProject(t, server)
			record := filepath.Join(filepath.Dir(out), "record")
			cmd := startRun(t, project, out, "--record", record, "--record-content")
			for calls.Load() < 2 {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond) // the answer, if there is one, arrives
			kill(cmd)
			close(killed)
			<-reached
			if got := readFile(t, out); got != oldOutput {
				t.Errorf("the output is %q", got)
			}
			if got := namesIn(t, filepath.Dir(out)); !slices.Equal(got, []string{"out.json", "record"}) {
				t.Errorf("beside the output there are %q", got)
			}
			if got := namesIn(t, record); len(got) > 0 {
				t.Errorf("the record holds %q", got)
			}
			runsAgain(t, project, out, `{"done":true}`, "--record", record)
		})
	}
}

// TestKilledWhileTheOutputIsWritten kills a run as soon as the first trace of
// its output is in the folder, and a little later from round to round. The
// file is the old output or the new one as a whole, and what may lie beside
// it is one hidden file that nothing reads.
func TestKilledWhileTheOutputIsWritten(t *testing.T) {
	output := `{"text":"` + strings.Repeat("It will rain. ", 75_000) + `"}`
	whole := httptest.NewRecorder()
	reply(whole, false, output)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(whole.Body.Bytes()) }))
	defer server.Close()
	project, out := killProject(t, server)
	dir := filepath.Dir(out)
	kept, replaced := 0, 0
	for round, delay := range []time.Duration{0, 4 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		if err := os.WriteFile(out, []byte(oldOutput), 0o644); err != nil {
			t.Fatal(err)
		}
		watch := watchFolder(t, dir)
		cmd := startRun(t, project, out)
		watch()
		time.Sleep(delay)
		kill(cmd)
		switch readFile(t, out) {
		case oldOutput:
			kept++
		case output:
			replaced++
		default:
			t.Fatalf("round %d: the output is neither the old one nor the new one", round)
		}
	}
	left := namesIn(t, dir)
	for _, name := range left {
		if name != "out.json" && !(strings.HasPrefix(name, ".out.json.") && strings.HasSuffix(name, ".tmp")) {
			t.Errorf("a killed run has left %q", name)
		}
	}
	t.Logf("%d runs were killed in time, and %d were too quick", kept, replaced)
	if len(left) > kept+1 {
		t.Errorf("%d runs that were killed have left %d files", kept, len(left)-1)
	}
	runsAgain(t, project, out, output)
	if got := namesIn(t, dir); !slices.Equal(got, left) {
		t.Errorf("a run that was not killed has left %q beside %q", got, left)
	}
}

// TestLeftoversOfAKilledRunAreNoPrompts: an output may be written into a
// project, and what is left there is hidden from it.
func TestLeftoversOfAKilledRunAreNoPrompts(t *testing.T) {
	server := newModelServer()
	defer server.Close()
	project, _ := killProject(t, server)
	if err := os.WriteFile(filepath.Join(project, "prompts", ".out.yaml.123-0.tmp"), []byte("id: p\nversion: '1"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"-C", project, "check"}, nil, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
}

// namesIn lists a folder.
func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// watchFolder begins to watch a folder and returns what waits until a file is
// made in it. The kernel reports that, so there is no moment to miss.
func watchFolder(t *testing.T, dir string) (wait func()) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_CREATE); err != nil {
		t.Fatal(err)
	}
	return func() {
		defer unix.Close(fd)
		waiting := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
			if n, err := unix.Poll(waiting, 1000); n > 0 && err == nil {
				return
			}
		}
		t.Fatal("the run wrote nothing")
	}
}
