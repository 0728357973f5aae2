package definition

import (
	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

var (
	promptKeys = []string{
		"id", "version", "description", "default_profile", "session_id",
		"inputs", "messages", "instructions", "output",
	}
	inputKeys  = []string{"name", "required", "content_type", "description"}
	outputKeys = []string{"format", "validation", "schema"}
	cacheKeys  = []string{"type", "ttl"}
)

// prompt decodes a prompt definition and reads its message files. What is
// wrong with it is reported; the result is meant only if nothing is.
func (d *document) prompt(root *yaml.Node) *Prompt {
	o := d.object(root, "a prompt", promptKeys)
	id := o.required("id")
	profile := o.name("default_profile")
	return &Prompt{
		ID: id.Value, Version: o.required("version").Value,
		Description:    o.text("description").Value,
		DefaultProfile: profile.Value, DefaultProfilePosition: profile.Position,
		Session:      o.session(),
		Inputs:       o.inputs(),
		Messages:     o.messages(),
		Instructions: o.instructions(),
		Output:       o.output(),
		Position:     id.Position,
	}
}

// session returns the session template. An empty one is none.
func (o *object) session() *Text {
	if f := o.text("session_id"); f.Value == "" {
		return nil
	}
	t := o.doc.template(o.value("session_id"))
	return &t
}

func (o *object) inputs() []Input {
	items := o.list("inputs")
	if len(items) == 0 {
		return nil
	}
	names := newUnique(o.doc, "input", len(items))
	inputs := make([]Input, len(items))
	for i, item := range items {
		in := o.doc.object(item, "an input", inputKeys)
		name := in.required("name")
		names.add(name)
		inputs[i] = Input{
			Name:        name.Value,
			Required:    in.boolean("required").Value,
			ContentType: in.text("content_type").pointer(),
			Description: in.text("description").pointer(),
			Position:    o.doc.at(item),
		}
	}
	return inputs
}

func (o *object) output() Output {
	out := Output{Format: "text", Validation: "none"}
	n := o.value("output")
	if n == nil {
		return out
	}
	c := o.doc.object(n, "an output contract", outputKeys)
	if f := c.choice("format", "text", "markdown", "json"); f.Set {
		out.Format = f.Value
	}
	if f := c.choice("validation", "none", "json", "json_schema"); f.Set {
		out.Validation = f.Value
	}
	schema := c.name("schema")
	switch needed := out.Validation == "json_schema"; {
	case needed && !schema.Set:
		o.doc.report(c.at("validation"), `"validation: json_schema" needs the key "schema", the path of a schema file`)
	case !needed && schema.Set:
		o.doc.report(schema.Position, `"schema" has a meaning only with "validation: json_schema"; add that, or remove the schema`)
	case schema.Set:
		out.Schema, out.SchemaPosition = o.doc.schemaPath(schema), schema.Position
	}
	return out
}

// schemaPath checks the path of a schema, which is relative to the schema
// source. The schema itself is not looked at here.
func (d *document) schemaPath(f Field[string]) string {
	path, err := below(f.Value)
	if err != nil {
		d.fail(f.Position, err, "the schema %s", err)
	}
	return path
}

// cacheControl reads ephemeral, or {type: ephemeral, ttl: 5m | 1h}.
func (o *object) cacheControl() *CacheControl {
	n := o.value("cache_control")
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.ScalarNode:
		return &CacheControl{Type: o.choice("cache_control", "ephemeral").Value}
	}
	c := o.doc.object(n, "cache_control", cacheKeys)
	if c.value("type") == nil {
		c.missing("type")
	}
	return &CacheControl{Type: c.choice("type", "ephemeral").Value, TTL: c.choice("ttl", "5m", "1h").Value}
}

// pointer tells a text that was left out from one that is empty.
func (f Field[T]) pointer() *T {
	if !f.Set {
		return nil
	}
	value := f.Value // alone, so that the rest of f is not retained with it
	return &value
}

// unique reports names that occur twice.
type unique struct {
	doc  *document
	what string
	seen map[string]diag.Position
}

func newUnique(d *document, what string, size int) unique {
	return unique{doc: d, what: what, seen: make(map[string]diag.Position, size)}
}

func (u unique) add(f Field[string]) {
	if !f.Set {
		return
	}
	if first, ok := u.seen[f.Value]; ok {
		u.doc.report(f.Position, "the %s %s is declared twice; it is first declared in line %d", u.what, quote(f.Value), first.Line)
		return
	}
	u.seen[f.Value] = f.Position
}
