package promptkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

// The canaries: what must appear nowhere but where it is the purpose.
const (
	canaryVar      = "canary-in-a-variable"
	canaryInput    = "canary-in-an-input"
	canaryKey      = "canary-in-a-key"
	canaryHeader   = "canary-in-a-header"
	canaryTemplate = "canary-in-a-template"
	canaryReply    = "canary-in-a-reply"
)

// shown is everything that formatting, encoding and logging make of a value.
func shown(v any) string {
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	if encoded, err := json.Marshal(v); err == nil {
		b.Write(encoded)
	}
	b.WriteString(logged(v))
	if err, ok := v.(error); ok {
		for _, inner := range chain(err) {
			fmt.Fprintf(&b, "%v %+v %#v\n", inner, inner, inner)
		}
	}
	return b.String()
}

// logged is what slog makes of a value.
func logged(v any) string {
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "v", v)
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "v", v)
	return b.String()
}

// chain is an error with everything that it wraps.
func chain(err error) []error {
	all := []error{err}
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		if inner := w.Unwrap(); inner != nil {
			all = append(all, chain(inner)...)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range w.Unwrap() {
			all = append(all, chain(inner)...)
		}
	}
	return all
}

// wantNoCanary fails if a text holds a canary, plain or as %x writes it.
func wantNoCanary(t *testing.T, where, text string) {
	t.Helper()
	for _, text := range []string{text, strings.ToLower(text)} {
		if i := strings.Index(text, "canary"); i >= 0 {
			t.Errorf("%s shows %q", where, text[max(0, i-60):min(len(text), i+60)])
			return
		}
	}
	if strings.Contains(text, fmt.Sprintf("%x", "canary")) {
		t.Errorf("%s shows a canary in hexadecimal", where)
	}
}

// wantPublicChain fails if an error exposes a type of another package of this
// module that is not public.
func wantPublicChain(t *testing.T, err error) {
	t.Helper()
	for _, inner := range chain(err) {
		typ := reflect.TypeOf(inner)
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if strings.Contains(typ.PkgPath(), "/internal/") && strings.Contains(typ.PkgPath(), "promptkit") {
			t.Errorf("%v exposes %v", err, typ)
		}
	}
}

// TestBadDefinitionsShowNothing holds every bad input that a project can have
// to disclosure: in problems, in errors of lookups, in what Check says.
func TestBadDefinitionsShowNothing(t *testing.T) {
	text := canaryTemplate
	message := "messages:\n  - role: user\n    content: "
	head := "id: p\nversion: 1\n"
	nested := strings.Repeat("[", 2000) + text + strings.Repeat("]", 2000)
	bomb := head + "description: &a " + text + "\n"
	for i := range 12 {
		bomb += fmt.Sprintf("x%d: &b%d [%s]\n", i, i, strings.Repeat("*a, ", 10))
	}
	bad := map[string]string{
		"empty":                   "",
		"second document":         head + message + text + "\n---\nid: " + text + "\n",
		"unknown key":             head + message + text + "\nnonsense: " + text + "\n",
		"misspelt key":            head + "mesages: [{role: user, content: " + text + "}]\n",
		"duplicate key":           head + message + text + "\nversion: 2\n",
		"both contents":           head + message + text + "\n    content_file: x\n",
		"neither content":         head + "messages: [{role: user}]\n",
		"wrong type":              head + message + "[" + text + "]\n",
		"bad role":                head + "messages: [{role: 3, content: " + text + "}]\n",
		"not YAML":                head + message + "\"" + text + "\n",
		"alias bomb":              bomb,
		"nesting bomb":            head + message + nested,
		"invalid UTF-8":           head + message + text + "\xff\n",
		"NUL":                     head + message + text + "\x00\n",
		"template does not parse": head + message + "\"" + text + " {{if}} " + text + "\"\n",
		"bare name":               head + message + "\"" + text + " {{name}}\"\n",
		"hyphen":                  head + message + "\"" + text + " {{.a-b}}\"\n",
		"literal in a template":   head + message + "'" + text + " {{index 3 \"" + text + "\"}}'\n",
		"never renders":           head + message + "'" + text + " {{range .x}}{{\"" + text + "\"}}{{end}}'\n",
		"unterminated string":     head + message + "'{{\"" + text + "'\n",
		"unknown fact":            head + message + text + "\ninstructions: [{id: i, role: user, template: \"" + text + " {{nope}}\"}]\n",
		"absolute file":           head + "messages: [{role: user, content_file: /etc/passwd}]\n",
		"file outside":            head + "messages: [{role: user, content_file: ../x}]\n",
		"file missing":            head + "messages: [{role: user, content_file: none}]\n",
		"blank ID":                "id: ' '\nversion: 1\n" + message + text + "\n",
		"schema missing":          head + message + text + "\noutput: {format: json, validation: json_schema, schema: none.json}\n",
		"schema malformed":        head + message + text + "\noutput: {format: json, validation: json_schema, schema: bad.json}\n",
	}
	for why, definition := range bad {
		t.Run(why, func(t *testing.T) {
			e := engine(t, fstest.MapFS{"p.yaml": {Data: []byte(definition)}}, promptkit.WithSchemaFS(files("bad.json", `{"type":"`+text+`"}`)))
			problems, err := e.Check(t.Context())
			if err != nil || len(problems) == 0 {
				t.Fatalf("nothing is wrong: %v, %v", problems, err)
			}
			wantNoCanary(t, "Check", shown(problems))
			_, inspected := e.InspectPrompt(t.Context(), "p", "1")
			_, required := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", ProfileID: "dry"})
			_, prepared := e.Prepare(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: "dry"})
			for _, err := range []error{inspected, required, prepared} {
				if err != nil {
					wantNoCanary(t, "an error", shown(err))
					wantPublicChain(t, err)
				}
			}
		})
	}
}

