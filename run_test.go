package promptkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptkit-go/promptkit"
)

// server is an endpoint that answers with what its script says, in turn and
// then the last again, and remembers what it was asked.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	script []http.HandlerFunc
	bodies []string
	header []http.Header
}

func newServer(t *testing.T, script ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{script: script}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	step := s.script[min(len(s.bodies), len(s.script)-1)]
	s.bodies = append(s.bodies, string(body))
	s.header = append(s.header, r.Header.Clone())
	s.mu.Unlock()
	step(w, r)
}

func (s *server) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// says answers with a whole reply.
func says(text string) http.HandlerFunc { return finishes(text, "stop") }

func finishes(text, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "c1", "object": "chat.completion", "model": "served-model",
			"choices": []any{map[string]any{"index": 0, "finish_reason": reason, "message": map[string]any{"role": "assistant", "content": text}}},
			"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
		})
	}
}

// fails answers with a status and a body that echoes the credential.
func fails(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, body, r.Header.Get("Authorization"))
	}
}

// online captures the summary prompt against a server.
func online(t *testing.T, s *server, profile promptkit.Profile, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	t.Setenv("PROMPTKIT_TEST_KEY", "sk-canary-key")
	profile.ID, profile.Backend, profile.Model = "dry", "live", "m"
	return summaryEngine(t, append([]promptkit.Option{
		promptkit.WithProfiles(profile),
		promptkit.WithBackends(promptkit.Backend{
			ID: "live", BaseURL: s.URL, APIKeyEnv: "PROMPTKIT_TEST_KEY", SessionField: "user",
			Retry: promptkit.Retry{MaxAttempts: 2, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond},
		}),
	}, opts...)...)
}

func TestRunOffline(t *testing.T) {
	e := summaryEngine(t)
	got, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal([]byte(got.Output), &value); err != nil || value["title"] == nil || len(value) != 1 {
		t.Errorf("the output does not keep the contract: %s, %v", got.Output, err)
	}
	if !got.Offline || !got.Target.Offline || got.Target.BackendID != "dry" || len(got.Attempts) != 1 {
		t.Errorf("not marked offline: %+v", got)
	}
	again, err := e.Run(t.Context(), summaryRequest())
	if err != nil || again.Output != got.Output || again.RunID == got.RunID {
		t.Errorf("not deterministic, or one ID for two runs: %+v, %v", again, err)
	}
	req := summaryRequest()
	req.Output, req.Offline = &promptkit.OutputContract{}, true
	text, err := e.Run(t.Context(), req)
	if err != nil || !strings.HasPrefix(text.Output, "Offline reply ") || text.Target.BackendID != "offline" {
		t.Errorf("got %+v, %v", text, err)
	}
}

