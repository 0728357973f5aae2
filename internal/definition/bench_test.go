package definition

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/promptkit-go/promptkit/internal/source"
)

// generate writes n prompts of about 1 KB to a folder.
func generate(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	for i := range n {
		text := fmt.Sprintf(`id: prompt-%d
version: "1.0.%d"
description: Summarise a meeting transcript for people who missed it.
default_profile: fast
inputs:
  - name: transcript
    required: true
    content_type: text/plain
    description: The meeting, one speaker turn a line.
  - name: glossary
messages:
  - role: system
    content: |
      You write for {{.audience}}.
      %s
  - role: user
    content: |
      {{if eq .mode "short"}}Be brief.{{else}}Be thorough.{{end}}
      {{input "transcript"}}
output:
  format: markdown
`, i, i, strings.Repeat("Report only what was said. ", 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%05d.yaml", i)), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func BenchmarkLoadPrompts(b *testing.B) {
	dir := generate(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		src, err := source.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		c, err := LoadPrompts(src, nil)
		if err != nil || len(c.Loaded()) != 1000 {
			b.Fatal(err, len(c.Loaded()))
		}
		_ = src.Close()
	}
}

// TestRetained holds a loaded prompt of 1 KB to 4 KB of memory: compiled
// templates need the rest of what an engine may use.
func TestRetained(t *testing.T) {
	const n = 500
	src, err := source.Open(generate(t, n))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c, err := LoadPrompts(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	retained := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n
	t.Logf("%d bytes retained a prompt", retained)
	if retained > 4<<10 {
		t.Errorf("%d bytes retained a prompt of 1 KB, want at most 4 KB", retained)
	}
	runtime.KeepAlive(c)
}
