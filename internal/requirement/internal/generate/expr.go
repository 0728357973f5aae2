package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// typ is the type of a value in a template.
type typ int

const (
	text typ = iota
	number
	boolean
	root // the variable map
	null // no value
)

// env is what a place can refer to.
type env struct {
	dot, dollar typ
	locals      []local
	loop        bool // break and continue are allowed
}

type local struct {
	name string
	typ  typ
}

// local returns a local of the type, "" if there is none.
func (g *generator) local(e env, t typ) string {
	var names []string
	for _, l := range e.locals {
		if l.typ == t {
			names = append(names, l.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return g.one(names)
}

// operand parenthesises an expression where it has to be.
func operand(expr string) string {
	if strings.HasPrefix(expr, `"`) && strings.Count(expr, `"`) == 2 || !strings.Contains(expr, " ") {
		return expr
	}
	return "(" + expr + ")"
}

func quote(s string) string { return strconv.Quote(s) }

// roots lists the expressions that are the variable map here.
func (g *generator) roots(e env) []string {
	var out []string
	if e.dot == root {
		out = append(out, ".", ".")
	}
	if e.dollar == root {
		out = append(out, "$")
	}
	if l := g.local(e, root); l != "" {
		out = append(out, l)
	}
	return out
}

// rootExpr is an expression for the variable map.
func (g *generator) rootExpr(e env) string {
	roots := g.roots(e)
	if len(roots) == 0 {
		return ""
	}
	r := g.one(roots)
	if !g.on[wholeRoot] || !g.chance(15) {
		return r
	}
	return g.one([]string{"(index " + r + ")", "(or nil " + r + ")", "(" + r + ")", "(" + r + " | or)"})
}

// field is an access to a variable by field, "" where the map is out of reach.
func (g *generator) field(e env) string {
	r := g.rootExpr(e)
	switch name := g.one(g.vars); r {
	case "":
		return ""
	case ".":
		return "." + name
	default:
		return r + "." + name
	}
}

// str is an expression for a text.
func (g *generator) str(e env, depth int) string {
	field := g.field(e)
	ways := []weighted{{2, func() string { return quote(g.one(g.values)) }}}
	if field != "" {
		ways = append(ways, weighted{8, func() string { return field }})
	}
	if l := g.local(e, text); l != "" {
		ways = append(ways, weighted{5, func() string { return l }})
	}
	if e.dot == text {
		ways = append(ways, weighted{4, func() string { return "." }})
	}
	if e.dollar == text {
		ways = append(ways, weighted{3, func() string { return "$" }})
	}
	if depth <= 0 {
		return g.pick(ways...)
	}
	ways = append(ways, weighted{3, func() string { return g.input(e, depth-1) }})
	if g.hard {
		ways = append(ways, g.hardText(e, depth-1)...)
	}
	return g.pick(ways...)
}

// hardText are the ways to a text that only hard prompts take.
func (g *generator) hardText(e env, depth int) []weighted {
	sub := func() string { return operand(g.str(e, depth)) }
	var ways []weighted
	add := func(f feature, weight int, build func() string) {
		if g.on[f] {
			ways = append(ways, weighted{weight, func() string { g.feature(f); return build() }})
		}
	}
	if r := g.rootExpr(e); r != "" {
		add(guards, 4, func() string { return g.lookup(e, r, depth) })
	}
	add(logic, 4, func() string { return g.one([]string{"or", "and", "or"}) + " " + sub() + " " + sub() })
	add(logic, 1, func() string { return g.one([]string{"or", "and"}) + " " + sub() + " " + sub() + " " + sub() })
	add(pipedOperands, 3, func() string {
		return sub() + " | " + g.one([]string{"or ", "and ", "print ", "printf \"%s-%s\" "}) + sub()
	})
	add(printing, 3, func() string {
		return g.one([]string{"print " + sub() + " " + sub(), "printf \"%s-%s\" " + sub() + " " + sub(), "printf \"%v\" " + sub(), "print " + sub(), "println " + sub()})
	})
	add(formats, 2, func() string { return g.format(e, depth) })
	if r := g.rootExpr(e); r != "" {
		add(wholeRoot, 1, func() string { return "print " + r })
	}
	add(escaping, 2, func() string { return g.one([]string{"html ", "js ", "urlquery "}) + sub() })
	add(slicing, 1, func() string {
		if g.chance(50) {
			return "slice " + sub() + " 0 1"
		}
		return g.one([]string{"slice " + quote("deep") + " 0 1", "slice " + sub(), "slice " + sub() + " 1"})
	})
	if g.custom {
		add(customFunctions, 5, func() string { return g.customText(e, depth) })
	}
	return ways
}

// format is a printf whose verbs are out of the ordinary.
func (g *generator) format(e env, depth int) string {
	verb := g.one([]string{"%q", "%5s", "%.1s", "%x", "%d", "%%", "%s%s", "%[1]s", "%-3s|", "%s%%", "%.0s", ""})
	if g.chance(30) {
		return fmt.Sprintf("printf %q %s", verb, operand(g.num(e, depth)))
	}
	if g.chance(10) {
		return "printf " + operand(g.str(e, depth)) + " " + operand(g.str(e, depth))
	}
	return fmt.Sprintf("printf %q %s", verb, operand(g.str(e, depth)))
}

func (g *generator) customText(e env, depth int) string {
	sub := func() string { return operand(g.str(e, depth)) }
	if r := g.rootExpr(e); r != "" && g.chance(40) {
		return g.one([]string{
			"get " + r + " " + quote(g.one(g.vars)),
			g.changeRoot(e, r),
			"(same " + r + ")." + g.one(g.vars),
		})
	}
	return g.one([]string{"upper " + sub(), "maybe " + sub(), "attrs.mode", "upper " + sub() + " | print"})
}

// changeRoot hands the variables to a function that changes them.
func (g *generator) changeRoot(e env, r string) string {
	name := quote(g.one(g.vars))
	if g.chance(50) {
		return "drop " + r + " " + name
	}
	return "put " + r + " " + name + " " + operand(g.str(e, 0))
}

// lookup reads a variable in a way that cannot fail.
func (g *generator) lookup(e env, r string, depth int) string {
	name := quote(g.one(g.vars))
	if g.feature(dynamicVariables) && g.chance(25) {
		name = operand(g.str(e, depth-1))
	}
	if g.chance(15) {
		return name + " | index " + r
	}
	return "index " + r + " " + name
}

func (g *generator) input(e env, depth int) string {
	name := quote(g.one(g.inputs))
	if g.feature(dynamicInputs) && g.chance(40) {
		name = g.dynamicName(e, depth)
	}
	if g.chance(10) {
		return name + " | input"
	}
	return "input " + name
}

// dynamicName is an expression for the name of an input.
func (g *generator) dynamicName(e env, depth int) string {
	switch g.r.IntN(3) {
	case 0:
		return operand("print " + quote(g.one([]string{"n", "dr", "x"})) + " " + operand(g.str(e, depth-1)))
	case 1:
		return operand("or " + operand(g.str(e, depth-1)) + " " + quote(g.one(g.inputs)))
	}
	return operand(g.str(e, depth-1))
}

// num is an expression for an integer.
func (g *generator) num(e env, depth int) string {
	ways := []weighted{{3, func() string { return strconv.Itoa(g.r.IntN(4)) }}}
	if l := g.local(e, number); l != "" {
		ways = append(ways, weighted{4, func() string { return l }})
	}
	if g.feature(oddNumbers) {
		ways = append(ways, weighted{2, func() string { return g.one([]string{"-1", "'a'", "0x2", "1_0", "1e0", "07"}) }})
		if depth > 0 {
			ways = append(ways, weighted{1, func() string { return "index " + operand(g.str(e, depth-1)) + " 0" }})
		}
	}
	if e.dot == number {
		ways = append(ways, weighted{3, func() string { return "." }})
	}
	if depth > 0 && g.feature(lengths) {
		ways = append(ways, weighted{5, func() string { return "len " + operand(g.str(e, depth-1)) }})
		if r := g.rootExpr(e); r != "" && g.on[wholeRoot] {
			ways = append(ways, weighted{1, func() string { g.feature(wholeRoot); return "len " + r }})
		}
	}
	if g.custom && depth > 0 {
		ways = append(ways, weighted{1, func() string { return "count " + operand(g.str(e, depth-1)) }})
		ways = append(ways, weighted{1, func() string { return "amount" }})
	}
	return g.pick(ways...)
}
