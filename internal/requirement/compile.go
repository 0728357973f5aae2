package requirement

import (
	"cmp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/promptkit-go/promptkit/internal/prompt"
)

// Compile prepares the templates of a prompt for analysis.
func Compile(units []Unit, declared []Declared) *Program {
	p := &Program{declared: declared}
	for i, d := range declared {
		p.names[p.intern(inputSpace, d.Name)].declared = i
	}
	for _, u := range units {
		p.units = append(p.units, unit{message: u.Message, template: u.Template})
		c := &compiler{program: p, unit: int32(len(p.units) - 1), template: u.Template, lines: u.Template.Lines()}
		p.units[c.unit].root = c.compileUnit()
		p.units[c.unit].unsupported, p.units[c.unit].calls = c.unsupported, c.calls
	}
	p.finish()
	p.settle()
	return p
}

// intern returns the ID of a name, which it adds if it is new.
func (p *Program) intern(s space, text string) nameID {
	if id, ok := p.byName[s][text]; ok {
		return id
	}
	if p.byName[s] == nil {
		p.byName[s] = map[string]nameID{}
	}
	id := nameID(len(p.names))
	p.names = append(p.names, name{space: s, text: text, declared: -1})
	p.byName[s][text] = id
	return id
}

// lookup finds a name of a finished program.
func (p *Program) lookup(s space, text string) (nameID, bool) {
	sorted := p.inputs
	if s == variableSpace {
		sorted = p.variables
	}
	i, ok := slices.BinarySearchFunc(sorted, text, func(n nameID, text string) int { return strings.Compare(p.names[n].text, text) })
	if !ok {
		return noName, false
	}
	return sorted[i], true
}

// finish orders names, and the occurrences of each by position.
func (p *Program) finish() {
	for i, o := range p.occs {
		if o.name != noName {
			n := &p.names[o.name]
			n.occs = append(n.occs, int32(i))
		}
	}
	for id := range p.names {
		n := &p.names[id]
		slices.SortFunc(n.occs, p.compareOccs)
		if n.space == inputSpace {
			p.inputs = append(p.inputs, nameID(id))
		} else {
			p.variables = append(p.variables, nameID(id))
		}
	}
	byText := func(a, b nameID) int { return strings.Compare(p.names[a].text, p.names[b].text) }
	slices.SortFunc(p.inputs, byText)
	slices.SortFunc(p.variables, byText)
	p.names, p.occs, p.inputs, p.variables = slices.Clip(p.names), slices.Clip(p.occs), slices.Clip(p.inputs), slices.Clip(p.variables)
	p.byName = [2]map[string]nameID{}
}

// compareOccs orders occurrences by message, then place.
func (p *Program) compareOccs(x, y int32) int {
	a, b := &p.occs[x], &p.occs[y]
	return cmp.Or(
		comparePlaces(&a.place, &b.place),
		cmp.Compare(x, y))
}

func comparePlaces(x, y *Place) int {
	return cmp.Or(
		cmp.Compare(x.Message, y.Message),
		cmp.Compare(x.Position.Line, y.Position.Line),
		cmp.Compare(x.Position.Column, y.Position.Column))
}

// compiler turns the parse trees of one unit into a body for each template.
// It carries what text/template keeps at run time, the stack of template
// variables, because where each of them sits is known beforehand.
type compiler struct {
	program     *Program
	unit        int32
	template    *prompt.Template
	lines       *prompt.Lines
	bodies      map[string]*body
	queue       []*body
	unsupported bool
	calls       bool // it calls a caller's function

	// Of the body at hand.
	body   *body
	stack  []string // names of the template variables in scope
	scope  int32    // of dot; 0 is the argument of the template
	scopes int32
	loops  []*loop
}

// loop collects what a range statement has to know of its body.
type loop struct {
	stmt   *stmt
	slots  int32 // slots below this one are from outside
	inElse bool
}

func (c *compiler) compileUnit() *body {
	root := c.template.Root()
	c.bodies = map[string]*body{}
	top := &body{name: root.Name}
	c.bodies[root.Name] = top
	c.queue = []*body{top}
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.compileBody(next)
	}
	markRecursive(top, map[*body]*callOrder{}, &[]*body{})
	return top
}

