package promptkit_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/promptkit-go/promptkit"
)

// files is a file system of texts: names and contents in turn.
func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

// summaryPrompt is a prompt that has one of everything that capture reads.
const summaryPrompt = `id: summary
version: "1.2.0"
description: Summarise a meeting.
default_profile: dry
session_id: "{{.team}}-{{.date}}"
inputs:
  - name: transcript
    required: true
    content_type: text/plain
    description: The meeting.
  - name: glossary
messages:
  - role: system
    content: |
      You write for {{.audience}}.
  - role: user
    content_file: summary.tmpl
    cache_control: ephemeral
output:
  format: json
  validation: json_schema
  schema: summary.schema.json
`

const summaryTemplate = `Summarise:
{{input "transcript"}}{{if .glossary}}
{{input "glossary"}}{{end}}
`

const summarySchema = `{"type":"object","required":["title"],"properties":{"title":{"type":"string"}},"additionalProperties":false}`

// dryProfiles has one profile, on an offline backend.
func dryProfiles() promptkit.Option {
	return promptkit.WithProfiles(promptkit.Profile{ID: "dry", Backend: "dry"})
}

func dryBackends() promptkit.Option {
	return promptkit.WithBackends(promptkit.Backend{ID: "dry", Kind: "offline"})
}

// summaryEngine captures summaryPrompt and what belongs to it.
func summaryEngine(t *testing.T, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	return engine(t, files("summary.yaml", summaryPrompt, "summary.tmpl", summaryTemplate), opts...)
}

// engine captures prompts, the dry profile and the summary's schema.
func engine(t *testing.T, prompts fstest.MapFS, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	opts = append([]promptkit.Option{
		promptkit.WithPromptFS(prompts), dryProfiles(), dryBackends(),
		promptkit.WithSchemaFS(files("summary.schema.json", summarySchema)),
	}, opts...)
	e, err := promptkit.New(promptkit.Config{}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// prompt is a definition with the given messages, each a block of text for
// the user.
func prompt(id string, messages ...string) string {
	text := "id: " + id + "\nversion: \"1\"\ndefault_profile: dry\nmessages:\n"
	for _, m := range messages {
		text += "  - role: user\n    content: " + yamlText(m) + "\n"
	}
	return text
}

// summaryRequest is a request that lacks nothing.
func summaryRequest() promptkit.RunRequest {
	return promptkit.RunRequest{
		PromptID: "summary",
		Vars:     map[string]string{"team": "core", "date": "2026-01-02", "audience": "newcomers", "glossary": ""},
		Inputs:   []promptkit.Input{{Name: "transcript", Text: "A: hello"}},
	}
}

// yamlText writes a text as a quoted scalar.
func yamlText(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
