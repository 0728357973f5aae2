package definition

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// capture is the state of filling one catalog.
type capture[T any] struct {
	cat    *Catalog[T]
	decode func(*document, *yaml.Node) *T
	loaded func(value *T, data []byte) // called for each file without problems; may be nil
	doc    document
	raw    [][]byte // by entry: the bytes of its file, dropped when all is captured
}

func newCapture[T any](kind Kind, decode func(*document, *yaml.Node) *T) *capture[T] {
	return &capture[T]{
		cat:    &Catalog[T]{kind: kind, byID: map[string][]int{}, sources: map[string]string{}},
		decode: decode,
	}
}

// files captures every file of a source.
func (c *capture[T]) files(src *source.Source) error {
	if src == nil {
		return nil
	}
	found, err := src.Files()
	if err != nil {
		return err
	}
	c.doc.src = src
	c.cat.entries = make([]entry[T], 0, len(found))
	c.raw = make([][]byte, 0, len(found))
	for _, f := range found {
		c.file(f)
	}
	return nil
}

// file captures one file, good or bad.
func (c *capture[T]) file(f source.Found) {
	d, e := &c.doc, entry[T]{file: f.Name, label: f.Name}
	d.reset(f.Name)
	var value *T
	data, root := d.open(f)
	if root != nil {
		c.identify(&e, root)
		if d.sound(root) {
			value = c.decode(d, root)
		}
	}
	e.problems, e.causes = d.verdict(), d.causes
	if len(e.problems) == 0 {
		e.value = value
		if c.loaded != nil {
			c.loaded(value, data)
		}
	}
	c.add(e, data)
}

// open returns the bytes of a definition file and the root of its document.
// If it returns no root, it has reported why.
func (d *document) open(f source.Found) ([]byte, *yaml.Node) {
	what, data, err := "the folder ", []byte(nil), f.Err
	if err == nil {
		what = "the file "
		data, err = d.src.Read(f.Name, source.Definition)
	}
	if err == nil {
		return data, d.parse(data)
	}
	reason := err.Error()
	if failed := (*source.Error)(nil); errors.As(err, &failed) {
		reason = failed.Reason
	}
	d.fail(diag.Position{File: f.Name}, err, "%s", what+reason)
	return nil, nil
}

// identify reads what a definition is called, even if all else is wrong with it.
func (c *capture[T]) identify(e *entry[T], root *yaml.Node) {
	var n *yaml.Node
	if e.id, n = identityOf(root, "id"); n != nil {
		e.at = c.doc.at(n)
	}
	e.version.known = true
	if c.cat.kind == KindPrompt {
		e.version, _ = identityOf(root, "version")
	}
}

// identityOf returns the value of a key that is given exactly once, and is
// neither null nor blank.
func identityOf(root *yaml.Node, key string) (identity, *yaml.Node) {
	var value *yaml.Node
	if root.Kind != yaml.MappingNode {
		return identity{}, nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if k := resolve(root.Content[i]); k.Kind != yaml.ScalarNode || k.Value != key {
			continue
		}
		if value != nil {
			return identity{}, nil
		}
		value = resolve(root.Content[i+1])
	}
	if value == nil || value.Kind != yaml.ScalarNode || isNull(value) || blank(value.Value) {
		return identity{}, nil
	}
	return identity{text: value.Value, known: true}, value
}

// value captures a definition that was given in memory.
func (c *capture[T]) value(number int, id string, value *T, validate func(reporter)) {
	d := &c.doc
	d.reset("")
	e := entry[T]{version: identity{known: true}}
	e.id = identity{text: id, known: !blank(id)}
	if e.label = fmt.Sprintf("the %s %s given in memory", c.cat.kind, quote(id)); !e.id.known {
		e.id.text = ""
		e.label = fmt.Sprintf("the %s number %d given in memory", c.cat.kind, number+1)
		d.report(diag.Position{}, "%s has a blank ID", e.label)
	}
	validate(func(at diag.Position, format string, args ...any) {
		d.report(at, "%s", e.label+": "+fmt.Sprintf(format, args...))
	})
	if e.problems = d.verdict(); len(e.problems) == 0 {
		e.value = value
	}
	c.add(e, nil)
}

func (c *capture[T]) add(e entry[T], data []byte) {
	i := len(c.cat.entries)
	if e.id.known {
		c.cat.byID[e.id.text] = append(c.cat.byID[e.id.text], i)
	} else {
		c.cat.unidentified = append(c.cat.unidentified, i)
	}
	c.cat.entries = append(c.cat.entries, e)
	c.raw = append(c.raw, data)
}

// catalog completes the catalog: duplicates are known only now.
func (c *capture[T]) catalog() *Catalog[T] {
	for _, found := range c.cat.byID {
		if len(found) > 1 {
			c.markDuplicates(found)
		}
	}
	for i := range c.cat.entries {
		if e := &c.cat.entries[i]; len(e.problems) > 0 && c.raw[i] != nil {
			c.cat.sources[e.file] = masked(readable(c.raw[i]))
		}
	}
	c.raw = nil
	return c.cat
}

// markDuplicates reports those entries of one ID that share a version.
func (c *capture[T]) markDuplicates(found []int) {
	same := make(map[string][]int, len(found))
	for _, i := range found {
		if v := c.cat.entries[i].version; v.known {
			same[v.text] = append(same[v.text], i)
		}
	}
	for _, group := range same {
		for _, i := range group {
			if len(group) > 1 {
				c.markDuplicate(&c.cat.entries[i], group)
			}
		}
	}
}

// maxNamed is how many other files a message names.
const maxNamed = 3

func (c *capture[T]) markDuplicate(e *entry[T], group []int) {
	var others []string
	for _, i := range group {
		if o := &c.cat.entries[i]; o != e && len(others) < maxNamed {
			others = append(others, o.label)
		}
	}
	if more := len(group) - 1 - len(others); more > 0 {
		others = append(others, fmt.Sprintf("%d more", more))
	}
	e.duplicate = true
	name := string(c.cat.kind) + " " + quote(e.id.text)
	if c.cat.kind == KindPrompt {
		name += " version " + quote(e.version.text)
	}
	e.problems = append(e.problems, diag.Problem{
		Position: e.at,
		Message:  "the " + name + " is also defined by " + strings.Join(others, ", ") + "; rename one of them",
	})
	sortProblems(e.problems)
}

// readable returns the bytes of a file as text to show.
func readable(data []byte) string {
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), byteOrderMark), "\uFFFD")
}
