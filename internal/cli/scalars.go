package cli

import (
	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// A scalarPair is one line of a flat mapping.
type scalarPair struct {
	key, value     string
	keyAt, valueAt diag.Position
}

// scalarPairs reads a document that is one mapping of names to scalars, in
// YAML or JSON. Values are taken literally: 1.10 is the text 1.10, and yes is
// the text yes. An empty document has no pairs.
func scalarPairs(data []byte, file string) ([]scalarPair, *diag.Problem) {
	root, problem := oneMapping(data, file)
	if problem != nil || root == nil {
		return nil, problem
	}
	var pairs []scalarPair
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		at := position(file, key)
		switch {
		case key.Kind != yaml.ScalarNode:
			return nil, &diag.Problem{Position: at, Message: "a name must be plain text"}
		case seen[key.Value]:
			return nil, &diag.Problem{Position: at, Message: quoteName(key.Value) + " is there twice; keep one"}
		case value.Kind == yaml.AliasNode:
			return nil, &diag.Problem{Position: position(file, value), Message: quoteName(key.Value) + " refers to a value elsewhere; write the value itself"}
		case value.Kind != yaml.ScalarNode:
			return nil, &diag.Problem{Position: position(file, value), Message: quoteName(key.Value) + " is nested; a value must be one text, number or word"}
		case value.ShortTag() == "!!null":
			return nil, &diag.Problem{Position: at, Message: quoteName(key.Value) + ` has no value; write "" for an empty one`}
		}
		seen[key.Value] = true
		pairs = append(pairs, scalarPair{key.Value, value.Value, at, position(file, value)})
	}
	return pairs, nil
}
