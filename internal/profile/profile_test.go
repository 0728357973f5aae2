package profile

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

func profiles(t *testing.T, files map[string]string) *Profiles {
	t.Helper()
	c, err := definition.LoadProfiles(source.FS(mapFS(files)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func backends(t *testing.T, files map[string]string) *Backends {
	t.Helper()
	c, err := definition.LoadBackends(source.FS(mapFS(files)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func at(file string, line, column int) diag.Position {
	return diag.Position{File: file, Line: line, Column: column}
}

func TestResolve(t *testing.T) {
	c := profiles(t, map[string]string{
		"house.yaml": "id: house\ntemperature: 0.2\nmax_output_tokens: 1200\nstop: [END]\nseed: 1\nrepair: {max_attempts: 3}\nfallback: [local, fast]\n",
		"fast.yaml":  "id: fast\nextends: house\nbackend: openai\nmodel: mini\nseed: null\nstop: []\n",
		"fine.yaml":  "id: fine\nextends: fast\ntemperature: 0\nmodel: large\ntop_p: 0.5\nreasoning_effort: low\n",
		"local.yaml": "id: local\n",
	})
	got, err := Resolve(c, "fine")
	if err != nil {
		t.Fatal(err)
	}
	want := &Target{
		ProfileID:       "fine",
		Line:            []string{"fine", "fast", "house"},
		Backend:         Value[string]{"openai", "fast", at("fast.yaml", 3, 10)},
		Model:           Value[string]{"large", "fine", at("fine.yaml", 4, 8)},
		Temperature:     Value[float64]{0, "fine", at("fine.yaml", 3, 14)},
		TopP:            Value[float64]{0.5, "fine", at("fine.yaml", 5, 8)},
		MaxOutputTokens: Value[int]{1200, "house", at("house.yaml", 3, 20)},
		Seed:            Value[int64]{1, "house", at("house.yaml", 5, 7)},
		Stop:            Value[[]string]{[]string{}, "fast", at("fast.yaml", 6, 7)},
		ReasoningEffort: Value[string]{"low", "fine", at("fine.yaml", 6, 19)},
		RepairAttempts:  Value[int]{3, "house", at("house.yaml", 6, 24)},
		Fallback:        Value[[]string]{[]string{"local", "fast"}, "house", at("house.yaml", 7, 11)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResolvePartial(t *testing.T) {
	got, err := Resolve(profiles(t, map[string]string{"a.yaml": "id: a\n"}), "a")
	if diff := cmp.Diff(&Target{ProfileID: "a", Line: []string{"a"}}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestResolveIsCallerOwned(t *testing.T) {
	c := profiles(t, map[string]string{"a.yaml": "id: a\nstop: [x]\nfallback: [b]\n", "b.yaml": "id: b\nextends: a\n"})
	first, err := Resolve(c, "a")
	if err != nil {
		t.Fatal(err)
	}
	first.Stop.Value[0], first.Fallback.Value[0] = "changed", "changed"
	second, err := Resolve(c, "a")
	if err != nil || second.Stop.Value[0] != "x" || second.Fallback.Value[0] != "b" {
		t.Errorf("a change of one result shows in another: %v %v", second, err)
	}
	child, err := Resolve(c, "b")
	if err != nil || len(child.Fallback.Value) != 0 {
		t.Errorf("a profile falls back to itself by inheritance: %v %v", child.Fallback, err)
	}
}

func TestResolveErrors(t *testing.T) {
	files := map[string]string{
		"orphan.yaml": "id: orphan\nextends: perent\n", "child.yaml": "id: child\nextends: orphan\n", "parent.yaml": "id: parent\n",
		"a.yaml": "id: a\nextends: b\n", "b.yaml": "id: b\nextends: c\n", "c.yaml": "id: c\nextends: b\n",
		"broken.yaml": "id: broken\ntemperature: 9\n", "heir.yaml": "id: heir\nextends: broken\n",
	}
	c := profiles(t, files)
	for _, tt := range []struct{ why, id, want string }{
		{"unknown", "nobody", `there is no profile "nobody"`},
		{"broken", "broken", `profile "broken" cannot be loaded: broken.yaml:2:14: "temperature" must be between 0 and 2`},
		{"an unknown parent", "orphan", `profile "orphan" cannot be resolved: orphan.yaml:2:10: "orphan" extends a profile that cannot be had: there is no profile "perent"; did you mean "parent"?`},
		{"an unknown grandparent", "child", `profile "child" cannot be resolved: orphan.yaml:2:10: "orphan" extends a profile that cannot be had: there is no profile "perent"; did you mean "parent"?`},
		{"a broken parent", "heir", `profile "heir" cannot be resolved: heir.yaml:2:10: "heir" extends a profile that cannot be had: profile "broken" cannot be loaded: broken.yaml:2:14: "temperature" must be between 0 and 2`},
		{"a cycle", "b", `profile "b" cannot be resolved: c.yaml:2:10: profiles extend each other in a circle: "b" extends "c" extends "b"`},
		{"a cycle further up", "a", `profile "a" cannot be resolved: c.yaml:2:10: profiles extend each other in a circle: "b" extends "c" extends "b"`},
	} {
		got, err := Resolve(c, tt.id)
		if got != nil || err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, %v\nwant %s", tt.why, got, err, tt.want)
		}
	}
	var notFound *definition.NotFoundError
	if _, err := Resolve(c, "nobody"); !errors.As(err, &notFound) {
		t.Errorf("an unknown profile: %v is no NotFoundError", err)
	}
	var failed *Error
	if _, err := Resolve(c, "orphan"); !errors.As(err, &failed) || !errors.As(err, &notFound) {
		t.Errorf("an unknown parent: %v is no Error that wraps a NotFoundError", err)
	}
}

func TestUnknowableParent(t *testing.T) {
	c := profiles(t, map[string]string{"a.yaml": "id: a\nextends: b\n", "z.yaml": "["})
	var failed *definition.LoadError
	if _, err := Resolve(c, "a"); !errors.As(err, &failed) || failed.Reason != definition.Unknowable {
		t.Errorf("got %v, want a parent whose absence is unknowable", err)
	}
}

func TestExecutable(t *testing.T) {
	p := profiles(t, map[string]string{
		"house.yaml": "id: house\n", "no-model.yaml": "id: no-model\nextends: house\nbackend: openai\n",
		"good.yaml": "id: good\nbackend: openai\nmodel: m\n", "typo.yaml": "id: typo\nbackend: opneai\nmodel: m\n",
		"dry.yaml": "id: dry\nbackend: dry\n", "bad.yaml": "id: bad\nbackend: bad\nmodel: m\n",
	})
	b := backends(t, map[string]string{
		"openai.yaml": "id: openai\nbase_url: https://example.com/v1\n", "dry.yaml": "id: dry\nkind: offline\n",
		"bad.yaml": "id: bad\nbase_url: nowhere\n",
	})
	for _, tt := range []struct{ id, backend, want string }{
		{"good", "openai", ""},
		{"dry", "dry", ""},
		{"house", "", `profile "house" is not executable: it names no backend; add one, or run a profile that extends it and does`},
		{"no-model", "", `profile "no-model" is not executable: neither it nor what it extends (house) names a model; add one, or run a profile that extends it and does`},
		{"typo", "", `profile "typo" is not executable: there is no backend "opneai"; did you mean "openai"?`},
		{"bad", "", `profile "bad" is not executable: backend "bad" cannot be loaded: bad.yaml:2:11: "base_url" must be a complete address such as https://api.example.com/v1`},
	} {
		target, err := Resolve(p, tt.id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := target.Executable(b)
		if tt.want == "" {
			if err != nil || got.ID != tt.backend {
				t.Errorf("%s: got %v, %v", tt.id, got, err)
			}
			continue
		}
		var lacking *TargetError
		if got != nil || !errors.As(err, &lacking) || err.Error() != tt.want {
			t.Errorf("%s: got %v\nwant %s", tt.id, err, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	p := profiles(t, map[string]string{
		"a.yaml":       "id: a\nextends: b\n",
		"b.yaml":       "id: b\nextends: a\n",
		"child.yaml":   "id: child\nextends: orphan\n",
		"good.yaml":    "id: good\nbackend: openai\nmodel: m\nfallback: [partial]\n",
		"orphan.yaml":  "id: orphan\nextends: nobody\n",
		"partial.yaml": "id: partial\n",
		"needy.yaml":   "id: needy\nbackend: openai\nmodel: m\nfallback: [built-in, good, child, a, typos]\n",
		"typos.yaml":   "id: typos\nbackend: opneai\nfallback:\n  - good\n  - godo\n",
	})
	b := backends(t, map[string]string{"openai.yaml": "id: openai\nbase_url: https://example.com/v1\n"})
	var got []string
	for _, problem := range Check(p, b, "built-in") {
		got = append(got, problem.String())
	}
	want := []string{
		`b.yaml:2:10: error: profiles extend each other in a circle: "a" extends "b" extends "a"`,
		`a.yaml:2:10: error: profiles extend each other in a circle: "b" extends "a" extends "b"`,
		`good.yaml:4:12: error: profile "good" names a fallback that cannot be run: profile "partial" is not executable: it names no backend; add one, or run a profile that extends it and does`,
		`orphan.yaml:2:10: error: "orphan" extends a profile that cannot be had: there is no profile "nobody"`,
		`typos.yaml:2:10: error: profile "typos" names a backend that cannot be had: there is no backend "opneai"; did you mean "openai"?`,
		`typos.yaml:5:5: error: profile "typos" names a fallback that cannot be had: there is no profile "godo"; did you mean "good"?`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLongLinesOfDescent(t *testing.T) {
	files := map[string]string{"p0.yaml": "id: p0\nmodel: m\n"}
	id := "p0"
	for i := 1; i < 500; i++ {
		next := "p" + strings.Repeat("x", i)
		files[next+".yaml"] = "id: " + next + "\nextends: " + id + "\n"
		id = next
	}
	got, err := Resolve(profiles(t, files), id)
	if err != nil || got.Model.From != "p0" || len(got.Line) != 500 {
		t.Errorf("got %v, %v", got, err)
	}
}
