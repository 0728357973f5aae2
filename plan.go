package promptkit

import (
	"os"
	"slices"
	"strconv"

	"github.com/promptkit-go/promptkit/fact"
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/profile"
)

// plan is where a request goes: the profile's own target, and those of its
// fallbacks behind it. It is immutable.
type plan struct {
	target      Target // the first leg's, as callers see it
	legs        []leg
	maxAttempts int
}

// leg is one profile with the backend that it runs on.
type leg struct {
	profileID string
	backend   *definition.Backend // nil: the built-in offline backend
	target    Target
}

// plan settles where a request that names this profile goes. The plan is
// shared where the request changes nothing about it.
func (p *profileSet) plan(id string, o *Overrides, offline bool) (*plan, error) {
	line, err := p.line(id)
	if err != nil {
		return nil, err
	}
	if line.plan != nil && !offline && o.none() {
		return line.plan, nil
	}
	return p.newPlan(line, o, offline)
}

// none reports whether there is nothing to override.
func (o *Overrides) none() bool {
	return o.Model == "" && o.MaxAttempts == 0 && o.Temperature == nil && o.TopP == nil && o.MaxOutputTokens == nil &&
		o.Seed == nil && o.Stop == nil && o.ReasoningEffort == ""
}

func (p *profileSet) newPlan(line *profileLine, o *Overrides, offline bool) (*plan, error) {
	first, err := p.leg(line, o, offline)
	if err != nil {
		return nil, err
	}
	planned := &plan{target: first.target, legs: []leg{first}, maxAttempts: max(1, line.target.RepairAttempts.Value)}
	if o.MaxAttempts > 0 {
		planned.maxAttempts = o.MaxAttempts
	}
	if offline {
		return planned, nil
	}
	others := *o
	others.Model = "" // it belongs to the profile that was asked for
	for _, next := range line.target.Fallback.Value {
		// A fallback that cannot be used was reported when it was captured,
		// and is no reason to refuse a run that may never need it.
		if fallback, err := p.line(next); err == nil {
			if l, err := p.leg(fallback, &others, false); err == nil {
				planned.legs = append(planned.legs, l)
			}
		}
	}
	return planned, nil
}

// offlineBackendID is the ID that the built-in offline backend shows.
const offlineBackendID = "offline"

// leg joins a profile, what the request overrides in it, and its backend.
func (p *profileSet) leg(line *profileLine, o *Overrides, offline bool) (leg, error) {
	l := leg{profileID: line.target.ProfileID, backend: line.backend}
	l.target = targetOf(line.target, o)
	if offline {
		l.backend = nil
		l.target.BackendID, l.target.Offline = offlineBackendID, true
		return l, nil
	}
	if line.targetErr != nil {
		// What is missing may be the model, which the request may name.
		if o.Model == "" || line.backends == nil {
			return leg{}, fail(ErrTarget, line.targetErr.Error(), line.targetErr)
		}
		partial := *line.target
		partial.Model = profile.Value[string]{Value: o.Model, From: l.profileID}
		var err error
		if l.backend, err = partial.Executable(line.backends); err != nil {
			return leg{}, fail(ErrTarget, err.Error(), err)
		}
	}
	l.target.BackendID = l.backend.ID
	l.target.Offline = l.backend.Kind.Value == definition.KindOffline
	if !l.target.Offline {
		l.target.BaseURL = shownURL(l.backend.BaseURL.Value)
	}
	return l, nil
}

// targetOf is what the model is told, in values of its own.
func targetOf(t *profile.Target, o *Overrides) Target {
	target := Target{
		BackendID: t.Backend.Value,
		Model:     t.Model.Value,
		Parameters: Parameters{
			Temperature:     given(t.Temperature, o.Temperature),
			TopP:            given(t.TopP, o.TopP),
			MaxOutputTokens: given(t.MaxOutputTokens, o.MaxOutputTokens),
			Seed:            given(t.Seed, o.Seed),
			Stop:            slices.Clone(t.Stop.Value),
			ReasoningEffort: t.ReasoningEffort.Value,
		},
	}
	if o.Model != "" {
		target.Model = o.Model
	}
	if o.Stop != nil {
		target.Parameters.Stop = slices.Clone(o.Stop)
	}
	if o.ReasoningEffort != "" {
		target.Parameters.ReasoningEffort = o.ReasoningEffort
	}
	return target
}

// given is the override, or else the profile's value, or nil.
func given[T any](v profile.Value[T], override *T) *T {
	if override != nil {
		return copyOf(override)
	}
	if !v.Set() {
		return nil
	}
	return new(v.Value)
}

// checkCredentials looks whether the variables that the first backend names
// are set. Their values are not kept.
func (p *plan) checkCredentials() error {
	b := p.legs[0].backend
	if b == nil || p.target.Offline {
		return nil
	}
	names := []string{b.APIKeyEnv.Value}
	for _, h := range b.Headers {
		names = append(names, h.Env)
	}
	for _, name := range names {
		if name != "" && os.Getenv(name) == "" {
			return fail(ErrCredentialMissing, "the environment variable "+strconv.Quote(name)+
				", which the backend "+strconv.Quote(b.ID)+" names, is unset or empty; set it and try again", nil)
		}
	}
	return nil
}

// turn is the turn that instructions are rendered for: the caller's, or, in
// an execution that repairs, the first of its own attempts.
func (p *plan) turn(callers *fact.Turn) *fact.Turn {
	if callers != nil || p.maxAttempts <= 1 {
		return callers
	}
	return attemptTurn(1, p.maxAttempts)
}

// attemptTurn is the turn of one attempt of a run.
func attemptTurn(attempt, maxAttempts int) *fact.Turn {
	return &fact.Turn{Action: attempt, Budget: &maxAttempts}
}

func (t Target) clone() Target {
	t.Parameters = t.Parameters.clone()
	return t
}
