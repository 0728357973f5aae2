package requirement

import (
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/promptkit-go/promptkit/internal/prompt"
)

// pipe compiles a pipeline, declarations included.
func (c *compiler) pipe(p *parse.PipeNode) *expr {
	var e *expr
	for _, cmd := range p.Cmds {
		e = c.command(cmd, e)
	}
	if len(p.Decl) == 0 {
		return e
	}
	d := c.expr(exprDecl, p.Pos)
	d.base, d.exprInfo = e, &exprInfo{}
	for _, v := range p.Decl {
		d.decl = append(d.decl, c.declare(v.Ident[0], p.IsAssign))
	}
	return d
}

func (c *compiler) declare(name string, assign bool) int32 {
	if !assign {
		return c.push(name)
	}
	slot := c.resolve(name)
	if slot >= 0 {
		c.assign(slot)
	}
	return slot
}

func (c *compiler) expr(op exprOp, pos parse.Pos) *expr {
	c.program.size++
	return &expr{op: op, pos: int32(pos), occ: -1}
}

// fails compiles a command that text/template refuses before it evaluates
// the operands; they are kept because their names are listed all the same.
func (c *compiler) fails(why string, pos parse.Pos, operands []parse.Node, final *expr) *expr {
	e := c.expr(exprFail, pos)
	e.exprInfo, e.final = &exprInfo{why: why}, final
	for _, n := range operands {
		e.args = append(e.args, c.operand(n))
	}
	return e
}

// command compiles one stage of a pipeline; final is the stage before it.
func (c *compiler) command(cmd *parse.CommandNode, final *expr) *expr {
	first, rest := cmd.Args[0], cmd.Args[1:]
	applied := len(rest) > 0 || final != nil
	switch n := first.(type) {
	case *parse.IdentifierNode:
		return c.call(n, rest, final)
	case *parse.FieldNode, *parse.ChainNode:
		return c.applyField(c.operand(first), rest, final)
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			return c.applyField(c.operand(first), rest, final)
		}
	case *parse.NilNode:
		return c.fails(whyNil, n.Pos, rest, final)
	}
	if applied {
		return c.fails(whyNoFunction, first.Position(), cmd.Args, final)
	}
	return c.operand(first)
}

// applyField gives a field the operands that follow it. No value that a
// template can reach has methods, except the results of a caller's function.
func (c *compiler) applyField(e *expr, rest []parse.Node, final *expr) *expr {
	if e.op != exprField {
		return e
	}
	if len(rest) > 0 || final != nil {
		c.foreign(e, rest, final)
	}
	return e
}

// operand compiles a term that stands alone, as an argument does.
func (c *compiler) operand(node parse.Node) *expr {
	switch n := node.(type) {
	case *parse.DotNode:
		return c.expr(exprDot, n.Pos)
	case *parse.NilNode:
		return c.constant(nilValue, n.Pos)
	case *parse.BoolNode:
		return c.constant(boolValue(n.True), n.Pos)
	case *parse.StringNode:
		return c.constant(stringValue(n.Text), n.Pos)
	case *parse.NumberNode:
		return c.number(n)
	case *parse.PipeNode:
		return c.pipe(n)
	case *parse.IdentifierNode:
		return c.call(n, nil, nil)
	case *parse.FieldNode:
		// The parser places a chain at its second field.
		at := int(n.Pos)
		if len(n.Ident) > 1 {
			at -= 1 + len(n.Ident[0])
		}
		return c.fields(c.expr(exprDot, n.Pos), base{baseDot, c.scope}, n.Ident, at)
	case *parse.VariableNode:
		v := c.variable(n)
		return c.fields(v, base{baseSlot, v.slot}, n.Ident[1:], int(n.Pos))
	case *parse.ChainNode:
		if _, isNil := n.Node.(*parse.NilNode); isNil {
			return c.fails(whyNil, n.Pos, nil, nil)
		}
		return c.fields(c.operand(n.Node), base{}, n.Field, int(n.Pos))
	}
	return c.fails(whyNoFunction, node.Position(), nil, nil)
}

