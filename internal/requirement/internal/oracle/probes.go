package oracle

import (
	"errors"
	"fmt"
	"reflect"
	"text/template"
)

// probes are the functions that probed templates call.
func (s *Subject) probes() template.FuncMap {
	funcs := s.customFuncs(func(n int) int { return s.run.answer(n) })
	funcs["input"] = func(string) (string, error) { return "", errors.New("every call of input is probed") }
	funcs[probeField] = func(id int, recv reflect.Value, rest ...reflect.Value) (reflect.Value, error) {
		return s.run.field(id, recv, len(rest) > 0)
	}
	funcs[probeIndex] = func(id int, item reflect.Value, keys ...reflect.Value) (reflect.Value, error) {
		return s.run.index(id, item, keys)
	}
	funcs[probeInput] = func(id int, name string) (string, error) {
		return s.run.input(id, name)
	}
	funcs[probeWhole] = func(how int, v reflect.Value) reflect.Value {
		if s.run.isRoot(v) {
			s.run.seeRoot(rootUse(how))
		}
		return v
	}
	for name, text := range texts {
		funcs[name] = func(args ...any) (string, error) { return s.run.bounded(text(args...)) }
	}
	funcs["printf"] = func(format string, args ...any) (string, error) {
		return s.run.bounded(fmt.Sprintf(format, args...))
	}
	funcs[probeEnter] = func() (string, error) { return "", s.run.enter() }
	funcs[probeLeave] = func() string { s.run.depth--; return "" }
	return funcs
}

// texts are the built-in functions that make texts of texts. They are as they
// were but for a bound: in a loop, a text can double with every iteration.
var texts = map[string]func(...any) string{
	"print": fmt.Sprint, "println": fmt.Sprintln,
	"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
}

func (r *run) bounded(text string) (string, error) {
	if len(text) > maxText {
		r.endless = true
		return "", errEndless
	}
	return text, nil
}

func (r *run) enter() error {
	r.depth++
	r.entries++
	if r.depth > maxDepth || r.entries > maxEntries {
		r.endless = true
		return errEndless
	}
	return nil
}

func (r *run) input(id int, name string) (string, error) {
	if err := r.record(id, name, called); err != nil {
		return "", err
	}
	return r.content(name, r.s.sites[id].use)
}

// field does what text/template does with a chain of fields.
func (r *run) field(id int, v reflect.Value, piped bool) (reflect.Value, error) {
	s := &r.s.sites[id]
	var err error
	for i, name := range s.idents {
		args := i == len(s.idents)-1 && (s.args || piped)
		if v, err = r.member(id, v, name, args); err != nil {
			return reflect.Value{}, err
		}
	}
	return v, nil
}

// member mirrors text/template's evalField for the types that occur: the
// variable map, and whatever custom functions return.
func (r *run) member(id int, v reflect.Value, name string, args bool) (reflect.Value, error) {
	if !v.IsValid() {
		return v, errNil
	}
	v, isNil := indirect(v)
	switch {
	case isNil || v.Kind() != reflect.Map || v.Type().Key().Kind() != reflect.String:
		return v, errType
	case !r.isRoot(v):
		return plainMember(v, name, args)
	case args:
		return v, errors.Join(errArgs, r.record(id, name, reached))
	}
	if err := r.record(id, name, demanded); err != nil {
		return v, err
	}
	value, ok := r.variable(name, r.s.sites[id].use, true)
	if !ok {
		r.failed = name
		return v, errMissing
	}
	return reflect.ValueOf(value), nil
}

func plainMember(v reflect.Value, name string, args bool) (reflect.Value, error) {
	if args {
		return v, errArgs
	}
	v = v.MapIndex(reflect.ValueOf(name))
	if !v.IsValid() {
		return v, errMissing
	}
	return v, nil
}

// index mirrors the built-in function, which text/template does not export.
func (r *run) index(id int, item reflect.Value, keys []reflect.Value) (reflect.Value, error) {
	item = indirectInterface(item)
	if !item.IsValid() {
		return item, errNil
	}
	for _, key := range keys {
		key = indirectInterface(key)
		var isNil bool
		if item, isNil = indirect(item); isNil {
			return item, errNil
		}
		var err error
		if item, err = r.element(id, item, key); err != nil {
			return item, err
		}
	}
	return item, nil
}

func (r *run) element(id int, item, key reflect.Value) (reflect.Value, error) {
	switch item.Kind() {
	case reflect.Array, reflect.Slice, reflect.String:
		if !key.IsValid() || !key.CanInt() && !key.CanUint() {
			return item, errType
		}
		return item.Index(int(key.Convert(reflect.TypeFor[int]()).Int())), nil // panics where the built-in does or errs
	case reflect.Map:
		if !key.IsValid() || !key.Type().AssignableTo(item.Type().Key()) {
			return item, errType
		}
		if r.isRoot(item) {
			return r.lookup(id, key.String())
		}
		if v := item.MapIndex(key); v.IsValid() {
			return v, nil
		}
		return reflect.Zero(item.Type().Elem()), nil
	}
	return item, fmt.Errorf("cannot index %s", item.Kind())
}

func (r *run) lookup(id int, name string) (reflect.Value, error) {
	if err := r.record(id, name, lookedUp); err != nil {
		return reflect.Value{}, err
	}
	value, _ := r.variable(name, r.s.sites[id].use, false)
	return reflect.ValueOf(value), nil
}

// indirect mirrors text/template's function of that name.
func indirect(v reflect.Value) (reflect.Value, bool) {
	for ; v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface; v = v.Elem() {
		if v.IsNil() {
			return v, true
		}
	}
	return v, false
}

// indirectInterface mirrors text/template's function of that name.
func indirectInterface(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Interface {
		return v
	}
	if v.IsNil() {
		return reflect.Value{}
	}
	return v.Elem()
}