func TestRunReportsWhatHappened(t *testing.T) {
	s := newServer(t, says("```json\n{\"title\":\"T\"}\n```"))
	e := online(t, s, promptkit.Profile{})
	p, err := e.Prepare(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	body := s.seen()[0]
	usage := promptkit.Usage{InputTokens: 7, OutputTokens: 3, TotalTokens: 10}
	reply := "```json\n{\"title\":\"T\"}\n```"
	want := &promptkit.RunResult{
		PromptID: "summary", PromptVersion: "1.2.0", PromptHash: p.PromptHash, RenderedHash: p.RenderedHash,
		ProfileID: "dry", Target: p.Target, SessionID: "core-2026-01-02", Contract: p.Output,
		Output: "{\"title\":\"T\"}\n", Usage: usage, Inputs: p.Inputs,
		Attempts: []promptkit.Attempt{{
			Number: 1, Try: 1, ProfileID: "dry", BackendID: "live", Model: "served-model", FinishReason: "stop", Usage: usage,
			RequestBytes: int64(len(body)), RequestDigest: sha(body), ReplyBytes: int64(len(reply)), ReplyDigest: sha(reply),
		}},
	}
	if diff := cmp.Diff(want, got,
		cmpopts.IgnoreFields(promptkit.RunResult{}, "RunID", "StartedAt", "Duration"),
		cmpopts.IgnoreFields(promptkit.Attempt{}, "StartedAt", "Duration")); diff != "" {
		t.Error(diff)
	}
	if got.Duration <= 0 || got.StartedAt.IsZero() || got.Attempts[0].Duration <= 0 || got.RunID == "" {
		t.Errorf("times or ID missing: %+v", got)
	}
	var sent struct {
		Model, User string
		Messages    []struct{ Role string }
	}
	if err := json.Unmarshal([]byte(body), &sent); err != nil || sent.Model != "m" || sent.User != "core-2026-01-02" || len(sent.Messages) != 2 {
		t.Errorf("sent %s, %v", body, err)
	}
	if key := s.header[0].Get("Authorization"); key != "Bearer sk-canary-key" {
		t.Errorf("sent the credential %q", key)
	}
}

// TestFrozenMeansFrozen: files, variables and environment change after
// freezing, and what is sent does not, but for the credential.
func TestFrozenMeansFrozen(t *testing.T) {
	s := newServer(t, says(`{"title":"T"}`))
	dir := t.TempDir()
	input := write(t, dir, "in.txt", "before")
	e := online(t, s, promptkit.Profile{})
	req := summaryRequest()
	req.Inputs[0] = promptkit.Input{Name: "transcript", Path: input}
	frozen, err := e.PrepareExecution(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "in.txt", "after")
	req.Vars["audience"] = "changed"
	frozen.Prepared().Messages[0].Content = "changed"
	frozen.RequestBody()[0] = 'x'
	t.Setenv("PROMPTKIT_TEST_KEY", "sk-rotated")
	var runs sync.WaitGroup
	ids := sync.Map{}
	for range 8 {
		runs.Go(func() {
			got, err := e.RunPrepared(t.Context(), frozen)
			if err != nil {
				t.Error(err)
				return
			}
			if _, taken := ids.LoadOrStore(got.RunID, true); taken {
				t.Errorf("two runs have the ID %s", got.RunID)
			}
		})
	}
	runs.Wait()
	for i, body := range s.seen() {
		if body != string(frozen.RequestBody()) || !strings.Contains(body, "before") {
			t.Errorf("run %d sent other bytes: %s", i, body)
		}
		if got := s.header[i].Get("Authorization"); got != "Bearer sk-rotated" {
			t.Errorf("run %d sent the credential %q", i, got)
		}
	}
}

// TestCredentialIsReadTwice: it is missed when the execution is prepared, and
// again when it runs.
func TestCredentialIsReadTwice(t *testing.T) {
	s := newServer(t, says(`{"title":"T"}`))
	e := online(t, s, promptkit.Profile{})
	frozen, err := e.PrepareExecution(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PROMPTKIT_TEST_KEY", "")
	_, err = e.PrepareExecution(t.Context(), summaryRequest())
	wantOnly(t, err, promptkit.ErrCredentialMissing)
	_, err = e.RunPrepared(t.Context(), frozen)
	wantOnly(t, err, promptkit.ErrCredentialMissing)
	if !strings.Contains(err.Error(), "PROMPTKIT_TEST_KEY") {
		t.Errorf("%q does not name the variable", err)
	}
	if len(s.seen()) != 0 {
		t.Error("a request was sent")
	}
}

func TestRunFailures(t *testing.T) {
	refusal := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","refusal":"no"},"finish_reason":"stop"}]}`)
	}
	tests := []struct {
		why   string
		step  http.HandlerFunc
		want  error
		class promptkit.FailureClass
		calls int
	}{
		{"not JSON", says("sorry"), promptkit.ErrValidation, promptkit.FailureNotJSON, 1},
		{"against the schema", says(`{"title":3}`), promptkit.ErrValidation, promptkit.FailureMismatch, 1},
		{"empty", says(""), promptkit.ErrValidation, promptkit.FailureEmpty, 1},
		{"cut", finishes(`{"title":"`, "length"), promptkit.ErrValidation, promptkit.FailureTruncated, 1},
		{"refused", refusal, promptkit.ErrValidation, promptkit.FailureRefused, 1},
		{"401", fails(401, `{"error":{"message":"bad key %s"}}`), promptkit.ErrGenerate, promptkit.FailureUnauthorized, 1},
		{"400", fails(400, `{"error":{"message":"%s"}}`), promptkit.ErrGenerate, promptkit.FailureBadRequest, 1},
		{"500, again and again", fails(500, `%s`), promptkit.ErrGenerate, promptkit.FailureServer, 2},
		{"HTML", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, promptkit.ErrGenerate, promptkit.FailureProtocol, 1},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			s := newServer(t, tt.step)
			e := online(t, s, promptkit.Profile{})
			path := filepath.Join(t.TempDir(), "out.json")
			got, err := e.Run(t.Context(), summaryRequest(), promptkit.OutputTo(path))
			if got != nil {
				t.Error("a result came with the error")
			}
			wantOnly(t, err, tt.want)
			if class, attempts := failureOf(err); class != tt.class || len(attempts) != tt.calls {
				t.Errorf("class %q after %d attempts", class, len(attempts))
			}
			if n := len(s.seen()); n != tt.calls {
				t.Errorf("%d calls", n)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Error("an output that was not accepted was written")
			}
		})
	}
}

