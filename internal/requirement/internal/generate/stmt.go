package generate

import (
	"fmt"
	"strings"
)

// list makes up to n statements. Locals it declares end with it.
func (g *generator) list(e env, depth, n int) string {
	var b strings.Builder
	for i := 0; i < n && g.budget > 0; i++ {
		b.WriteString(g.prose())
		b.WriteString(g.statement(&e, depth))
	}
	b.WriteString(g.prose())
	return b.String()
}

func (g *generator) prose() string {
	if g.chance(40) {
		return ""
	}
	return g.one(words) + " "
}

// action wraps the inside of an action in braces, some with trim markers.
func (g *generator) action(inside string) string {
	left, right := "{{", "}}"
	if g.chance(8) {
		left = "{{- "
	}
	if g.chance(8) {
		right = " -}}"
	}
	return left + inside + right
}

func (g *generator) statement(e *env, depth int) string {
	g.budget--
	ways := []weighted{
		{10, func() string { return g.show(*e, depth) }},
		{5, func() string { g.tags["input"] = true; return g.action(g.input(*e, depth)) }},
	}
	if depth > 0 {
		ways = append(ways,
			weighted{12, func() string { return g.ifStmt(*e, depth) }},
			weighted{2, func() string { return g.withStmt(*e, depth) }},
		)
	}
	if !g.hard {
		return g.pick(ways...)
	}
	ways = append(ways, g.hardStatements(e, depth)...)
	return g.pick(ways...)
}

// show prints a value.
func (g *generator) show(e env, depth int) string {
	if field := g.field(e); field != "" && (!g.hard || g.chance(50)) {
		return g.action(field)
	}
	return g.action(g.str(e, depth))
}

func (g *generator) hardStatements(e *env, depth int) []weighted {
	var ways []weighted
	add := func(f feature, weight int, build func() string) {
		if g.on[f] {
			ways = append(ways, weighted{weight, func() string { g.feature(f); return build() }})
		}
	}
	add(locals, 7, func() string { return g.declare(e, depth) })
	if len(e.locals) > 0 {
		add(assignment, 8, func() string { return g.assign(*e, depth) })
	}
	if len(e.locals) > 0 {
		add(typeChanges, 3, func() string { return g.retype(e, depth) })
	}
	add(skippedDeclarations, 0, func() string { return g.declareInOperand(e, depth) })
	add(operandAssignments, 4, func() string { return g.assignInOperand(e, depth) })
	add(failingArms, 1, func() string { return g.failing(*e) })
	add(rebinding, 1, func() string { return g.rebind(e) })
	if len(g.defs) > 0 {
		add(subtemplates, 8, func() string { return g.invoke(*e, depth) })
	}
	if e.loop {
		add(rangeExits, 3, func() string { return g.exit(*e, depth) })
	}
	if depth <= 0 {
		return ways
	}
	add(noValue, 1, func() string { return g.action("with or nil nil") + g.list(*e, depth-1, 1) + g.action("end") })
	add(withChains, 6, func() string { return g.withStmt(*e, depth) })
	add(rangeInt, 5, func() string { return g.rangeStmt(*e, depth, g.intRange(*e, depth)) })
	add(rangeNil, 2, func() string { return g.rangeStmt(*e, depth, loopOf{head: "or nil nil", dot: null}) })
	if r := g.rootExpr(*e); r != "" {
		add(rangeRoot, 4, func() string { return g.rangeStmt(*e, depth, g.rootRange(*e, r)) })
	}
	if l := g.local(*e, number); l != "" {
		add(rangeAssign, 4, func() string {
			return g.rangeStmt(*e, depth, loopOf{head: l + " = " + g.num(*e, depth-1), dot: number})
		})
	}
	add(carried, 6, func() string { return g.carriedStmt(*e, depth) })
	add(branched, 6, func() string { return g.branchedStmt(*e, depth) })
	add(twins, 7, func() string { return g.twinStmt(*e, depth) })
	add(blocks, 3, func() string { return g.block(*e, depth) })
	if r := g.rootExpr(*e); r != "" {
		add(customFunctions, 8, func() string { return g.action(g.changeRoot(*e, r)) + g.ifStmt(*e, depth) })
	}
	if g.custom {
		add(customFunctions, 2, func() string {
			return g.rangeStmt(*e, depth, loopOf{head: "items " + operand(g.str(*e, depth-1)), dot: text})
		})
	}
	return ways
}

