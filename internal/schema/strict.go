package schema

// Strict reports whether the schema keeps to the part of JSON Schema that
// OpenAI's strict mode takes for certain: every object lists its properties,
// requires them all and allows no others, and only the plainest keywords are
// used. In strict mode the backend cannot answer anything else; for any other
// schema, asking for it would get an error instead of an answer.
func (s *Schema) Strict() bool {
	object, ok := s.main.value.(map[string]any)
	if !ok || object["type"] != "object" || len(s.docs) > 1 {
		return false
	}
	strict := true
	walk(object, nil, func(object map[string]any, _ []string) {
		strict = strict && strictObject(object)
	})
	return strict
}

// strictKeywords are those that strict mode has known from its beginning.
var strictKeywords = map[string]bool{
	"$defs": true, "$ref": true, "$schema": true, "additionalProperties": true, "anyOf": true, "const": true,
	"description": true, "enum": true, "items": true, "properties": true, "required": true, "title": true, "type": true,
}

func strictObject(object map[string]any) bool {
	for keyword, value := range object {
		if _, schema := value.(bool); !strictKeywords[keyword] || schema && keyword != "additionalProperties" {
			return false
		}
	}
	properties, _ := object["properties"].(map[string]any)
	if object["type"] != "object" {
		return properties == nil && object["additionalProperties"] == nil
	}
	required, _ := object["required"].([]any)
	for _, schema := range properties {
		if _, ok := schema.(map[string]any); !ok {
			return false
		}
	}
	return properties != nil && object["additionalProperties"] == false && len(required) == len(properties)
}
