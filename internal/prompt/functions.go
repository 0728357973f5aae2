package prompt

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"text/template"
)

// InputFunc is the name of the helper that returns the content of an input.
const InputFunc = "input"

// builtins are the functions that text/template defines. The parser only asks
// whether a name is in the map; their meaning is text/template's own.
var builtins = map[string]any{
	"and": true, "call": true, "html": true, "index": true, "slice": true, "js": true,
	"len": true, "not": true, "or": true, "print": true, "printf": true, "println": true,
	"urlquery": true, "eq": true, "ge": true, "gt": true, "le": true, "lt": true, "ne": true,
	InputFunc: true,
}

// Functions is the table of functions that templates may call: the built-in
// ones, input, and the caller's own. It is immutable.
type Functions struct {
	custom template.FuncMap
	known  []map[string]any // what the parser accepts
}

// NewFunctions returns the table with the caller's functions added. It fails
// if one of them has the name of a built-in function or of input, a name that
// is no identifier, or a signature that text/template does not accept.
func NewFunctions(custom template.FuncMap) (*Functions, error) {
	for _, name := range slices.Sorted(maps.Keys(custom)) {
		if _, taken := builtins[name]; taken {
			return nil, fmt.Errorf("template function %q: the name is built in and cannot be replaced", name)
		}
		if err := checkFunction(name, custom[name]); err != nil {
			return nil, err
		}
	}
	f := &Functions{custom: maps.Clone(custom), known: []map[string]any{builtins}}
	if len(custom) > 0 {
		f.known = append(f.known, f.custom)
	}
	return f, nil
}

// checkFunction lets text/template judge the name and the signature; it
// answers with a panic.
func checkFunction(name string, fn any) (err error) {
	if fn == nil || reflect.TypeOf(fn).Kind() != reflect.Func || reflect.ValueOf(fn).IsNil() {
		return fmt.Errorf("template function %q: a non-nil func is needed, not %T", name, fn)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("template function %q: %v", name, r)
		}
	}()
	template.New("").Funcs(template.FuncMap{name: fn})
	return nil
}

// Names lists every function a template may call, sorted.
func (f *Functions) Names() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(builtins)), maps.Keys(f.custom))
	slices.Sort(names)
	return names
}

// Custom returns the type of the caller's function of that name, or nil.
func (f *Functions) Custom(name string) reflect.Type {
	if fn, ok := f.custom[name]; ok {
		return reflect.TypeOf(fn)
	}
	return nil
}

// HasCustom reports whether the caller added functions.
func (f *Functions) HasCustom() bool { return len(f.custom) > 0 }
