//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt sends this process the signal that Main has asked for.
func TestInterrupt(t *testing.T) {
	server := newModelServer()
	defer server.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"prompts/p.yaml":  "{id: p, version: '1', messages: [{role: user, content: hello}]}",
		"profiles/p.yaml": "{id: slow, backend: slow, model: m}",
		"backends/p.yaml": "{id: slow, base_url: '" + server.URL + "/slow'}",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		var stdout, stderr bytes.Buffer
		time.AfterFunc(200*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), signal) })
		start := time.Now()
		code := Main([]string{"-C", dir, "run", "p", "--profile", "slow", "-o", filepath.Join(dir, "out")}, nil, &stdout, &stderr)
		if code != 130 {
			t.Errorf("%v: exit code %d, want 130", signal, code)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%v: it took %v to stop", signal, took)
		}
		if got := strings.TrimSpace(stderr.String()); got != "promptkit: interrupted" {
			t.Errorf("%v: standard error says %q", signal, got)
		}
		if stdout.Len() > 0 {
			t.Errorf("%v: half an answer was printed: %q", signal, stdout.String())
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%v: half an answer was written", signal)
		}
	}
}
