package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Document returns the schema as one self-contained JSON document, for a
// backend that is to produce what it describes. Members keep the order in
// which they were written, since that is the order in which a model will
// write them; other files that the schema refers to are put under $defs. The
// error, an *Error, is a reference that cannot be turned into one within the
// document. The caller owns the result.
func (s *Schema) Document() (json.RawMessage, error) {
	if len(s.docs) == 1 {
		return compact(s.main.data), nil
	}
	b := &bundle{schema: s, places: make(map[string]string)}
	for i, name := range sortedDocs(s.docs) {
		if name != s.main.name {
			b.places[name] = fmt.Sprintf("/$defs/%s_%d", label(name), i)
		}
	}
	return b.build()
}

// Name is a name for the schema in a request: the file's, as far as it has
// letters, digits, underscores and hyphens.
func (s *Schema) Name() string { return label(s.path) }

func label(name string) string {
	base, _, _ := strings.Cut(path.Base(name), ".")
	base = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, base)
	return cmp.Or(base[:min(len(base), 48)], "schema")
}

// bundle is the work of making one document of several.
type bundle struct {
	schema *Schema
	places map[string]string // the pointer at which each other document is put
}

// edit replaces part of a text.
type edit struct {
	from, to int
	with     string
}

// build puts the documents together as texts, so that nothing is reordered.
func (b *bundle) build() (json.RawMessage, error) {
	main := b.schema.main
	object, ok := main.value.(map[string]any)
	if !ok {
		return compact(main.data), nil
	}
	var others []string
	for _, name := range sortedDocs(b.schema.docs) {
		if name == main.name {
			continue
		}
		text, err := b.rewritten(b.schema.docs[name], nil)
		if err != nil {
			return nil, err
		}
		others = append(others, quote(tokens(b.places[name])[1])+":"+string(text))
	}
	return b.rewritten(main, b.insertion(object, others))
}

// insertion adds members to $defs, or $defs itself where there is none.
func (b *bundle) insertion(object map[string]any, members []string) *edit {
	data := b.schema.main.data
	text := strings.Join(members, ",")
	if defs, ok := object["$defs"].(map[string]any); ok {
		at := offsetOf(data, []string{"$defs"}) + 1
		if len(defs) > 0 {
			text += ","
		}
		return &edit{at, at, text}
	}
	at := bytes.LastIndexByte(data, '}')
	return &edit{at, at, `,"$defs":{` + text + "}"} // an object that refers to something has a member
}

// rewritten is a document whose references all stay within the bundle.
func (b *bundle) rewritten(doc *document, more *edit) (json.RawMessage, error) {
	var edits []edit
	if more != nil {
		edits = append(edits, *more)
	}
	var failed *Error
	walk(doc.value, nil, func(object map[string]any, at []string) {
		reference, ok := object["$ref"].(string)
		_, dynamic := object["$dynamicRef"]
		if dynamic || !ok {
			if dynamic && failed == nil {
				failed = b.cannot(doc, append(slices.Clip(at), "$dynamicRef"))
			}
			return
		}
		place := append(slices.Clip(at), "$ref")
		to, ok := b.target(doc, reference)
		if !ok && failed == nil {
			failed = b.cannot(doc, place)
		}
		from := offsetOf(doc.data, place)
		edits = append(edits, edit{from, from + len(stringAt(doc.data, from)), quote("#" + to)})
	})
	if failed != nil {
		return nil, failed
	}
	if doc.id() != "" {
		// It would change what the references inside start from.
		from := keyBefore(doc.data, offsetOf(doc.data, []string{"$id"}))
		edits = append(edits, edit{from, from + len(`"$id"`), `"$comment"`})
	}
	return compact(apply(doc.data, edits)), nil
}

// target is the pointer within the bundle that a reference leads to.
func (b *bundle) target(doc *document, reference string) (string, bool) {
	address, fragment, _ := strings.Cut(resolve(doc.base(), reference), "#")
	for name, other := range b.schema.docs {
		if address != other.base() {
			continue
		}
		plain, err := unescapePath(fragment)
		if err != nil {
			return "", false
		}
		if plain != "" && !strings.HasPrefix(plain, "/") {
			anchor, ok := anchored(other, plain)
			if !ok {
				return "", false
			}
			plain = anchor
		}
		return escapePath(b.places[name] + plain), true
	}
	return "", false
}

// anchored is the pointer to the schema with an anchor.
func anchored(doc *document, anchor string) (found string, ok bool) {
	walk(doc.value, nil, func(object map[string]any, at []string) {
		if object["$anchor"] == anchor {
			found, ok = pointer(at), true
		}
	})
	return found, ok
}

func (b *bundle) cannot(doc *document, at []string) *Error {
	return problem(doc.at(at), "the schema cannot be sent to a backend as one document because of this reference: "+
		"use $ref with the relative path of a file, or set structured_output of the backend to json_object", nil)
}

// apply makes edits that do not overlap.
func apply(data []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(out, data[done:e.from]...)
		out = append(out, e.with...)
		done = e.to
	}
	return append(out, data[done:]...)
}

// stringAt is the JSON string that begins at an offset, quotes included.
func stringAt(data []byte, at int) []byte {
	for i := at + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return data[at : i+1]
		}
	}
	return nil
}

// keyBefore is where the key begins whose value begins at an offset.
func keyBefore(data []byte, value int) int {
	return bytes.LastIndex(data[:value], []byte(`"$id"`))
}

func quote(s string) string {
	text, _ := json.Marshal(s) // a string can always be encoded
	return string(text)
}

// compact takes the white space out of a JSON text that is known to be valid.
func compact(data []byte) json.RawMessage {
	var b bytes.Buffer
	_ = json.Compact(&b, data)
	return b.Bytes()
}
