package definition

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Catalog holds every definition of one kind that was captured, the ones that
// failed included, and selects among them exactly. It is immutable and safe
// for concurrent use.
type Catalog[T any] struct {
	kind         Kind
	entries      []entry[T]       // in discovery order
	byID         map[string][]int // indices of entries, identified ones only
	unidentified []int            // indices of entries without a readable ID
	sources      map[string]string
}

// entry is one captured file or value, good or bad.
type entry[T any] struct {
	id, version identity
	at          diag.Position // where the ID stands, if it could be read
	file        string        // "" for a value from memory
	label       string        // how to name the entry in a sentence
	value       *T            // nil if the entry is a captured failure
	duplicate   bool          // another entry has the same identity
	problems    []diag.Problem
	causes      []error
}

// identity is an ID or a version that may not be readable.
type identity struct {
	text  string
	known bool
}

// Failure is a captured file that cannot be used.
type Failure struct {
	ID, Version string // as far as they could be read
	File        string // "" for a value from memory
	Problems    []diag.Problem
}

// Select returns the one definition with this ID and version, neither
// trimmed nor case-folded. An empty version asks for the only version there
// is. Profiles and backends have no versions and are selected with "".
//
// The error is a *NotFoundError if there certainly is no such definition, and
// else a *LoadError: the definition is invalid, defined twice, ambiguous for
// want of a version, or a file that cannot be identified makes the answer
// unknowable.
func (c *Catalog[T]) Select(id, version string) (*T, error) {
	found := c.byID[id]
	if bad := c.withoutVersion(found); len(bad) > 0 {
		return nil, c.loadError(Malformed, id, version, bad)
	}
	omitted := version == "" && c.kind == KindPrompt
	if len(c.unidentified) > 0 && (omitted || len(c.matching(found, version)) == 0) {
		return nil, c.loadError(Unknowable, id, version, c.unidentified)
	}
	if omitted && len(found) > 0 {
		versions := c.versions(found)
		if len(versions) > 1 {
			err := c.loadError(Ambiguous, id, version, found)
			err.Versions, err.Problems, err.causes = versions, nil, nil
			return nil, err
		}
		version = versions[0]
	}
	return c.exactly(id, version, c.matching(found, version))
}

// exactly returns the definition if exactly one entry has its identity.
func (c *Catalog[T]) exactly(id, version string, found []int) (*T, error) {
	switch {
	case len(found) == 0:
		return nil, c.notFound(id, version)
	case len(found) > 1:
		return nil, c.loadError(Duplicate, id, version, found)
	case c.entries[found[0]].value == nil:
		return nil, c.loadError(Malformed, id, version, found)
	}
	return c.entries[found[0]].value, nil
}

// Loaded returns the definitions that an exact Select finds, by ID and, for
// one ID, in discovery order. The slice is the caller's.
func (c *Catalog[T]) Loaded() []*T {
	var loaded []*T
	for _, id := range c.IDs() {
		found := c.byID[id]
		if len(c.withoutVersion(found)) > 0 {
			continue
		}
		for _, i := range found {
			if e := &c.entries[i]; e.value != nil && !e.duplicate {
				loaded = append(loaded, e.value)
			}
		}
	}
	return loaded
}

// IDs returns every ID that could be read, sorted, those of captured failures
// included. The slice is the caller's.
func (c *Catalog[T]) IDs() []string { return slices.Sorted(maps.Keys(c.byID)) }

// Failures returns what cannot be used, in discovery order. The slice is the
// caller's; what it refers to is shared.
func (c *Catalog[T]) Failures() []Failure {
	var failures []Failure
	for i := range c.entries {
		e := &c.entries[i]
		if e.value == nil || e.duplicate {
			failures = append(failures, Failure{
				ID: e.id.text, Version: e.version.text, File: e.file, Problems: e.problems,
			})
		}
	}
	return failures
}

// SourceLine returns a line of a captured file, counted from 1 and without
// its end, with the values of credential fields masked. Lines are kept only
// for files with problems.
func (c *Catalog[T]) SourceLine(file string, line int) (string, bool) {
	text, ok := c.sources[file]
	if !ok || line < 1 {
		return "", false
	}
	for ; line > 1; line-- {
		_, rest, more := strings.Cut(text, "\n")
		if !more {
			return "", false
		}
		text = rest
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r"), true
}

// withoutVersion returns those entries of one ID whose version is not known:
// any of them may be the version that is looked for.
func (c *Catalog[T]) withoutVersion(found []int) []int {
	return filter(found, func(i int) bool { return !c.entries[i].version.known })
}

func (c *Catalog[T]) matching(found []int, version string) []int {
	return filter(found, func(i int) bool { return c.entries[i].version.text == version })
}

// versions returns the distinct versions of entries in discovery order.
func (c *Catalog[T]) versions(found []int) []string {
	var versions []string
	seen := make(map[string]bool, len(found))
	for _, i := range found {
		if v := c.entries[i].version.text; !seen[v] {
			seen[v] = true
			versions = append(versions, v)
		}
	}
	return versions
}

func (c *Catalog[T]) notFound(id, version string) *NotFoundError {
	err := &NotFoundError{Kind: c.kind, ID: id, Version: version, Versions: c.versions(c.byID[id])}
	if len(err.Versions) == 0 {
		err.Similar = similar(id, c.IDs())
	}
	return err
}

// loadError describes why the entries concerned leave a lookup unanswered.
func (c *Catalog[T]) loadError(reason Reason, id, version string, concerned []int) *LoadError {
	err := &LoadError{Kind: c.kind, ID: id, Version: version, Reason: reason}
	for _, i := range concerned {
		e := &c.entries[i]
		err.Files = append(err.Files, e.label)
		err.Problems = append(err.Problems, e.problems...)
		err.causes = append(err.causes, e.causes...)
	}
	return err
}

func filter(indices []int, keep func(int) bool) []int {
	var kept []int
	for _, i := range indices {
		if keep(i) {
			kept = append(kept, i)
		}
	}
	return kept
}
