package promptkit

import (
	"cmp"
	"maps"
	"slices"

	"github.com/promptkit-go/promptkit/internal/definition"
)

// profileDefinitions turns profiles from memory into what a file would say.
func profileDefinitions(profiles []Profile) []definition.Profile {
	list := make([]definition.Profile, len(profiles))
	for i, p := range profiles {
		list[i] = definition.Profile{
			ID:              p.ID,
			Extends:         unlessZero(p.Extends),
			Backend:         unlessZero(p.Backend),
			Model:           unlessZero(p.Model),
			Temperature:     unlessNil(p.Temperature),
			TopP:            unlessNil(p.TopP),
			MaxOutputTokens: unlessNil(p.MaxOutputTokens),
			Seed:            unlessNil(p.Seed),
			Stop:            unlessNilList(p.Stop),
			ReasoningEffort: unlessZero(p.ReasoningEffort),
			Fallback:        unlessNilList(p.Fallback),
		}
		if p.Repair != nil {
			list[i].RepairAttempts = definition.Given(p.Repair.MaxAttempts)
		}
	}
	return list
}

// backendDefinitions turns backends from memory into what a file would say.
func backendDefinitions(backends []Backend) []definition.Backend {
	list := make([]definition.Backend, len(backends))
	for i, b := range backends {
		list[i] = definition.Backend{
			ID:               b.ID,
			Kind:             unlessZero(b.Kind),
			BaseURL:          unlessZero(b.BaseURL),
			APIKeyEnv:        unlessZero(b.APIKeyEnv),
			Headers:          headerDefinitions(b.Headers),
			StructuredOutput: unlessZero(b.StructuredOutput),
			MaxConcurrent:    unlessZero(b.MaxConcurrent),
			MaxWaiting:       unlessNil(b.MaxWaiting),
			Timeout:          unlessZero(b.Timeout),
			RetryAttempts:    unlessZero(b.Retry.MaxAttempts),
			RetryBaseDelay:   unlessZero(b.Retry.BaseDelay),
			RetryMaxDelay:    unlessZero(b.Retry.MaxDelay),
			SessionField:     unlessZero(b.SessionField),
		}
	}
	return list
}

// headerDefinitions orders headers by name: a map has no order of its own,
// and requests should not differ from run to run.
func headerDefinitions(headers map[string]HeaderValue) []definition.Header {
	var list []definition.Header
	for _, name := range slices.SortedFunc(maps.Keys(headers), cmp.Compare) {
		list = append(list, definition.HeaderOf(name, string(headers[name])))
	}
	return list
}

func unlessZero[T comparable](v T) definition.Field[T] {
	var zero T
	if v == zero {
		return definition.Field[T]{}
	}
	return definition.Given(v)
}

func unlessNil[T any](v *T) definition.Field[T] {
	if v == nil {
		return definition.Field[T]{}
	}
	return definition.Given(*v)
}

func unlessNilList(v []string) definition.Field[[]string] {
	if v == nil {
		return definition.Field[[]string]{}
	}
	return definition.Given(slices.Clone(v))
}
