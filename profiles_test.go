package promptkit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
)

// layered is a project whose profiles inherit.
func layered(t *testing.T) *promptkit.Engine {
	t.Helper()
	return engine(t, files("p.yaml", prompt("p", "x")),
		promptkit.WithProfileFS(files(
			"base.yaml", "id: base\ntemperature: 0.7\nrepair: {max_attempts: 3}\nstop: [END]\n",
			"fast.yaml", "id: fast\nextends: base\nbackend: main\nmodel: small\nmax_output_tokens: 100\nfallback: [partial, spare, nobody]\n",
			"spare.yaml", "id: spare\nextends: base\nbackend: dry\n",
			"dry.yaml", "id: dry\nbackend: dry\n",
			"partial.yaml", "id: partial\nmodel: m\n",
			"lost.yaml", "id: lost\nbackend: nowhere\nmodel: m\n",
			"orphan.yaml", "id: orphan\nextends: nobody\n",
			"loop.yaml", "id: loop\nextends: loop\n",
		)),
		promptkit.WithBackendFS(files(
			"main.yaml", `id: main
base_url: https://example.com/v1?deployment=7
api_key_env: PROMPTKIT_TEST_KEY
headers: {X-Team: s3cret-team, X-Env: "${env:PROMPTKIT_TEST_HEADER}"}
structured_output: json_object
max_concurrent: 4
timeout: 20s
retry: {max_attempts: 2}
session_field: user
`,
			"dry.yaml", "id: dry\nkind: offline\n",
		)))
}

func TestInspectProfileSaysWhereValuesComeFrom(t *testing.T) {
	got, err := layered(t).InspectProfile(t.Context(), "fast")
	if err != nil {
		t.Fatal(err)
	}
	setting := func(name, value, from string, kind promptkit.ProblemKind, file string, line int) promptkit.ProfileSetting {
		return promptkit.ProfileSetting{Name: name, Value: value, From: from, Kind: kind, File: file, Line: line}
	}
	want := &promptkit.ProfileInspection{
		ProfileID: "fast", Extends: []string{"base"}, Executable: true,
		Target: promptkit.Target{
			BackendID: "main", BaseURL: "https://example.com/v1", Model: "small",
			Parameters: promptkit.Parameters{Temperature: new(0.7), MaxOutputTokens: new(100), Stop: []string{"END"}},
		},
		APIKeyEnv: "PROMPTKIT_TEST_KEY", HeaderNames: []string{"X-Env", "X-Team"},
		StructuredOutput: "json_object", SessionField: "user",
		MaxAttempts: 3, Fallback: []string{"partial", "spare", "nobody"},
		MaxConcurrent: 4, MaxWaiting: -1, Timeout: 20 * time.Second,
		Retry: promptkit.Retry{MaxAttempts: 2, BaseDelay: 500 * time.Millisecond, MaxDelay: 30 * time.Second},
		Settings: []promptkit.ProfileSetting{
			setting("backend", "main", "fast", "profile", "fast.yaml", 3),
			setting("model", "small", "fast", "profile", "fast.yaml", 4),
			setting("temperature", "0.7", "base", "profile", "base.yaml", 2),
			setting("max_output_tokens", "100", "fast", "profile", "fast.yaml", 5),
			setting("stop", `["END"]`, "base", "profile", "base.yaml", 4),
			setting("repair.max_attempts", "3", "base", "profile", "base.yaml", 3),
			setting("fallback", `["partial", "spare", "nobody"]`, "fast", "profile", "fast.yaml", 6),
			setting("base_url", "https://example.com/v1", "main", "backend", "main.yaml", 2),
			setting("api_key_env", "PROMPTKIT_TEST_KEY", "main", "backend", "main.yaml", 3),
			setting("headers.X-Env", "${env:PROMPTKIT_TEST_HEADER}", "main", "backend", "main.yaml", 4),
			setting("headers.X-Team", "[concealed]", "main", "backend", "main.yaml", 4),
			setting("structured_output", "json_object", "main", "backend", "main.yaml", 5),
			setting("max_concurrent", "4", "main", "backend", "main.yaml", 6),
			setting("timeout", "20s", "main", "backend", "main.yaml", 7),
			setting("retry.max_attempts", "2", "main", "backend", "main.yaml", 8),
			setting("session_field", "user", "main", "backend", "main.yaml", 9),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInspectProfileOfWhatCannotRun(t *testing.T) {
	e := layered(t)
	for id, reason := range map[string]string{"partial": "names no backend", "base": "names no backend", "lost": `"nowhere"`} {
		got, err := e.InspectProfile(t.Context(), id)
		if err != nil || got.Executable || !strings.Contains(got.Reason, reason) {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
		_, err = e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: id})
		wantOnly(t, err, promptkit.ErrTarget)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		ctx  context.Context
		id   string
		want error
	}{
		{t.Context(), " ", promptkit.ErrInvalidRequest},
		{t.Context(), "unknown", promptkit.ErrProfileNotFound},
		{t.Context(), "orphan", promptkit.ErrProfileLoad},
		{t.Context(), "loop", promptkit.ErrProfileLoad},
		{cancelled, "fast", promptkit.ErrProfileLoad},
	}
	for _, tt := range tests {
		got, err := e.InspectProfile(tt.ctx, tt.id)
		if got != nil {
			t.Errorf("%q: a result came with the error", tt.id)
		}
		wantOnly(t, err, tt.want)
	}
	if _, err := e.InspectProfile(cancelled, "fast"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v hides the context's error", err)
	}
}

// TestRequirementsNeedOnlyAProfilesIdentity: what it would run on is no
// question of inspection.
func TestRequirementsNeedOnlyAProfilesIdentity(t *testing.T) {
	e := layered(t)
	for _, id := range []string{"", "fast", "partial", "lost", "orphan"} {
		want := id
		if want == "" {
			want = "dry"
		}
		got, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", ProfileID: id})
		if err != nil || got.ProfileID != want {
			t.Errorf("%q: %+v, %v", id, got, err)
		}
	}
	_, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", ProfileID: "unknown"})
	wantOnly(t, err, promptkit.ErrProfileNotFound)
}

// TestBrokenFallbacksAreReportedAtOnce and are no reason to refuse a run.
func TestBrokenFallbacksAreReportedAtOnce(t *testing.T) {
	e := layered(t)
	for _, broken := range []string{"partial", "nobody"} {
		if !slices.ContainsFunc(e.Problems(), func(p promptkit.Problem) bool {
			return p.File == "fast.yaml" && p.Line == 6 && strings.Contains(p.Message, strconv.Quote(broken))
		}) {
			t.Errorf("%q is not among %+v", broken, e.Problems())
		}
	}
	if _, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "fast"}); err != nil {
		t.Error(err)
	}
}

