package schema

import "slices"

// The keywords whose values are schemas, by how they hold them.
var (
	schemaKeywords = []string{
		"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
	}
	listKeywords = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	mapKeywords  = []string{
		"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
	}
)

// walk calls visit for every schema object in a document, parents first, with
// the tokens of the pointer to it. What is not a schema (a const, an example)
// is not entered. The tokens are visit's only until it returns.
func walk(value any, at []string, visit func(object map[string]any, at []string)) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	visit(object, at)
	at = slices.Clip(at)
	for _, key := range sortedKeys(object) {
		switch inner := object[key].(type) {
		case map[string]any:
			if slices.Contains(schemaKeywords, key) {
				walk(inner, append(at, key), visit)
			} else if slices.Contains(mapKeywords, key) {
				for _, name := range sortedKeys(inner) {
					walk(inner[name], append(at, key, name), visit)
				}
			}
		case []any:
			if slices.Contains(listKeywords, key) {
				for i, element := range inner {
					walk(element, append(at, key, itoa(i)), visit)
				}
			}
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
