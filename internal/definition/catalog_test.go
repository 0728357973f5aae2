package definition

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// good returns a valid prompt definition.
func good(id, version string) string {
	return fmt.Sprintf("id: %s\nversion: %q\nmessages: [{role: user, content: hello}]\n", id, version)
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func loadPrompts(t *testing.T, files map[string]string) *Catalog[Prompt] {
	t.Helper()
	c, err := LoadPrompts(source.FS(mapFS(files)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answer renders what a lookup came to: ok and the version, not found, or the
// reason of a failure with the files it names.
func answer(c *Catalog[Prompt], id, version string) string {
	p, err := c.Select(id, version)
	var notFound *NotFoundError
	var failed *LoadError
	switch {
	case err == nil:
		return "ok " + p.Version
	case errors.As(err, &notFound):
		return "not found"
	case errors.As(err, &failed):
		return reasonNames[failed.Reason] + " " + strings.Join(failed.Files, " ")
	}
	return "unexpected error " + err.Error()
}

var reasonNames = map[Reason]string{
	Malformed: "malformed", Duplicate: "duplicate", Ambiguous: "ambiguous", Unknowable: "unknowable",
}

func TestSelect(t *testing.T) {
	sound := map[string]string{
		"a1.yaml": good("a", "1"), "a2.yaml": good("a", "2"), "b.yaml": good("b", "1.10"),
		"c.yaml": good(`" c "`, " "+"1"),
	}
	broken := "id: a\nversion: \"3\"\nmessages: []\n"
	tests := []struct {
		why         string
		add         map[string]string
		id, version string
		want        string
	}{
		{"exact", nil, "a", "1", "ok 1"},
		{"the only version", nil, "b", "", "ok 1.10"},
		{"several versions", nil, "a", "", "ambiguous a1.yaml a2.yaml"},
		{"no such version", nil, "a", "3", "not found"},
		{"no such ID", nil, "x", "", "not found"},
		{"a version is not a number", nil, "b", "1.1", "not found"},
		{"an ID is not trimmed", nil, " a", "1", "not found"},
		{"an ID is not case-folded", nil, "A", "1", "not found"},
		{"a version is not trimmed", nil, "a", "1 ", "not found"},
		{"a blank version is not an omitted one", nil, "b", " ", "not found"},
		{"spaces belong to an ID", nil, " c ", " 1", "ok  1"},

		{"a broken version fails", map[string]string{"a3.yaml": broken}, "a", "3", "malformed a3.yaml"},
		{"a broken version leaves others alone", map[string]string{"a3.yaml": broken}, "a", "1", "ok 1"},
		{"a broken version counts as a version", map[string]string{"a3.yaml": broken}, "a", "", "ambiguous a1.yaml a2.yaml a3.yaml"},
		{"the only version is broken", map[string]string{"d.yaml": "id: d\nversion: \"1\"\n"}, "d", "", "malformed d.yaml"},
		{"a broken newer version is not fallen back from", map[string]string{"b2.yaml": "id: b\nversion: \"2\"\n"}, "b", "", "ambiguous b.yaml b2.yaml"},
		{"a broken ID does not touch another one", map[string]string{"a3.yaml": broken}, "x", "", "not found"},

		{"an unknown version blocks its ID", map[string]string{"a3.yaml": "id: a\n"}, "a", "1", "malformed a3.yaml"},
		{"an unknown version blocks its ID without version", map[string]string{"b2.yaml": "id: b\n"}, "b", "", "malformed b2.yaml"},
		{"an unknown version blocks no other ID", map[string]string{"a3.yaml": "id: a\n"}, "b", "", "ok 1.10"},

		{"no identity: an exact hit still works", map[string]string{"z.yaml": ""}, "a", "1", "ok 1"},
		{"no identity: an omitted version does not", map[string]string{"z.yaml": ""}, "b", "", "unknowable z.yaml"},
		{"no identity: absence of an ID is unknowable", map[string]string{"z.yaml": ""}, "x", "", "unknowable z.yaml"},
		{"no identity: absence of an ID and version is unknowable", map[string]string{"z.yaml": ""}, "x", "1", "unknowable z.yaml"},
		{"no identity: absence of a version is unknowable", map[string]string{"z.yaml": ""}, "a", "3", "unknowable z.yaml"},
		{"two of them are both named", map[string]string{"y.yaml": "- x", "z.yaml": ""}, "x", "", "unknowable y.yaml z.yaml"},

		{"a duplicate fails", map[string]string{"a3.yaml": good("a", "1")}, "a", "1", "duplicate a1.yaml a3.yaml"},
		{"a duplicate leaves other versions alone", map[string]string{"a3.yaml": good("a", "1")}, "a", "2", "ok 2"},
		{"a duplicate of the only version", map[string]string{"b2.yaml": good("b", "1.10")}, "b", "", "duplicate b.yaml b2.yaml"},
		{"a broken duplicate is a duplicate", map[string]string{"b2.yaml": "id: b\nversion: 1.10\n"}, "b", "1.10", "duplicate b.yaml b2.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			files := map[string]string{}
			for _, m := range []map[string]string{sound, tt.add} {
				maps.Copy(files, m)
			}
			if got := answer(loadPrompts(t, files), tt.id, tt.version); got != tt.want {
				t.Errorf("Select(%q, %q) = %s, want %s", tt.id, tt.version, got, tt.want)
			}
		})
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	c := loadPrompts(t, map[string]string{
		"a1.yaml": good("meeting", "1"), "a2.yaml": good("meeting", "2"), "b.yaml": "id: b\nversion: \"1\"\nmesages: []\n",
		"d1.yaml": good("d", "1"), "d2.yaml": good("d", "1"),
	})
	unknowable := loadPrompts(t, map[string]string{"z.yaml": "- x"})
	for _, tt := range []struct {
		c           *Catalog[Prompt]
		id, version string
		want        string
	}{
		{c, "meting", "", `there is no prompt "meting"; did you mean "meeting"?`},
		{c, "weather", "", `there is no prompt "weather"`},
		{c, "meeting", "3", `prompt "meeting" has no version "3"; it has "1", "2"`},
		{c, "meeting", "", `prompt "meeting" has several versions and none was asked for; ask for one of "1", "2"`},
		{c, "b", "1", `prompt "b" version "1" cannot be loaded: b.yaml:3:1: a prompt has no key "mesages"; did you mean "messages"?`},
		{c, "d", "1", `prompt "d" version "1" is defined more than once, in d1.yaml and d2.yaml`},
		{unknowable, "x", "", `prompt "x" cannot be looked up with certainty while z.yaml cannot be identified: z.yaml:1:1: a prompt must be a mapping of keys and values, not a list`},
	} {
		if _, err := tt.c.Select(tt.id, tt.version); err == nil || err.Error() != tt.want {
			t.Errorf("Select(%q, %q)\n got %v\nwant %s", tt.id, tt.version, err, tt.want)
		}
	}
}

func TestFileErrorsStayReachable(t *testing.T) {
	c := loadPrompts(t, map[string]string{
		"a.yaml": "id: a\nversion: \"1\"\nmessages:\n- {role: user, content_file: missing.tmpl}\n",
	})
	_, err := c.Select("a", "1")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not match fs.ErrNotExist", err)
	}
	var inSource *source.Error
	if !errors.As(err, &inSource) || inSource.File != "missing.tmpl" {
		t.Errorf("%v holds no source.Error about the message file", err)
	}
}

func TestLoadedAndFailures(t *testing.T) {
	c := loadPrompts(t, map[string]string{
		"1.yaml": good("b", "2"), "2.yaml": good("b", "1"), "3.yaml": good("a", "1"),
		"4.yaml": good("dup", "1"), "5.yaml": good("dup", "1"), "6.yaml": good("blocked", "1"),
		"7.yaml": "id: blocked\n", "8.yaml": "[",
	})
	var loaded, failed []string
	for _, p := range c.Loaded() {
		loaded = append(loaded, p.ID+"@"+p.Version)
		if got, err := c.Select(p.ID, p.Version); err != nil || got != p {
			t.Errorf("%s@%s is listed and cannot be selected: %v", p.ID, p.Version, err)
		}
	}
	for _, f := range c.Failures() {
		failed = append(failed, f.File)
		if len(f.Problems) == 0 {
			t.Errorf("%s failed without a problem", f.File)
		}
	}
	if diff := cmp.Diff([]string{"a@1", "b@2", "b@1"}, loaded); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"4.yaml", "5.yaml", "7.yaml", "8.yaml"}, failed); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "blocked", "dup"}, c.IDs()); diff != "" {
		t.Errorf("IDs (-want +got):\n%s", diff)
	}
}

