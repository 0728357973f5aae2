package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// keywords are those of every draft, and those of OpenAPI that schemas carry
// along.
var keywords = []string{
	"$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "$ref",
	"$schema", "$vocabulary", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains",
	"contentEncoding", "contentMediaType", "contentSchema", "default", "definitions", "dependencies", "dependentRequired",
	"dependentSchemas", "deprecated", "description", "discriminator", "else", "enum", "example", "examples",
	"exclusiveMaximum", "exclusiveMinimum", "format", "id", "if", "items", "maxContains", "maxItems", "maxLength",
	"maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not",
	"nullable", "oneOf", "pattern", "patternProperties", "prefixItems", "properties", "propertyNames", "readOnly",
	"required", "then", "title", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly",
}

// Misspelt lists keywords that JSON Schema does not know and that are close
// to one it knows. It ignores what it does not know, so that a schema with
// "requird" accepts everything and nobody notices. The problems are warnings,
// in the order of the files and of their pointers.
func (s *Schema) Misspelt() []diag.Problem {
	var found []diag.Problem
	for _, name := range sortedDocs(s.docs) {
		doc := s.docs[name]
		walk(doc.value, nil, func(object map[string]any, at []string) {
			for _, key := range sortedKeys(object) {
				if p, ok := doc.misspelt(key, at); ok {
					found = append(found, p)
				}
			}
		})
	}
	return found
}

func (d *document) misspelt(key string, at []string) (diag.Problem, bool) {
	if slices.Contains(keywords, key) || strings.HasPrefix(key, "x-") {
		return diag.Problem{}, false
	}
	meant := diag.Nearest(key, keywords)
	if meant == "" {
		return diag.Problem{}, false
	}
	return diag.Problem{
		Position: d.at(append(slices.Clip(at), key)), Severity: diag.Warning,
		Message: fmt.Sprintf("the keyword %q means nothing in JSON Schema and is ignored; did you mean %q?", key, meant),
	}, true
}
