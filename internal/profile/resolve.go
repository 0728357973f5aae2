package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// Profiles is the catalog that inheritance is looked up in.
type Profiles = definition.Catalog[definition.Profile]

// Backends is the catalog that a target's backend is looked up in.
type Backends = definition.Catalog[definition.Backend]

// Resolve follows the inheritance of one profile. The error is that of
// Catalog.Select if the profile itself cannot be selected, and else an *Error:
// a parent that does not exist or cannot be loaded, or a cycle.
func Resolve(profiles *Profiles, id string) (*Target, error) {
	p, err := profiles.Select(id, "")
	if err != nil {
		return nil, err
	}
	t := &Target{ProfileID: p.ID}
	for {
		t.inherit(p)
		if !p.Extends.Set {
			break
		}
		if slices.Contains(t.Line, p.Extends.Value) {
			return nil, cycle(t, p)
		}
		parent, err := profiles.Select(p.Extends.Value, "")
		if err != nil {
			return nil, orphan(id, p, err)
		}
		p = parent
	}
	t.own()
	return t, nil
}

// own makes the target's lists the caller's. A profile that is a fallback of
// its own parent does not fall back to itself.
func (t *Target) own() {
	t.Stop.Value = slices.Clone(t.Stop.Value)
	t.Fallback.Value = slices.DeleteFunc(slices.Clone(t.Fallback.Value), func(id string) bool {
		return id == t.ProfileID
	})
}

// cycle reports a line that p closes: p extends one of its descendants.
func cycle(t *Target, p *definition.Profile) *Error {
	circle := append(slices.Clone(t.Line[slices.Index(t.Line, p.Extends.Value):]), p.Extends.Value)
	for i, id := range circle {
		circle[i] = strconv.Quote(id)
	}
	return &Error{ProfileID: t.ProfileID, Problems: []diag.Problem{{
		Position: p.Extends.Position,
		Message:  "profiles extend each other in a circle: " + strings.Join(circle, " extends "),
	}}}
}

// orphan reports, for the profile id, that the parent of p cannot be selected.
func orphan(id string, p *definition.Profile, err error) *Error {
	return &Error{ProfileID: id, Err: err, Problems: []diag.Problem{{
		Position: p.Extends.Position,
		Message:  fmt.Sprintf("%q extends a profile that cannot be had: %v", p.ID, err),
	}}}
}
