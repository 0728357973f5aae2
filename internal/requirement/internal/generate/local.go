package generate

import (
	"fmt"
)

func (g *generator) declare(e *env, depth int) string {
	g.serial++
	name := fmt.Sprintf("$x%d", g.serial)
	if len(e.locals) > 0 && g.chance(15) {
		name = e.locals[g.r.IntN(len(e.locals))].name // hides it
	}
	value, t := g.str(*e, depth), text
	switch r := g.rootExpr(*e); {
	case r != "" && g.chance(15):
		value, t = r, root
	case g.chance(25):
		value, t = g.num(*e, depth), number
	case g.chance(20):
		value, t = g.equality(*e, depth), boolean
	}
	hidden := e.locals
	e.locals = nil
	for _, l := range hidden {
		if l.name != name {
			e.locals = append(e.locals, l)
		}
	}
	e.locals = append(e.locals, local{name, t})
	return g.action(name + " := " + value)
}

// assign gives a local another value of its type.
func (g *generator) assign(e env, depth int) string {
	l := e.locals[g.r.IntN(len(e.locals))]
	var value string
	switch l.typ {
	case text:
		value = g.str(e, depth)
	case number:
		value = g.num(e, depth)
	case boolean:
		value = g.equality(e, depth)
	default:
		if value = g.rootExpr(e); value == "" {
			value = l.name
		}
	}
	assign := l.name + " = " + value
	if g.chance(10) {
		return g.action("if "+g.one([]string{"and ", "or "})+operand(g.cond(e, 1))+" ("+assign+")") + g.action("end")
	}
	return g.action(assign)
}

// retype gives a local a value of another type. Where that happens in an arm,
// what follows the branch still takes it for what it was.
func (g *generator) retype(e *env, depth int) string {
	i := g.r.IntN(len(e.locals))
	l := e.locals[i]
	value, t := g.str(*e, depth), text
	switch r := g.rootExpr(*e); {
	case l.typ == text && r != "" && g.chance(40):
		value, t = r, root
	case l.typ == text:
		value, t = g.num(*e, depth), number
	}
	e.locals = append([]local(nil), e.locals...)
	e.locals[i].typ = t
	return g.action(l.name + " = " + value)
}

// declareInOperand declares a local where it may be skipped. Using it fails
// then.
func (g *generator) declareInOperand(e *env, depth int) string {
	g.serial++
	name := fmt.Sprintf("$s%d", g.serial)
	declare := g.one([]string{"and ", "or "}) + operand(g.cond(*e, 1)) + " (" + name + " := " + g.str(*e, depth) + ")"
	e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
	return g.action(declare)
}

// assignInOperand declares or assigns a local in the middle of an expression:
// operands are evaluated in order, a piped one first.
func (g *generator) assignInOperand(e *env, depth int) string {
	name, op := g.local(*e, text), " = "
	if name == "" || g.chance(40) {
		g.serial++
		name, op = fmt.Sprintf("$o%d", g.serial), " := "
	}
	set := "(" + name + op + g.str(*e, depth-1) + ")"
	other := operand(g.str(*e, depth-1))
	ways := []string{
		set + " | printf \"%s\"", "print " + set + " " + name, "print " + other + " " + set, "eq " + set + " " + name + " " + other,
		other + " | print " + set, set + " | print " + other, "input " + set,
	}
	if op == " = " { // a declaration in an if ends with it
		ways = append(ways, "if eq "+set+" "+other+"}}{{"+name+"}}{{end")
	}
	out := g.one(ways)
	if g.chance(15) {
		out = g.one([]string{"and ", "or "}) + set + " (" + name + " = " + g.str(*e, depth-1) + ")"
	}
	if len(g.defs) > 0 && g.chance(30) {
		d := g.defs[g.r.IntN(len(g.defs))]
		out = fmt.Sprintf("template %q %s%s%s", d.name, name, op, g.str(*e, depth-1))
	}
	if op == " := " {
		e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
	}
	return g.action(out)
}

// rebind makes $ something else, for the rest of this list at least.
func (g *generator) rebind(e *env) string {
	if r := g.rootExpr(*e); r != "" && g.chance(50) {
		return g.action(g.one([]string{"$ = ", "$ := "}) + r)
	}
	if g.chance(70) {
		e.dollar = text
	}
	return g.action(g.one([]string{"$ := ", "$ = "}) + g.str(*e, 0))
}
