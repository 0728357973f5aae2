package generate

import "fmt"

// definition is a template that the message may invoke.
type definition struct {
	name string
	dot  typ
}

// define makes a definition. It may invoke those made before, and, with the
// feature on, itself, guarded in a way that ends for most values.
func (g *generator) define() string {
	d := definition{fmt.Sprintf("t%d", len(g.defs)), root}
	if g.chance(30) {
		d.dot = text
	}
	switch {
	case g.feature(noValue) && g.chance(30):
		d.dot = null
	case g.feature(lengths) && g.chance(20):
		d.dot = number
	}
	body := ""
	switch {
	case d.dot == root && g.feature(mutualRecursion) && g.chance(70):
		// The other one may have another type or not exist: that fails.
		body = g.list(env{dot: root, dollar: root}, 1, 1) + g.action("if "+g.cond(env{dot: root, dollar: root}, 1)) +
			g.action(fmt.Sprintf("template \"t%d\" .", 1-len(g.defs)%2)) + g.action("end")
	case d.dot == text && g.feature(recursion) && g.chance(60):
		body = g.action("if .") + g.list(env{dot: text, dollar: text}, 1, 1) +
			g.action(fmt.Sprintf("template %q (slice . 1)", d.name)) + g.action("end")
	case d.dot == root && g.feature(recursion) && g.chance(50):
		body = g.list(env{dot: root, dollar: root}, 1, 1) +
			g.action("if "+g.cond(env{dot: root, dollar: root}, 1)) +
			g.action(fmt.Sprintf("template %q .", d.name)) + g.action("end")
	}
	body += g.list(env{dot: d.dot, dollar: d.dot}, 2, 1+g.r.IntN(2))
	g.defs = append(g.defs, d)
	return fmt.Sprintf("{{define %q}}%s{{end}}", d.name, body)
}

func (g *generator) invoke(e env, depth int) string {
	d := g.defs[g.r.IntN(len(g.defs))]
	if d.dot == null {
		return g.action(fmt.Sprintf("template %q", d.name))
	}
	if d.dot == number {
		return g.action(fmt.Sprintf("template %q (%s)", d.name, g.num(e, depth)))
	}
	arg := g.rootExpr(e)
	if d.dot == text || arg == "" {
		arg = g.str(e, depth-1)
	}
	return g.action(fmt.Sprintf("template %q %s", d.name, arg))
}

func (g *generator) block(e env, depth int) string {
	g.serial++
	arg, dot := g.rootExpr(e), root
	if arg == "" || g.chance(30) {
		arg, dot = g.str(e, depth-1), text
	}
	name := fmt.Sprintf("b%d", g.serial)
	body := g.list(env{dot: dot, dollar: dot}, depth-1, 1+g.r.IntN(2))
	g.defs = append(g.defs, definition{name, dot})
	return g.action(fmt.Sprintf("block %q %s", name, arg)) + body + g.action("end")
}