func TestOverrides(t *testing.T) {
	e := layered(t)
	got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "fast", Overrides: promptkit.Overrides{
		Model: "large", Parameters: promptkit.Parameters{Temperature: new(0.0), Stop: []string{}, ReasoningEffort: "low"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := promptkit.Target{
		BackendID: "main", BaseURL: "https://example.com/v1", Model: "large",
		Parameters: promptkit.Parameters{Temperature: new(0.0), MaxOutputTokens: new(100), Stop: []string{}, ReasoningEffort: "low"},
	}
	if diff := cmp.Diff(want, got.Target); diff != "" {
		t.Error(diff)
	}
	*got.Target.Parameters.MaxOutputTokens = 1
	again, err := e.InspectProfile(t.Context(), "fast")
	if err != nil || *again.Target.Parameters.MaxOutputTokens != 100 {
		t.Errorf("changing a result changed the engine: %+v, %v", again, err)
	}
}

func TestOfflineReplacesTheBackend(t *testing.T) {
	e := layered(t)
	for _, id := range []string{"fast", "partial", "lost"} {
		got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: id, Offline: true})
		if err != nil || !got.Target.Offline || got.Target.BackendID != "offline" || got.Target.BaseURL != "" {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	_, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "unknown", Offline: true})
	wantOnly(t, err, promptkit.ErrProfileNotFound)
}

