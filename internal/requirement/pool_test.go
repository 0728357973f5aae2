package requirement

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
)

// TestPoolKeepsNoValue checks that no value of a variable, nor anything
// computed from one, is left in the memory that later analyses use.
func TestPoolKeepsNoValue(t *testing.T) {
	const secret = "s3cret"
	text := `{{$x := .v}}{{input .v}}{{index . .v}}{{input (print .v "-" .u)}}{{index . (print .u .v)}}{{range 3}}{{$x = print $x .}}{{end}}` +
		`{{if eq .u .v}}{{input "n"}}{{else}}{{$x = .v}}{{end}}{{if ne .u .v}}{{input "n"}}{{end}}{{with or .u .v}}{{input .}}{{end}}` +
		`{{define "t"}}{{if .}}{{template "t" (slice . 1)}}{{end}}{{end}}{{template "t" .v}}{{slice .u 0 1}}`
	functions, err := prompt.NewFunctions(nil)
	if err != nil {
		t.Fatal(err)
	}
	tmpl, problem := prompt.Compile(text, diag.Origin{File: "m", Line: 1, Column: 1, Exact: true}, functions)
	if problem != nil {
		t.Fatal(problem)
	}
	a := new(analysis)
	a.begin(context.Background(), Compile([]Unit{{Template: tmpl}}, nil), Query{Vars: map[string]string{"v": secret}})
	a.rounds()
	a.report()
	if a.err != nil || a.exhausted || a.reporter.r.CannotRender != nil {
		t.Fatalf("the analysis has not come to its end: %v", a.reporter.r)
	}
	a.release()
	for _, where := range holding(reflect.ValueOf(a).Elem(), "analysis", secret) {
		t.Errorf("%s holds a value", where)
	}
}

// holding lists where a text occurs below v, slices up to their capacity.
func holding(v reflect.Value, at, text string) (found []string) {
	switch v.Kind() {
	case reflect.String:
		if strings.Contains(v.String(), text[1:]) {
			found = append(found, at)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			found = append(found, holding(v.Field(i), at+"."+v.Type().Field(i).Name, text)...)
		}
	case reflect.Slice:
		full := v.Slice(0, v.Cap())
		for i := range full.Len() {
			found = append(found, holding(full.Index(i), at+"[]", text)...)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			found = append(found, holding(k, at+" key", text)...)
			found = append(found, holding(v.MapIndex(k), at+" value", text)...)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && !strings.Contains(at, "*") {
			found = append(found, holding(v.Elem(), at+"*", text)...)
		}
	}
	return found
}
