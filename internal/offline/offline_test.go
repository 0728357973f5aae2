package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/schema"
)

func compiled(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.NewSet(func(string) ([]byte, error) { return []byte(text), nil }).Compile("s.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInstance(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"anything", `true`, `0`},
		{"an object", `{"type":"object"}`, `{}`},
		{"an object that forgot to say so", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":""}`},
		{"an array that forgot to say so", `{"items":{"type":"string"},"minItems":1}`, `[""]`},
		{"several types", `{"type":["null","string"]}`, `""`},
		{"null", `{"type":"null"}`, `null`},
		{"a boolean", `{"type":"boolean"}`, `true`},
		{"what is optional is left out", `{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`, `{"a":0}`},

		{"the smallest of an enum", `{"enum":["medium","x",null,{"a":1}]}`, `"x"`},
		{"a constant", `{"const":{"b":[1.50,"<&>"]}}`, `{"b":[1.50,"<&>"]}`},
		{"an enum under other rules", `{"enum":["a","bb","ccc"],"minLength":2}`, `"bb"`},

		{"a minimum", `{"type":"integer","minimum":7}`, `7`},
		{"an exclusive minimum", `{"type":"integer","exclusiveMinimum":7}`, `8`},
		{"a negative maximum", `{"type":"integer","maximum":-3}`, `-3`},
		{"a multiple", `{"type":"integer","minimum":7,"multipleOf":5}`, `10`},
		{"two multiples", `{"type":"integer","minimum":1,"allOf":[{"multipleOf":4},{"multipleOf":6}]}`, `12`},
		{"a fraction", `{"type":"number","multipleOf":0.25,"minimum":0.3,"maximum":0.6}`, `0.5`},
		{"a narrow gap", `{"type":"number","exclusiveMinimum":0.1,"exclusiveMaximum":0.2}`, `0.15`},
		{"a minimum that is no integer", `{"type":"number","minimum":1.5,"maximum":1.75}`, `1.5`},
		{"a large minimum", `{"type":"integer","minimum":1e20}`, `100000000000000000000`},

		{"a length", `{"type":"string","minLength":3}`, `"aaa"`},
		{"a pattern", `{"type":"string","pattern":"^[A-Z]{3}-\\d{4,}$"}`, `"AAA-0000"`},
		{"a pattern that can be longer", `{"type":"string","pattern":"^a+b*$","minLength":5}`, `"aaaaa"`},
		{"a pattern without anchors", `{"type":"string","pattern":"x","minLength":3}`, `"xaa"`},
		{"a pattern with arms", `{"type":"string","pattern":"^(foo|ba[rz])$","not":{"const":"foo"}}`, `"baz"`},
		{"a pattern and a format", `{"type":"string","format":"email","pattern":"^[^@]+@x\\.org$"}`, `"a@x.org"`},
		{"a date", `{"type":"string","format":"date"}`, `"1970-01-01"`},
		{"a time stamp", `{"type":"string","format":"date-time"}`, `"1970-01-01T00:00:00Z"`},
		{"an address of a length", `{"type":"string","format":"email","minLength":16}`, `"aaaa@example.com"`},
		{"an unknown format", `{"type":"string","format":"colour"}`, `""`},

		{"items", `{"type":"array","minItems":2,"items":{"type":"boolean"}}`, `[true,true]`},
		{"many items", `{"type":"array","minItems":1000,"items":{"type":"integer"}}`, "[" + strings.Repeat("0,", 999) + "0]"},
		{"unique items", `{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"integer"}}`, `[0,1,-1]`},
		{"unique strings of a length", `{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"string","minLength":2,"maxLength":2}}`, `["aa","ab","ac"]`},
		{"a prefix", `{"type":"array","minItems":3,"prefixItems":[{"const":1},{"const":"b"}],"items":{"type":"null"}}`, `[1,"b",null]`},
		{"a prefix of an older draft", `{"$schema":"http://json-schema.org/draft-07/schema#","minItems":2,"items":[{"const":1}],"additionalItems":{"type":"null"}}`, `[1,null]`},
		{"what it contains", `{"type":"array","contains":{"const":7},"minContains":2}`, `[7,7]`},
		{"what it contains behind a prefix", `{"type":"array","prefixItems":[{"const":1}],"contains":{"const":7},"minItems":2,"items":{"type":"integer"}}`, `[1,7]`},
		{"what need not be contained", `{"type":"array","contains":{"const":7},"minContains":0}`, `[]`},

		{"members by pattern", `{"type":"object","minProperties":2,"additionalProperties":false,"patternProperties":{"^x-[a-z]+$":{"type":"null"}}}`, `{"x-a":null,"x-bb":null}`},
		{"members of any name", `{"type":"object","minProperties":2}`, `{"a":0,"b":0}`},
		{"names of a pattern", `{"type":"object","minProperties":1,"propertyNames":{"pattern":"^k\\d$"},"additionalProperties":{"type":"integer"}}`, `{"k0":0}`},
		{"a required name of a pattern", `{"type":"object","required":["ab"],"patternProperties":{"^a":{"minLength":2},"b$":{"type":"string"}}}`, `{"ab":"aa"}`},
		{"names that bring others along", `{"type":"object","required":["a"],"dependentRequired":{"a":["b"],"b":["c"]},"properties":{"c":{"type":"null"}}}`, `{"a":0,"b":0,"c":null}`},
		{"names that bring schemas along", `{"type":"object","required":["a"],"dependentSchemas":{"a":{"required":["d"],"properties":{"d":{"const":"x"}}}}}`, `{"a":0,"d":"x"}`},
		{"nothing unevaluated", `{"type":"object","unevaluatedProperties":false,"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]}]}`, `{"a":""}`},

		{"all of", `{"allOf":[{"type":"string","minLength":2},{"maxLength":2},{"pattern":"b"}]}`, `"ba"`},
		{"the cheapest of any", `{"anyOf":[{"type":"object","required":["a"]},{"type":"string","minLength":9},{"type":"null"}]}`, `null`},
		{"one of, told apart", `{"oneOf":[{"required":["kind","x"],"properties":{"kind":{"const":"a"}}},{"required":["kind"],"properties":{"kind":{"const":"bb"}}}]}`, `{"kind":"bb"}`},
		{"one of, not both", `{"oneOf":[{"type":"integer"},{"type":"integer","minimum":0}]}`, `-1`},
		{"a choice in a choice", `{"anyOf":[{"anyOf":[{"const":"xyz"},{"const":"xy"}]},{"oneOf":[{"const":"abcd"}]}]}`, `"xy"`},
		{"not", `{"type":"string","not":{"maxLength":1}}`, `"aa"`},
		{"if, then", `{"required":["a"],"properties":{"a":{"const":1}},"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1,"b":0}`},
		{"if, else", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"c":0}`},

		{"references", `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}],"minLength":1},"b":{"type":"string"}}}`, `"a"`},
		{"a tree", `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","required":["v","l","r"],"properties":{"v":{"type":"integer"},
			"l":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]},"r":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]}}}}}`, `{"l":null,"r":null,"v":0}`},
		{"a list that ends", `{"type":"object","required":["next"],"properties":{"next":{"type":"array","items":{"$ref":"#"}}}}`, `{"next":[]}`},
		{"a reference that changes with its place", `{"$id":"http://x.test/s","$dynamicAnchor":"n","type":"object","required":["v"],"properties":{"v":{"type":"string"},"child":{"$dynamicRef":"#n"}}}`, `{"v":""}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := compiled(t, tt.schema)
			got, err := Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if violations, err := s.Validate([]byte(got)); err != nil || len(violations) > 0 {
				t.Errorf("%s is rejected: %v, %v", got, violations, err)
			}
			for range 5 {
				if again, _ := Instance(s); again != got {
					t.Fatalf("got %s and then %s", got, again)
				}
			}
		})
	}
}