func TestBadProfilesAndBackendsShowNothing(t *testing.T) {
	e := engine(t, files("p.yaml", prompt("p", "x")),
		promptkit.WithProfileFS(files(
			"a.yaml", "id: a\nbackend: b\nmodel: m\napi_key: "+canaryKey+"\n",
			"c.yaml", "id: c\nextends: d\n", "d.yaml", "id: d\nextends: c\n",
			"e.yaml", "id: e\nextends: nobody\n", "f.yaml", "id: f\nbackend: nobody\nmodel: m\n",
			"g.yaml", "id: g\nbackend: b\nmodel: m\n",
		)),
		promptkit.WithBackendFS(files(
			"b.yaml", "id: b\nbase_url: https://u:"+canaryKey+"@example.com\napi_key_env: "+canaryKey+"\nheaders: {Authorization: "+canaryHeader+", X-Api-Key: "+canaryHeader+"}\n",
			"h.yaml", "id: h\nbase_url: https://example.com?api_key="+canaryKey+"\n",
			"i.yaml", "id: i\nbase_url: https://example.com\nheaders: {X-Ok: \""+canaryHeader+" ${env:X}\"}\napikey: "+canaryKey+"\n",
		)))
	for _, p := range e.Problems() {
		line, _ := e.SourceLine(p)
		wantNoCanary(t, "a problem", shown(p))
		wantNoCanary(t, "a source line", line)
	}
	for _, id := range []string{"a", "c", "d", "e", "f", "g"} {
		_, inspected := e.InspectProfile(t.Context(), id)
		_, prepared := e.PrepareExecution(t.Context(), promptkit.RunRequest{PromptID: "p", ProfileID: id})
		if prepared == nil {
			t.Errorf("%s can be executed", id)
		}
		for _, err := range []error{inspected, prepared} {
			if err != nil {
				wantNoCanary(t, "an error", shown(err))
				wantPublicChain(t, err)
			}
		}
	}
}

// canaryPrompt has a canary in the text of every template and renders to
// what its variables and inputs hold.
const canaryPrompt = `id: p
version: "1"
session_id: "s{{.session}}"
inputs: [{name: doc, content_type: text/plain}]
messages:
  - role: system
    content: "` + canaryTemplate + ` {{.v}}"
  - role: user
    content: "` + canaryTemplate + ` {{input \"doc\"}}{{if .hard}}{{range .hard}}{{end}}{{end}}{{if .name}}{{input .name}}{{end}}{{.late | printf \"%d\" | slice .v 1 | len | index .v}}"
instructions:
  - {id: i, role: system, text: "` + canaryTemplate + `"}
output: {format: json, validation: json_schema, schema: summary.schema.json}
`