// failureOf is the class and the record that a run's error carries.
func failureOf(err error) (promptkit.FailureClass, []promptkit.Attempt) {
	var rejected *promptkit.OutputError
	var failed *promptkit.ProviderError
	switch {
	case errors.As(err, &rejected):
		return rejected.Class, rejected.Attempts
	case errors.As(err, &failed):
		return failed.Class, failed.Attempts
	}
	return "", nil
}

func TestUnreachableBackend(t *testing.T) {
	s := newServer(t, says("x"))
	s.Close()
	e := online(t, s, promptkit.Profile{})
	_, err := e.Run(t.Context(), summaryRequest())
	wantOnly(t, err, promptkit.ErrGenerate)
	if class, attempts := failureOf(err); class != promptkit.FailureConnection || len(attempts) != 2 {
		t.Errorf("%q after %d attempts", class, len(attempts))
	}
}

// TestRepairShowsTheModelItsMistake, sums the usage and keeps the record.
func TestRepairShowsTheModelItsMistake(t *testing.T) {
	s := newServer(t, says("sorry"), says(`{"title":3}`), says(`{"title":"T"}`))
	e := online(t, s, promptkit.Profile{Repair: &promptkit.Repair{MaxAttempts: 3}})
	got, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	var classes []promptkit.FailureClass
	for _, a := range got.Attempts {
		classes = append(classes, a.Class)
	}
	if diff := cmp.Diff([]promptkit.FailureClass{promptkit.FailureNotJSON, promptkit.FailureMismatch, ""}, classes); diff != "" {
		t.Error(diff)
	}
	if got.Usage.TotalTokens != 30 || got.Output != `{"title":"T"}` {
		t.Errorf("got %+v", got)
	}
	if bodies := s.seen(); !strings.Contains(bodies[1], "sorry") || strings.Contains(bodies[2], "sorry") && !strings.Contains(bodies[2], "title") {
		t.Errorf("the repair turns: %q", bodies[1:])
	}
	req := summaryRequest()
	req.Overrides.MaxAttempts = 1
	s.bodies = nil
	_, err = e.Run(t.Context(), req)
	wantOnly(t, err, promptkit.ErrValidation)
	var rejected *promptkit.OutputError
	if !errors.As(err, &rejected) || rejected.LastReply() != "sorry" || strings.Contains(err.Error(), "sorry") {
		t.Errorf("the last reply: %v", err)
	}
}

func TestViolationsSayWhere(t *testing.T) {
	s := newServer(t, says(`{"title":3,"secret-name":"secret-value"}`))
	e := online(t, s, promptkit.Profile{})
	_, err := e.Run(t.Context(), summaryRequest())
	var rejected *promptkit.OutputError
	if !errors.As(err, &rejected) {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, v := range rejected.Violations {
		paths[v.Path] = true
	}
	if !paths["/title"] || !paths[""] {
		t.Errorf("violations: %+v", rejected.Violations)
	}
	if text := fmt.Sprintf("%v %+v %#v", err, rejected, rejected); strings.Contains(text, "secret") {
		t.Errorf("quotes the reply: %s", text)
	}
}

func TestFallback(t *testing.T) {
	down, up := newServer(t, fails(503, `%s`)), newServer(t, says(`{"title":"T"}`))
	backend := func(id string, s *server) promptkit.Backend {
		return promptkit.Backend{ID: id, BaseURL: s.URL, Retry: promptkit.Retry{MaxAttempts: 1}}
	}
	e := summaryEngine(t,
		promptkit.WithProfiles(
			promptkit.Profile{ID: "dry", Backend: "down", Model: "first", Fallback: []string{"gone", "spare"}},
			promptkit.Profile{ID: "spare", Backend: "up", Model: "second"},
		),
		promptkit.WithBackends(backend("down", down), backend("up", up)))
	got, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	if got.ProfileID != "spare" || got.Target.BackendID != "up" || got.Target.Model != "second" || len(got.Attempts) != 2 ||
		got.Attempts[0].Class != promptkit.FailureServer || got.Attempts[0].ProfileID != "dry" || got.Attempts[0].Status != 503 {
		t.Errorf("got %+v", got)
	}
}

func TestOutputTo(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "out.json", "old")
	e := summaryEngine(t)
	got, err := e.Run(t.Context(), summaryRequest(), promptkit.OutputTo(path))
	if err != nil || got.OutputPath != path {
		t.Fatalf("got %+v, %v", got, err)
	}
	if data, _ := os.ReadFile(path); string(data) != got.Output {
		t.Errorf("wrote %q", data)
	}
	_, err = e.Run(t.Context(), summaryRequest(), promptkit.OutputTo(filepath.Join(dir, "none", "out.json")))
	wantOnly(t, err, promptkit.ErrOutputWrite)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v hides the file error", err)
	}
	_, err = e.Run(t.Context(), summaryRequest(), promptkit.OutputTo(dir))
	wantOnly(t, err, promptkit.ErrOutputWrite)
	if _, err := os.Stat("/dev/full"); err == nil {
		_, err = e.Run(t.Context(), summaryRequest(), promptkit.OutputTo("/dev/full"))
		wantOnly(t, err, promptkit.ErrOutputWrite)
	}
}

