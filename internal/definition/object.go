package definition

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// maxKeys is the greatest number of keys that any mapping of a definition knows.
const maxKeys = 16

// object is one mapping of a definition, its keys checked against those that
// it may have. A key whose value is null counts as absent.
type object struct {
	doc    *document
	node   *yaml.Node
	what   string // as in "a message has no key …"
	keys   []string
	values [maxKeys]*yaml.Node // by index in keys; never null, never an alias
	meant  [maxKeys]bool       // a misspelt key was probably meant for this one
}

// object reads a mapping and reports every key that is unknown or repeated.
// If n is no mapping it reports that and returns an object without values.
func (d *document) object(n *yaml.Node, what string, keys []string) object {
	o := object{doc: d, node: n, what: what, keys: keys}
	if n.Kind != yaml.MappingNode {
		d.report(d.at(n), "%s must be a mapping of keys and values, not %s", what, kind(n))
		return o
	}
	var seen [maxKeys]*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		at := o.index(resolve(key))
		switch {
		case at < 0:
			o.unknown(key, n.Content[i+1])
			continue
		case seen[at] != nil:
			d.report(d.at(key), "the key %s is given twice; it is first given in line %d", quote(keys[at]), d.at(seen[at]).Line)
			continue
		}
		seen[at] = key
		if value := resolve(n.Content[i+1]); !isNull(value) {
			o.values[at] = value
		}
	}
	return o
}

// index returns which known key a node is, or -1.
func (o *object) index(key *yaml.Node) int {
	if key.Kind == yaml.ScalarNode {
		for i, k := range o.keys {
			if k == key.Value {
				return i
			}
		}
	}
	return -1
}

// unknown reports a key that the object does not have.
func (o *object) unknown(key, value *yaml.Node) {
	d, at, name := o.doc, o.doc.at(key), resolve(key)
	switch {
	case name.Kind != yaml.ScalarNode:
		d.report(at, "a key must be plain text, not %s", kind(name))
	case name.Tag == "!!merge":
		d.report(at, `merge keys ("<<") are not supported; write the keys out`)
		for i := range o.meant {
			o.meant[i] = true
		}
	case forbidden(name.Value):
		d.report(at, "%s", adviceOnCredentials)
	case !citable(name.Value):
		d.report(at, "%s has no such key; its keys are %s", o.what, strings.Join(o.keys, ", "))
	default:
		o.misspelt(at, name.Value)
	}
	d.searchCredentials(value)
}

// misspelt reports a key with the one that was probably meant, or with all.
func (o *object) misspelt(at diag.Position, key string) {
	near := similar(key, o.keys)
	if near == "" {
		o.doc.report(at, "%s has no key %s; its keys are %s", o.what, quote(key), strings.Join(o.keys, ", "))
		return
	}
	o.doc.report(at, "%s has no key %s; did you mean %s?", o.what, quote(key), quote(near))
	o.meant[slices.Index(o.keys, near)] = true
}

// citable reports whether a key reads like one. What does not may be a line
// of a template that was indented wrongly, or anything else, and is not
// repeated in a message.
func citable(key string) bool {
	if key == "" || len(key) > 32 {
		return false
	}
	for _, c := range []byte(key) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// value returns the node of a known key, or nil.
func (o *object) value(key string) *yaml.Node {
	for i, k := range o.keys {
		if k == key {
			return o.values[i]
		}
	}
	panic("definition: " + o.what + " is read for an undeclared key " + key)
}

// at returns where the value of a key stands, or else where the object does.
func (o *object) at(key string) diag.Position {
	if n := o.value(key); n != nil {
		return o.doc.at(n)
	}
	return o.doc.at(o.node)
}

// missing reports a required key that is absent or null, unless a misspelt one
// that has been reported was probably meant for it.
func (o *object) missing(key string) {
	if o.node.Kind == yaml.MappingNode && !o.mistaken(key) {
		o.doc.report(o.doc.at(o.node), "%s needs the key %s", o.what, quote(key))
	}
}

// mistaken reports whether a misspelt key was probably meant for one of keys.
func (o *object) mistaken(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return o.meant[slices.Index(o.keys, key)] })
}
