package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestViolations(t *testing.T) {
	tests := []struct {
		name, schema, value string
		want                []string // path and message
	}{
		{"type", `{"type":"integer"}`, `"x"`, []string{" is a string and has to be integer"}},
		{"types", `{"type":["integer","null"]}`, `"x"`, []string{" is a string and has to be null or integer"}},
		{"required", `{"required":["b","a"]}`, `{}`, []string{` lacks "b", "a"`}},
		{"additional", `{"additionalProperties":false}`, `{"secret":1,"other":2}`, []string{" has 2 properties that the schema does not allow"}},
		{"enum", `{"enum":["a","b"]}`, `"secret"`, []string{" is not one of the 2 values that the schema allows"}},
		{"const", `{"const":1}`, `"secret"`, []string{" is not the value that the schema prescribes"}},
		{"pattern", `{"pattern":"^a+$"}`, `"secret"`, []string{` does not match the pattern "^a+$"`}},
		{"format", `{"format":"date"}`, `"secret"`, []string{" is not a valid date"}},
		{"lengths", `{"allOf":[{"minLength":9},{"maxLength":1}]}`, `"secret"`, []string{" is longer than 1 character", " is shorter than 9 characters"}},
		{"numbers", `{"minimum":2.5,"multipleOf":0.1}`, `1.05`, []string{" is below the minimum of 5/2", " is not a multiple of 1/10"}},
		{"exclusive", `{"exclusiveMinimum":2,"exclusiveMaximum":1}`, `2`, []string{" is not below 1", " is not above 2"}},
		{"items", `{"items":{"maximum":3},"maxItems":1,"uniqueItems":true}`, `[7,7]`, []string{" has items that are equal", " has more than 1 item", "/0 is above the maximum of 3", "/1 is above the maximum of 3"}},
		{"few", `{"minItems":1}`, `[]`, []string{" has fewer than 1 item"}},
		{"members", `{"minProperties":1}`, `{}`, []string{" has fewer than 1 property"}},
		{"contains", `{"contains":{"const":1}}`, `[]`, []string{` breaks the rule "contains"`}},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, []string{"/a is not allowed here"}},
		{"not", `{"not":{"type":"string"}}`, `"x"`, []string{" is what the schema excludes"}},
		{"property names", `{"propertyNames":{"maxLength":2}}`, `{"secret":1}`, []string{" has a property whose name the schema does not allow"}},
		{"dependent", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, []string{` lacks "b", which another property requires`}},
		{"through references", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"integer"}}}`, `"x"`, []string{" is a string and has to be integer"}},

		{"the order is the document's", `{"additionalProperties":{"type":"integer"},"properties":{"z":{},"a":{},"m":{}},"patternProperties":{"^[zam]$":{"type":"integer"}}}`, `{"z":"1","a":"2","m":"3"}`,
			[]string{"/z is a string and has to be integer", "/a is a string and has to be integer", "/m is a string and has to be integer"}},
		{"names of the model's own are hidden", `{"additionalProperties":{"items":{"properties":{"known":{"type":"integer"}}}}}`, `{"secret":[{"known":"x"}]}`,
			[]string{"/*/0/known is a string and has to be integer"}},
		{"a number for a name is hidden too", `{"additionalProperties":{"type":"integer"}}`, `{"4711":"x"}`, []string{"/* is a string and has to be integer"}},
		{"a name with a slash", `{"properties":{"a/b~c":{"type":"integer"}}}`, `{"a/b~c":"x"}`, []string{"/a~1b~0c is a string and has to be integer"}},

		{"alternatives, one of which was meant", `{"anyOf":[{"type":"null"},{"type":"object","required":["a"]}]}`, `{}`,
			[]string{" fits none of the alternatives of anyOf", ` lacks "a"`}},
		{"alternatives, told apart by a constant", `{"oneOf":[
			{"properties":{"kind":{"const":"a"},"n":{"type":"integer"}}},
			{"properties":{"kind":{"const":"b"},"n":{"type":"string"}}}]}`, `{"kind":"b","n":7}`,
			[]string{" fits none of the alternatives of oneOf", "/n is a number and has to be string"}},
		{"alternatives, none of which was meant", `{"anyOf":[{"type":"null"},{"type":"object"}]}`, `7`, []string{" fits none of the alternatives of anyOf"}},
		{"too many alternatives", `{"oneOf":[{"type":"integer"},{"minimum":1}]}`, `7`, []string{" fits more than one of the alternatives of oneOf"}},
		{"a number that fills the memory", `{"minimum":1}`, `[1e999999999]`, []string{" holds a number with an exponent too large to handle"}},
		{"a long number is fine", `{"minimum":1}`, strings.Repeat("9", 5000), nil},
		{"valid", `{"type":"object"}`, `{}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			violations, err := one(t, tt.schema).Validate([]byte(tt.value))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range violations {
				got = append(got, v.Path+" "+v.Message)
				if v.Exact.Message() == "" {
					t.Errorf("nothing to tell the model: %+v", v)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			encoded, _ := json.Marshal(violations)
			if shown := fmt.Sprintf("%v %+v %#v %s", violations, violations, violations, encoded); strings.Contains(shown, "secret") || strings.Contains(shown, "4711") {
				t.Errorf("the reply shows: %s", shown)
			}
		})
	}
}

func TestTheModelIsToldExactly(t *testing.T) {
	s := one(t, `{"additionalProperties":{"enum":["a","b"]}}`)
	violations, err := s.Validate([]byte(`{"mine":"c"}`))
	if err != nil || len(violations) != 1 {
		t.Fatalf("got %v, %v", violations, err)
	}
	if e := violations[0].Exact; e.Path() != "/mine" || e.Message() != "value must be one of 'a', 'b'" {
		t.Errorf("got %q at %q", e.Message(), e.Path())
	}
}

func TestViolationsAreBounded(t *testing.T) {
	s := one(t, `{"items":{"type":"string"}}`)
	violations, err := s.Validate([]byte("[" + strings.TrimSuffix(strings.Repeat("1,", 3000), ",") + "]"))
	if err != nil || len(violations) != MaxViolations || violations[99].Path != "/99" {
		t.Errorf("%d violations, %v", len(violations), err)
	}
}

func TestNoDocument(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "prose"} {
		if _, err := one(t, `{}`).Validate([]byte(text)); err == nil {
			t.Errorf("%q was validated", text)
		}
	}
}
