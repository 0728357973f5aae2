package generate

import (
	"fmt"
)

// cond is an expression that is tested: of any type, mostly a bare field.
func (g *generator) cond(e env, depth int) string {
	field := g.field(e)
	if field == "" {
		field = g.str(e, 0)
	}
	ways := []weighted{
		{12, func() string { return field }},
		{4, func() string { return g.equality(e, depth) }},
	}
	if l := g.local(e, boolean); l != "" {
		ways = append(ways, weighted{4, func() string { return l }})
	}
	if g.hard {
		ways = append(ways, g.hardCond(e, depth)...)
	}
	return g.pick(ways...)
}

func (g *generator) hardCond(e env, depth int) []weighted {
	sub := func() string { return operand(g.cond(e, depth-1)) }
	ways := []weighted{{4, func() string { return g.str(e, depth) }}}
	if depth <= 0 {
		return ways
	}
	if r := g.rootExpr(e); r != "" && g.feature(guards) {
		ways = append(ways, weighted{9, func() string { return g.lookup(e, r, depth) }})
	}
	if g.feature(negation) {
		ways = append(ways, weighted{4, func() string { return "not " + sub() }})
	}
	if g.feature(logic) {
		ways = append(ways, weighted{7, func() string { return g.one([]string{"and ", "or "}) + sub() + " " + sub() }})
		ways = append(ways, weighted{1, func() string { return g.one([]string{"and ", "or "}) + sub() + " " + sub() + " " + sub() }})
	}
	if g.feature(pipedOperands) {
		ways = append(ways, weighted{4, func() string { return sub() + " | " + g.one([]string{"and ", "or "}) + sub() }})
		ways = append(ways, weighted{1, func() string { return operand(g.str(e, depth-1)) + " | eq " + quote(g.one(g.values)) }})
	}
	if g.feature(ordered) {
		ways = append(ways, weighted{4, func() string { return g.ordering(e, depth) }})
	}
	if r := g.rootExpr(e); r != "" && g.feature(wholeRoot) {
		ways = append(ways, weighted{2, func() string { return g.one([]string{r, "not " + r, "eq " + r + " nil"}) }})
	}
	if g.custom && g.feature(customFunctions) {
		ways = append(ways, weighted{3, func() string {
			return g.one([]string{"flag", "flag " + sub(), "pick " + sub(), "wide 2", "eq amount amount"})
		}})
		if r := g.rootExpr(e); r != "" { // which may have been changed
			ways = append(ways, weighted{3, func() string { return g.one([]string{r, "not " + r, "same " + r, "not (same " + r + ")"}) }})
		}
	}
	if g.feature(noValue) {
		ways = append(ways, weighted{3, func() string { return g.nothing(e, depth) }})
	}
	ways = append(ways, weighted{2, func() string { return operand(g.num(e, depth)) }})
	ways = append(ways, weighted{1, func() string { return g.one([]string{"true", "false", "1.5", "0.0", "2i"}) }})
	return ways
}

// nothing is a condition with nil in it.
func (g *generator) nothing(e env, depth int) string {
	sub := operand(g.str(e, depth-1))
	return g.one([]string{
		"or nil " + sub, "and nil " + sub, "eq nil " + sub, "ne " + sub + " nil", "eq (or nil nil) nil",
		"or nil nil", "not (and " + sub + " nil)", "eq " + sub + " nil " + sub,
	})
}

func (g *generator) equality(e env, depth int) string {
	left := operand(g.str(e, depth-1))
	right := quote(g.one(g.values))
	if g.hard && g.chance(20) {
		right = operand(g.str(e, depth-1))
	}
	if g.feature(manyOperands) && g.chance(40) {
		return fmt.Sprintf("eq %s %s %s", left, right, operand(g.str(e, depth-1)))
	}
	if g.hard && g.chance(25) {
		left, right = right, left
	}
	return g.one([]string{"eq ", "eq ", "ne "}) + left + " " + right
}

func (g *generator) ordering(e env, depth int) string {
	op := g.one([]string{"lt ", "le ", "gt ", "ge "})
	if g.feature(lengths) && g.chance(40) {
		n, length := g.one([]string{"0", "1", "2"}), "(len "+operand(g.str(e, depth-1))+")"
		return op + g.one([]string{n + " " + length, length + " " + n})
	}
	if g.chance(60) {
		return op + operand(g.num(e, depth)) + " " + operand(g.num(e, depth))
	}
	return op + operand(g.str(e, depth-1)) + " " + quote(g.one(g.values))
}