func TestFormats(t *testing.T) {
	for format := range samples {
		for _, rest := range []string{"", `,"minLength":1`} {
			s := compiled(t, fmt.Sprintf(`{"type":"string","format":%q%s}`, format, rest))
			got, err := Instance(s)
			if err != nil {
				t.Errorf("%s%s: %v", format, rest, err)
			} else if v, _ := s.Validate([]byte(got)); len(v) > 0 {
				t.Errorf("%s%s: %s is rejected", format, rest, got)
			}
		}
	}
	for format := range stretched {
		s := compiled(t, fmt.Sprintf(`{"type":"string","format":%q,"minLength":40}`, format))
		if _, err := Instance(s); err != nil {
			t.Errorf("%s of 40 characters: %v", format, err)
		}
	}
}

// TestWhatNothingFits: an error with the place, and in little time.
func TestWhatNothingFits(t *testing.T) {
	tests := []struct{ name, schema, place string }{
		{"false", `false`, ""},
		{"an empty range", `{"type":"integer","minimum":5,"maximum":4}`, ""},
		{"deep inside", `{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":1,"items":{"type":"string","minLength":3,"maxLength":2}}}}`, "/a/0"},
		{"a name with a slash", `{"type":"object","required":["a/b"],"properties":{"a/b":false}}`, "/a~1b"},
		{"too few values", `{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"boolean"}}`, ""},
		{"a pattern that no length fits", `{"type":"object","required":["p"],"properties":{"p":{"type":"string","pattern":"^a$","minLength":2}}}`, "/p"},
		{"endless nesting", `{"type":"object","required":["n"],"properties":{"n":{"$ref":"#"}}}`, strings.Repeat("/n", maxDepth-1)},
		{"endless nesting in two ways", `{"type":"object","required":["l","r"],"properties":{"l":{"$ref":"#"},"r":{"$ref":"#"}}}`, strings.Repeat("/l", maxDepth-1)},
		{"endless choice", `{"type":"object","required":["n"],"properties":{"n":{"anyOf":[{"$ref":"#"},{"type":"array","minItems":1,"items":{"$ref":"#"}}]}}}`, "*"},
		{"a string of a terabyte", `{"type":"string","minLength":1000000000000}`, ""},
		{"an array of a million", `{"type":"array","minItems":1000000,"items":{"type":"object","required":["a"]}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			got, err := Instance(compiled(t, tt.schema))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %s, %v", got, err)
			}
			if e.Place != tt.place && tt.place != "*" || e.Schema != "s.json" || !strings.Contains(e.Error(), `schema "s.json"`) {
				t.Errorf("got %v at %q, want %q", e, e.Place, tt.place)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestRandomSchemas: for schemas that have an instance, one is found, and the
// schema accepts it.
func TestRandomSchemas(t *testing.T) {
	for seed := range uint64(400) {
		r := &random{rand.New(rand.NewPCG(1, seed))}
		text, _ := json.Marshal(r.schema(4))
		s := compiled(t, string(text))
		got, err := Instance(s)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v, err := s.Validate([]byte(got)); err != nil || len(v) > 0 {
			t.Errorf("%s: %s is rejected: %v", text, got, v)
		}
	}
}

// random makes schemas that have an instance.
type random struct{ *rand.Rand }

func (r *random) schema(depth int) map[string]any {
	n := 9
	if depth == 0 {
		n = 5
	}
	switch r.IntN(n) {
	case 0:
		low := r.IntN(200) - 100
		return map[string]any{"type": "integer", "minimum": low, "maximum": low + 20, "multipleOf": 1 + r.IntN(9)}
	case 1:
		low := r.IntN(10)
		return map[string]any{"type": "string", "minLength": low, "maxLength": low + r.IntN(3)}
	case 2:
		return map[string]any{"enum": []any{r.IntN(9), "x", nil, true}[:1+r.IntN(4)]}
	case 3:
		return map[string]any{"type": []string{"null", "boolean"}[r.IntN(2)]}
	case 4:
		return map[string]any{"type": "string", "pattern": []string{`^[a-f]+\d{2}$`, `^(a|b)c?$`, `\w+@\w+`}[r.IntN(3)]}
	case 5:
		return map[string]any{"type": "array", "minItems": r.IntN(4), "items": r.schema(depth - 1)}
	case 6:
		return map[string]any{"anyOf": []any{r.schema(depth - 1), r.schema(depth - 1)}}
	case 7:
		return map[string]any{"allOf": []any{r.schema(depth - 1), true}, "$comment": "x"}
	}
	properties := map[string]any{}
	var required []string
	for i := range 1 + r.IntN(4) {
		name := fmt.Sprintf("p%d", i)
		properties[name] = r.schema(depth - 1)
		if r.IntN(3) > 0 {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}

func TestTextAndJSON(t *testing.T) {
	a, b := []byte(`{"a":1}`), []byte(`{"a":2}`)
	first, again, other := Text(a), Text(a), Text(b)
	if first != again || first == other || !strings.Contains(first, "no model was asked") {
		t.Errorf("got %q, %q and %q", first, again, other)
	}
	if JSON(a) == JSON(b) || !json.Valid([]byte(JSON(a))) {
		t.Errorf("got %q and %q", JSON(a), JSON(b))
	}
}