// canaryEngine is online, with a canary in each credential.
func canaryEngine(t *testing.T, s *server, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	t.Setenv("PROMPTKIT_TEST_KEY", canaryKey)
	t.Setenv("PROMPTKIT_TEST_HEADER", canaryHeader)
	definition := strings.Replace(canaryPrompt, `{{.late | printf \"%d\" | slice .v 1 | len | index .v}}`, "", 1)
	return engine(t, files("p.yaml", definition, "hard.yaml", strings.Replace(canaryPrompt, "id: p", "id: hard", 1)),
		append([]promptkit.Option{
			promptkit.WithProfiles(promptkit.Profile{ID: "live", Backend: "live", Model: "m", Repair: &promptkit.Repair{MaxAttempts: 2}}),
			promptkit.WithBackends(promptkit.Backend{
				ID: "live", BaseURL: s.URL, APIKeyEnv: "PROMPTKIT_TEST_KEY",
				Headers: map[string]promptkit.HeaderValue{"X-One": "${env:PROMPTKIT_TEST_HEADER}", "X-Two": canaryHeader},
				Retry:   promptkit.Retry{MaxAttempts: 2, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond},
				Timeout: 200 * time.Millisecond,
			}),
		}, opts...)...)
}

func canaryRequest() promptkit.RunRequest {
	return promptkit.RunRequest{
		PromptID: "p", ProfileID: "live",
		Vars:   map[string]string{"v": canaryVar, "session": "1", "hard": "", "name": "", "late": canaryVar},
		Inputs: []promptkit.Input{{Name: "doc", Text: canaryInput}},
	}
}

func TestBadRequestsShowNothing(t *testing.T) {
	e := canaryEngine(t, newServer(t, says("x")))
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	cases := map[string]func(ctx *context.Context, r *promptkit.RunRequest){
		"cancelled":              func(ctx *context.Context, _ *promptkit.RunRequest) { *ctx = cancelled },
		"blank prompt":           func(_ *context.Context, r *promptkit.RunRequest) { r.PromptID = "" },
		"unknown prompt":         func(_ *context.Context, r *promptkit.RunRequest) { r.PromptID = "x" },
		"unknown version":        func(_ *context.Context, r *promptkit.RunRequest) { r.PromptVersion = "x" },
		"unknown profile":        func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "x" },
		"no profile":             func(_ *context.Context, r *promptkit.RunRequest) { r.ProfileID = "" },
		"session":                func(_ *context.Context, r *promptkit.RunRequest) { r.SessionID = canaryVar + "\x01" },
		"rendered session":       func(_ *context.Context, r *promptkit.RunRequest) { r.Vars["session"] = canaryVar + "\x01" },
		"missing variable":       func(_ *context.Context, r *promptkit.RunRequest) { delete(r.Vars, "v") },
		"missing input":          func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs = nil },
		"bound twice":            func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs = append(r.Inputs, r.Inputs[0]) },
		"contradicted type":      func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs[0].ContentType = "image/png" },
		"file missing":           func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs[0].Path = filepath.Join(dir, "none") },
		"file is a folder":       func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs[0].Path = dir },
		"file is a pipe":         func(_ *context.Context, r *promptkit.RunRequest) { r.Inputs[0].Path = pipe },
		"range over a text":      func(_ *context.Context, r *promptkit.RunRequest) { r.Vars["hard"] = canaryVar },
		"functions that fail":    func(_ *context.Context, r *promptkit.RunRequest) { r.PromptID = "hard" },
		"no text":                func(_ *context.Context, r *promptkit.RunRequest) { r.Vars["v"] = canaryVar + "\xff" },
		"turn":                   func(_ *context.Context, r *promptkit.RunRequest) { r.Turn = &fact.Turn{Action: -1} },
		"contract":               func(_ *context.Context, r *promptkit.RunRequest) { r.Output = &promptkit.OutputContract{Format: "x"} },
		"schema outside":         func(_ *context.Context, r *promptkit.RunRequest) { r.Output = jsonSchema("../x.json") },
		"schema missing":         func(_ *context.Context, r *promptkit.RunRequest) { r.Output = jsonSchema("none.json") },
		"unset credential":       func(*context.Context, *promptkit.RunRequest) { os.Unsetenv("PROMPTKIT_TEST_KEY") },
		"input of unbound name ": func(_ *context.Context, r *promptkit.RunRequest) { r.Vars["name"] = "unbound" },
	}
	for why, change := range cases {
		t.Run(why, func(t *testing.T) {
			t.Setenv("PROMPTKIT_TEST_KEY", canaryKey)
			ctx, req := t.Context(), canaryRequest()
			change(&ctx, &req)
			_, err := e.PrepareExecution(ctx, req)
			if err == nil {
				t.Fatal("no error")
			}
			wantNoCanary(t, "the error", shown(err))
			wantPublicChain(t, err)
		})
	}
	wantNoCanary(t, "a request in a log", logged(canaryRequest())+logged(canaryRequest().Inputs[0]))
}

