package cli

import "testing"

func TestNoText(t *testing.T) {
	for why, data := range map[string]string{
		"a NUL byte":    "x: \"a\x00b\"\n",
		"no UTF-8":      "x: a\ny: \xff\n",
		"no UTF-8 key":  "\xc3: a\n",
		"another later": "x: a\n---\n\xff\n",
	} {
		_, problem := oneMapping([]byte(data), "vars.yaml")
		if want := "vars.yaml: error: the file holds bytes that are no text; save it as UTF-8"; problem == nil || problem.String() != want {
			t.Errorf("%s: got %v, want %s", why, problem, want)
		}
	}
}
