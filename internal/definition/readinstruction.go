package definition

import (
	"errors"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/fact"
)

var instructionKeys = []string{"id", "role", "text", "template", "from_action", "cache_control"}

func (o *object) instructions() []Instruction {
	items := o.list("instructions")
	if len(items) == 0 {
		return nil
	}
	ids := newUnique(o.doc, "instruction", len(items))
	instructions := make([]Instruction, len(items))
	for i, item := range items {
		in := o.doc.object(item, "an instruction", instructionKeys)
		id := in.required("id")
		ids.add(id)
		instructions[i] = in.instruction(id)
	}
	return instructions
}

func (o *object) instruction(id Field[string]) Instruction {
	if o.value("role") == nil {
		o.missing("role")
	}
	in := Instruction{
		ID:           id.Value,
		Role:         o.choice("role", "system", "user").Value,
		FromAction:   o.fromAction(),
		CacheControl: o.cacheControl(),
		Position:     o.doc.at(o.node),
	}
	in.Text, in.Template = o.wording()
	in.Facts = o.facts(id, in.Template)
	if len(in.Facts) > 0 && in.CacheControl != nil {
		o.doc.report(o.at("cache_control"), `"cache_control" cannot stand with a template that names facts: its text changes with every action, and would break the prefix that is cached`)
	}
	return in
}

func (o *object) fromAction() int {
	f := o.count("from_action")
	if f.Set && f.Value < 1 {
		o.doc.report(f.Position, `"from_action" must be at least 1; the first action is action 1`)
	}
	return f.Value
}

// wording returns what an instruction says, from exactly one of two keys.
func (o *object) wording() (text, template string) {
	static, dynamic := o.value("text"), o.value("template")
	switch {
	case o.node.Kind != yaml.MappingNode:
	case static != nil && dynamic != nil:
		o.doc.report(o.doc.at(dynamic), `an instruction has "text" or "template", not both; remove one`)
	case static == nil && dynamic == nil && o.mistaken("text", "template"):
	case static == nil && dynamic == nil:
		o.doc.report(o.doc.at(o.node), `an instruction needs the key "text" or "template"`)
	case static != nil:
		return o.required("text").Value, ""
	default:
		return "", o.required("template").Value
	}
	return "", ""
}

// facts returns the facts that a template names, and reports unknown ones.
func (o *object) facts(id Field[string], template string) []string {
	var unknown *fact.UnknownFactError
	if err := fact.CheckKnown(template, id.Value); errors.As(err, &unknown) {
		o.doc.report(o.at("template"), "the instruction %s", unknown)
	}
	return fact.Placeholders(template)
}
