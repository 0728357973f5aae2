package promptkit

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
	"go.opentelemetry.io/otel/trace"
)

// TelemetryConfig says where telemetry goes and how much it shows.
type TelemetryConfig struct {
	// TracerProvider defaults to the global one.
	TracerProvider trace.TracerProvider
	// MeterProvider defaults to the global one.
	MeterProvider metric.MeterProvider
	// Content adds the messages and the reply of every attempt to its span, and
	// the session ID, which a template may make of variables. They hold
	// whatever the variables and inputs held. Defaults to false.
	Content bool
}

// NewTelemetryObserver returns an observer that records OpenTelemetry spans
// and metrics by the semantic conventions for generative AI, version 1.41.0:
// one span for each run, with one client span for each attempt below it, and
// the metrics gen_ai.client.operation.duration and gen_ai.client.token.usage.
// What the conventions have no name for is in attributes named promptkit.*.
func NewTelemetryObserver(cfg TelemetryConfig) (Observer, error) {
	if cfg.TracerProvider == nil {
		cfg.TracerProvider = otel.GetTracerProvider()
	}
	if cfg.MeterProvider == nil {
		cfg.MeterProvider = otel.GetMeterProvider()
	}
	meter := cfg.MeterProvider.Meter(instrumentation, metric.WithSchemaURL(semconv.SchemaURL))
	duration, err := genaiconv.NewClientOperationDuration(meter)
	if err != nil {
		return nil, fmt.Errorf("create the duration metric: %w", err)
	}
	tokens, err := genaiconv.NewClientTokenUsage(meter)
	if err != nil {
		return nil, fmt.Errorf("create the token metric: %w", err)
	}
	return &telemetry{
		tracer:   cfg.TracerProvider.Tracer(instrumentation, trace.WithSchemaURL(semconv.SchemaURL)),
		duration: duration, tokens: tokens, content: cfg.Content,
	}, nil
}

// instrumentation is the scope of everything that is recorded here.
const instrumentation = "github.com/promptkit-go/promptkit"

// telemetry turns observations into spans and measurements. The spans that
// are open travel in the contexts of the run, so that what the HTTP client
// records belongs to them; their keys are the observer's own, so that several
// observers do not end each other's spans.
type telemetry struct {
	tracer   trace.Tracer
	duration genaiconv.ClientOperationDuration
	tokens   genaiconv.ClientTokenUsage
	content  bool
}

// runKey and attemptKey find the open spans of one observer in a context.
type (
	runKey     struct{ *telemetry }
	attemptKey struct{ *telemetry }
)

// WantsContent reports whether spans are to carry messages and replies.
func (t *telemetry) WantsContent() bool { return t.content }

// Enter opens the span of a run, or of one of its attempts.
func (t *telemetry) Enter(ctx context.Context, o Observation) context.Context {
	if o.Kind == ObservedStarted {
		ctx, span := t.tracer.Start(ctx, "promptkit.run "+o.PromptID, trace.WithTimestamp(o.Time),
			trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(runAttributes(o)...), trace.WithAttributes(t.sessionAttributes(o)...))
		return context.WithValue(ctx, runKey{t}, span)
	}
	ctx, span := t.tracer.Start(ctx, "chat "+o.Target.Model, trace.WithTimestamp(o.Attempt.StartedAt),
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(requestAttributes(o)...), trace.WithAttributes(t.sessionAttributes(o)...))
	return context.WithValue(ctx, attemptKey{t}, span)
}

// Observe records one observation.
func (t *telemetry) Observe(ctx context.Context, o Observation) {
	span, ok := ctx.Value(runKey{t}).(trace.Span)
	if !ok {
		return
	}
	switch o.Kind {
	case ObservedAdmitted:
		span.AddEvent("promptkit.admitted", trace.WithTimestamp(o.Time), trace.WithAttributes(
			attribute.String("promptkit.backend.id", o.Target.BackendID),
			attribute.Float64("promptkit.admission.waited", o.Waited.Seconds())))
	case ObservedAttempt:
		t.endAttempt(ctx, o)
	case ObservedValidated:
		span.AddEvent("promptkit.validated", trace.WithTimestamp(o.Time))
	case ObservedFinished:
		endRun(span, o)
	}
}

// endRun closes the span of a run.
func endRun(span trace.Span, o Observation) {
	span.SetAttributes(
		attribute.Int("promptkit.run.attempts", o.Attempts),
		semconv.GenAIUsageInputTokens(int(o.Usage.InputTokens)),
		semconv.GenAIUsageOutputTokens(int(o.Usage.OutputTokens)))
	if o.Err != nil {
		span.SetStatus(codes.Error, o.Err.Error())
		span.SetAttributes(semconv.ErrorTypeKey.String(failureCategory(o.Err)))
	}
	span.End(trace.WithTimestamp(o.Time))
}

// endAttempt closes the span of an attempt and measures it.
func (t *telemetry) endAttempt(ctx context.Context, o Observation) {
	span, ok := ctx.Value(attemptKey{t}).(trace.Span)
	if !ok {
		return
	}
	a := o.Attempt
	span.SetAttributes(outcomeAttributes(a)...)
	if a.Content != nil {
		span.SetAttributes(contentAttributes(a.Content, a.FinishReason)...)
	}
	if a.Class != "" {
		span.SetStatus(codes.Error, string(a.Class))
	}
	span.End(trace.WithTimestamp(a.StartedAt.Add(a.Duration)))
	t.measure(ctx, o)
}

// measure records the metrics of one attempt.
func (t *telemetry) measure(ctx context.Context, o Observation) {
	a := o.Attempt
	provider := providerOf(o.Target)
	attrs := append(serverAttributes(o.Target),
		semconv.GenAIRequestModel(o.Target.Model), semconv.GenAIResponseModel(a.Model))
	if n := a.Usage.InputTokens; n > 0 {
		t.tokens.Record(ctx, n, genaiconv.OperationNameChat, provider, genaiconv.TokenTypeInput, attrs...)
	}
	if n := a.Usage.OutputTokens; n > 0 {
		t.tokens.Record(ctx, n, genaiconv.OperationNameChat, provider, genaiconv.TokenTypeOutput, attrs...)
	}
	if a.Class != "" {
		attrs = append(attrs, semconv.ErrorTypeKey.String(string(a.Class)))
	}
	t.duration.Record(ctx, a.Duration.Seconds(), genaiconv.OperationNameChat, provider, attrs...)
}
