package generate

import (
	"fmt"
	"strings"
)

// loopOf is the head of a range and what its body sees.
type loopOf struct {
	head   string
	whole  typ // of what is ranged over
	dot    typ
	locals []local
}

func (g *generator) intRange(e env, depth int) loopOf {
	l := loopOf{head: g.num(e, depth-1), whole: number, dot: number}
	if g.chance(30) {
		g.serial++
		name := fmt.Sprintf("$i%d", g.serial)
		l.head = name + " := " + l.head
		l.locals = []local{{name, number}}
	}
	return l
}

func (g *generator) rootRange(e env, r string) loopOf {
	l := loopOf{head: r, whole: root, dot: text}
	switch g.r.IntN(3) {
	case 0:
		g.serial++
		k, v := fmt.Sprintf("$k%d", g.serial), fmt.Sprintf("$v%d", g.serial)
		l.head = k + ", " + v + " := " + r
		l.locals = []local{{k, text}, {v, text}}
	case 1:
		g.serial++
		v := fmt.Sprintf("$v%d", g.serial)
		l.head = v + " := " + r
		l.locals = []local{{v, text}}
	}
	if a, b := g.local(e, text), g.local(e, text); a != "" && g.on[rangeAssign] && g.chance(30) {
		g.feature(rangeAssign)
		l.head, l.locals = g.one([]string{a + ", " + b, a})+" = "+r, nil
	}
	return l
}

func (g *generator) rangeStmt(e env, depth int, l loopOf) string {
	inner := e
	inner.dot, inner.loop = l.dot, true
	inner.locals = append(e.locals[:len(e.locals):len(e.locals)], l.locals...)
	var b strings.Builder
	b.WriteString(g.action("range " + l.head))
	b.WriteString(g.list(inner, depth-1, 1+g.r.IntN(2)))
	if g.chance(30) {
		b.WriteString(g.action("else"))
		outer := e
		for _, v := range l.locals { // in the else, each of them is what is ranged over
			outer.locals = append(outer.locals[:len(outer.locals):len(outer.locals)], local{v.name, l.whole})
		}
		if e.loop && g.feature(rangeExits) && g.chance(50) {
			b.WriteString(g.exit(outer, depth))
		}
		b.WriteString(g.list(outer, depth-1, 1))
	}
	b.WriteString(g.action("end"))
	return b.String()
}

// exit leaves a loop or an iteration, mostly on a condition.
func (g *generator) exit(e env, depth int) string {
	word := g.action(g.one([]string{"break", "continue"}))
	if g.chance(20) {
		return word
	}
	return g.action("if "+g.cond(e, min(depth, 1))) + word + g.action("end")
}

// carriedStmt is a loop that assigns a local, here and there leaves, and a use
// of what the local is then.
func (g *generator) carriedStmt(e env, depth int) string {
	g.serial++
	name := fmt.Sprintf("$l%d", g.serial)
	e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
	inner := e
	inner.dot, inner.loop = number, true
	var b strings.Builder
	b.WriteString(g.action(name + " := " + quote(g.one(g.values))))
	b.WriteString(g.action("range " + g.one([]string{"1", "2", "3", operand(g.num(e, 1))})))
	for range 2 + g.r.IntN(3) {
		b.WriteString(g.pick(
			weighted{4, func() string { return g.action(name + " = " + g.str(inner, 1)) }},
			weighted{2, func() string { return g.action(name + " = print " + name + " " + quote(g.one(g.values))) }},
			weighted{3, func() string { return g.exit(inner, 1) }},
			weighted{1, func() string { return g.list(inner, depth-1, 1) }},
			weighted{1, func() string { return g.arm(inner, 1) }},
		))
	}
	b.WriteString(g.action("end") + g.telling(e, name))
	return b.String()
}

// within puts statements into a loop, some behind a way out of it.
func (g *generator) within(body string, e env) string {
	if !g.chance(35) || strings.Contains(body, "{{.") || strings.Contains(body, " .") {
		return body
	}
	exit := ""
	if g.chance(60) {
		exit = g.exit(e, 1)
	}
	return g.action("range "+g.one([]string{"1", "2", "len " + operand(g.str(env{dollar: e.dollar, dot: null, locals: e.locals}, 0))})) +
		exit + body + g.action("end")
}
