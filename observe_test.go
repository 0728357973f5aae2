package promptkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/promptkit-go/promptkit"
)

// watcher remembers what it was told.
type watcher struct {
	mu      sync.Mutex
	content bool
	seen    []promptkit.Observation
}

func (w *watcher) Observe(_ context.Context, o promptkit.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, o)
}

func (w *watcher) WantsContent() bool { return w.content }

func (w *watcher) kinds() []promptkit.ObservationKind {
	var kinds []promptkit.ObservationKind
	for _, o := range w.seen {
		kinds = append(kinds, o.Kind)
	}
	return kinds
}

func TestObservationsComeInOrder(t *testing.T) {
	quiet, curious := &watcher{}, &watcher{content: true}
	s := newServer(t, says("sorry"), says(`{"title":"T"}`))
	e := online(t, s, promptkit.Profile{Repair: &promptkit.Repair{MaxAttempts: 2}},
		promptkit.WithObserver(quiet), promptkit.WithObserver(nil), promptkit.WithObserver(curious))
	result, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	want := []promptkit.ObservationKind{"started", "admitted", "attempt", "attempt", "validated", "finished"}
	for _, w := range []*watcher{quiet, curious} {
		if diff := cmp.Diff(want, w.kinds()); diff != "" {
			t.Fatal(diff)
		}
	}
	for _, o := range quiet.seen {
		if o.RunID != result.RunID || o.PromptID != "summary" || o.PromptHash != result.PromptHash || o.RenderedHash != result.RenderedHash ||
			o.Target.BackendID != "live" || o.SessionID != "core-2026-01-02" || o.Time.IsZero() || o.Contract != result.Contract {
			t.Errorf("incomplete: %+v", o)
		}
	}
	first, last := quiet.seen[2].Attempt, quiet.seen[5]
	if first.Class != promptkit.FailureNotJSON || first.Content != nil || result.Attempts[0].Content != nil {
		t.Errorf("attempt %+v", first)
	}
	if last.Err != nil || last.Attempts != 2 || last.Usage.TotalTokens != 20 || last.Duration <= 0 {
		t.Errorf("finished %+v", last)
	}
	if got := curious.seen[2].Attempt.Content; got == nil || got.Reply != "sorry" || got.Request != s.seen()[0] {
		t.Errorf("content %+v", got)
	}
}

