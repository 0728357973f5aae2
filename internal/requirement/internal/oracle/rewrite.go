package oracle

import (
	"strconv"
	"strings"
	"text/template/parse"
)

// Names of the probes. They are ordinary template functions.
const (
	probeField = "oracleField"
	probeIndex = "oracleIndex"
	probeInput = "oracleInput"
	probeWhole = "oracleWhole"
	probeEnter = "oracleEnter"
	probeLeave = "oracleLeave"
)

// prober rewrites trees so that everything they read goes through a probe.
type prober struct {
	s    *Subject
	unit Unit
}

// rewrite rewrites a tree in place. Every template announces when it is
// entered and left, so that runaway recursion is cut short.
func (p *prober) rewrite(root *parse.ListNode) {
	p.list(root)
	nodes := append([]parse.Node{announce(probeEnter)}, root.Nodes...)
	root.Nodes = append(nodes, announce(probeLeave))
}

func (p *prober) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		p.node(n)
	}
}

// node rewrites the pipelines of n in place, in order of evaluation.
func (p *prober) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.ActionNode:
		p.pipeline(n.Pipe, useNone)
	case *parse.IfNode:
		p.branch(&n.BranchNode, useTruth)
	case *parse.WithNode:
		p.branch(&n.BranchNode, useWith)
	case *parse.RangeNode:
		p.branch(&n.BranchNode, useAll)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			p.pipeline(n.Pipe, usePass)
		}
	case *parse.ListNode:
		p.list(n)
	}
}

func (p *prober) branch(b *parse.BranchNode, want use) {
	p.pipeline(b.Pipe, want)
	p.list(b.List)
	p.list(b.ElseList)
}

// pipeline rewrites a pipeline in place; want tells how its value is used.
// A value that a variable keeps may be used in any way, and the map is only
// observed where the variable is used.
func (p *prober) pipeline(n *parse.PipeNode, want use) {
	if len(n.Decl) > 0 {
		want.value = usedAny
	}
	wants := make([]use, len(n.Cmds))
	for i := len(n.Cmds) - 1; i >= 0; i-- {
		wants[i] = want
		c := n.Cmds[i]
		want = argumentUse(c, len(c.Args), i > 0, want)
	}
	for i, c := range n.Cmds {
		p.command(c, i > 0, wants[i])
	}
}

// command rewrites a command in place.
func (p *prober) command(c *parse.CommandNode, piped bool, want use) {
	if _, call := c.Args[0].(*parse.IdentifierNode); !call {
		for i, a := range c.Args[1:] { // never evaluated, but they have places
			c.Args[i+1] = p.argument(a, useNone)
		}
	}
	switch n := c.Args[0].(type) {
	case *parse.FieldNode:
		p.field(c, &parse.DotNode{NodeType: parse.NodeDot, Pos: n.Pos}, n.Ident, n.Pos, want)
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			bare := &parse.VariableNode{NodeType: parse.NodeVariable, Pos: n.Pos, Ident: n.Ident[:1]}
			p.field(c, bare, n.Ident[1:], n.Pos, want)
			return
		}
		p.whole(c, piped, want)
	case *parse.DotNode:
		p.whole(c, piped, want)
	case *parse.ChainNode:
		p.field(c, p.argument(n.Node, usePass), n.Field, n.Pos, want)
	case *parse.PipeNode:
		p.pipeline(n, want)
	case *parse.IdentifierNode:
		p.function(c, n, piped, want)
	}
}

// field makes c a call of the field probe. Arguments of a field are never
// evaluated: it fails before.
func (p *prober) field(c *parse.CommandNode, recv parse.Node, idents []string, pos parse.Pos, want use) {
	s := site{kind: siteField, idents: idents, args: len(c.Args) > 1, name: idents[0], literal: true, use: want}
	if len(idents) > 1 || s.args {
		s.use = useNone // fails whatever the value is
	}
	s.at = p.fieldPlaces(pos, "."+idents[0])
	c.Args = []parse.Node{identifier(probeField), p.number(s), recv}
}

