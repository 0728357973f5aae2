package definition

import (
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Kind is what a catalog holds, in the words of its errors.
type Kind string

// The kinds of definition.
const (
	KindPrompt  Kind = "prompt"
	KindProfile Kind = "profile"
	KindBackend Kind = "backend"
)

// NotFoundError reports that a catalog certainly holds no such definition.
type NotFoundError struct {
	Kind        Kind
	ID, Version string   // as asked for; Version is "" if it was omitted
	Versions    []string // the versions that ID does have, in discovery order
	Similar     string   // an existing ID that may have been meant, or ""
}

// Error says what was looked for and what there is instead.
func (e *NotFoundError) Error() string {
	if len(e.Versions) > 0 {
		return string(e.Kind) + " " + quote(e.ID) + " has no version " + quote(e.Version) +
			"; it has " + quoteAll(e.Versions)
	}
	msg := "there is no " + string(e.Kind) + " " + quote(e.ID)
	if e.Similar != "" {
		msg += "; did you mean " + quote(e.Similar) + "?"
	}
	return msg
}

// Reason is why a definition could not be selected although, or because, its
// catalog is not wholly sound.
type Reason uint8

// The reasons of a LoadError.
const (
	Malformed  Reason = iota // the definition was found and is invalid
	Duplicate                // several definitions have this identity
	Ambiguous                // no version was asked for and there are several
	Unknowable               // a file without a readable identity may be the one, or another one
)

// LoadError reports that a lookup has no trustworthy answer. File errors that
// caused it are reachable by errors.Is and errors.As.
type LoadError struct {
	Kind        Kind
	ID, Version string // as asked for; Version is "" if it was omitted
	Reason      Reason
	Files       []string       // the files concerned, in discovery order
	Versions    []string       // for Ambiguous: the versions to choose from
	Problems    []diag.Problem // what is wrong in Files, in order of position
	causes      []error
}

// maxCited is how many problems an error cites.
const maxCited = 3

// Error says which definition was asked for, why it cannot be had, and the
// first few problems in full.
func (e *LoadError) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Kind) + " " + quote(e.ID))
	if e.Version != "" {
		b.WriteString(" version " + quote(e.Version))
	}
	b.WriteString(e.reason())
	if e.Reason == Duplicate {
		return b.String() // the problems say no more than that
	}
	for i, p := range e.Problems {
		if i == maxCited {
			b.WriteString("; and " + strconv.Itoa(len(e.Problems)-maxCited) + " more")
			break
		}
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(sentence(p))
	}
	return b.String()
}

// sentence renders a problem with its position, if it has one.
func sentence(p diag.Problem) string {
	if p.Position == (diag.Position{}) {
		return p.Message
	}
	return p.Position.String() + ": " + p.Message
}

func (e *LoadError) reason() string {
	switch e.Reason {
	case Duplicate:
		return " is defined more than once, in " + list(e.Files, len(e.Files), " and ")
	case Ambiguous:
		return " has several versions and none was asked for; ask for one of " + quoteAll(e.Versions)
	case Unknowable:
		return " cannot be looked up with certainty while " + list(e.Files, len(e.Files), ", ") +
			" cannot be identified"
	default:
		return " cannot be loaded"
	}
}

// Unwrap returns the file errors behind the problems, if there are any.
func (e *LoadError) Unwrap() []error { return e.causes }
