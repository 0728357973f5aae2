package profile

import (
	"errors"
	"fmt"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// Check returns what is wrong between the profiles that loaded and what they
// refer to: unknown parents, cycles, unknown or partial fallbacks, unknown
// backends. Each is reported once, at the profile that says it. A partial
// profile is no problem. To fall back to builtIn, a profile that needs no
// file, is none either. The problems are in the order of Catalog.Loaded and
// belong to the caller.
func Check(profiles *Profiles, backends *Backends, builtIn string) []diag.Problem {
	var problems []diag.Problem
	for _, p := range profiles.Loaded() {
		problems = append(problems, checkOne(profiles, backends, p)...)
		problems = append(problems, fallbacks(profiles, backends, p, builtIn)...)
	}
	return problems
}

func checkOne(profiles *Profiles, backends *Backends, p *definition.Profile) []diag.Problem {
	var problems []diag.Problem
	if p.Extends.Set {
		problems = append(problems, inheritance(profiles, p)...)
	}
	if p.Backend.Set {
		if _, err := backends.Select(p.Backend.Value, ""); err != nil {
			problems = append(problems, problem(p.Backend.Position, p, "names a backend that cannot be had", err))
		}
	}
	return problems
}

// fallbacks returns what is wrong with the profiles that p falls back to,
// unless it is reported at them.
func fallbacks(profiles *Profiles, backends *Backends, p *definition.Profile, builtIn string) []diag.Problem {
	var problems []diag.Problem
	for i, id := range p.Fallback.Value {
		var lacking *TargetError
		_, err := profiles.Select(id, "")
		switch missing := (*definition.NotFoundError)(nil); {
		case errors.As(err, &missing) && id == builtIn:
		case err != nil:
			problems = append(problems, problem(p.FallbackAt(i), p, "names a fallback that cannot be had", err))
		case errors.As(executable(profiles, backends, id), &lacking) && lacking.Err == nil:
			problems = append(problems, problem(p.FallbackAt(i), p, "names a fallback that cannot be run", lacking))
		}
	}
	return problems
}

// executable returns why a profile cannot be executed, or nil.
func executable(profiles *Profiles, backends *Backends, id string) error {
	target, err := Resolve(profiles, id)
	if err == nil {
		_, err = target.Executable(backends)
	}
	return err
}

// inheritance returns what is wrong with p's own place in its line. What is
// wrong further up is reported at the profile that it is wrong with.
func inheritance(profiles *Profiles, p *definition.Profile) []diag.Problem {
	if _, err := profiles.Select(p.Extends.Value, ""); err != nil {
		return orphan(p.ID, p, err).Problems
	}
	if !onCycle(profiles, p) {
		return nil
	}
	var failed *Error
	if _, err := Resolve(profiles, p.ID); errors.As(err, &failed) {
		return failed.Problems
	}
	return nil
}

// onCycle reports whether p is its own ancestor.
func onCycle(profiles *Profiles, p *definition.Profile) bool {
	seen := map[string]bool{}
	for at := p; at.Extends.Set && !seen[at.Extends.Value]; {
		if at.Extends.Value == p.ID {
			return true
		}
		seen[at.Extends.Value] = true
		next, err := profiles.Select(at.Extends.Value, "")
		if err != nil {
			return false
		}
		at = next
	}
	return false
}

func problem(at diag.Position, p *definition.Profile, what string, err error) diag.Problem {
	return diag.Problem{Position: at, Message: fmt.Sprintf("profile %q %s: %v", p.ID, what, err)}
}
