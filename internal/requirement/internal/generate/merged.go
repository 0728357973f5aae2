package generate

import "fmt"

// branchedNumber is a range over a number that a branch may have changed, even
// to a negative one.
func (g *generator) branchedNumber(e env, depth int) string {
	g.serial++
	name := fmt.Sprintf("$n%d", g.serial)
	number := func() string { return g.one([]string{"-1", "0", "1", "2", operand(g.num(e, 1))}) }
	return g.action(name+" := "+number()) +
		g.action("if "+g.cond(e, 1)) + g.action(name+" = "+number()) + g.action("end") +
		g.action("range "+name) + g.list(env{dot: null, dollar: e.dollar, locals: e.locals, loop: true}, depth-1, 1) +
		g.action("else") + g.show(e, 0) + g.action("end")
}

// aliasStmt makes two locals the same value, which depends on a branch, has a
// loop assign one of them, and looks at both.
func (g *generator) aliasStmt(e env) string {
	g.serial++
	one, two := fmt.Sprintf("$p%d", g.serial), fmt.Sprintf("$q%d", g.serial)
	e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{one, text})
	out := g.action(one+" := "+quote(g.one(g.values))) +
		g.action("if "+g.cond(e, 1)) + g.action(one+" = "+g.str(e, 1)) + g.action("end") + g.action(two+" := "+one)
	e.locals = append(e.locals, local{two, text})
	if g.chance(60) {
		out += g.telling(e, g.one([]string{one, two}))
	}
	inner := e
	inner.dot, inner.loop = number, true
	out += g.action("range "+g.one([]string{"1", "2", operand(g.num(e, 1))})) + g.telling(inner, one) +
		g.action(g.one([]string{one, two})+" = "+g.str(inner, 1))
	if g.chance(40) {
		out += g.exit(inner, 1)
	}
	return out + g.action("end") + g.telling(e, one) + g.telling(e, two)
}
