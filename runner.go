package promptkit

import (
	"os"

	"github.com/promptkit-go/promptkit/internal/backend"
	"github.com/promptkit-go/promptkit/internal/capacity"
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/openai"
)

// runner is what the runs of an engine share.
type runner struct {
	execution.Runner
	pool      *capacity.Pool
	observers observers
	named     bool // a call carries the ID of its run, for a ModelClient
}

// newRunner makes a runner over the captured backends.
func newRunner(s *settings, profiles *profileSet) *runner {
	var limits []capacity.Limits
	captured := make(map[string]*definition.Backend)
	for _, b := range profiles.backends.Loaded() {
		captured[b.ID] = b
		limits = append(limits, capacity.Limits{
			Backend: b.ID, MaxConcurrent: b.MaxConcurrent.Value, MaxWaiting: b.MaxWaiting.Value,
		})
	}
	find := func(id string) *definition.Backend {
		if b, ok := captured[id]; ok {
			return b
		}
		return builtInBackend(id)
	}
	r := &runner{pool: capacity.NewPool(limits...), observers: s.observers}
	r.Runner = execution.Runner{
		Generator: backend.NewGenerator(openai.NewClient(s.http), find, os.LookupEnv),
		Admission: r.pool,
	}
	if s.model != nil {
		r.Runner.Generator, r.named = &modelGenerator{Generator: r.Runner.Generator, client: s.model}, true
	}
	return r
}

// executionTargets are the legs of a plan in the terms of execution.
func (p *plan) executionTargets() []execution.Target {
	targets := make([]execution.Target, len(p.legs))
	for i, l := range p.legs {
		params := l.target.Parameters
		targets[i] = execution.Target{
			ProfileID: l.profileID, BackendID: l.target.BackendID, Model: l.target.Model, Offline: l.target.Offline,
			Temperature: params.Temperature, TopP: params.TopP, MaxOutputTokens: params.MaxOutputTokens,
			Seed: params.Seed, Stop: params.Stop, ReasoningEffort: params.ReasoningEffort,
		}
		if b := l.backend; b != nil {
			targets[i].StructuredOutput, targets[i].SessionField = b.StructuredOutput.Value, b.SessionField.Value
			targets[i].Timeout = b.Timeout.Value
			targets[i].Retry = execution.Retry{
				MaxAttempts: b.RetryAttempts.Value, BaseDelay: b.RetryBaseDelay.Value, MaxDelay: b.RetryMaxDelay.Value,
			}
		}
	}
	return targets
}