// bodyOf returns the body of a defined template, to be compiled later: the
// occurrences of a body are numbered in one run.
func (c *compiler) bodyOf(name string) *body {
	if b := c.bodies[name]; b != nil {
		return b
	}
	if c.template.Lookup(name) == nil {
		return nil
	}
	b := &body{name: name}
	c.bodies[name] = b
	c.queue = append(c.queue, b)
	return b
}

func (c *compiler) compileBody(b *body) {
	c.body, c.stack, c.scope, c.scopes, c.loops = b, []string{"$"}, 0, 0, nil
	b.slots = 1
	from := c.mark()
	b.stmts = c.list(c.template.Lookup(b.name).Root)
	b.occs = c.since(from)
}

func (c *compiler) mark() int32             { return int32(len(c.program.occs)) }
func (c *compiler) since(from int32) region { return region{from, c.mark()} }
func (c *compiler) slots() int32            { return int32(len(c.stack)) }
func (c *compiler) pop(slots int32)         { c.stack = c.stack[:slots] }
func (c *compiler) addOcc(o occ, at int) int32 {
	o.unit = c.unit
	o.place = Place{c.program.units[c.unit].message, c.lines.At(at)}
	c.program.occs = append(c.program.occs, o)
	return int32(len(c.program.occs) - 1)
}

func (c *compiler) push(name string) int32 {
	c.stack = append(c.stack, name)
	c.body.slots = max(c.body.slots, len(c.stack))
	return c.slots() - 1
}

// resolve finds the slot of a template variable, or -1. The parser accepts
// some variables that text/template does not find when it executes: those
// declared in the other arm of an if.
func (c *compiler) resolve(name string) int32 {
	for i, declared := range slices.Backward(c.stack) {
		if declared == name {
			return int32(i)
		}
	}
	return -1
}

func (c *compiler) list(list *parse.ListNode) []stmt {
	if list == nil {
		return nil
	}
	var stmts []stmt
	for _, node := range list.Nodes {
		if s, ok := c.stmt(node); ok {
			stmts = append(stmts, s)
			c.program.size++
		}
	}
	return slices.Clip(stmts)
}

func (c *compiler) stmt(node parse.Node) (stmt, bool) {
	s := stmt{scope: c.scope, slots: c.slots(), pos: int32(node.Position())}
	from := c.mark()
	switch n := node.(type) {
	case *parse.ActionNode:
		s.pipe = c.pipe(n.Pipe)
		if s.pipe.op == exprConst {
			return s, false // {{"text"}} reads nothing
		}
		s.straight = s.pipe.straight()
	case *parse.IfNode:
		s.op = stmtIf
		c.branch(&s, &n.BranchNode, c.scope)
		s.straight = straight(s.list) && straight(s.alt)
	case *parse.WithNode:
		s.op = stmtWith
		c.branch(&s, &n.BranchNode, c.dotScope(n.Pipe))
	case *parse.RangeNode:
		s.op, s.loopInfo = stmtRange, &loopInfo{}
		c.rangeStmt(&s, n)
	case *parse.TemplateNode:
		s.op = stmtTemplate
		c.invoke(&s, n)
	case *parse.BreakNode:
		s.op = stmtBreak
		if l := c.loops[len(c.loops)-1]; l.inElse {
			l.stmt.altBreaks = true
		}
	case *parse.ContinueNode:
		s.op = stmtContinue
		for i := len(c.loops) - 1; c.loops[i].inElse; i-- {
			s.outer++
			c.loops[i].stmt.elseLeaves = true
		}
	default:
		return s, false
	}
	s.occs = c.since(from)
	return s, true
}

// branch compiles an if or with, whose list sees dot in the given scope.
func (c *compiler) branch(s *stmt, n *parse.BranchNode, inner int32) {
	defer c.pop(c.slots())
	s.pipe = c.pipe(n.Pipe)
	slots, scope := c.slots(), c.scope
	from := c.mark()
	c.scope = inner
	s.list = c.list(n.List)
	s.listOccs = c.since(from)
	c.pop(slots)
	c.scope = scope
	from = c.mark()
	s.alt = c.list(n.ElseList)
	s.altOccs = c.since(from)
}

