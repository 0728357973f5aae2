package promptkit

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/promptkit-go/promptkit/internal/atomicfile"
	"github.com/promptkit-go/promptkit/internal/capacity"
	"github.com/promptkit-go/promptkit/internal/execution"
)

// activeRun is one run of a prepared execution. It tells the observers of the
// engine what execution tells it.
type activeRun struct {
	*PreparedExecution
	id       string
	settings runSettings
	started  time.Time

	// What was spent, also by a run that failed.
	calls int
	usage Usage
}

// newRunID returns an ID that no other run has.
func newRunID() string { return "run-" + rand.Text() }

// do runs, and reports the start and the end of it whatever happens between.
func (r *activeRun) do(ctx context.Context) (*RunResult, error) {
	r.started = time.Now()
	ctx = r.start(ctx)
	result, err := r.execute(ctx)
	r.finish(ctx, result, err)
	return result, err
}

// execute gets an output and writes it where it is to go.
func (r *activeRun) execute(ctx context.Context) (*RunResult, error) {
	got, err := r.engine.runner.Run(ctx, r.frozen, execution.Options{
		OnText:      r.settings.onText,
		Observer:    r.observer(),
		KeepContent: r.settings.keepContent || r.observers().wantContent(),
	})
	if err != nil {
		return nil, r.failure(err)
	}
	r.calls, r.usage = len(got.Attempts), publicUsage(got.Usage)
	r.validated(ctx)
	if path := r.settings.outputPath; path != "" {
		if err := atomicfile.Write(ctx, path, []byte(got.Output)); err != nil {
			return nil, fail(ErrOutputWrite, err.Error(), err)
		}
	}
	return r.result(got), nil
}

// result is a run that succeeded, in public values.
func (r *activeRun) result(got *execution.Result) *RunResult {
	p := &r.prepared
	used := &r.plan.legs[got.Target]
	return &RunResult{
		RunID: r.id, PromptID: p.PromptID, PromptVersion: p.PromptVersion,
		PromptHash: p.PromptHash, RenderedHash: p.RenderedHash,
		ProfileID: used.profileID, Target: used.target.clone(), SessionID: p.SessionID, Contract: p.Output,
		Output: got.Output, Offline: used.target.Offline,
		Usage: r.usage, Attempts: r.attempts(got.Attempts),
		Inputs: slices.Clone(p.Inputs), Instructions: cloneInstructions(p.Instructions), OutputPath: r.settings.outputPath,
		StartedAt: r.started, Duration: time.Since(r.started),
	}
}

// attempts are the records of a run, with contents only if the caller of the
// run asked for them: an observer may have.
func (r *activeRun) attempts(records []execution.Attempt) []Attempt {
	list := make([]Attempt, len(records))
	for i := range records {
		list[i] = publicAttempt(&records[i])
		if !r.settings.keepContent {
			list[i].Content = nil
		}
	}
	return list
}

// failure is what the caller is told of a run that failed.
func (r *activeRun) failure(err error) error {
	var f *execution.Error
	if !errors.As(err, &f) {
		return fail(ErrGenerate, "the run failed", err)
	}
	attempts, usage := r.attempts(f.Attempts), publicUsage(f.Usage)
	r.calls, r.usage = len(attempts), usage
	switch {
	case f.Stage == execution.Admission:
		return r.admissionFailure(f)
	case f.Class == execution.ClassCredential:
		return fail(ErrCredentialMissing, f.Error(), f.Err)
	case f.Stage == execution.Validation:
		rejected := &OutputError{
			Class: FailureClass(f.Class), BackendID: f.BackendID, Model: f.Model, Reason: f.Reason,
			Violations: publicViolations(f.Violations), Attempts: attempts, Usage: usage, reply: conceal(f.LastReply()),
		}
		return fail(ErrValidation, rejected.Error(), rejected)
	default:
		failed := &ProviderError{
			BackendID: f.BackendID, Model: f.Model, Class: FailureClass(f.Class), Status: f.Status, Code: f.Code,
			Reason: f.Reason, RetryAfter: f.RetryAfter, Attempts: attempts, Usage: usage,
		}
		return fail(ErrGenerate, failed.Error(), errors.Join(failed, f.Err))
	}
}

// admissionFailure is a run that got no place at its backend.
func (r *activeRun) admissionFailure(f *execution.Error) error {
	var full *capacity.FullError
	if errors.As(f.Err, &full) {
		typed := &CapacityError{
			BackendID: full.Backend, MaxConcurrent: full.Limit, MaxWaiting: full.MaxWaiting, Waiting: full.Waiting,
		}
		return fail(ErrCapacity, typed.Error(), typed)
	}
	return fail(ErrCapacity, f.Error(), f.Err)
}