func TestOnText(t *testing.T) {
	stream := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{`{\"title\"`, `:\"T\"}`} {
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", part)
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"+
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n")
	}
	s := newServer(t, stream)
	e := online(t, s, promptkit.Profile{})
	var parts []string
	got, err := e.Run(t.Context(), summaryRequest(), promptkit.OnText(func(attempt int, text string) {
		parts = append(parts, fmt.Sprint(attempt, " ", text))
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`1 {"title"`, `1 :"T"}`}, parts); diff != "" {
		t.Error(diff)
	}
	if got.Output != `{"title":"T"}` || got.Usage.OutputTokens != 2 || got.Attempts[0].FirstText <= 0 {
		t.Errorf("got %+v", got)
	}
}

func TestCancelledRuns(t *testing.T) {
	t.Run("before it starts", func(t *testing.T) {
		e := summaryEngine(t)
		frozen, err := e.PrepareExecution(t.Context(), summaryRequest())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = e.RunPrepared(ctx, frozen)
		wantOnly(t, err, promptkit.ErrCapacity) // the stage that it did not get past
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("while the backend says nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newServer(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		e := online(t, s, promptkit.Profile{})
		_, err := e.Run(ctx, summaryRequest())
		wantOnly(t, err, promptkit.ErrGenerate)
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if class, _ := failureOf(err); class != promptkit.FailureCancelled {
			t.Errorf("class %q", class)
		}
	})
	t.Run("while it waits for a place", func(t *testing.T) {
		entered, leave := make(chan bool, 1), make(chan bool)
		s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
			entered <- true
			<-leave
			says(`{"title":"T"}`)(w, r)
		})
		e := narrow(t, s, nil)
		first := make(chan error)
		go func() {
			_, err := e.Run(context.Background(), summaryRequest())
			first <- err
		}()
		<-entered
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := e.Run(ctx, summaryRequest())
		wantOnly(t, err, promptkit.ErrCapacity)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(leave)
		if err := <-first; err != nil {
			t.Error(err)
		}
		want := promptkit.Stats{Backends: []promptkit.BackendStats{{BackendID: "narrow", MaxConcurrent: 1, MaxWaiting: -1, Admitted: 1, Abandoned: 1}}}
		if diff := cmp.Diff(want, e.Stats(), cmpopts.IgnoreFields(promptkit.BackendStats{}, "Waited")); diff != "" {
			t.Error(diff)
		}
	})
}

// narrow captures the summary prompt against a backend with one place.
func narrow(t *testing.T, s *server, maxWaiting *int) *promptkit.Engine {
	t.Helper()
	return summaryEngine(t,
		promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "narrow", Model: "m"}),
		promptkit.WithBackends(promptkit.Backend{ID: "narrow", BaseURL: s.URL, MaxConcurrent: 1, MaxWaiting: maxWaiting}))
}

func TestFullQueue(t *testing.T) {
	entered, leave := make(chan bool, 1), make(chan bool)
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		entered <- true
		<-leave
		says(`{"title":"T"}`)(w, r)
	})
	e := narrow(t, s, new(0))
	first := make(chan error)
	go func() {
		_, err := e.Run(context.Background(), summaryRequest())
		first <- err
	}()
	<-entered
	_, err := e.Run(t.Context(), summaryRequest())
	wantOnly(t, err, promptkit.ErrCapacity)
	var full *promptkit.CapacityError
	want := &promptkit.CapacityError{BackendID: "narrow", MaxConcurrent: 1}
	if !errors.As(err, &full) || *full != *want {
		t.Errorf("got %+v in %v", full, err)
	}
	close(leave)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// TestPreparedByAnotherEngine is refused: it may have other backends.
