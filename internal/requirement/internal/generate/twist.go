package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// Bounds of twisting one prompt.
const (
	twistChanges = 5   // at most so many
	twistTries   = 30  // at most so many attempts
	twistLength  = 900 // bytes that a message may grow to
)

// parsed has the functions of prompts, for parsing alone.
var parsed = sync.OnceValue(func() template.FuncMap {
	funcs := oracle.CustomFuncs()
	funcs["input"] = func(string) (string, error) { return "", nil }
	return funcs
})

func parses(text string) bool {
	_, err := template.New("\x00").Funcs(parsed()).Parse(text)
	return err == nil
}

// twist changes a few tokens and actions of a prompt without regard for what
// they mean, and keeps what parses: shapes that nobody thought of generating.
func (g *generator) twist(c oracle.Case) oracle.Case {
	c = c.Clone()
	wanted := 1 + g.r.IntN(twistChanges)
	for range twistTries {
		u := &c.Units[g.r.IntN(len(c.Units))]
		t := &twister{r: g.r, pool: operandsOf(c.Units), pieces: split(u.Text)}
		t.change()
		text := join(t.pieces)
		if text == u.Text || len(text) > twistLength || !parses(text) {
			continue
		}
		u.Text = text
		if wanted--; wanted == 0 {
			break
		}
	}
	return c
}

// operandsOf are the operands that occur in a prompt, and some that go with
// anything.
func operandsOf(units []oracle.Unit) []string {
	out := []string{".", "$", "2", "-1", "nil", "true"}
	for _, u := range units {
		for _, p := range split(u.Text) {
			for _, s := range p.operands() {
				out = append(out, strings.Join(p.tokens[s.from:s.to], ""))
			}
		}
	}
	return out
}

// twister makes one change to a template.
type twister struct {
	r      *rand.Rand
	pool   []string // operands
	pieces []piece
}

// change makes one change, or none where the place chosen has none to offer.
func (t *twister) change() {
	changes := []func(){
		t.swapOperand, t.swapOperand, t.swapOperand, t.assignOperand, t.negate, t.swapFunction,
		t.parenthesise, t.toggleAssignment, t.swapLocals, t.swapKeyword,
		t.duplicate, t.duplicate, t.drop, t.move, t.exit, t.exit, t.wrap, t.wrap, t.wrap,
	}
	changes[t.r.IntN(len(changes))]()
}

func one[T any](t *twister, list []T) T { return list[t.r.IntN(len(list))] }

func (t *twister) operand() string { return one(t, t.pool) }

// action chooses an action for which the condition holds, nil if there is none.
func (t *twister) action(holds func(*piece) bool) *piece {
	var found []*piece
	for i := range t.pieces {
		if p := &t.pieces[i]; p.left != "" && holds(p) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return one(t, found)
}

// token chooses a token for which the condition holds.
func (t *twister) token(holds func(string) bool) *string {
	p := t.action(func(p *piece) bool { return slices.ContainsFunc(p.tokens, holds) })
	if p == nil {
		return nil
	}
	var found []*string
	for i := range p.tokens {
		if holds(p.tokens[i]) {
			found = append(found, &p.tokens[i])
		}
	}
	return one(t, found)
}

// swap exchanges a token that is in one of the sets for another of the set.
func (t *twister) swap(sets ...[]string) {
	in := func(token string) func([]string) bool {
		return func(set []string) bool { return slices.Contains(set, token) }
	}
	if k := t.token(func(token string) bool { return slices.ContainsFunc(sets, in(token)) }); k != nil {
		*k = one(t, sets[slices.IndexFunc(sets, in(*k))])
	}
}

func (t *twister) swapFunction() {
	t.swap([]string{"and", "or"}, []string{"eq", "ne", "lt", "le", "gt", "ge"}, []string{"len", "not", "print", "html", "input", "slice"})
}

func (t *twister) swapKeyword() {
	t.swap([]string{"if", "with", "range"}, []string{"break", "continue"}, []string{"true", "false", "nil"})
}

func (t *twister) toggleAssignment() { t.swap([]string{":=", "="}) }

// negate puts a negative number in the place of another.
func (t *twister) negate() {
	if k := t.token(numberPattern.MatchString); k != nil {
		*k = "-" + *k
	}
}

// swapLocals exchanges two locals, in one action or everywhere.
func (t *twister) swapLocals() {
	a, b := t.token(localPattern.MatchString), t.token(localPattern.MatchString)
	if a == nil {
		return
	}
	if t.r.IntN(2) == 0 {
		*a, *b = *b, *a
		return
	}
	for name, other, i := *a, *b, 0; i < len(t.pieces); i++ {
		for j, token := range t.pieces[i].tokens {
			switch token {
			case name:
				t.pieces[i].tokens[j] = other
			case other:
				t.pieces[i].tokens[j] = name
			}
		}
	}
}

// replaceOperand puts something else in the place of an operand.
func (t *twister) replaceOperand(with func(old string) string) {
	p := t.action(func(p *piece) bool { return len(p.operands()) > 0 })
	if p == nil {
		return
	}
	s := one(t, p.operands())
	old := strings.Join(p.tokens[s.from:s.to], "")
	p.tokens = slices.Replace(p.tokens, s.from, s.to, with(old))
}

func (t *twister) swapOperand() { t.replaceOperand(func(string) string { return t.operand() }) }

// assignOperand assigns an operand to a local in passing, or declares one.
func (t *twister) assignOperand() {
	name, op := "$t", " := "
	if k := t.token(localPattern.MatchString); k != nil && t.r.IntN(4) > 0 {
		name, op = *k, one(t, []string{" = ", " = ", " := "})
	}
	t.replaceOperand(func(old string) string { return "(" + name + op + old + ")" })
}

func (t *twister) parenthesise() {
	if p := t.action(func(p *piece) bool { return p.pipeline() < len(p.tokens) }); p != nil {
		p.tokens = append(slices.Insert(p.tokens, p.pipeline(), "("), ")")
	}
}
