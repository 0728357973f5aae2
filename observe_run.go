package promptkit

import (
	"context"
	"time"

	"github.com/promptkit-go/promptkit/internal/execution"
)

func (r *activeRun) observers() observers { return r.engine.runner.observers }

// observer is who hears of the run's calls: the run itself, to tell others or
// to put its name in the context of a call. Where nobody asks for either it is
// nil, since each word to nobody costs a copy of all that the run is about.
func (r *activeRun) observer() execution.Observer {
	if len(r.observers()) == 0 && !r.engine.runner.named {
		return nil
	}
	return r
}

// observation is what every observation of the run says.
func (r *activeRun) observation(kind ObservationKind, at time.Time) Observation {
	p := &r.prepared
	return Observation{
		Kind: kind, Time: at, RunID: r.id,
		PromptID: p.PromptID, PromptVersion: p.PromptVersion, PromptHash: p.PromptHash, RenderedHash: p.RenderedHash,
		ProfileID: p.ProfileID, Target: p.Target, SessionID: p.SessionID, Contract: p.Output,
	}
}

// start reports the start of the run, and lets the observers prepare its
// context.
func (r *activeRun) start(ctx context.Context) context.Context {
	if len(r.observers()) == 0 {
		return ctx
	}
	o := r.observation(ObservedStarted, r.started)
	o.Instructions = r.prepared.Instructions
	ctx = r.observers().enter(ctx, o)
	r.observers().tell(ctx, o)
	return ctx
}

// validated reports that there is an output that keeps the contract.
func (r *activeRun) validated(ctx context.Context) {
	if len(r.observers()) > 0 {
		r.observers().tell(ctx, r.observation(ObservedValidated, time.Now()))
	}
}

// Admitted passes on that a backend has room for the run.
func (r *activeRun) Admitted(ctx context.Context, target *execution.Target, waited time.Duration) {
	if len(r.observers()) == 0 {
		return
	}
	o := r.at(target.ProfileID, ObservedAdmitted, time.Now())
	o.Waited = waited
	r.observers().tell(ctx, o)
}

// Started lets the observers prepare the context of a call.
func (r *activeRun) Started(ctx context.Context, a execution.Attempt) context.Context {
	ctx = context.WithValue(ctx, callKey{}, callInfo{runID: r.id, attempt: a.Number})
	if len(r.observers()) == 0 {
		return ctx
	}
	return r.observers().enter(ctx, r.attempt(a, a.StartedAt))
}

// Ended passes on the record of a call.
func (r *activeRun) Ended(ctx context.Context, a execution.Attempt) {
	if len(r.observers()) > 0 {
		r.observers().tell(ctx, r.attempt(a, a.StartedAt.Add(a.Duration)))
	}
}

func (r *activeRun) attempt(a execution.Attempt, at time.Time) Observation {
	o := r.at(a.ProfileID, ObservedAttempt, at)
	record := publicAttempt(&a)
	o.Attempt = &record
	return o
}

// at is an observation at the leg that a profile stands for.
func (r *activeRun) at(profileID string, kind ObservationKind, when time.Time) Observation {
	o := r.observation(kind, when)
	for i := range r.plan.legs {
		if r.plan.legs[i].profileID == profileID {
			o.ProfileID, o.Target = profileID, r.plan.legs[i].target
			break
		}
	}
	return o
}

// finish reports the end of the run.
func (r *activeRun) finish(ctx context.Context, result *RunResult, err error) {
	if len(r.observers()) == 0 {
		return
	}
	o := r.observation(ObservedFinished, time.Now())
	o.Duration, o.Err = o.Time.Sub(r.started), err
	o.Usage, o.Attempts = r.usage, r.calls
	if result != nil {
		o.ProfileID, o.Target = result.ProfileID, result.Target
	}
	r.observers().tell(ctx, o)
}