func jsonSchema(path string) *promptkit.OutputContract {
	return &promptkit.OutputContract{Validation: promptkit.ValidateJSONSchema, Schema: path}
}

// TestFailedRunsShowNothing lets servers echo what they were sent in every
// way, and holds errors, logs, spans and observations to disclosure.
func TestFailedRunsShowNothing(t *testing.T) {
	echo := func(r *http.Request) string {
		body, _ := io.ReadAll(r.Body)
		return r.Header.Get("Authorization") + " " + r.Header.Get("X-One") + " " + r.Header.Get("X-Two") + " " + string(body) + canaryReply
	}
	failing := func(status int, form string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			text, _ := json.Marshal(echo(r))
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, form, text)
		}
	}
	servers := map[string]http.HandlerFunc{
		"400":            failing(400, `{"error":{"message":%[1]s,"code":%[1]s,"type":%[1]s,"param":%[1]s}}`),
		"401":            failing(401, `{"error":%s}`),
		"404":            failing(404, `%s`),
		"429":            failing(429, `{"error":{"code":%s}}`),
		"500":            failing(500, `<html>%s`),
		"200 with error": failing(200, `{"error":{"message":%s}}`),
		"HTML":           failing(200, `<html>%s`),
		"cut":            failing(200, `{"choices":[{"message":{"content":%s`),
		"no choices":     failing(200, `{"choices":[],"x":%s}`),
		"not JSON":       failing(200, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`),
		"refused":        failing(200, `{"choices":[{"message":{"refusal":%s},"finish_reason":"stop"}]}`),
		"finish":         failing(200, `{"choices":[{"message":{"content":"{}"},"finish_reason":%s}]}`),
		"against schema": says(`{"` + canaryReply + `":"` + canaryReply + `","title":["` + canaryReply + `"]}`),
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.com/"+canaryReply, http.StatusTemporaryRedirect)
		},
		"closes":          func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"says nothing":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"bad header name": func(w http.ResponseWriter, _ *http.Request) { hijack(w, "HTTP/1.1 200 OK\r\n"+canaryReply+"\r\n\r\n") },
		"no HTTP":         func(w http.ResponseWriter, _ *http.Request) { hijack(w, canaryReply+"\r\n\r\n") },
	}
	for why, handler := range servers {
		t.Run(why, func(t *testing.T) {
			var log bytes.Buffer
			spans := tracetest.NewSpanRecorder()
			seen := &watcher{}
			e := canaryEngine(t, newServer(t, handler), promptkit.WithObserver(seen), promptkit.WithObserver(spanObserver(t, spans)),
				promptkit.WithObserver(promptkit.NewSlogObserver(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))))
			_, err := e.Run(t.Context(), canaryRequest())
			if err == nil {
				t.Fatal("no error")
			}
			wantNoCanary(t, "the error", shown(err))
			wantPublicChain(t, err)
			wantNoCanary(t, "the log", log.String())
			for _, o := range seen.seen {
				wantNoCanary(t, "an observation", shown(o))
			}
			for _, span := range spans.Ended() {
				wantNoCanary(t, "a span", fmt.Sprintf("%s %v %+v %+v", span.Name(), span.Attributes(), span.Status(), span.Events()))
			}
			var rejected *promptkit.OutputError
			if errors.As(err, &rejected) && rejected.Class != promptkit.FailureRefused && rejected.LastReply() == "" {
				t.Error("the last reply cannot be had by those who ask")
			}
		})
	}
}

// hijack answers with raw bytes.
func hijack(w http.ResponseWriter, text string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, text)
	_ = conn.Close()
}

func spanObserver(t *testing.T, spans *tracetest.SpanRecorder) promptkit.Observer {
	t.Helper()
	observer, err := promptkit.NewTelemetryObserver(promptkit.TelemetryConfig{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))})
	if err != nil {
		t.Fatal(err)
	}
	return observer
}

// TestSuccessesShowOnlyTheirPurpose: inspections, statistics, records, and
// everything in a log.
func TestSuccessesShowOnlyTheirPurpose(t *testing.T) {
	var log bytes.Buffer
	spans := tracetest.NewSpanRecorder()
	s := newServer(t, says(`{"title":"`+canaryReply+`"}`))
	e := canaryEngine(t, s, promptkit.WithObserver(spanObserver(t, spans)),
		promptkit.WithObserver(promptkit.NewSlogObserver(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))))
	declared, err := e.InspectPrompt(t.Context(), "p", "")
	if err != nil {
		t.Fatal(err)
	}
	req := canaryRequest()
	required, err := e.InspectRequirements(t.Context(), promptkit.RequirementInspectionRequest{PromptID: "p", ProfileID: "live", Vars: req.Vars})
	if err != nil {
		t.Fatal(err)
	}
	target, err := e.InspectProfile(t.Context(), "live")
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := e.PrepareExecution(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.RunPrepared(t.Context(), frozen)
	if err != nil {
		t.Fatal(err)
	}
	backend := promptkit.Backend{Headers: map[string]promptkit.HeaderValue{"X": canaryHeader}}
	for where, v := range map[string]any{
		"InspectPrompt": declared, "InspectRequirements": required, "InspectProfile": target, "Stats": e.Stats(), "Prompts": e.Prompts(),
		"attempts": result.Attempts, "target": result.Target, "a prepared execution": frozen, "a backend": backend, "an engine": e,
	} {
		wantNoCanary(t, where, shown(v))
	}
	wantNoCanary(t, "a log of a preparation", logged(frozen.Prepared())+logged(*frozen.Prepared())+logged(frozen.Prepared().Messages[0]))
	wantNoCanary(t, "a log of a result", logged(result)+logged(*result))
	wantNoCanary(t, "the observer's log", log.String())
	for _, span := range spans.Ended() {
		wantNoCanary(t, "a span", fmt.Sprintf("%s %v %+v", span.Name(), span.Attributes(), span.Events()))
	}
	text := fmt.Sprint(frozen.Prepared().Messages, result.Output)
	for _, canary := range []string{canaryVar, canaryInput, canaryTemplate, canaryReply} {
		if !strings.Contains(text, canary) {
			t.Errorf("%s is not even where it is the purpose", canary)
		}
	}
	if strings.Contains(text+string(frozen.RequestBody()), canaryKey) || strings.Contains(text+string(frozen.RequestBody()), canaryHeader) {
		t.Error("a credential is part of a result")
	}
}

// TestForeignErrorsShowNothing: the words of collaborators are not ours to
// show.
func TestForeignErrorsShowNothing(t *testing.T) {
	reader := artifactReader(func(string) ([]byte, error) {
		return nil, fmt.Errorf("%s: %w", canaryInput, &fs.PathError{Op: "open", Path: "in.txt", Err: fs.ErrPermission})
	})
	client := modelFunc(func(context.Context, promptkit.ModelRequest) (*promptkit.ModelReply, error) {
		return nil, errors.New(canaryReply)
	})
	e := canaryEngine(t, newServer(t, says("x")), promptkit.WithArtifactReader(reader), promptkit.WithModelClient(client))
	req := canaryRequest()
	_, failed := e.Run(t.Context(), req)
	wantOnly(t, failed, promptkit.ErrGenerate)
	req.Inputs[0].Path = "in.txt"
	_, unread := e.Run(t.Context(), req)
	wantOnly(t, unread, promptkit.ErrArtifactLoad)
	if !errors.Is(unread, fs.ErrPermission) {
		t.Errorf("%v hides the file error", unread)
	}
	for _, err := range []error{failed, unread} {
		wantNoCanary(t, "the error", shown(err))
	}
}