func TestBuiltInProfile(t *testing.T) {
	const key = "sk-canary-key"
	t.Setenv("OPENAI_API_KEY", key)
	t.Setenv("OPENAI_MODEL", "")
	t.Setenv("OPENAI_BASE_URL", "")
	e := engine(t, files("p.yaml", prompt("p", "x"), "q.yaml", strings.Replace(prompt("q", "x"), "dry", "openai", 1),
		"bare.yaml", strings.Replace(prompt("bare", "x"), "default_profile: dry\n", "", 1)))
	if ids := e.ProfileIDs(); len(ids) != 1 {
		t.Errorf("it is listed: %v", ids)
	}
	_, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "bare"})
	wantOnly(t, err, promptkit.ErrProfileRequired) // never by itself

	_, err = e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "openai"})
	wantOnly(t, err, promptkit.ErrTarget)
	if !strings.Contains(err.Error(), "OPENAI_MODEL") {
		t.Errorf("%q does not say what to set", err)
	}
	got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "openai", Overrides: promptkit.Overrides{Model: "m"}})
	if err != nil || got.Target.BaseURL != "https://api.openai.com/v1" || got.Target.Model != "m" {
		t.Errorf("got %+v, %v", got, err)
	}

	t.Setenv("OPENAI_MODEL", "env-model")
	t.Setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
	for _, id := range []string{"p", "q"} {
		got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: id, ProfileID: "openai"})
		if err != nil || got.Target.BaseURL != "http://localhost:1/v1" || got.Target.Model != "env-model" || got.Target.Offline {
			t.Errorf("%s: got %+v, %v", id, got, err)
		}
	}
	in, err := e.InspectProfile(t.Context(), "openai")
	if err != nil || !in.Executable || in.APIKeyEnv != "OPENAI_API_KEY" {
		t.Errorf("got %+v, %v", in, err)
	}
	from := map[string]string{}
	for _, s := range in.Settings {
		from[s.Name] = s.From
	}
	for name, want := range map[string]string{"model": "OPENAI_MODEL", "base_url": "OPENAI_BASE_URL", "api_key_env": "OPENAI_API_KEY"} {
		if from[name] != want {
			t.Errorf("%s comes from %q, want %q", name, from[name], want)
		}
	}
	if text := fmt.Sprintf("%+v %#v", in, in); strings.Contains(text, key) {
		t.Error("the key was read")
	}

	t.Setenv("OPENAI_BASE_URL", "http://user:pw-canary@localhost/v1")
	_, err = e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "openai"})
	wantOnly(t, err, promptkit.ErrTarget)
	if strings.Contains(err.Error(), "canary") {
		t.Errorf("%q quotes a credential", err)
	}
}

// TestCapturedProfileGoesBeforeTheBuiltIn of the same name.
func TestCapturedProfileGoesBeforeTheBuiltIn(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "x")), promptkit.WithProfiles(
		promptkit.Profile{ID: "openai", Backend: "dry", Model: "mine"}))
	got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "openai"})
	if err != nil || !got.Target.Offline || got.Target.Model != "mine" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestProfilesFromMemoryAreValidated as files are.
func TestProfilesFromMemoryAreValidated(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "x")),
		promptkit.WithProfiles(
			promptkit.Profile{ID: "hot", Backend: "main", Model: "m", Parameters: promptkit.Parameters{Temperature: new(9.0)}},
			promptkit.Profile{ID: "twice"}, promptkit.Profile{ID: "twice"},
			promptkit.Profile{ID: "good", Backend: "main", Model: "m", Repair: &promptkit.Repair{MaxAttempts: 2}},
			promptkit.Profile{ID: "badly", Backend: "bad", Model: "m"},
		),
		promptkit.WithBackends(
			promptkit.Backend{ID: "main", BaseURL: "http://localhost:1", Headers: map[string]promptkit.HeaderValue{"X-A": "canary-header"}, MaxConcurrent: 1, MaxWaiting: new(0)},
			promptkit.Backend{ID: "bad", BaseURL: "ftp://localhost"},
		))
	for id, want := range map[string]error{"hot": promptkit.ErrProfileLoad, "twice": promptkit.ErrProfileLoad, "badly": promptkit.ErrTarget} {
		_, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: id})
		wantOnly(t, err, want)
	}
	in, err := e.InspectProfile(t.Context(), "good")
	if err != nil || !in.Executable || in.MaxAttempts != 2 || in.MaxWaiting != 0 || in.MaxConcurrent != 1 {
		t.Errorf("got %+v, %v", in, err)
	}
	if len(e.Problems()) == 0 {
		t.Error("no problems")
	}
}
