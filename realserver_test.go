package promptkit_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/promptkit-go/promptkit"
)

const envRealServer, envRealKey = "PROMPTKIT_REAL_SERVER", "PROMPTKIT_REAL_SERVER_KEY"

// realEngine is an engine before the server that tools/realserver starts, and
// the greatest number of calls that have been under way at once.
func realEngine(t *testing.T) (*promptkit.Engine, *atomic.Int64) {
	t.Helper()
	address, err := url.Parse(os.Getenv(envRealServer))
	if err != nil || address.Host == "" {
		t.Skip(envRealServer + " names no server; make integration starts one")
	}
	var now, most atomic.Int64
	proxy := httputil.NewSingleHostReverseProxy(address)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return engine(t, files(
		"say.yaml", `{id: say, version: "1", messages: [{role: user, content: "Say something about {{.about}}."}]}`,
		"report.yaml", `{id: report, version: "1", messages: [{role: user, content: "Report as JSON."}],
			output: {format: json, validation: json_schema, schema: report.json}}`,
	),
		promptkit.WithSchemaFS(files("report.json", `{
			"type": "object", "required": ["place", "days"], "additionalProperties": false,
			"properties": {
				"place": {"type": "string", "maxLength": 10},
				"days": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "parts.json#/$defs/day"}}
			}}`,
			"parts.json", `{"$defs": {"day": {
				"type": "object", "required": ["sky", "degrees"], "additionalProperties": false,
				"properties": {"sky": {"enum": ["clear", "rain"]}, "degrees": {"type": "integer", "minimum": 0, "maximum": 30}}}}}`)),
		promptkit.WithProfiles(
			promptkit.Profile{ID: "p", Backend: "real", Model: "tiny", Parameters: promptkit.Parameters{Seed: new(int64(7)), MaxOutputTokens: new(400)}},
			promptkit.Profile{ID: "short", Extends: "p", Parameters: promptkit.Parameters{MaxOutputTokens: new(8)}},
			promptkit.Profile{ID: "anonymous", Extends: "p", Backend: "anonymous", Fallback: []string{"p"}},
		),
		promptkit.WithBackends(
			promptkit.Backend{ID: "real", BaseURL: front.URL, APIKeyEnv: envRealKey, MaxConcurrent: 4},
			promptkit.Backend{ID: "anonymous", BaseURL: front.URL + "/v1"},
		)), &most
}

// TestRealRuns runs a nested schema, whole and as a stream, and sees that the
// second says the same as the first: the seed is the same.
func TestRealRuns(t *testing.T) {
	e, _ := realEngine(t)
	p, err := e.PrepareExecution(t.Context(), promptkit.RunRequest{PromptID: "report", ProfileID: "p"})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := e.RunPrepared(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var heard strings.Builder
	streamed, err := e.RunPrepared(t.Context(), p, promptkit.OnText(func(_ int, text string) { heard.WriteString(text) }))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Place string
		Days  []struct {
			Sky     string
			Degrees int
		}
	}
	if err := json.Unmarshal([]byte(whole.Output), &report); err != nil || len(report.Days) != 2 || report.Days[0].Sky == "" {
		t.Errorf("the output is %q: %v", whole.Output, err)
	}
	if streamed.Output != whole.Output || heard.String() != whole.Output {
		t.Errorf("the same seed gave %q, then %q, of which came %q", whole.Output, streamed.Output, heard.String())
	}
	for _, r := range []*promptkit.RunResult{whole, streamed} {
		if len(r.Attempts) != 1 || r.Usage.InputTokens == 0 || r.Usage.OutputTokens == 0 || r.Attempts[0].FinishReason != "stop" {
			t.Errorf("usage %+v, attempts %+v", r.Usage, r.Attempts)
		}
	}
}

func TestRealFailures(t *testing.T) {
	e, _ := realEngine(t)
	tests := []struct {
		name, prompt, profile, about string
		kind                         error
		class                        promptkit.FailureClass
	}{
		{"cut at the limit", "report", "short", "", promptkit.ErrValidation, promptkit.FailureTruncated},
		{"no key, and a fallback that would help", "say", "anonymous", "rain", promptkit.ErrGenerate, promptkit.FailureUnauthorized},
		{"more than fits the context", "say", "p", strings.Repeat("rain and sun and ", 2000), promptkit.ErrGenerate, promptkit.FailureContextLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := e.Run(t.Context(), promptkit.RunRequest{
				PromptID: tt.prompt, ProfileID: tt.profile, Vars: map[string]string{"about": tt.about},
			})
			class, attempts := failureOf(err)
			if !errors.Is(err, tt.kind) || class != tt.class || len(attempts) != 1 {
				t.Errorf("class %q after %d calls: %v", class, len(attempts), err)
			}
		})
	}
}

// TestRealConcurrentRuns sends 64 runs at once through a backend that takes
// four, and counts on the way.
func TestRealConcurrentRuns(t *testing.T) {
	e, most := realEngine(t)
	p, err := e.PrepareExecution(t.Context(), promptkit.RunRequest{PromptID: "report", ProfileID: "p"})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	ids := make(chan string, 64)
	for range 64 {
		group.Go(func() {
			r, err := e.RunPrepared(t.Context(), p)
			if err != nil {
				t.Error(err)
				return
			}
			ids <- r.RunID
		})
	}
	group.Wait()
	close(ids)
	distinct := make(map[string]bool)
	for id := range ids {
		distinct[id] = true
	}
	s := e.Stats().Backends[1]
	if len(distinct) != 64 || most.Load() != 4 || s.BackendID != "real" || s.Admitted != 64 || s.Running != 0 || s.Waiting != 0 || s.Waited == 0 {
		t.Errorf("%d runs succeeded, %d were under way at once, %+v", len(distinct), most.Load(), s)
	}
}