func TestProfilesHaveNoVersions(t *testing.T) {
	src := func(files map[string]string) *source.Source { return source.FS(mapFS(files)) }
	sound := map[string]string{"a.yaml": "id: a\n", "z.yaml": "- x\n"}
	c, err := LoadProfiles(src(sound))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Select("a", ""); err != nil || p.ID != "a" {
		t.Errorf("a file without identity hides a profile that is there: %v", err)
	}
	var failed *LoadError
	if _, err := c.Select("b", ""); !errors.As(err, &failed) || failed.Reason != Unknowable {
		t.Errorf("absence beside a file without identity: got %v, want unknowable", err)
	}
}

func answerAny[T any](c *Catalog[T], id string) string {
	_, err := c.Select(id, "")
	if failed, ok := errors.AsType[*LoadError](err); ok {
		return reasonNames[failed.Reason] + " " + strings.Join(failed.Files, " ")
	}
	return map[bool]string{true: "ok", false: "not found"}[err == nil]
}

func TestValuesFromMemory(t *testing.T) {
	src := source.FS(mapFS(map[string]string{"a.yaml": "id: a\n"}))
	bad := Given(3.0)
	c, err := LoadProfiles(src, Profile{ID: "m", Model: Given("x")}, Profile{ID: "a"}, Profile{ID: " "}, Profile{ID: "hot", Temperature: bad})
	if err != nil {
		t.Fatal(err)
	}
	if answer := answerAny(c, "m") + ", " + answerAny(c, "none"); answer != "ok, unknowable the profile number 3 given in memory" {
		t.Errorf("lookups beside a value without an ID: %s", answer)
	}
	got, _ := describe(c, nil)
	want := strings.Join([]string{
		`loaded m`,
		`failed id="a" version=""`,
		`a.yaml:1:5: error: the profile "a" is also defined by the profile "a" given in memory; rename one of them`,
		"\t| id: a",
		`failed id="a" version=""`,
		`: error: the profile "a" is also defined by a.yaml; rename one of them`,
		`failed id="" version=""`,
		`: error: the profile number 3 given in memory has a blank ID`,
		`failed id="hot" version=""`,
		`: error: the profile "hot" given in memory: "temperature" must be between 0 and 2`,
		``,
	}, "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValuesAreCopied(t *testing.T) {
	stop := []string{"x"}
	headers := []Header{HeaderOf("X-A", "1")}
	profiles, err := LoadProfiles(nil, Profile{ID: "p", Stop: Given(stop)})
	if err != nil {
		t.Fatal(err)
	}
	backends, err := LoadBackends(nil, Backend{ID: "b", BaseURL: Given("https://example.com"), Headers: headers})
	if err != nil {
		t.Fatal(err)
	}
	stop[0], headers[0].Value = "changed", "changed"
	p, _ := profiles.Select("p", "")
	b, _ := backends.Select("b", "")
	if p.Stop.Value[0] != "x" || b.Headers[0].Value != "1" {
		t.Errorf("a caller's change shows: %v %v", p.Stop.Value, b.Headers)
	}
}

func TestBackendDefaults(t *testing.T) {
	c, err := LoadBackends(nil, Backend{ID: "b", BaseURL: Given("https://example.com")})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Select("b", "")
	if err != nil {
		t.Fatal(err)
	}
	want := &Backend{
		ID: "b", BaseURL: Given("https://example.com"),
		Kind:             Field[string]{Value: KindOpenAI},
		StructuredOutput: Field[string]{Value: StructuredSchema},
		MaxWaiting:       Field[int]{Value: Unlimited},
	}
	want.Timeout.Value, want.RetryAttempts.Value = DefaultTimeout, DefaultRetryAttempts
	want.RetryBaseDelay.Value, want.RetryMaxDelay.Value = DefaultBaseDelay, DefaultMaxDelay
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInspectKeepsLines shows that problems found outside this package have
// their source lines, and that they do not keep a prompt from being selected.
func TestInspectKeepsLines(t *testing.T) {
	files := map[string]string{
		"a.yaml":  "id: a\nversion: \"1\"\nmessages:\n- {role: user, content: hello}\n- {role: user, content_file: t.tmpl}\n",
		"t.tmpl":  "first\nsecond\n",
		"b.yaml":  good("b", "1"),
		"cc.yaml": good("c", "1"),
	}
	inspect := func(p *Prompt) []diag.Problem {
		if p.ID != "a" {
			return nil
		}
		return []diag.Problem{
			{Position: diag.Position{File: "a.yaml", Line: 4, Column: 1}, Message: "x"},
			{Position: diag.Position{File: "t.tmpl", Line: 2, Column: 1}, Message: "x"},
		}
	}
	c, err := LoadPrompts(source.FS(mapFS(files)), inspect)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("a", ""); err != nil || len(c.Failures()) != 0 {
		t.Errorf("inspection made a prompt fail: %v", err)
	}
	for _, tt := range []struct {
		file string
		line int
		want string
		ok   bool
	}{
		{"a.yaml", 4, "- {role: user, content: hello}", true},
		{"t.tmpl", 2, "second", true},
		{"t.tmpl", 4, "", false},
		{"t.tmpl", 0, "", false},
		{"b.yaml", 1, "", false},
	} {
		if got, ok := c.SourceLine(tt.file, tt.line); got != tt.want || ok != tt.ok {
			t.Errorf("SourceLine(%s, %d) = %q, %v, want %q, %v", tt.file, tt.line, got, ok, tt.want, tt.ok)
		}
	}
}

func TestCaptureIsFinal(t *testing.T) {
	files := mapFS(map[string]string{
		"a.yaml": "id: a\nversion: \"1\"\nmessages:\n- {role: user, content_file: t.tmpl}\n", "t.tmpl": "before",
	})
	c, err := LoadPrompts(source.FS(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	files["t.tmpl"].Data = []byte("after")
	delete(files, "a.yaml")
	p, err := c.Select("a", "1")
	if err != nil || p.Messages[0].Content.Body != "before" {
		t.Errorf("a source that changed later shows: %v %v", p, err)
	}
}

func TestManyVersionsAreFast(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("%04d.yaml", i)] = good("a", fmt.Sprint(i))
	}
	c := loadPrompts(t, files)
	if got := len(c.Loaded()); got != 1000 {
		t.Errorf("%d loaded, want 1000", got)
	}
	var failed *LoadError
	if _, err := c.Select("a", ""); !errors.As(err, &failed) || !slices.Contains(failed.Versions, "999") {
		t.Errorf("got %v, want every version named", err)
	}
}
