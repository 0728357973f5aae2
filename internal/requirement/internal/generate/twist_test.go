package generate

import (
	"slices"
	"testing"
)

// TestSplitJoin holds taking templates apart to losing nothing of them.
func TestSplitJoin(t *testing.T) {
	texts := []string{"", "{{.a}}", "{ {{- \"}}\" | print '\"' `{{` -}} }", "{{if eq (index . \"a\") -1}}x{{else}}{{$x := .b.c}}{{end}}"}
	for seed := range uint64(300) {
		for _, u := range New(seed).Case.Units {
			texts = append(texts, u.Text)
		}
	}
	for _, text := range texts {
		if got := join(split(text)); got != text {
			t.Errorf("split and joined:\n%q\nwas\n%q", got, text)
		}
	}
}

func TestOperands(t *testing.T) {
	got := split(`{{else if $x := or (index . "a b").c -1 $y | print}}`)[1]
	var operands []string
	for _, s := range got.operands() {
		operands = append(operands, join([]piece{{tokens: got.tokens[s.from:s.to]}}))
	}
	want := []string{".", `"a b"`, `(index . "a b").c`, "-1", "$y"}
	if !slices.Equal(operands, want) {
		t.Errorf("operands %q, want %q", operands, want)
	}
}

// TestTwistedShare holds the generator to twisting some prompts, not most.
func TestTwistedShare(t *testing.T) {
	hard, twisted := 0, 0
	for seed := range uint64(2000) {
		p := New(seed)
		if p.Hard {
			hard++
		}
		if slices.Contains(p.Tags, "twisted") {
			twisted++
		}
	}
	if twisted*100 < hard*10 || twisted*100 > hard*20 {
		t.Errorf("%d of %d hard prompts are twisted", twisted, hard)
	}
}
