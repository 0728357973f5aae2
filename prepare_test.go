package promptkit_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func TestPrepareSaysWhatWouldBeSent(t *testing.T) {
	e := summaryEngine(t)
	req := summaryRequest()
	req.Vars["glossary"] = "yes"
	req.Inputs = append(req.Inputs, promptkit.Input{Name: "glossary", ContentType: "text/csv", Text: "{{.team}}"})
	got, err := e.Prepare(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := &promptkit.PreparedRun{
		PromptID: "summary", PromptVersion: "1.2.0", PromptHash: got.PromptHash, RenderedHash: got.RenderedHash,
		ProfileID: "dry", SessionID: "core-2026-01-02",
		Target: promptkit.Target{BackendID: "dry", Offline: true},
		Output: promptkit.OutputContract{Format: "json", Validation: "json_schema", Schema: "summary.schema.json"},
		Inputs: []promptkit.PreparedInput{
			{Name: "transcript", ContentType: "text/plain", Size: 8, Digest: sha("A: hello")},
			{Name: "glossary", ContentType: "text/csv", Size: 9, Digest: sha("{{.team}}")},
		},
		Messages: []promptkit.Message{
			{Role: "system", Content: "You write for newcomers.\n"},
			{
				Role: "user", Content: "Summarise:\nA: hello\n{{.team}}\n",
				CacheControl: &promptkit.CacheControl{Type: "ephemeral"},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.RenderedHash == "" || got.RenderedHash == got.PromptHash {
		t.Errorf("hashes: %q, %q", got.RenderedHash, got.PromptHash)
	}
}

func TestRenderedHashCoversTheMessages(t *testing.T) {
	hash := func(messages ...string) string {
		e := engine(t, files("p.yaml", prompt("p", messages...)))
		p, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", Vars: map[string]string{"v": "b"}})
		if err != nil {
			t.Fatal(err)
		}
		return p.RenderedHash
	}
	if hash("a{{.v}}") != hash("ab") {
		t.Error("the same messages have two hashes")
	}
	if hash("ab", "c") == hash("a", "bc") || hash("ab") == hash("ab", "") {
		t.Error("the border between messages does not count")
	}
}

func TestPrepareReportsEverythingThatIsMissing(t *testing.T) {
	e := summaryEngine(t)
	tests := []struct {
		why        string
		change     func(*promptkit.RunRequest)
		wantInputs []string
		wantVars   []string
	}{
		{"all of it", func(r *promptkit.RunRequest) { r.Vars, r.Inputs = nil, nil },
			[]string{"transcript"}, []string{"audience", "date", "glossary", "team"}},
		{"a direct session needs no session variables", func(r *promptkit.RunRequest) { r.Vars, r.Inputs, r.SessionID = nil, nil, "s" },
			[]string{"transcript"}, []string{"audience", "glossary"}},
		{"one variable", func(r *promptkit.RunRequest) { delete(r.Vars, "audience") }, nil, []string{"audience"}},
		{"an input that a variable asks for", func(r *promptkit.RunRequest) { r.Vars["glossary"] = "yes" }, []string{"glossary"}, nil},
		{"it comes before unreadable files", func(r *promptkit.RunRequest) {
			delete(r.Vars, "audience")
			r.Inputs[0] = promptkit.Input{Name: "transcript", Path: "/no/such/file"}
		}, nil, []string{"audience"}},
		{"it comes before contradicted content types", func(r *promptkit.RunRequest) {
			delete(r.Vars, "audience")
			r.Inputs[0].ContentType = "image/png"
		}, nil, []string{"audience"}},
		{"it comes before a broken schema", func(r *promptkit.RunRequest) {
			delete(r.Vars, "audience")
			r.Output = &promptkit.OutputContract{Validation: "json_schema", Schema: "no.json"}
		}, nil, []string{"audience"}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			req := summaryRequest()
			tt.change(&req)
			got, err := e.Prepare(t.Context(), req)
			if got != nil {
				t.Error("a result came with the error")
			}
			wantOnly(t, err, promptkit.ErrInvalidRequest)
			var missing *promptkit.MissingError
			if !errors.As(err, &missing) {
				t.Fatalf("%v is no MissingError", err)
			}
			want := &promptkit.MissingError{Inputs: tt.wantInputs, Variables: tt.wantVars}
			if diff := cmp.Diff(want, missing); diff != "" {
				t.Error(diff)
			}
			for _, name := range append(slices.Clone(tt.wantInputs), tt.wantVars...) {
				if !strings.Contains(err.Error(), `"`+name+`"`) {
					t.Errorf("%q does not name %q", err, name)
				}
			}
		})
	}
}

// TestMissingIsFoundBeforeFilesAreRead: a request that cannot succeed reads
// no artifact.
func TestMissingIsFoundBeforeFilesAreRead(t *testing.T) {
	reader := artifactReader(func(string) ([]byte, error) {
		t.Error("an artifact was read")
		return nil, fs.ErrNotExist
	})
	e := summaryEngine(t, promptkit.WithArtifactReader(reader))
	req := summaryRequest()
	req.Inputs[0] = promptkit.Input{Name: "transcript", Path: "x"}
	delete(req.Vars, "audience")
	_, err := e.Prepare(t.Context(), req)
	wantOnly(t, err, promptkit.ErrInvalidRequest)
}

// artifactReader is a function that reads artifacts.
type artifactReader func(path string) ([]byte, error)

func (f artifactReader) ReadArtifact(_ context.Context, path string) ([]byte, error) { return f(path) }

// TestOrderOfFailure gives each request every failure from some stage on, and
// wants that of the first.
func TestOrderOfFailure(t *testing.T) {
	e := engine(t, files(
		"p.yaml", `id: p
version: "1"
session_id: "{{.s}}"
inputs: [{name: doc, required: true, content_type: text/plain}]
messages: [{role: user, content: "{{.v}}{{input \"doc\"}}{{if .w}}{{.w.b}}{{end}}"}]
output: {format: json, validation: json_schema, schema: missing.json}
`),
		promptkit.WithProfileFS(files(
			"ok.yaml", "id: ok\nbackend: keyed\nmodel: m\n", "partial.yaml", "id: partial\nmodel: m\n",
			"cycle.yaml", "id: cycle\nextends: cycle\n", "dry.yaml", "id: dry\nbackend: dry\n",
		)),
		promptkit.WithBackendFS(files(
			"keyed.yaml", "id: keyed\nbase_url: http://127.0.0.1:1\napi_key_env: PROMPTKIT_TEST_UNSET\n",
			"dry.yaml", "id: dry\nkind: offline\n",
		)))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	steps := []struct {
		why  string
		mend func(ctx *context.Context, r *promptkit.RunRequest)
		want error
	}{
		{"the context", func(*context.Context, *promptkit.RunRequest) {}, promptkit.ErrPromptLoad},
		{"a blank prompt ID", func(ctx *context.Context, _ *promptkit.RunRequest) { *ctx = t.Context() }, promptkit.ErrInvalidRequest},
		{"the session ID", func(_ *context.Context, r *promptkit.RunRequest) { r.PromptID = "nope" }, promptkit.ErrInvalidRequest},
		{"the prompt", func(_ *context.Context, r *promptkit.RunRequest) { r.SessionID = "s" }, promptkit.ErrPromptNotFound},
		{"no profile", func(_ *context.Context, r *promptkit.RunRequest) { r.PromptID = "p" }, promptkit.ErrProfileRequired},
		{"the profile", func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "nope" }, promptkit.ErrProfileNotFound},
		{"a cyclic profile", func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "cycle" }, promptkit.ErrProfileLoad},
		{"the target", func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "partial" }, promptkit.ErrTarget},
		{"the credential", func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "ok" }, promptkit.ErrCredentialMissing},
		{"the contract", func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "dry" }, promptkit.ErrInvalidRequest},
		{"what is missing", func(_ *context.Context, r *promptkit.RunRequest) { r.Output = nil }, promptkit.ErrInvalidRequest},
		{"the artifacts", func(_ *context.Context, r *promptkit.RunRequest) {
			r.Vars = map[string]string{"v": "", "w": "x"}
			r.Inputs = []promptkit.Input{{Name: "doc", Path: "/no/such/file"}}
		}, promptkit.ErrArtifactLoad},
		{"the schema", func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs[0].Path = "" }, promptkit.ErrSchemaLoad},
		{"the rendering", func(_ *context.Context, r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{} }, promptkit.ErrPromptRender},
	}
	ctx := cancelled
	req := promptkit.RunRequest{SessionID: "a\x00b", Output: &promptkit.OutputContract{Format: "odd"}}
	for _, step := range steps {
		step.mend(&ctx, &req)
		_, err := e.PrepareExecution(ctx, req)
		t.Run(step.why, func(t *testing.T) { wantOnly(t, err, step.want) })
		if _, err := e.Prepare(ctx, req); step.want == promptkit.ErrCredentialMissing {
			t.Run("Prepare needs no credential", func(t *testing.T) { wantOnly(t, err, promptkit.ErrInvalidRequest) })
		} else {
			t.Run(step.why+", in Prepare", func(t *testing.T) { wantOnly(t, err, step.want) })
		}
	}
}

