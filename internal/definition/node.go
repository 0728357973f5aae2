package definition

import "go.yaml.in/yaml/v4"

// maxExpanded is what a file may amount to if every alias is replaced by what
// it stands for: bytes of text, and expandedNode for each node.
const (
	maxExpanded  = 4 << 20
	expandedNode = 16
)

// sound reports whether a document has only tags that mean something and
// stays within the limit of alias expansion. If not, it has said why.
func (d *document) sound(root *yaml.Node) bool {
	before := len(d.problems)
	if d.check(root) && weigh(root, map[*yaml.Node]int{}) > maxExpanded {
		d.report(d.at(root), "aliases make this file amount to more than %d MiB, the limit of alias expansion; repeat less", maxExpanded>>20)
	}
	return len(d.problems) == before
}

// check reports unknown tags and returns whether there is an alias.
func (d *document) check(n *yaml.Node) (aliases bool) {
	if n.Style&yaml.TaggedStyle != 0 && !knownTag(n.Tag) {
		d.report(d.at(n), `this tag means nothing in a definition; quote a text that starts with "!"`)
	}
	for _, child := range n.Content {
		aliases = d.check(child) || aliases
	}
	return aliases || n.Kind == yaml.AliasNode
}

func knownTag(tag string) bool {
	switch tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!seq", "!!map":
		return true
	}
	return false
}

// weigh returns what a node amounts to when expanded, at most one more than
// the limit. A node that contains itself weighs more than any limit.
func weigh(n *yaml.Node, weights map[*yaml.Node]int) int {
	if w, ok := weights[n]; ok {
		return w
	}
	weights[n] = maxExpanded + 1
	w := expandedNode + len(n.Value)
	if n.Kind == yaml.AliasNode {
		w = weigh(n.Alias, weights)
	}
	for _, child := range n.Content {
		w = min(w+weigh(child, weights), maxExpanded+1)
	}
	weights[n] = w
	return w
}

// resolve follows aliases. They cannot lead in a circle: an anchor is a
// scalar, a list or a mapping, and never an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// kind names what a node is in a sentence.
func kind(n *yaml.Node) string {
	switch {
	case isNull(n):
		return "null"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!str":
		return "text"
	case n.Tag == "!!bool":
		return "true or false"
	case n.Tag == "!!int":
		return "a number"
	case n.Tag == "!!float":
		return "a decimal number"
	default:
		return "another kind of value"
	}
}
