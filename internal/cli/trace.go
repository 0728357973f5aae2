package cli

import (
	"context"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/promptkit-go/promptkit"
)

// A tracer writes the spans of a run to a file, one JSON document a line.
type tracer struct {
	path     string
	file     *os.File
	provider *sdktrace.TracerProvider
}

// newTracer opens the file before anything runs: a run whose trace has
// nowhere to go should not be paid for. Lines are added to what is there.
func newTracer(path string) (*tracer, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, failedf("cannot write the trace to %q: %s", printable(path), fileReason(err))
	}
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(file))
	if err != nil {
		_ = file.Close()
		return nil, failedf("cannot write the trace to %q", printable(path))
	}
	return &tracer{path, file, sdktrace.NewTracerProvider(
		sdktrace.WithSyncer(exporter),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "promptkit"))),
	)}, nil
}

// option makes an engine tell the tracer what happens.
func (t *tracer) option() (promptkit.Option, error) {
	observer, err := promptkit.NewTelemetryObserver(promptkit.TelemetryConfig{TracerProvider: t.provider})
	return promptkit.WithObserver(observer), err
}

// close makes sure that everything is in the file. The run's context may be
// over, and the trace of an interrupted run is worth having.
func (t *tracer) close() error {
	err := t.provider.Shutdown(context.Background())
	if closeErr := t.file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return failedf("cannot write the trace to %q: %s", printable(t.path), fileReason(err))
	}
	return nil
}
