package cli

import (
	"reflect"
	"testing"

	"github.com/promptkit-go/promptkit"
)

func TestKindChanges(t *testing.T) {
	before := map[string]string{"same": "required", "up": "optional", "maybe": "conditional", "down": "required", "gone": "required", "unused": "optional"}
	after := map[string]string{"same": "required", "up": "required", "maybe": "optional", "down": "conditional", "new": "conditional", "idle": "optional"}
	want := []kindChange{
		{"down", "required", "conditional", "relaxed"},
		{"gone", "required", "", "released"},
		{"idle", "", "optional", "added"},
		{"maybe", "conditional", "optional", "released"},
		{"new", "", "conditional", "tightened"},
		{"unused", "optional", "", "dropped"},
		{"up", "optional", "required", "required"},
	}
	if got := kindChanges(before, after); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}

func TestDiffKinds(t *testing.T) {
	before := map[string]string{"tighter": "conditional", "looser": "required", "gone": "required"}
	after := map[string]string{"tighter": "required", "looser": "optional", "needed": "required", "idle": "optional", "perhaps": "conditional"}
	want := []diffChange{
		{"gone", "drops", "required", "", false},
		{"idle", "adds", "", "optional", false},
		{"looser", "relaxes", "required", "optional", false},
		{"needed", "adds", "", "required", true},
		{"perhaps", "adds", "", "conditional", true},
		{"tighter", "tightens", "conditional", "required", true},
	}
	if got := diffKinds(before, after); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}

func TestDiffOutput(t *testing.T) {
	text := promptkit.OutputContract{Format: "text", Validation: "none"}
	parsed := promptkit.OutputContract{Format: "json", Validation: "json"}
	schema := promptkit.OutputContract{Format: "json", Validation: "json_schema", Schema: "a.json"}
	other := promptkit.OutputContract{Format: "json", Validation: "json_schema", Schema: "b.json"}
	tests := []struct {
		why           string
		before, after promptkit.OutputContract
		want          []diffChange
	}{
		{"nothing", schema, schema, []diffChange{}},
		{"another format breaks readers", text, parsed, []diffChange{
			{"format", "changes", "text", "json", true}, {"validation", "tightens", "none", "json", false}}},
		{"a stricter promise breaks no one", parsed, schema, []diffChange{
			{"validation", "tightens", "json", "json_schema", false}, {"schema", "changes", "", "a.json", false}}},
		{"a weaker one does", schema, parsed, []diffChange{
			{"validation", "relaxes", "json_schema", "json", true}, {"schema", "changes", "a.json", "", false}}},
		{"another schema may", schema, other, []diffChange{{"schema", "changes", "a.json", "b.json", true}}},
	}
	for _, tt := range tests {
		if got := diffOutput(tt.before, tt.after); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %v\nwant %v", tt.why, got, tt.want)
		}
	}
}

func TestDiffTypes(t *testing.T) {
	before := []promptkit.PromptInputDefinition{{Name: "a", ContentType: "text/plain"}, {Name: "b"}, {Name: "c", ContentType: "text/csv"}, {Name: "old", ContentType: "x/y"}}
	after := []promptkit.PromptInputDefinition{{Name: "a", ContentType: "text/html"}, {Name: "b", ContentType: "text/csv"}, {Name: "c"}, {Name: "new", ContentType: "x/y"}}
	want := []diffChange{
		{"a content type", "changes", "text/plain", "text/html", true},
		{"b content type", "changes", "", "text/csv", true},
		{"c content type", "changes", "text/csv", "", false},
	}
	if got := diffTypes(before, after); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}
