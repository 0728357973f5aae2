package definition

import (
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// text returns the literal text of any scalar but null: 1.10 and 1.1 are
// different, and so are true and True.
func (o *object) text(key string) Field[string] {
	n := o.value(key)
	if n == nil {
		return Field[string]{}
	}
	if n.Kind != yaml.ScalarNode {
		o.wrong(key, n, "text")
		return Field[string]{}
	}
	return Field[string]{Value: n.Value, Set: true, Position: o.doc.at(n)}
}

// name returns a text that may be left out. An empty one counts as left out,
// and one of nothing but white space as a mistake.
func (o *object) name(key string) Field[string] {
	f := o.text(key)
	if !blank(f.Value) {
		return f
	}
	if f.Value != "" {
		o.doc.report(f.Position, "%s is blank; name something, or leave the key out", quote(key))
	}
	return Field[string]{}
}

// required returns a text that must be there and not be blank.
func (o *object) required(key string) Field[string] {
	if o.value(key) == nil {
		o.missing(key)
		return Field[string]{}
	}
	f := o.text(key)
	if f.Set && blank(f.Value) {
		o.doc.report(f.Position, "%s is blank", quote(key))
	}
	return f
}

// choice returns a text that is one of a few words.
func (o *object) choice(key string, words ...string) Field[string] {
	f := o.text(key)
	if f.Set {
		f.Value = o.doc.oneOf(key, f, words)
	}
	return f
}

// oneOf returns the word that f is, the constant rather than a copy. It
// reports one that is none of them, without repeating it.
func (d *document) oneOf(key string, f Field[string], words []string) string {
	for _, w := range words {
		if f.Value == w {
			return w
		}
	}
	d.report(f.Position, "%s must be %s%s", quote(key), alternatives(words), didYouMean(f.Value, words))
	return ""
}

func alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (o *object) boolean(key string) Field[bool] {
	n := o.value(key)
	if n == nil {
		return Field[bool]{}
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		o.wrong(key, n, "true or false")
		return Field[bool]{}
	}
	return Field[bool]{Value: strings.EqualFold(n.Value, "true"), Set: true, Position: o.doc.at(n)}
}

func (o *object) integer(key string) Field[int64] {
	n := o.value(key)
	if n == nil {
		return Field[int64]{}
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" {
		o.wrong(key, n, "a whole number")
		return Field[int64]{}
	}
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		o.doc.report(o.doc.at(n), "%s must be a whole number in decimal digits that fits 64 bits", quote(key))
		return Field[int64]{}
	}
	return Field[int64]{Value: v, Set: true, Position: o.doc.at(n)}
}

// count returns an integer that fits 32 bits: more of anything counted here
// would be a mistake.
func (o *object) count(key string) Field[int] {
	f := o.integer(key)
	if f.Set && (f.Value > math.MaxInt32 || f.Value < math.MinInt32) {
		o.doc.report(f.Position, "%s is out of range", quote(key))
		return Field[int]{}
	}
	return Field[int]{Value: int(f.Value), Set: f.Set, Position: f.Position}
}

func (o *object) number(key string) Field[float64] {
	n := o.value(key)
	if n == nil {
		return Field[float64]{}
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" {
		o.wrong(key, n, "a number")
		return Field[float64]{}
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		o.doc.report(o.doc.at(n), "%s must be a finite number in decimal digits", quote(key))
		return Field[float64]{}
	}
	return Field[float64]{Value: v, Set: true, Position: o.doc.at(n)}
}

func (o *object) duration(key string) Field[time.Duration] {
	f := o.text(key)
	if !f.Set {
		return Field[time.Duration]{}
	}
	v, err := time.ParseDuration(f.Value)
	if err != nil {
		o.doc.report(f.Position, "%s must be a duration with its unit, such as 500ms, 30s or 2m", quote(key))
		return Field[time.Duration]{}
	}
	return Field[time.Duration]{Value: v, Set: true, Position: f.Position}
}

// list returns the items of a list, none of them an alias.
func (o *object) list(key string) []*yaml.Node {
	n := o.value(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		o.wrong(key, n, "a list")
		return nil
	}
	items := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		items[i] = resolve(item)
	}
	return items
}

// wrong reports a value of the wrong type.
func (o *object) wrong(key string, n *yaml.Node, want string) {
	hint := ""
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		hint = "; remove the quotes"
	}
	o.doc.report(o.doc.at(n), "%s must be %s, not %s%s", quote(key), want, kind(n), hint)
}