// TestStartedRunsAreFinished, whatever becomes of them.
func TestStartedRunsAreFinished(t *testing.T) {
	w := &watcher{}
	s := newServer(t, fails(401, "%s"))
	e := online(t, s, promptkit.Profile{}, promptkit.WithObserver(w))
	_, err := e.Run(t.Context(), summaryRequest())
	want := []promptkit.ObservationKind{"started", "admitted", "attempt", "finished"}
	if diff := cmp.Diff(want, w.kinds()); diff != "" {
		t.Fatal(diff)
	}
	if last := w.seen[3]; last.Err != err || last.Attempts != 1 {
		t.Errorf("finished %+v", last)
	}
	w.seen = nil
	kept := online(t, newServer(t, says(`{"title":"T"}`)), promptkit.Profile{}, promptkit.WithObserver(w))
	if _, err := kept.Run(t.Context(), summaryRequest(), promptkit.OutputTo(t.TempDir())); err == nil {
		t.Error("wrote a folder")
	}
	if last := w.seen[len(w.seen)-1]; last.Err == nil || last.Attempts != 1 || last.Usage.TotalTokens != 10 {
		t.Errorf("what a failed write spent is lost: %+v", last)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	frozen, err := e.PrepareExecution(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	w.seen = nil
	if _, err := e.RunPrepared(cancelled, frozen); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff([]promptkit.ObservationKind{"started", "finished"}, w.kinds()); diff != "" {
		t.Error(diff)
	}
}

func TestSlogObserver(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := newServer(t, says("sorry"), says(`{"title":"T"}`))
	e := online(t, s, promptkit.Profile{Repair: &promptkit.Repair{MaxAttempts: 2}}, promptkit.WithObserver(promptkit.NewSlogObserver(logger)))
	if _, err := e.Run(t.Context(), summaryRequest()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(log.String()) {
		var record struct {
			Level, Msg, Prompt, Class string
			Attempts                  int
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Prompt != "summary" {
			t.Fatalf("%s: %v", line, err)
		}
		got = append(got, record.Level+" "+record.Msg+" "+record.Class)
	}
	want := []string{
		"DEBUG prompt run started ", "DEBUG prompt run admitted ", "WARN prompt run attempt not_json",
		"DEBUG prompt run attempt ", "DEBUG prompt run validated ", "INFO prompt run finished ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// meterProvider provides one meter.
type meterProvider struct {
	noop.MeterProvider
	meter *meter
}

func (p meterProvider) Meter(string, ...metric.MeterOption) metric.Meter { return p.meter }

// meter adds up what is measured, by metric and one telling attribute.
type meter struct {
	noop.Meter
	mu   sync.Mutex
	sums map[string]int64
}

func (m *meter) Float64Histogram(name string, _ ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return floats{name: name, meter: m}, nil
}

func (m *meter) Int64Histogram(name string, _ ...metric.Int64HistogramOption) (metric.Int64Histogram, error) {
	return ints{name: name, meter: m}, nil
}

func (m *meter) add(name string, n int64, set attribute.Set, key attribute.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, _ := set.Value(key)
	m.sums[name+" "+value.String()] += n
}

// floats counts durations by how the call ended.
type floats struct {
	noop.Float64Histogram
	name  string
	meter *meter
}

func (floats) Enabled(context.Context) bool { return true }

func (f floats) Record(_ context.Context, v float64, opts ...metric.RecordOption) {
	if v > 0 {
		f.meter.add(f.name, 1, metric.NewRecordConfig(opts).Attributes(), "error.type")
	}
}

// ints adds tokens by their type.
type ints struct {
	noop.Int64Histogram
	name  string
	meter *meter
}

func (ints) Enabled(context.Context) bool { return true }

func (i ints) Record(_ context.Context, v int64, opts ...metric.RecordOption) {
	i.meter.add(i.name, v, metric.NewRecordConfig(opts).Attributes(), "gen_ai.token.type")
}

// telemetry is an engine whose spans and metrics are recorded.
func telemetry(t *testing.T, s *server, content bool, profile promptkit.Profile) (*promptkit.Engine, *tracetest.SpanRecorder, *meter) {
	t.Helper()
	spans, measured := tracetest.NewSpanRecorder(), &meter{sums: map[string]int64{}}
	observer, err := promptkit.NewTelemetryObserver(promptkit.TelemetryConfig{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
		MeterProvider:  meterProvider{meter: measured},
		Content:        content,
	})
	if err != nil {
		t.Fatal(err)
	}
	return online(t, s, profile, promptkit.WithObserver(observer)), spans, measured
}

// attributes are those of a span by key.
func attributes(span sdktrace.ReadOnlySpan) map[attribute.Key]string {
	all := map[attribute.Key]string{}
	for _, kv := range span.Attributes() {
		all[kv.Key] = kv.Value.String()
	}
	return all
}

func TestTelemetryFollowsTheConventions(t *testing.T) {
	s := newServer(t, says("sorry"), says(`{"title":"T"}`))
	e, recorder, measured := telemetry(t, s, false, promptkit.Profile{
		Repair: &promptkit.Repair{MaxAttempts: 2}, Parameters: promptkit.Parameters{Temperature: new(0.5), MaxOutputTokens: new(9), Seed: new(int64(3)), TopP: new(1.0), Stop: []string{"END"}},
	})
	result, err := e.Run(t.Context(), summaryRequest())
	if err != nil {
		t.Fatal(err)
	}
	spans := recorder.Ended()
	var names []string
	for _, span := range spans {
		names = append(names, span.Name())
	}
	if diff := cmp.Diff([]string{"chat m", "chat m", "promptkit.run summary"}, names); diff != "" {
		t.Fatal(diff)
	}
	failed, accepted, run := spans[0], spans[1], spans[2]
	for _, call := range []sdktrace.ReadOnlySpan{failed, accepted} {
		if call.Parent().SpanID() != run.SpanContext().SpanID() || call.SpanKind() != trace.SpanKindClient {
			t.Errorf("%s is no client span below the run", call.Name())
		}
	}
	if failed.Status().Code != codes.Error || accepted.Status().Code != codes.Unset || run.Status().Code != codes.Unset {
		t.Errorf("statuses %v, %v, %v", failed.Status(), accepted.Status(), run.Status())
	}
	port := s.URL[strings.LastIndex(s.URL, ":")+1:]
	want := map[attribute.Key]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m", "gen_ai.response.model": "served-model",
		"gen_ai.output.type": "json", "gen_ai.usage.input_tokens": "7", "gen_ai.usage.output_tokens": "3",
		"gen_ai.response.finish_reasons": `["stop"]`,
		"gen_ai.request.temperature":     "0.5", "gen_ai.request.top_p": "1", "gen_ai.request.max_tokens": "9", "gen_ai.request.seed": "3",
		"gen_ai.request.stop_sequences": `["END"]`, "server.address": "127.0.0.1", "server.port": port, "error.type": "not_json",
		"promptkit.attempt.number": "1", "promptkit.attempt.try": "1", "promptkit.attempt.waited": "0",
		"promptkit.profile.id": "dry", "promptkit.backend.id": "live", "promptkit.offline": "false",
		"promptkit.request.digest": result.Attempts[0].RequestDigest, "promptkit.reply.digest": result.Attempts[0].ReplyDigest,
	}
	if diff := cmp.Diff(want, attributes(failed)); diff != "" {
		t.Error(diff)
	}
	root := attributes(run)
	if root["gen_ai.prompt.name"] != "summary" || root["promptkit.run.id"] != result.RunID || root["gen_ai.usage.input_tokens"] != "14" ||
		root["promptkit.prompt.hash"] != result.PromptHash || root["promptkit.run.attempts"] != "2" {
		t.Errorf("run: %v", root)
	}
	wantSums := map[string]int64{
		"gen_ai.client.operation.duration ": 1, "gen_ai.client.operation.duration not_json": 1,
		"gen_ai.client.token.usage input": 14, "gen_ai.client.token.usage output": 6,
	}
	if diff := cmp.Diff(wantSums, measured.sums); diff != "" {
		t.Error(diff)
	}
}

func TestTelemetryContentIsOptIn(t *testing.T) {
	for _, content := range []bool{false, true} {
		s := newServer(t, says(`{"title":"canary reply"}`))
		e, recorder, _ := telemetry(t, s, content, promptkit.Profile{})
		if _, err := e.Run(t.Context(), summaryRequest()); err != nil {
			t.Fatal(err)
		}
		got := attributes(recorder.Ended()[0])
		var in, out []struct {
			Role  string
			Parts []struct{ Type, Content string }
		}
		if !content {
			if got["gen_ai.input.messages"] != "" || got["gen_ai.output.messages"] != "" {
				t.Errorf("contents show: %v", got)
			}
			continue
		}
		if err := json.Unmarshal([]byte(got["gen_ai.input.messages"]), &in); err != nil || len(in) != 2 ||
			in[0].Role != "system" || in[0].Parts[0].Content != "You write for newcomers.\n" || in[1].Parts[0].Content != "Summarise:\nA: hello\n" {
			t.Errorf("input messages %+v, %v", in, err)
		}
		if err := json.Unmarshal([]byte(got["gen_ai.output.messages"]), &out); err != nil || out[0].Parts[0].Content != `{"title":"canary reply"}` {
			t.Errorf("output messages %+v, %v", out, err)
		}
	}
}

func TestTelemetryOfFailedRuns(t *testing.T) {
	s := newServer(t, fails(401, `{"error":{"message":"bad key %s"}}`))
	e, recorder, _ := telemetry(t, s, false, promptkit.Profile{})
	if _, err := e.Run(t.Context(), summaryRequest()); err == nil {
		t.Fatal("no error")
	}
	spans := recorder.Ended()
	call, run := spans[0], spans[1]
	if got := attributes(call); got["error.type"] != "unauthorized" || got["http.response.status_code"] != "401" {
		t.Errorf("call: %v", got)
	}
	if got := attributes(run); got["error.type"] != "unauthorized" || run.Status().Code != codes.Error {
		t.Errorf("run: %v, %v", got, run.Status())
	}
	if late := run.EndTime().Sub(call.EndTime()); late < 0 || late > time.Minute {
		t.Errorf("the run ended %v after its call", late)
	}
}

// TestTwoTelemetryObservers do not end each other's spans.
func TestTwoTelemetryObservers(t *testing.T) {
	s := newServer(t, says(`{"title":"T"}`))
	first, second := tracetest.NewSpanRecorder(), tracetest.NewSpanRecorder()
	var opts []promptkit.Option
	for _, recorder := range []*tracetest.SpanRecorder{first, second} {
		observer, err := promptkit.NewTelemetryObserver(promptkit.TelemetryConfig{
			TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)),
		})
		if err != nil {
			t.Fatal(err)
		}
		opts = append(opts, promptkit.WithObserver(observer))
	}
	e := online(t, s, promptkit.Profile{}, opts...)
	var runs sync.WaitGroup
	for range 10 {
		runs.Go(func() {
			if _, err := e.Run(t.Context(), summaryRequest()); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	for _, recorder := range []*tracetest.SpanRecorder{first, second} {
		if ended := recorder.Ended(); len(ended) != 20 || slices.ContainsFunc(ended, func(s sdktrace.ReadOnlySpan) bool { return s.EndTime().Before(s.StartTime()) }) {
			t.Errorf("%d spans", len(ended))
		}
	}
}