func (c *compiler) constant(v value, pos parse.Pos) *expr {
	e := c.expr(exprConst, pos)
	e.konst = &v
	return e
}

// number gives a constant the type that its spelling asks for.
func (c *compiler) number(n *parse.NumberNode) *expr {
	hex := len(n.Text) > 2 && n.Text[0] == '0' && (n.Text[1] == 'x' || n.Text[1] == 'X') && !strings.ContainsAny(n.Text, "pP")
	switch {
	case n.IsComplex:
		return c.constant(complexValue(n.Complex128), n.Pos)
	case n.IsFloat && !hex && n.Text[0] != '\'' && strings.ContainsAny(n.Text, ".eEpP"):
		return c.constant(floatValue(n.Float64), n.Pos)
	case n.IsInt:
		return c.constant(intValue(int(n.Int64)), n.Pos)
	}
	return c.fails(whyOverflow, n.Pos, nil, nil)
}

func (c *compiler) variable(n *parse.VariableNode) *expr {
	slot := c.resolve(n.Ident[0])
	if slot < 0 {
		e := c.fails(whyUndeclared, n.Pos, nil, nil)
		e.slot = slot
		return e
	}
	e := c.expr(exprSlot, n.Pos)
	e.slot = slot
	return e
}

// fields wraps e in one field access for each name. Only the first can be a
// key of the caller's variables: their values are texts.
func (c *compiler) fields(e *expr, from base, names []string, at int) *expr {
	for i, field := range names {
		f := c.expr(exprField, parse.Pos(at))
		f.base = e
		if i > 0 {
			from = base{}
		}
		f.occ = c.addOcc(occ{kind: occDemand, name: c.program.intern(variableSpace, field), base: from}, at)
		at += 1 + len(field)
		e = f
	}
	return e
}

// baseOf tells what a pipeline is, if it is just dot or a template variable.
func (c *compiler) baseOf(p *parse.PipeNode) base {
	if len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return base{}
	}
	return c.operandBase(p.Cmds[0].Args[0])
}

func (c *compiler) operandBase(node parse.Node) base {
	switch n := node.(type) {
	case *parse.DotNode:
		return base{baseDot, c.scope}
	case *parse.VariableNode:
		if slot := c.resolve(n.Ident[0]); slot >= 0 && len(n.Ident) == 1 {
			return base{baseSlot, slot}
		}
	}
	return base{}
}

// call compiles a function call.
func (c *compiler) call(n *parse.IdentifierNode, args []parse.Node, final *expr) *expr {
	given := len(args)
	if final != nil {
		given++
	}
	switch fn := builtins[n.Ident]; {
	case n.Ident == prompt.InputFunc:
		return c.inputCall(n, args, final, given)
	case c.template.Functions().Custom(n.Ident) != nil:
		return c.customCall(n, args, final, given)
	case given < fn.min || fn.max >= 0 && given > fn.max:
		return c.fails(whyArguments, n.Pos, args, final)
	case fn.op == fnAnd || fn.op == fnOr:
		return c.andOr(n, fn.op, args, final)
	default:
		e := c.expr(exprCall, n.Pos)
		e.fn = fn.op
		c.arguments(e, args, final)
		switch fn.op {
		case fnIndex:
			c.lookup(e, args, final)
		case fnCall:
			c.noteCall()
		}
		return e
	}
}

func (c *compiler) arguments(e *expr, args []parse.Node, final *expr) {
	e.final = final
	for _, n := range args {
		e.args = append(e.args, c.operand(n))
	}
}

// foreign compiles the operands of a caller's function or method. What type a
// number has there is up to the parameter, so none is too large.
func (c *compiler) foreign(e *expr, args []parse.Node, final *expr) {
	c.calls = true
	e.final = final
	for _, n := range args {
		if _, number := n.(*parse.NumberNode); number {
			e.args = append(e.args, c.constant(nilValue, n.Position()))
		} else {
			e.args = append(e.args, c.operand(n))
		}
	}
	c.noteCall()
}