// scopeDollar is the scope of a dot that is the same as $.
const scopeDollar = -1

// dotScope returns the scope of dot inside a with: a new one, unless the
// value is visibly dot or $ itself.
func (c *compiler) dotScope(pipe *parse.PipeNode) int32 {
	if len(pipe.Cmds) == 1 && len(pipe.Cmds[0].Args) == 1 {
		switch n := pipe.Cmds[0].Args[0].(type) {
		case *parse.DotNode:
			return c.scope
		case *parse.VariableNode:
			if len(n.Ident) == 1 && c.resolve(n.Ident[0]) == 0 {
				return scopeDollar
			}
		}
	}
	c.scopes++
	return c.scopes
}

func (c *compiler) rangeStmt(s *stmt, n *parse.RangeNode) {
	defer c.pop(c.slots())
	s.pipe = c.pipe(n.Pipe)
	if len(n.Pipe.Decl) > 0 { // not those of a parenthesis
		s.decl = s.pipe.decl
	}
	l := &loop{stmt: s, slots: c.slots()}
	c.loops = append(c.loops, l)
	if n.Pipe.IsAssign {
		for _, slot := range s.decl {
			c.assign(slot)
		}
	}
	slots, scope := c.slots(), c.scope
	c.scopes++
	c.scope = c.scopes
	from := c.mark()
	s.list = c.list(n.List)
	s.listOccs = c.since(from)
	c.pop(slots)
	c.scope = scope
	l.inElse = true
	from = c.mark()
	s.alt = c.list(n.ElseList)
	s.altOccs = c.since(from)
	c.loops = c.loops[:len(c.loops)-1]
}

// assign notes an assignment with every loop that it outlives.
func (c *compiler) assign(slot int32) {
	if slot < 0 {
		return // it was not declared
	}
	for _, l := range c.loops {
		list := &l.stmt.assigned
		if l.inElse {
			list = &l.stmt.altAssigned
		}
		if slot < l.slots && !slices.Contains(*list, slot) {
			*list = append(*list, slot)
		}
	}
}

// noteCall notes a call of a caller's function with every loop around it.
func (c *compiler) noteCall() {
	for _, l := range c.loops {
		l.stmt.calls = true
	}
}

func (c *compiler) invoke(s *stmt, n *parse.TemplateNode) {
	s.callee = c.bodyOf(n.Name)
	if s.callee != nil {
		c.body.calls = append(c.body.calls, s.callee)
		if c.template.Functions().HasCustom() {
			c.noteCall() // what the callee does is not known yet
		}
	}
	if n.Pipe == nil {
		return
	}
	base := c.baseOf(n.Pipe)
	s.pipe = c.pipe(n.Pipe)
	if s.callee != nil && c.template.IsBlock(n) {
		c.addOcc(occ{kind: occBlock, name: noName, base: base, body: s.callee}, int(n.Pos))
	}
}

// markRecursive marks every template that may invoke itself: those in a cycle
// of the call graph (Tarjan's strongly connected components).
func markRecursive(b *body, visit map[*body]*callOrder, stack *[]*body) *callOrder {
	o := &callOrder{index: len(visit), low: len(visit), open: true}
	visit[b] = o
	*stack = append(*stack, b)
	for _, callee := range b.calls {
		b.recursive = b.recursive || callee == b
		next := visit[callee]
		if next == nil {
			next = markRecursive(callee, visit, stack)
		}
		if next.open {
			o.low = min(o.low, next.low)
		}
	}
	if o.low < o.index {
		return o
	}
	at := slices.Index(*stack, b)
	component := (*stack)[at:]
	*stack = (*stack)[:at]
	for _, member := range component {
		member.recursive = member.recursive || len(component) > 1
		visit[member].open = false
	}
	return o
}

// callOrder is the state of one template in markRecursive.
type callOrder struct {
	index, low int
	open       bool
}
