package definition

import (
	"strings"
	"testing"
	"testing/fstest"
)

const hashed = `id: a
version: "1"
description: d
default_profile: p
session_id: "{{.s}}"
inputs:
  - {name: x, required: true, content_type: text/plain, description: e}
  - name: y
messages:
  - role: system
    content: |
      one
      two
    cache_control: {type: ephemeral, ttl: 5m}
  - role: user
    content: three
instructions:
  - {id: i, role: system, template: "{{action}}", from_action: 2}
  - {id: j, role: user, text: "{{action}}", cache_control: ephemeral}
output: {format: json, validation: json_schema, schema: s.json}
`

func hashOf(t *testing.T, text string) string {
	t.Helper()
	return onlyPrompt(t, fstest.MapFS{
		"a.yaml": {Data: []byte(text)}, "one.tmpl": {Data: []byte("one\ntwo\n")}, "sub/other.tmpl": {Data: []byte("one\ntwo\n")},
	}).Hash
}

// edit returns the hashed definition with texts replaced that occur once.
func edit(t *testing.T, pairs ...string) string {
	t.Helper()
	text := hashed
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q does not occur exactly once", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestHashIgnoresLayout(t *testing.T) {
	want := hashOf(t, hashed)
	for why, text := range map[string]string{
		"key order":           edit(t, "id: a\nversion: \"1\"\n", "version: 1\nid: 'a'\n"),
		"comments":            "# x\n" + edit(t, "description: d", "description: d # y"),
		"flow and block":      edit(t, "output: {format: json, validation: json_schema, schema: s.json}", "output:\n  schema: s.json\n  format: json\n  validation: json_schema"),
		"quoting":             edit(t, "content: |\n      one\n      two\n", "content: \"one\\ntwo\\n\"\n"),
		"a message file":      edit(t, "content: |\n      one\n      two\n", "content_file: one.tmpl\n"),
		"another file's name": edit(t, "content: |\n      one\n      two\n", "content_file: sub/other.tmpl\n"),
		"null metadata":       edit(t, "- name: y", "- {name: y, description: null, content_type: ~}"),
		"empty metadata":      edit(t, "- name: y", "- {name: y, description: '', content_type: \"\"}"),
		"a default spelt out": edit(t, "- name: y", "- {name: y, required: false}"),
		"cache control":       edit(t, "text: \"{{action}}\", cache_control: ephemeral", "text: \"{{action}}\", cache_control: {type: ephemeral}"),
		"line ends":           byteOrderMark + hashed,
	} {
		if got := hashOf(t, text); got != want {
			t.Errorf("%s changes the hash", why)
		}
	}
}

func TestHashCoversEveryField(t *testing.T) {
	seen := map[string]string{hashOf(t, hashed): "nothing"}
	for _, tt := range []struct{ why, old, new string }{
		{"id", "id: a", "id: b"},
		{"version", `version: "1"`, `version: "1.0"`},
		{"description", "description: d", "description: dd"},
		{"default profile", "default_profile: p", "default_profile: q"},
		{"session", `session_id: "{{.s}}"`, `session_id: "{{.t}}"`},
		{"no session", `session_id: "{{.s}}"`, `session_id: ""`},
		{"input name", "name: y", "name: z"},
		{"input required", "- name: y", "- {name: y, required: true}"},
		{"input type", "text/plain", "text/html"},
		{"input description", "description: e", "description: f"},
		{"description for type", "- name: y", "- {name: y, description: v}"},
		{"type for description", "- name: y", "- {name: y, content_type: v}"},
		{"input order", "inputs:\n", "inputs:\n  - name: w\n"},
		{"message role", "role: system\n    content", "role: developer\n    content"},
		{"message text", "three", "thre"},
		{"moved text", "      two\n", "      two t\n"},
		{"ttl", "ttl: 5m", "ttl: 1h"},
		{"no cache control", "    cache_control: {type: ephemeral, ttl: 5m}\n", ""},
		{"instruction id", "id: i,", "id: k,"},
		{"instruction role", "role: system, template", "role: user, template"},
		{"instruction kind", `template: "{{action}}"`, `text: "{{action}}"`},
		{"instruction text", `template: "{{action}}"`, `template: "{{ action }}"`},
		{"from action", "from_action: 2", "from_action: 3"},
		{"format", "format: json", "format: text"},
		{"schema", "schema: s.json", "schema: t.json"},
		{"output", "output: {format: json, validation: json_schema, schema: s.json}\n", ""},
	} {
		got := hashOf(t, edit(t, tt.old, tt.new))
		if same, ok := seen[got]; ok {
			t.Errorf("changing %s gives the same hash as changing %s", tt.why, same)
		}
		seen[got] = tt.why
	}
}

func TestHashIsUnambiguous(t *testing.T) {
	a := hashOf(t, "id: ab\nversion: c\nmessages: [{role: user, content: xy}, {role: user, content: z}]\n")
	b := hashOf(t, "id: a\nversion: bc\nmessages: [{role: user, content: xy}, {role: user, content: z}]\n")
	c := hashOf(t, "id: ab\nversion: c\nmessages: [{role: user, content: x}, {role: user, content: yz}]\n")
	if a == b || a == c || b == c {
		t.Error("texts that only moved across a border have the same hash")
	}
}

// TestHashIsStable pins the encoding: a change of it changes every recorded
// hash, and needs another hashFormat.
func TestHashIsStable(t *testing.T) {
	const want = "3475e0c120a2a2e71b03386d32b93ae6c4ee95c227e0fb31349903d2343b4c19"
	if got := hashOf(t, hashed); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