// andOr compiles operands that may be skipped. A template variable declared
// in one of them would exist or not as the case may be; nobody writes that,
// and the unit is given up for analysis.
func (c *compiler) andOr(n *parse.IdentifierNode, op builtin, args []parse.Node, final *expr) *expr {
	e := c.expr(exprAnd, n.Pos)
	if op == fnOr {
		e.op = exprOr
	}
	e.final, e.exprInfo = final, &exprInfo{scope: c.scope, slots: c.slots()}
	for i, arg := range args {
		from := c.mark()
		e.args = append(e.args, c.operand(arg))
		e.occs = append(e.occs, c.since(from))
		if i == 0 {
			e.slots = c.slots() // what the first one declares, the others may assign
		}
		c.unsupported = c.unsupported || c.slots() != e.slots
	}
	return e
}

func (c *compiler) inputCall(n *parse.IdentifierNode, args []parse.Node, final *expr, given int) *expr {
	if given != 1 {
		return c.fails(whyArguments, n.Pos, args, final)
	}
	e := c.expr(exprInput, n.Pos)
	c.arguments(e, args, final)
	o := occ{kind: occRead, name: noName}
	if arg := e.only(); arg.op == exprConst && arg.konst.kind == kString {
		o.name = c.program.intern(inputSpace, arg.konst.str)
	}
	e.occ = c.addOcc(o, int(n.Pos))
	return e
}

// only is the single argument of a call, piped or not.
func (e *expr) only() *expr {
	if e.final != nil {
		return e.final
	}
	return e.args[0]
}

// lookup notes the occurrence of an index call: the first key, if it is
// written out.
func (c *compiler) lookup(e *expr, args []parse.Node, final *expr) {
	operands := e.args
	if final != nil {
		operands = append(operands[:len(operands):len(operands)], final)
	}
	if len(operands) < 2 {
		return
	}
	o := occ{kind: occLookup, name: noName}
	if len(args) > 0 {
		o.base = c.operandBase(args[0])
	}
	if key := operands[1]; key.op == exprConst && key.konst.kind == kString {
		o.name = c.program.intern(variableSpace, key.konst.str)
	}
	e.occ = c.addOcc(o, int(e.pos))
}

func (c *compiler) customCall(n *parse.IdentifierNode, args []parse.Node, final *expr, given int) *expr {
	typ := c.template.Functions().Custom(n.Ident)
	fixed := typ.NumIn()
	if typ.IsVariadic() {
		fixed--
	}
	if given < fixed || given > fixed && !typ.IsVariadic() {
		return c.fails(whyArguments, n.Pos, args, final)
	}
	e := c.expr(exprCustom, n.Pos)
	c.foreign(e, args, final)
	e.exprInfo = &exprInfo{fun: newCustom(typ)}
	return e
}

var mapType = reflect.TypeFor[map[string]string]()

// newCustom reads from a function's type what its calls can do and give.
func newCustom(typ reflect.Type) *custom {
	f := &custom{typ: typ}
	for i := range typ.NumIn() {
		in := typ.In(i)
		if typ.IsVariadic() && i == typ.NumIn()-1 {
			in = in.Elem()
		}
		if mapType.AssignableTo(in) || in == reflect.TypeFor[reflect.Value]() {
			f.takesMap = true
		}
	}
	switch typ.Out(0) {
	case reflect.TypeFor[string]():
		f.result = kString
	case reflect.TypeFor[int]():
		f.result = kInt
	case reflect.TypeFor[bool]():
		f.result = kBool
	case reflect.TypeFor[float64]():
		f.result = kFloat
	default:
		f.result, f.mayRoot = kAny, true
		f.sized = typ.Out(0).Kind() == reflect.Slice
		f.stable = !slices.Contains([]reflect.Kind{reflect.Map, reflect.Interface, reflect.Struct}, typ.Out(0).Kind())
	}
	return f
}
