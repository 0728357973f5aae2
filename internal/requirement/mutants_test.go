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

// mutant is a way to break the analysis: old, which its source has once,
// becomes new.
type mutant struct {
	name, old, new string
}

// TestMutants breaks the analysis, one way at a time, and wants an execution
// to contradict it: of a generated prompt, or of one of those kept as cases. The broken file replaces the real one by an
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
			case !bytes.Contains(out, []byte(" is contradicted")):
				t.Errorf("%s: no execution contradicts it: %v\n%s", m.name, err, out)
			}
		})
	}
}

// test runs the differential test against the broken analysis.
func (m mutant) test(t *testing.T) ([]byte, error) {
	file, source := m.find(t)
	dir := t.TempDir()
	broken := filepath.Join(dir, file)
	if err := os.WriteFile(broken, bytes.Replace(source, []byte(m.old), []byte(m.new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	return differentialTest("-overlay", writeOverlay(t, dir, file, broken)).CombinedOutput()
}

// find returns the file that has the text to replace.
func (m mutant) find(t *testing.T) (file string, source []byte) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := bytes.Count(data, []byte(m.old)); found > 0 {
			n += found
			file, source = name, data
		}
	}
	if n != 1 {
		t.Fatalf("the source has the text to replace %d times, and it must be once:\n%s", n, m.old)
	}
	return file, source
}

// differentialTest runs everything that compares the analysis with
// executions, generated prompts up to the first failure.
func differentialTest(flags ...string) *exec.Cmd {
	args := append([]string{"test", "-run", "^(TestDifferential|TestGolden|TestSemantics|TestKnownCases)$", "-count=1"}, flags...)
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
