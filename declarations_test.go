package promptkit_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/promptkit-go/promptkit"
)

func TestInputDeclarations(t *testing.T) {
	engine, err := promptkit.New(promptkit.Config{}, promptkit.WithPromptFS(fstest.MapFS{
		"team/p.yaml": {Data: []byte(`id: p
version: "1"
inputs:
  - name: first
    required: true
  - {name: second}
messages:
  - {role: user, content: "{{input \"first\"}}"}
`)}}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.InputDeclarations(context.Background(), "p", "")
	if err != nil {
		t.Fatal(err)
	}
	want := []promptkit.InputDeclaration{
		{Name: "first", File: "team/p.yaml", Line: 4, Column: 5},
		{Name: "second", File: "team/p.yaml", Line: 6, Column: 5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestInputDeclarationsFailAsInspectPromptDoes(t *testing.T) {
	engine, err := promptkit.New(promptkit.Config{}, promptkit.WithPromptFS(fstest.MapFS{}))
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		why    string
		engine *promptkit.Engine
		ctx    context.Context
		id     string
		want   error
	}{
		{"no engine", nil, context.Background(), "p", promptkit.ErrInvalidConfig},
		{"blank ID", engine, context.Background(), " ", promptkit.ErrInvalidRequest},
		{"cancelled", engine, cancelled, "p", promptkit.ErrPromptLoad},
		{"unknown", engine, context.Background(), "p", promptkit.ErrPromptNotFound},
	}
	for _, tt := range tests {
		if got, err := tt.engine.InputDeclarations(tt.ctx, tt.id, ""); !errors.Is(err, tt.want) || got != nil {
			t.Errorf("%s: got %v, %v; want %v", tt.why, got, err, tt.want)
		}
	}
}