func TestSessionIDs(t *testing.T) {
	e := summaryEngine(t)
	broken := engine(t, files("p.yaml", strings.Replace(prompt("p", "x"), "messages:", "session_id: \"{{nope}}\"\nmessages:", 1)))
	long := strings.Repeat("x", 256)
	tests := []struct {
		why     string
		session string // direct
		team    string // for the template "{{.team}}-{{.date}}"
		want    string
		err     error
	}{
		{"the template gives it", "", "core", "core-2026-01-02", nil},
		{"a direct one goes first", "mine", "core", "mine", nil},
		{"a direct one is trimmed", " mine\t\n", "core", "mine", nil},
		{"a blank one is as if absent", " \t", "core", "core-2026-01-02", nil},
		{"256 bytes are allowed", long, "core", long, nil},
		{"257 are not", long + "x", "core", "", promptkit.ErrInvalidRequest},
		{"control characters are not", "a\x07b", "core", "", promptkit.ErrInvalidRequest},
		{"nor is what is no text", "a\xffb", "core", "", promptkit.ErrInvalidRequest},
		{"a rendered one keeps the same rules", "", "a\nb", "", promptkit.ErrPromptRender},
		{"in length too", "", long, "", promptkit.ErrPromptRender},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			req := summaryRequest()
			req.SessionID, req.Vars["team"] = tt.session, tt.team
			got, err := e.Prepare(t.Context(), req)
			if tt.err != nil {
				wantOnly(t, err, tt.err)
				return
			}
			if err != nil || got.SessionID != tt.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	t.Run("rendered blank is no session", func(t *testing.T) {
		blank := engine(t, files("p.yaml", strings.Replace(prompt("p", "x"), "messages:", "session_id: \" {{.s}} \"\nmessages:", 1)))
		got, err := blank.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", Vars: map[string]string{"s": ""}})
		if err != nil || got.SessionID != "" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("a broken template that is bypassed stops nothing", func(t *testing.T) {
		got, err := broken.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", SessionID: "s"})
		if err != nil || got.SessionID != "s" {
			t.Errorf("got %+v, %v", got, err)
		}
		in, err := broken.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", SessionID: "s"})
		if err != nil || !in.Complete {
			t.Errorf("got %+v, %v", in, err)
		}
		_, err = broken.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p"})
		wantOnly(t, err, promptkit.ErrPromptLoad)
	})
}

func TestContentTypes(t *testing.T) {
	tests := []struct {
		why, declared, bound, want string
		err                        error
	}{
		{"the declared one stands in", "text/plain", "", "text/plain", nil},
		{"a bound one is kept", "", "text/csv", "text/csv", nil},
		{"parameters do not count", "text/plain", "text/plain; charset=utf-8", "text/plain; charset=utf-8", nil},
		{"nor does case", "Text/Plain", "text/plain", "text/plain", nil},
		{"nor broken parameters", "text/plain", "text/plain; =", "text/plain; =", nil},
		{"another type contradicts", "text/plain", "text/html", "", promptkit.ErrArtifactLoad},
		{"neither", "", "", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			definition := strings.Replace(prompt("p", `{{input "doc"}}`), "messages:",
				"inputs: [{name: doc, content_type: \""+tt.declared+"\"}]\nmessages:", 1)
			e := engine(t, files("p.yaml", definition))
			got, err := e.Prepare(t.Context(), promptkit.RunRequest{
				PromptID: "p", Inputs: []promptkit.Input{{Name: "doc", ContentType: tt.bound, Text: "x"}},
			})
			if tt.err != nil {
				wantOnly(t, err, tt.err)
				return
			}
			if err != nil || got.Inputs[0].ContentType != tt.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestNoArtifactReaderMeansFiles(t *testing.T) {
	reader := artifactReader(func(string) ([]byte, error) { return []byte("read"), nil })
	e := summaryEngine(t, promptkit.WithArtifactReader(reader), promptkit.WithArtifactReader(nil))
	req := summaryRequest()
	req.Inputs[0] = promptkit.Input{Name: "transcript", Path: write(t, t.TempDir(), "f", "from a file")}
	got, err := e.Prepare(t.Context(), req)
	if err != nil || got.Inputs[0].Digest != sha("from a file") {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestInputFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, promptkit.MaxArtifactBytes+1); err != nil {
		t.Fatal(err)
	}
	locked := write(t, dir, "locked", "x")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(write(t, dir, "target", "linked"), link); err != nil {
		t.Fatal(err)
	}
	e := engine(t, files("p.yaml", prompt("p", `{{input "doc"}}`)))
	tests := []struct {
		why, path, want, reason string
		is                      error
	}{
		{"a file", write(t, dir, "plain", "content"), "content", "", nil},
		{"an empty file", write(t, dir, "empty", ""), "", "", nil},
		{"a link to a file", link, "linked", "", nil},
		{"missing", filepath.Join(dir, "none"), "", "does not exist", fs.ErrNotExist},
		{"a directory", dir, "", "is a directory", nil},
		{"a pipe, which would block", pipe, "", "is a named pipe", nil},
		{"a device", os.DevNull, "", "is a device", nil},
		{"too large", large, "", "is larger than 16 MiB", nil},
		{"unreadable", locked, "", "permission denied", fs.ErrPermission},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if tt.path == locked && os.Getuid() == 0 {
				t.Skip("root reads everything")
			}
			got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", Inputs: []promptkit.Input{{Name: "doc", Path: tt.path, Text: "not this"}}})
			if tt.reason == "" {
				if err != nil || got.Messages[0].Content != tt.want || got.Inputs[0].Digest != sha(tt.want) {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			wantOnly(t, err, promptkit.ErrArtifactLoad)
			if !strings.Contains(err.Error(), tt.reason) || !strings.Contains(err.Error(), `"doc"`) {
				t.Errorf("%q does not say %q", err, tt.reason)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v does not match %v", err, tt.is)
			}
		})
	}
}

// TestArtifactsAreReadOnce, each of them, and in the order of the request.
func TestArtifactsAreReadOnce(t *testing.T) {
	var read []string
	reader := artifactReader(func(path string) ([]byte, error) {
		read = append(read, path)
		return []byte("<" + path + ">"), nil
	})
	e := engine(t, files("p.yaml", prompt("p", `{{input "b"}}{{input "a"}}{{input "b"}}`)), promptkit.WithArtifactReader(reader))
	got, err := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", Inputs: []promptkit.Input{
		{Name: "a", Path: "1"}, {Name: "b", Path: "2"}, {Name: "unused", Path: "3"},
	}})
	if err != nil || got.Messages[0].Content != "<2><1><2>" {
		t.Errorf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, read); diff != "" {
		t.Error(diff)
	}
}

func TestPrepareRefusesContradictions(t *testing.T) {
	e := summaryEngine(t)
	tests := []struct {
		why    string
		change func(*promptkit.RunRequest)
		want   error
	}{
		{"an input bound twice", func(r *promptkit.RunRequest) { r.Inputs = append(r.Inputs, r.Inputs[0]) }, promptkit.ErrInvalidRequest},
		{"one of many bound twice", func(r *promptkit.RunRequest) {
			for i := range 40 {
				r.Inputs = append(r.Inputs, promptkit.Input{Name: strconv.Itoa(i % 39)})
			}
		}, promptkit.ErrInvalidRequest},
		{"an action below 1", func(r *promptkit.RunRequest) { r.Turn = &fact.Turn{} }, promptkit.ErrInvalidRequest},
		{"a temperature out of range", func(r *promptkit.RunRequest) { r.Overrides.Temperature = new(9.0) }, promptkit.ErrInvalidRequest},
		{"a temperature that is no number", func(r *promptkit.RunRequest) { r.Overrides.Temperature = new(math.NaN()) }, promptkit.ErrInvalidRequest},
		{"no attempts at all", func(r *promptkit.RunRequest) { r.Overrides.MaxAttempts = -1 }, promptkit.ErrInvalidRequest},
		{"an unknown format", func(r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{Format: "xml"} }, promptkit.ErrInvalidRequest},
		{"an unknown validation", func(r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{Validation: "x"} }, promptkit.ErrInvalidRequest},
		{"a schema that is not used", func(r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{Schema: "summary.schema.json"} }, promptkit.ErrInvalidRequest},
		{"a schema that is not named", func(r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{Validation: "json_schema"} }, promptkit.ErrInvalidRequest},
		{"a schema outside the source", func(r *promptkit.RunRequest) {
			r.Output = &promptkit.OutputContract{Validation: "json_schema", Schema: "../x.json"}
		}, promptkit.ErrInvalidRequest},
		{"a schema that does not exist", func(r *promptkit.RunRequest) {
			r.Output = &promptkit.OutputContract{Validation: "json_schema", Schema: "x.json"}
		}, promptkit.ErrSchemaLoad},
		{"a variable that is no text", func(r *promptkit.RunRequest) { r.Vars["audience"] = "\xff" }, promptkit.ErrPromptRender},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			req := summaryRequest()
			tt.change(&req)
			got, err := e.Prepare(t.Context(), req)
			if got != nil {
				t.Error("a result came with the error")
			}
			wantOnly(t, err, tt.want)
		})
	}
}

// TestRenderErrorsSayWhere: message, position and the name concerned.
func TestRenderErrorsSayWhere(t *testing.T) {
	tests := []struct {
		why, text string
		mentions  []string
	}{
		{"a conditional variable", `{{if input "doc"}}{{.late}}{{end}}`, []string{"message 2 (user)", "p.yaml:8:", `"late"`}},
		{"a conditional input", `{{if input "doc"}}{{input "late"}}{{end}}`, []string{"message 2 (user)", "p.yaml:8:", `"late"`, "not bound"}},
		{"a field of a text", `{{if input "doc"}}{{.s.b}}{{end}}`, []string{"message 2 (user)", "p.yaml:8:"}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			e := engine(t, files("p.yaml", prompt("p", "first", tt.text)))
			_, err := e.Prepare(t.Context(), promptkit.RunRequest{
				PromptID: "p", Vars: map[string]string{"s": "s3cret"}, Inputs: []promptkit.Input{{Name: "doc", Text: "x"}},
			})
			wantOnly(t, err, promptkit.ErrPromptRender)
			for _, part := range tt.mentions {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not mention %q", err, part)
				}
			}
		})
	}
}

// TestRequestsAreNotKept: changing a request afterwards changes nothing, and
// preparing changes no request.
func TestRequestsAreNotKept(t *testing.T) {
	e := summaryEngine(t)
	req := summaryRequest()
	temperature := 0.5
	req.Overrides.Temperature = &temperature
	req.Overrides.Stop = []string{"END"}
	vars := maps.Clone(req.Vars)
	got, err := e.Prepare(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(vars, req.Vars) {
		t.Error("the variables were changed")
	}
	temperature, req.Overrides.Stop[0] = 9, "changed"
	if *got.Target.Parameters.Temperature != 0.5 || got.Target.Parameters.Stop[0] != "END" {
		t.Errorf("the result shares memory with the request: %+v", got.Target.Parameters)
	}
}

func TestCancellationMatchesTheStage(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reader := artifactReader(func(string) ([]byte, error) {
		cancel()
		return nil, ctx.Err()
	})
	e := summaryEngine(t, promptkit.WithArtifactReader(reader))
	req := summaryRequest()
	req.Inputs[0] = promptkit.Input{Name: "transcript", Path: "x"}
	_, err := e.Prepare(ctx, req)
	wantOnly(t, err, promptkit.ErrArtifactLoad)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v hides the context's error", err)
	}
}
