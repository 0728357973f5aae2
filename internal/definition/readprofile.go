package definition

import (
	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

var (
	profileKeys = []string{
		"id", "extends", "backend", "model", "temperature", "top_p", "max_output_tokens",
		"seed", "stop", "reasoning_effort", "repair", "fallback",
	}
	repairKeys = []string{"max_attempts"}
)

// profile decodes a profile. What is wrong with it is reported; the result is
// meant only if nothing is.
func (d *document) profile(root *yaml.Node) *Profile {
	o := d.object(root, "a profile", profileKeys)
	id := o.required("id")
	p := &Profile{
		ID:              id.Value,
		Extends:         o.name("extends"),
		Backend:         o.name("backend"),
		Model:           o.name("model"),
		Temperature:     o.number("temperature"),
		TopP:            o.number("top_p"),
		MaxOutputTokens: o.count("max_output_tokens"),
		Seed:            o.integer("seed"),
		ReasoningEffort: o.text("reasoning_effort"),
		Position:        id.Position,
	}
	p.Stop, _ = o.texts("stop")
	p.Fallback, p.FallbackPositions = o.texts("fallback")
	if n := o.value("repair"); n != nil {
		r := d.object(n, `"repair"`, repairKeys)
		p.RepairAttempts = r.count("max_attempts")
	}
	p.validate(d.report)
	return p
}

// texts returns a list of texts and where each of them stands.
func (o *object) texts(key string) (Field[[]string], []diag.Position) {
	items := o.list(key)
	if items == nil {
		return Field[[]string]{}, nil
	}
	texts, positions := make([]string, 0, len(items)), make([]diag.Position, 0, len(items))
	for _, item := range items {
		if item.Kind != yaml.ScalarNode || isNull(item) {
			o.doc.report(o.doc.at(item), "an item of %s must be text, not %s", quote(key), kind(item))
			continue
		}
		texts, positions = append(texts, item.Value), append(positions, o.doc.at(item))
	}
	return Field[[]string]{Value: texts, Set: true, Position: o.at(key)}, positions
}