// whole hands a dot or a variable through a probe where the variable map
// could be observed as a whole.
func (p *prober) whole(c *parse.CommandNode, piped bool, want use) {
	if want.root == rootHidden || piped || len(c.Args) > 1 {
		return
	}
	c.Args = []parse.Node{identifier(probeWhole), number(int(want.root)), c.Args[0]}
}

// function rewrites the arguments of a call, and the call itself if it reads.
func (p *prober) function(c *parse.CommandNode, fn *parse.IdentifierNode, piped bool, want use) {
	args := make([]parse.Node, 0, len(c.Args)+1)
	for i, a := range c.Args[1:] {
		args = append(args, p.argument(a, argumentUse(c, i+1, piped, want)))
	}
	switch fn.Ident {
	case "index":
		args = append([]parse.Node{identifier(probeIndex), p.number(p.lookup(c, fn, piped, want))}, args...)
	case "input":
		args = append([]parse.Node{identifier(probeInput), p.number(p.input(c, fn, piped, want))}, args...)
	default:
		args = append([]parse.Node{fn}, args...)
	}
	c.Args = args
}

func (p *prober) lookup(c *parse.CommandNode, fn *parse.IdentifierNode, piped bool, want use) site {
	s := site{kind: siteIndex, use: want, at: p.places(fn.Pos, c.Pos)}
	keys := len(c.Args) - 2
	if piped {
		keys++
	}
	if keys > 1 {
		s.use = usePass // the value itself is indexed
	}
	if len(c.Args) > 2 {
		s.name, s.literal = literal(c.Args[2])
	}
	return s
}

func (p *prober) input(c *parse.CommandNode, fn *parse.IdentifierNode, piped bool, want use) site {
	s := site{kind: siteInput, use: want, at: p.places(fn.Pos, c.Pos)}
	if len(c.Args) == 2 && !piped {
		s.name, s.literal = literal(c.Args[1])
	}
	return s
}

// argument rewrites an argument; what became a probe is parenthesised.
func (p *prober) argument(n parse.Node, want use) parse.Node {
	switch n := n.(type) {
	case *parse.PipeNode:
		p.pipeline(n, want)
		return n
	case *parse.FieldNode, *parse.VariableNode, *parse.DotNode, *parse.ChainNode, *parse.IdentifierNode:
		c := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Position(), Args: []parse.Node{n}}
		p.command(c, false, want)
		if len(c.Args) == 1 && c.Args[0] == n {
			return n
		}
		return pipe(c)
	}
	return n
}

// number registers a site and returns the literal that names it.
func (p *prober) number(s site) parse.Node {
	s.message = p.unit.Message
	p.s.sites = append(p.s.sites, s)
	return number(len(p.s.sites) - 1)
}

// fieldPlaces finds where a field is written. A chain of fields is where its
// first or its second one is, according to what it is a field of.
func (p *prober) fieldPlaces(pos parse.Pos, field string) []place {
	for _, start := range []parse.Pos{pos, pos - parse.Pos(len(field))} {
		if start >= 0 && strings.HasPrefix(p.unit.Text[start:], field) {
			return p.places(start)
		}
	}
	return nil
}

// places maps offsets to places.
func (p *prober) places(offsets ...parse.Pos) []place {
	var at []place
	for _, pos := range offsets {
		before := p.unit.Text[:pos]
		at = append(at, place{strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')})
	}
	return at
}

func literal(n parse.Node) (string, bool) {
	s, ok := n.(*parse.StringNode)
	if !ok {
		return "", false
	}
	return s.Text, true
}

// announce makes an action that calls a probe without arguments; such probes
// return an empty text, so the output stays what it was.
func announce(probe string) parse.Node {
	c := &parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{identifier(probe)}}
	return &parse.ActionNode{NodeType: parse.NodeAction, Pipe: pipe(c)}
}

func pipe(c *parse.CommandNode) *parse.PipeNode {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: c.Pos, Cmds: []*parse.CommandNode{c}}
}

func identifier(name string) parse.Node { return parse.NewIdentifier(name) }

func number(n int) parse.Node {
	return &parse.NumberNode{NodeType: parse.NodeNumber, IsInt: true, Int64: int64(n), Text: strconv.Itoa(n)}
}