func (g *generator) ifStmt(e env, depth int) string {
	g.tags["if"] = true
	cond := g.cond(e, depth)
	if g.on[locals] && g.chance(12) {
		g.serial++
		name := fmt.Sprintf("$c%d", g.serial)
		cond = name + " := " + g.str(e, depth)
		e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
	}
	var b strings.Builder
	b.WriteString(g.action("if " + cond))
	b.WriteString(g.arm(e, depth))
	for g.chance(18) {
		g.tags["else if"] = true
		cond := g.cond(e, depth)
		if g.on[locals] && g.chance(12) {
			g.serial++
			name := fmt.Sprintf("$c%d", g.serial)
			cond = name + " := " + g.str(e, depth)
			e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
		}
		b.WriteString(g.action("else if " + cond))
		b.WriteString(g.arm(e, depth))
	}
	if g.chance(35) {
		g.tags["else"] = true
		b.WriteString(g.action("else"))
		b.WriteString(g.arm(e, depth))
	}
	b.WriteString(g.action("end"))
	return b.String()
}

// twinStmt is a branch, or two on the same condition, whose arms have the same
// statement in them: whether it is executed in all cases is hard to tell.
func (g *generator) twinStmt(e env, depth int) string {
	cond := g.cond(e, depth)
	same := g.show(e, 1)
	if g.chance(50) {
		same = g.action("input " + quote(g.one(g.inputs)))
	}
	one := g.within(g.around(e, depth)+same, e)
	other := g.within(g.around(e, depth)+same, e)
	if g.chance(30) {
		return g.action("if "+cond) + one + g.action("end") + g.action("if not "+operand(cond)) + other + g.action("end")
	}
	return g.action("if "+cond) + one + g.action("else") + other + g.action("end")
}

// around is a statement that comes before another, if any.
func (g *generator) around(e env, depth int) string {
	if g.chance(50) {
		return ""
	}
	return g.list(e, depth-1, 1)
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

// arm is the body of a branch; one that certainly fails is not rare in hard
// prompts.
func (g *generator) arm(e env, depth int) string {
	if g.feature(failingArms) && g.chance(12) {
		return g.failing(e)
	}
	return g.list(e, depth-1, 1+g.r.IntN(2))
}

func (g *generator) withStmt(e env, depth int) string {
	g.tags["with"] = true
	inner := e
	head := g.str(e, depth)
	inner.dot = text
	if r := g.rootExpr(e); r != "" && g.on[wholeRoot] && g.chance(15) {
		head, inner.dot = r, root
	}
	if g.on[locals] && g.chance(25) {
		g.serial++
		name := fmt.Sprintf("$w%d", g.serial)
		head = name + " := " + head
		inner.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, inner.dot})
	}
	var b strings.Builder
	b.WriteString(g.action("with " + head))
	b.WriteString(g.arm(inner, depth))
	if g.feature(withChains) && g.chance(30) {
		b.WriteString(g.action("else with " + g.str(e, depth)))
		inner.dot = text
		b.WriteString(g.arm(inner, depth))
	}
	if g.chance(35) {
		b.WriteString(g.action("else"))
		inner.dot = e.dot
		b.WriteString(g.arm(inner, depth))
	}
	b.WriteString(g.action("end"))
	return b.String()
}

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
		))
	}
	b.WriteString(g.action("end") + g.telling(e, name))
	return b.String()
}

// telling is a use that shows which text a local is.
func (g *generator) telling(e env, name string) string {
	if g.chance(50) {
		return g.action("input " + name)
	}
	return g.action("if eq "+name+" "+quote(g.one(g.values))) + g.show(e, 0) + g.action("end")
}

// branchedStmt is a branch that assigns a local, in one arm or both, and a use
// of what the local is then.
func (g *generator) branchedStmt(e env, depth int) string {
	g.serial++
	name := fmt.Sprintf("$b%d", g.serial)
	e.locals = append(e.locals[:len(e.locals):len(e.locals)], local{name, text})
	assign := func() string { return g.action(name + " = " + g.str(e, 1)) }
	var b strings.Builder
	b.WriteString(g.action(name+" := "+quote(g.one(g.values))) + g.action("if "+g.cond(e, 1)) + assign())
	if g.chance(40) {
		b.WriteString(g.action("else"))
		if g.chance(60) {
			b.WriteString(assign())
		}
	}
	b.WriteString(g.action("end") + g.telling(e, name))
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

// failing is a statement that fails whatever the completion.
func (g *generator) failing(e env) string {
	g.tags[features[failingArms]] = true
	field := operand(g.str(e, 0))
	access := g.field(e)
	if access == "" {
		access = `"a" | index 1`
	} else {
		access += ".part"
	}
	return g.action(g.one([]string{
		access, "eq " + field + " 1", "index " + field + " \"k\"", "len 3",
		"template \"nowhere\"", "slice " + field + " 2 1", "input 1",
		"range " + field + "}}{{end",
	}))
}
