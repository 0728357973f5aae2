package schema

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// files is a schema source.
type files map[string]string

func (f files) set() *Set {
	source := fstest.MapFS{}
	for name, text := range f {
		source[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return NewSet(func(path string) ([]byte, error) { return fs.ReadFile(source, path) })
}

// mustCompile fails the test if the schema does not compile.
func mustCompile(t *testing.T, f files, name string) *Schema {
	t.Helper()
	s, err := f.set().Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// one is a source of one schema.
func one(t *testing.T, text string) *Schema {
	t.Helper()
	return mustCompile(t, files{"s.json": text}, "s.json")
}

func TestReferencesWithinTheSource(t *testing.T) {
	const inner = `{"$defs": {"id": {"type": "integer"}}, "type": "string"}`
	tests := []struct {
		name  string
		files files
	}{
		{"beside", files{"a.json": `{"$ref": "b.json"}`, "b.json": inner}},
		{"into a folder and back", files{"a.json": `{"$ref": "sub/m.json"}`, "sub/m.json": `{"$ref": "../b.json"}`, "b.json": inner}},
		{"in a circle", files{"a.json": `{"$ref": "b.json"}`, "b.json": `{"type": "string", "not": {"$ref": "a.json#/$defs/x"}}`}},
		{"by an anchor", files{"a.json": `{"$ref": "b.json#text"}`, "b.json": `{"$defs": {"t": {"$anchor": "text", "type": "string"}}}`}},
		{"a name that has to be escaped", files{"a.json": `{"$ref": "my%20b.json"}`, "my b.json": inner}},
		{"from under an $id", files{"a.json": `{"$id": "https://example.com/schemas/a.json", "$ref": "b.json"}`, "b.json": inner}},
		{"both under an $id", files{
			"a.json": `{"$id": "https://example.com/schemas/a.json", "$ref": "b.json"}`,
			"b.json": `{"$id": "https://example.com/schemas/b.json", "type": "string"}`,
		}},
		{"to an $id inside", files{"a.json": `{"$ref": "https://example.com/inner", "$defs": {"i": {"$id": "https://example.com/inner", "type": "string"}}}`}},
		{"an older draft", files{"a.json": `{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/s", "definitions": {"s": {"type": "string"}}}`}},
		{"a metaschema is on board", files{"a.json": `{"anyOf": [{"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": "string"}]}`}},
		{"a byte order mark", files{"a.json": "\ufeff" + `{"type": "string"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "in a circle" {
				tt.files["a.json"] = `{"$ref": "b.json", "$defs": {"x": {"type": "integer"}}}`
			}
			s := mustCompile(t, tt.files, "a.json")
			if v, err := s.Validate([]byte(`"text"`)); err != nil || len(v) > 0 {
				t.Errorf("a string is rejected: %v, %v", v, err)
			}
			if v, _ := s.Validate([]byte(`7`)); len(v) == 0 {
				t.Error("a number is accepted")
			}
		})
	}
}

func TestBrokenSchemas(t *testing.T) {
	tests := []struct {
		name  string
		files files
		want  []string // position and a part of each message
	}{
		{"missing", files{}, []string{`a.json: error: schema "a.json" does not exist`}},
		{"empty", files{"a.json": ""}, []string{"a.json:1:1: error: the schema is not valid JSON: unexpected end"}},
		{"too deep", files{"a.json": strings.Repeat(`{"not":`, 10_001) + "{}" + strings.Repeat("}", 10_001)}, []string{"a.json:1:70001: error: the schema is not valid JSON: it is nested too deep to be read"}},
		{"no JSON", files{"a.json": "{\n \"type\": strng}"}, []string{"a.json:2:10: error: the schema is not valid JSON: unexpected character"}},
		{"half", files{"a.json": "{\n \"type\":"}, []string{"a.json:2:9: error: the schema is not valid JSON: unexpected end"}},
		{"two", files{"a.json": "{}\n {}"}, []string{"a.json:2:2: error: the schema is not valid JSON: more text"}},
		{"not UTF-8", files{"a.json": "{\"title\":\"\xff\"}"}, []string{"a.json: error: the schema is not UTF-8"}},
		{"a list", files{"a.json": " [1]"}, []string{"a.json:1:1: error: a schema is a JSON object"}},
		{"a number that fills the memory", files{"a.json": `{"minimum": 1e999999999}`}, []string{"a.json:1:1: error: the schema is not valid JSON: a number"}},
		{"the wrong type", files{"a.json": "{\n  \"minLength\": \"3\",\n  \"type\": \"strng\"\n}"},
			[]string{`a.json:2:16: error: "minLength" is a string and has to be integer`, `a.json:3:11: error: "type" is neither null`}},
		{"a pattern of another language", files{"a.json": `{"properties": {"a": {"pattern": "(?=x)y"}}}`}, []string{`a.json:1:34: error: "pattern" is not a valid regex`}},
		{"a pattern in patternProperties", files{"a.json": `{"patternProperties": {"(": {}}}`}, []string{"a.json"}},
		{"a pointer to nothing", files{"a.json": "{\n \"$ref\": \"#/$defs/none\"}"}, []string{"a.json:2:10: error: the reference leads to nothing"}},
		{"an anchor that is not there", files{"a.json": "{\n \"$ref\": \"#none\"}"}, []string{"a.json:2:10: error: the reference leads to nothing"}},
		{"a file that is not there", files{"a.json": "{\n \"$ref\": \"b.json\"}"}, []string{`a.json:2:10: error: schema "b.json" does not exist`}},
		{"a broken file behind a reference", files{"a.json": `{"$ref": "b.json"}`, "b.json": "{"}, []string{"b.json:1:2: error: the schema is not valid JSON"}},
		{"a wrong type behind a reference", files{"a.json": `{"$ref": "b.json"}`, "b.json": `{"type": 7}`}, []string{`b.json:1:10: error: "type"`}},
		{"a network", files{"a.json": "{\n \"$ref\": \"https://user:canary@example.com/x.json\"}"}, []string{"a.json:2:10: error: the reference is a https: address, and nothing is read from outside"}},
		{"two networks", files{"a.json": `{"allOf": [{"$ref": "http://x.test/a"}, {"$ref": "ftp://x.test/b"}]}`},
			[]string{"a.json:1:21: error: the reference is a http: address", "a.json:1:50: error: the reference is a ftp: address"}},
		{"the machine's files", files{"a.json": `{"$ref": "file:///etc/passwd"}`}, []string{"a.json:1:10: error: the reference is a file: address"}},
		{"an unknown scheme", files{"a.json": `{"$ref": "urn:isbn:canary"}`}, []string{"a.json:1:10: error: the reference is a urn: address"}},
		{"out of the root", files{"sub/a.json": `{"$ref": "../../etc/x.json"}`}, []string{"sub/a.json:1:10: error: the reference leaves the schema source"}},
		{"an absolute path", files{"a.json": `{"$ref": "/b.json"}`, "b.json": "{}"}, []string{"a.json:1:10: error: the reference leaves the schema source"}},
		{"another host", files{"a.json": `{"$ref": "//evil.test/b.json"}`}, []string{"a.json:1:10: error: the reference leaves"}},
		{"our own scheme with another host", files{"a.json": `{"$ref": "schema://other/b.json"}`}, []string{"a.json:1:10: error: the reference is a schema: address"}},
		{"an unknown draft", files{"a.json": `{"$schema": "https://json-schema.org/draft/2099-01/schema"}`}, []string{"a.json:1:13: error: the draft"}},
		{"a metaschema from the network", files{"a.json": `{"$schema": "https://example.com/meta"}`}, []string{"a.json:1:13: error: the reference is a https: address"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := "a.json"
			if _, ok := tt.files["sub/a.json"]; ok {
				name = "sub/a.json"
			}
			_, err := tt.files.set().Compile(name)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			if len(e.Problems) != len(tt.want) {
				t.Errorf("got %v", e.Problems)
			}
			for i, want := range tt.want {
				if got := e.Problems[min(i, len(e.Problems)-1)].String(); !strings.HasPrefix(got, want) {
					t.Errorf("problem %d is %q, want %q", i+1, got, want)
				}
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("the address is quoted: %v", err)
			}
			if (tt.name == "missing" || tt.name == "a file that is not there") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("errors.Is(err, fs.ErrNotExist) is %v", errors.Is(err, fs.ErrNotExist))
			}
		})
	}
}

func TestNamesOfSchemas(t *testing.T) {
	set := files{"a.json": "{}"}.set()
	for _, name := range []string{"", ".", "/a.json", "../a.json", "x/../a.json", "a.json/"} {
		if _, err := set.Compile(name); err == nil || !strings.Contains(err.Error(), "relative path") {
			t.Errorf("Compile(%q): %v", name, err)
		}
	}
}

func TestASetReadsOnceAndOnlyWhatItNeeds(t *testing.T) {
	var mu sync.Mutex
	var read []string
	set := NewSet(func(path string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		read = append(read, path)
		return []byte(map[string]string{"a.json": `{"$ref": "b.json"}`, "b.json": `true`}[path]), nil
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := set.Compile("a.json"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if !slices.Equal(read, []string{"a.json", "b.json"}) {
		t.Errorf("read %q", read)
	}
}

func TestWhatFailedIsTriedAgain(t *testing.T) {
	text := "{"
	set := NewSet(func(string) ([]byte, error) { return []byte(text), nil })
	if _, err := set.Compile("a.json"); err == nil {
		t.Fatal("half a schema compiled")
	}
	text = "{}"
	if _, err := set.Compile("a.json"); err != nil {
		t.Error(err)
	}
}

func TestDocument(t *testing.T) {
	tests := []struct {
		name  string
		files files
		want  string
	}{
		{"one file stays as it is, without the space", files{"a.json": "{\n  \"z\": 1,\n  \"type\": \"object\",\n  \"a\": \"x y\"\n}"}, `{"z":1,"type":"object","a":"x y"}`},
		{"true", files{"a.json": " true "}, `true`},
		{
			"another file goes under $defs",
			files{"a.json": `{"properties": {"z": {"$ref": "b.json#/$defs/x"}, "a": {"$ref": "#/properties/z"}}}`, "b.json": `{"$defs": {"x": {"type": "string"}}}`},
			`{"properties":{"z":{"$ref":"#/$defs/b_1/$defs/x"},"a":{"$ref":"#/properties/z"}},"$defs":{"b_1":{"$defs":{"x":{"type":"string"}}}}}`,
		},
		{
			"beside what is there",
			files{"a.json": `{"$defs": {"own": {"$ref": "b.json"}}, "$ref": "#/$defs/own"}`, "b.json": `{"type":"string"}`},
			`{"$defs":{"b_1":{"type":"string"},"own":{"$ref":"#/$defs/b_1"}},"$ref":"#/$defs/own"}`,
		},
		{
			"an anchor becomes a pointer, and an $id a comment",
			files{
				"a.json": `{"$id":"https://example.com/a.json","$ref":"b.json#t"}`,
				"b.json": `{"$id": "https://example.com/b.json", "$defs": {"t/~": {"$anchor": "t", "type": "string"}, "u": {"$ref": "#/$defs/t~1~0"}}}`,
			},
			`{"$comment":"https://example.com/a.json","$ref":"#/$defs/b_1/$defs/t~1~0","$defs":{"b_1":{"$comment":"https://example.com/b.json","$defs":{"t/~":{"$anchor":"t","type":"string"},"u":{"$ref":"#/$defs/b_1/$defs/t~1~0"}}}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustCompile(t, tt.files, "a.json")
			got, err := s.Document()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// What is sent means the same as what is validated.
			bundled := one(t, string(got))
			for _, value := range []string{`"x"`, `7`, `{"z":"x"}`, `{"z":7}`, `{"a":7}`} {
				a, _ := s.Validate([]byte(value))
				b, _ := bundled.Validate([]byte(value))
				if (len(a) == 0) != (len(b) == 0) {
					t.Errorf("%s: %d violations of the files, %d of the document", value, len(a), len(b))
				}
			}
		})
	}
}

func TestWhatCannotBeOneDocument(t *testing.T) {
	s := mustCompile(t, files{
		"a.json": "{\n \"allOf\": [{\"$ref\": \"b.json\"}, {\"$ref\": \"https://example.com/inner\"}],\n \"$defs\": {\"i\": {\"$id\": \"https://example.com/inner\"}}}",
		"b.json": `{}`,
	}, "a.json")
	_, err := s.Document()
	var e *Error
	if !errors.As(err, &e) || e.Problems[0].Line != 2 || e.Problems[0].Column != 41 || !strings.Contains(e.Error(), "structured_output") {
		t.Errorf("got %v", err)
	}
}

func TestNameAndStrict(t *testing.T) {
	const plain = `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}},"additionalProperties":false}`
	tests := []struct {
		path, text, name string
		strict           bool
	}{
		{"meeting-summary.schema.json", plain, "meeting-summary", true},
		{"x/y z.json", plain, "y_z", true},
		{"größe.json", plain, "gr__e", true},
		{strings.Repeat("n", 90) + ".json", plain, strings.Repeat("n", 48), true},
		{"a.json", `{"type":"array","items":{"type":"string"}}`, "a", false},
		{"a.json", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":2}},"additionalProperties":false}`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":{"type":"object"}},"additionalProperties":false}`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":true},"additionalProperties":false}`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":{"properties":{}}},"additionalProperties":false}`, "a", false},
		{"a.json", `true`, "a", false},
		{"a.json", `{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"$ref":"#/$defs/s"},{"type":"null"}]}},"additionalProperties":false,"$defs":{"s":{"type":"array","items":{"enum":["x"]}}}}`, "a", true},
	}
	for _, tt := range tests {
		s := mustCompile(t, files{tt.path: tt.text}, tt.path)
		if s.Name() != tt.name || s.Strict() != tt.strict {
			t.Errorf("%s %s: name %q, strict %v; want %q, %v", tt.path, tt.text, s.Name(), s.Strict(), tt.name, tt.strict)
		}
	}
}

func TestOffsets(t *testing.T) {
	const text = `{"a": [10, {"b/c": null}], "a~": "x", "": {"a": 1}}`
	tests := []struct{ pointer, value string }{
		{"", text}, {"/a", `[10, {"b/c": null}]`}, {"/a/0", "10"}, {"/a/1", `{"b/c": null}`}, {"/a/1/b~1c", "null"},
		{"/a~0", `"x"`}, {"/", `{"a": 1}`}, {"//a", "1"},
		{"/a/7", `[10, {"b/c": null}]`}, {"/none/deeper", text},
	}
	for _, tt := range tests {
		at := offsetOf([]byte(text), tokens(tt.pointer))
		if !strings.HasPrefix(text[at:], tt.value) {
			t.Errorf("%q is at %q, want %q", tt.pointer, text[at:], tt.value)
		}
		if tt.pointer != "" && pointer(tokens(tt.pointer)) != tt.pointer {
			t.Errorf("%q comes back as %q", tt.pointer, pointer(tokens(tt.pointer)))
		}
		if strings.Contains(tt.pointer, "7") || strings.Contains(tt.pointer, "none") {
			continue
		}
		found := map[string]int{tt.pointer: 0, "/a/1": 0}
		if findOffsets([]byte(text), found); found[tt.pointer] != at {
			t.Errorf("%q is at %d, or at %d", tt.pointer, at, found[tt.pointer])
		}
	}
}

// FuzzCompile: whatever the source says, there is a schema or an Error with a
// position, and nothing outside the source is read.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{`{"$ref":"b.json"}`, `{"$id":"x:y","$ref":"#a"}`, `{"$ref":"../../x"}`, `{"$dynamicRef":"#x","type":"strng"}`, `{"properties":{"a":{"pattern":"["}}}`} {
		f.Add([]byte(seed), []byte(`{"x":1}`))
	}
	f.Fuzz(func(t *testing.T, text, value []byte) {
		set := NewSet(func(path string) ([]byte, error) {
			switch {
			case path == "a.json":
				return text, nil
			case path == "b.json":
				return []byte(`{"$ref":"a.json"}`), nil
			case !fs.ValidPath(path):
				t.Errorf("read %q", path)
			}
			return nil, fs.ErrNotExist
		})
		s, err := set.Compile("a.json")
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || len(e.Problems) == 0 || e.Problems[0].File == "" || e.Problems[0].Message == "" {
				t.Errorf("error %#v", err)
			}
			return
		}
		_, _ = s.Validate(value)
		if document, err := s.Document(); err == nil && !json.Valid(document) {
			t.Errorf("document %s", document)
		}
		s.Misspelt()
		s.Strict()
	})
}
