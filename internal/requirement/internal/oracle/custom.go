package oracle

import (
	"errors"
	"iter"
	"math"
	"slices"
	"text/template"
)

// CustomFuncs declares the functions that generated cases may call besides
// the built-in ones. Analysers are given these; they must not call them.
func CustomFuncs() template.FuncMap {
	return (&Subject{}).customFuncs(func(int) int { panic("a custom function was called") })
}

// customFuncs makes the functions. An opaque function can answer anything of
// its type, so answer chooses; every execution sees its own answers.
func (s *Subject) customFuncs(answer func(n int) int) template.FuncMap {
	return template.FuncMap{
		"upper": func(string) string { return [...]string{freshOne, "", "a"}[answer(3)] },
		"flag":  func(...any) bool { return answer(2) == 1 },
		"count": func(any) int { return [...]int{2, 0, 1, -1}[answer(4)] },
		"pick":  func(any) any { return [...]any{freshOne, "", "a", 0, 2, true, nil}[answer(7)] },
		"maybe": func(string) (string, error) {
			return freshOne, [...]error{nil, errors.New("refused")}[answer(2)]
		},
		"items":    func(string) []string { return [...][]string{{"a", "b"}, nil, {""}}[answer(3)] },
		"amount":   func() any { return [...]any{math.NaN(), uint64(2), int8(-2)}[answer(3)] },
		"wide":     func(uint64) bool { return answer(2) == 1 },
		"pointer":  func() *[]string { return [...]*[]string{{}, {"a"}, nil}[answer(3)] },
		"sequence": func() iter.Seq[string] { return [...]iter.Seq[string]{none, some}[answer(2)] },
		"attrs":    func() map[string]string { return [...]map[string]string{{"mode": "a"}, nil}[answer(2)] },
		"same":     func(m map[string]string) map[string]string { return m },
		"get":      func(m map[string]string, key string) string { return m[key] },
		"put":      func(m map[string]string, key, value string) string { m[key] = value; return "" },
		"drop":     func(m map[string]string, key string) string { delete(m, key); return "" },
	}
}

func none(func(string) bool) {}

func some(yield func(string) bool) { slices.Values([]string{"a", ""})(yield) }
