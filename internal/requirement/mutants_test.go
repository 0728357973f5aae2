package requirement_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a way to break the analysis: in file, old becomes new.
type mutant struct {
	name, file, old, new string
}

// TestMutants breaks the analysis, one way at a time, and wants the
// differential test to notice. The broken file replaces the real one by an
// overlay; nothing is written to the source tree.
func TestMutants(t *testing.T) {
	if os.Getenv("PROMPTKIT_MUTANTS") == "" || testing.Short() {
		t.Skip("builds the package once for each mutant; set PROMPTKIT_MUTANTS=1 to run it")
	}
	if out, err := differentialTest().CombinedOutput(); err != nil {
		t.Fatalf("the analysis fails without being broken: %v\n%s", err, out)
	}
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			out, err := m.test(t)
			switch {
			case err == nil:
				t.Errorf("%s: nothing noticed", m.name)
			case !bytes.Contains(out, []byte("--- FAIL: TestDifferential")):
				t.Errorf("%s: does not run: %v\n%s", m.name, err, out)
			}
		})
	}
}

// test runs the differential test against the broken analysis.
func (m mutant) test(t *testing.T) ([]byte, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte(m.old)); n != 1 {
		t.Fatalf("%s has the text to replace %d times, and it must be once:\n%s", m.file, n, m.old)
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, m.file)
	if err := os.WriteFile(broken, bytes.Replace(source, []byte(m.old), []byte(m.new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	return differentialTest("-overlay", writeOverlay(t, dir, m.file, broken)).CombinedOutput()
}

// differentialTest runs the differential test up to its first failure.
func differentialTest(flags ...string) *exec.Cmd {
	args := append([]string{"test", "-run", "^TestDifferential$", "-count=1"}, flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = append(os.Environ(), "PROMPTKIT_FUZZ_N=6000", "PROMPTKIT_FUZZ_SEED=1", "PROMPTKIT_FUZZ_FIRST=1")
	return cmd
}

func writeOverlay(t *testing.T, dir, file, broken string) string {
	t.Helper()
	original, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: broken}})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
