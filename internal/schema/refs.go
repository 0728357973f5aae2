package schema

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// referenceKeywords lead from one schema to another.
var referenceKeywords = []string{"$ref", "$dynamicRef", "$recursiveRef", "$schema"}

// follow loads every document that doc refers to, directly or not, and
// refuses references that lead out of the source.
func (l *loading) follow(doc *document) error {
	var found *Error
	var next []*document
	walk(doc.value, nil, func(object map[string]any, at []string) {
		for _, keyword := range referenceKeywords {
			reference, ok := object[keyword].(string)
			if !ok {
				continue
			}
			target, err := l.refer(doc, reference, doc.at(append(slices.Clip(at), keyword)))
			switch {
			case err != nil && found == nil:
				found = err
			case err != nil:
				found.Problems = append(found.Problems, err.Problems...)
			case target != nil:
				next = append(next, target)
			}
		}
	})
	if found != nil {
		return found
	}
	for _, target := range next {
		if err := l.follow(target); err != nil {
			return err
		}
	}
	return nil
}

// refer loads the document that a reference leads to; nil if there is nothing
// to load, or if it was loaded and followed before.
func (l *loading) refer(doc *document, reference string, at diag.Position) (*document, *Error) {
	plain, _, _ := strings.Cut(reference, "#")
	if plain == "" {
		return nil, nil // within the document
	}
	target := resolve(doc.base(), plain)
	if isMetaschema(target) || target == doc.base() || l.embedded(doc, target) {
		return nil, nil
	}
	if escapes(doc, plain) {
		return nil, problem(at, "the reference leaves the schema source, and is not followed", nil)
	}
	name, ok := l.locate(target)
	if !ok {
		return nil, problem(at, outside(target), nil)
	}
	if l.docs[name] != nil {
		return nil, nil
	}
	loaded, err := l.load(name, at)
	if err != nil {
		e, _ := err.(*Error)
		return nil, e
	}
	return loaded, nil
}

// escapes reports whether a relative reference climbs above the root of the
// source, which resolving it as an address would hide.
func escapes(doc *document, reference string) bool {
	u, err := url.Parse(reference)
	if err != nil || u.IsAbs() || doc.id() != "" {
		return false
	}
	return strings.HasPrefix(u.Path, "/") || !fs.ValidPath(path.Join(path.Dir(doc.name), u.Path))
}

// embedded reports whether the document itself holds a schema of that $id.
func (l *loading) embedded(doc *document, target string) bool {
	found := false
	walk(doc.value, nil, func(object map[string]any, _ []string) {
		id, ok := object["$id"].(string)
		found = found || ok && resolve(doc.base(), id) == target
	})
	return found
}

// isMetaschema reports whether an address is one of the published
// metaschemas, which the compiler has on board.
func isMetaschema(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://json-schema.org/")
	if !ok {
		rest, ok = strings.CutPrefix(address, "http://json-schema.org/")
	}
	return ok && (rest == "schema" || strings.HasPrefix(rest, "draft"))
}

// outside words the refusal of an address. It names the scheme only: the rest
// of an address may hold a credential.
func outside(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme == "" {
		return "the reference is no usable address: refer to a file by its relative path"
	}
	return fmt.Sprintf("the reference is a %s: address, and nothing is read from outside the schema source: "+
		"put that schema there and refer to it by its relative path", u.Scheme)
}

func itoa(n int) string { return strconv.Itoa(n) }
