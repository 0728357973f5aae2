package promptkit

import (
	"errors"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/profile"
	"github.com/promptkit-go/promptkit/internal/source"
)

// profileSet is the captured profiles and backends. Inheritance is worked out
// once, at capture, because no later operation can change it.
type profileSet struct {
	profiles *definition.Catalog[definition.Profile]
	backends *definition.Catalog[definition.Backend]
	lines    map[string]*profileLine // by profile ID, of every one that loaded
	ids      []string                // of those, sorted
}

// profileLine is a profile after inheritance, or why it has none, and the
// backend it runs on, or why it has none.
type profileLine struct {
	target    *profile.Target
	loadErr   error
	backend   *definition.Backend
	targetErr error // why it cannot be executed
	builtIn   bool
	plan      *plan // of a request that overrides nothing; nil if it cannot be executed

	backends *definition.Catalog[definition.Backend] // where the backend was looked for
}

// captureProfiles loads profiles and backends and resolves them.
func captureProfiles(s *settings) (*profileSet, error) {
	profiles, err := capture(s.profiles, ErrProfileLoad, "profiles", func(src *source.Source) (*definition.Catalog[definition.Profile], error) {
		return definition.LoadProfiles(src, profileDefinitions(s.inlineProfiles)...)
	})
	if err != nil {
		return nil, err
	}
	backends, err := capture(s.backends, ErrProfileLoad, "backends", func(src *source.Source) (*definition.Catalog[definition.Backend], error) {
		return definition.LoadBackends(src, backendDefinitions(s.inlineBackends)...)
	})
	if err != nil {
		return nil, err
	}
	return newProfileSet(profiles, backends), nil
}

func newProfileSet(profiles *definition.Catalog[definition.Profile], backends *definition.Catalog[definition.Backend]) *profileSet {
	p := &profileSet{profiles: profiles, backends: backends, lines: make(map[string]*profileLine)}
	for _, def := range profiles.Loaded() {
		p.lines[def.ID] = p.resolve(def.ID)
		p.ids = append(p.ids, def.ID)
	}
	for _, line := range p.lines { // once all are there, since they may fall back to one another
		if line.loadErr == nil && line.targetErr == nil {
			line.plan, _ = p.newPlan(line, &Overrides{}, false)
		}
	}
	return p
}

func (p *profileSet) resolve(id string) *profileLine {
	target, err := profile.Resolve(p.profiles, id)
	if err != nil {
		return &profileLine{loadErr: fail(ErrProfileLoad, err.Error(), err)}
	}
	line := &profileLine{target: target, backends: p.backends}
	line.backend, line.targetErr = target.Executable(p.backends)
	return line
}

// line returns the profile with this ID.
func (p *profileSet) line(id string) (*profileLine, error) {
	if line, ok := p.lines[id]; ok {
		return line, line.loadErr
	}
	if err := p.exists(id); err != nil {
		return nil, err
	}
	return builtInProfile(), nil
}

// exists reports, by its error, whether there is a profile with this ID. It
// may be partial, or extend one that does not exist.
func (p *profileSet) exists(id string) error {
	_, err := p.profiles.Select(id, "")
	var missing *definition.NotFoundError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &missing):
		return fail(ErrProfileLoad, err.Error(), err)
	case id == builtInProfileID:
		return nil
	default:
		return fail(ErrProfileNotFound, err.Error(), nil)
	}
}