func TestPreparedByAnotherEngine(t *testing.T) {
	frozen, err := summaryEngine(t).PrepareExecution(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	_, err = summaryEngine(t).RunPrepared(t.Context(), frozen)
	wantOnly(t, err, promptkit.ErrInvalidRequest)
	_, err = summaryEngine(t).RunPrepared(t.Context(), nil)
	wantOnly(t, err, promptkit.ErrInvalidRequest)
	var none *promptkit.PreparedExecution
	if none.Prepared() != nil || none.RequestBody() != nil || fmt.Sprint(none) != "<nil>" {
		t.Error("a nil execution is not nothing")
	}
}

// modelFunc is a client of the caller's.
type modelFunc func(ctx context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error)

func (f modelFunc) Generate(ctx context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error) {
	return f(ctx, req)
}

func TestModelClient(t *testing.T) {
	var got promptkit.ModelRequest
	client := modelFunc(func(_ context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error) {
		got = req
		req.OnText("{}")
		return &promptkit.ModelReply{Text: `{"title":"T"}`, Model: "own", FinishReason: "stop", Usage: promptkit.Usage{InputTokens: 5, OutputTokens: 6}}, nil
	})
	s := newServer(t, says("never"))
	e := online(t, s, promptkit.Profile{Parameters: promptkit.Parameters{Seed: new(int64(7))}}, promptkit.WithModelClient(client))
	var heard string
	result, err := e.Run(t.Context(), summaryRequest(), promptkit.OnText(func(_ int, text string) { heard += text }))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.seen()) != 0 || heard != "{}" || result.Usage.TotalTokens != 11 || result.Attempts[0].Model != "own" || result.Offline {
		t.Errorf("got %+v, heard %q", result, heard)
	}
	want := promptkit.ModelRequest{
		RunID: result.RunID, Attempt: 1, BackendID: "live", Model: "m", SessionID: "core-2026-01-02",
		Messages: []promptkit.Message{
			{Role: "system", Content: "You write for newcomers.\n"},
			{Role: "user", Content: "Summarise:\nA: hello\n", CacheControl: &promptkit.CacheControl{Type: "ephemeral"}},
		},
		Parameters: promptkit.Parameters{Seed: new(int64(7))},
		Contract:   promptkit.OutputContract{Format: "json", Validation: "json_schema", Schema: "summary.schema.json"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(promptkit.ModelRequest{}, "OnText", "Schema")); diff != "" {
		t.Error(diff)
	}
	var schema map[string]any
	if err := json.Unmarshal(got.Schema, &schema); err != nil || schema["type"] != "object" {
		t.Errorf("schema %s, %v", got.Schema, err)
	}
}

func TestModelClientErrors(t *testing.T) {
	tests := []struct {
		why   string
		err   error
		class promptkit.FailureClass
		calls int
	}{
		{"its words may be anybody's", errors.New("canary words"), promptkit.FailureUnknown, 1},
		{"a class is believed", &promptkit.ProviderError{Class: promptkit.FailureServer, Status: 529, Reason: "is overloaded"}, promptkit.FailureServer, 2},
		{"neither reply nor error", nil, promptkit.FailureProtocol, 1},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			calls := 0
			client := modelFunc(func(context.Context, promptkit.ModelRequest) (*promptkit.ModelReply, error) {
				calls++
				return nil, tt.err
			})
			e := online(t, newServer(t, says("x")), promptkit.Profile{}, promptkit.WithModelClient(client))
			_, err := e.Run(t.Context(), summaryRequest())
			wantOnly(t, err, promptkit.ErrGenerate)
			class, _ := failureOf(err)
			if class != tt.class || calls != tt.calls || strings.Contains(err.Error(), "canary") {
				t.Errorf("%q after %d calls: %v", class, calls, err)
			}
		})
	}
}

// TestKeepContent: records hold contents only where they were asked for.
func TestKeepContent(t *testing.T) {
	s := newServer(t, says(`{"title":"T"}`))
	e := online(t, s, promptkit.Profile{})
	plain, err := e.Run(t.Context(), summaryRequest())
	if err != nil || plain.Attempts[0].Content != nil {
		t.Errorf("got %+v, %v", plain, err)
	}
	kept, err := e.Run(t.Context(), summaryRequest(), promptkit.KeepContent())
	if err != nil || kept.Attempts[0].Content.Reply != `{"title":"T"}` || kept.Attempts[0].Content.Request != s.seen()[1] {
		t.Errorf("got %+v, %v", kept, err)
	}
	encoded, err := json.Marshal(kept.Attempts)
	if err != nil || bytes.Contains(encoded, []byte("title")) || strings.Contains(fmt.Sprintf("%+v %#v", kept.Attempts[0].Content, *kept.Attempts[0].Content), "title") {
		t.Errorf("contents show in formattings: %s, %v", encoded, err)
	}
}
