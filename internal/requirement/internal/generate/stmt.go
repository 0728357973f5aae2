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
	add(branched, 6, func() string { return g.branchedStmt(*e) })
	add(branched, 2, func() string { return g.branchedNumber(*e, depth) })
	add(carried, 2, func() string { return g.aliasStmt(*e) })
	add(twins, 7, func() string { return g.twinStmt(*e, depth) })
	add(blocks, 3, func() string { return g.block(*e, depth) })
	if r := g.rootExpr(*e); r != "" {
		add(customFunctions, 8, func() string { return g.action(g.changeRoot(*e, r)) + g.ifStmt(*e, depth) })
	}
	if g.custom {
		add(customFunctions, 2, func() string {
			head := g.one([]string{"items " + operand(g.str(*e, depth-1)), "pointer", "sequence"})
			return g.rangeStmt(*e, depth, loopOf{head: head, dot: text})
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

// telling is a use that shows which text a local is.
func (g *generator) telling(e env, name string) string {
	if g.chance(50) {
		return g.action("input " + name)
	}
	return g.action("if eq "+name+" "+quote(g.one(g.values))) + g.show(e, 0) + g.action("end")
}

// branchedStmt is a branch that assigns a local, in one arm or both, and a use
// of what the local is then.
func (g *generator) branchedStmt(e env) string {
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
