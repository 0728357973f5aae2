package cli

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestJSONFormsAreDocumented holds docs/json.md against the answers: every
// key of every form stands there, in backquotes.
func TestJSONFormsAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, answer := range []any{
		listAnswer{}, showAnswer{}, needsAnswer{}, againstAnswer{}, diffAnswer{}, checkAnswer{}, profileAnswer{},
		profilesAnswer{}, preparedAnswer{}, runAnswer{}, manifest{}, replayAnswer{}, initAnswer{}, versionAnswer{},
	} {
		for _, key := range jsonKeys(reflect.TypeOf(answer), map[reflect.Type]bool{}) {
			if !strings.Contains(text, "`"+key+"`") {
				t.Errorf("%T: docs/json.md does not explain %q", answer, key)
			}
		}
	}
}

// jsonKeys lists the keys of a type and of the types in it.
func jsonKeys(typ reflect.Type, seen map[reflect.Type]bool) []string {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return jsonKeys(typ.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[typ] {
		return nil
	}
	seen[typ] = true
	var keys []string
	for f := range typ.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			keys = append(keys, name)
		} else if !f.Anonymous {
			continue
		}
		keys = append(keys, jsonKeys(f.Type, seen)...)
	}
	return keys
}
