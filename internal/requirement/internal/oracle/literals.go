package oracle

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"text/template/parse"
)

// literals collects from the templates of a case what values can be told
// apart by.
type literals struct {
	texts   []string // compared, or worth trying as a value
	parts   []string // fragments that print joins with values
	lengths map[int]bool
	runes   []string
	ordered []string
	sizes   bool // len, slice or index looks into a text
	escapes bool
	joins   bool
	ranged  bool // some range has a variable for the key
	dynamic bool
	keys    []string // names, which only names chosen at run time can equal
}

func newLiterals(s *Subject, trees []*parse.Tree, dynamic bool) *literals {
	l := &literals{lengths: map[int]bool{}, dynamic: dynamic}
	for _, t := range trees {
		l.node(t.Root)
	}
	for name, v := range s.Case.Vars {
		l.texts = append(l.texts, v)
		l.keys = append(l.keys, name)
	}
	for _, d := range s.Case.Declared {
		l.keys = append(l.keys, d.Name)
	}
	slices.Sort(l.texts)
	slices.Sort(l.keys)
	return l
}

func (l *literals) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			l.node(c)
		}
	case *parse.ActionNode:
		l.pipe(n.Pipe)
	case *parse.IfNode:
		l.branch(&n.BranchNode)
	case *parse.WithNode:
		l.branch(&n.BranchNode)
	case *parse.RangeNode:
		l.ranged = l.ranged || len(n.Pipe.Decl) > 1
		l.branch(&n.BranchNode)
	case *parse.TemplateNode:
		l.pipe(n.Pipe)
	}
}

func (l *literals) branch(b *parse.BranchNode) {
	l.pipe(b.Pipe)
	l.node(b.List)
	l.node(b.ElseList)
}

func (l *literals) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	for _, c := range p.Cmds {
		l.command(c)
	}
}

func (l *literals) command(c *parse.CommandNode) {
	name := ""
	if fn, ok := c.Args[0].(*parse.IdentifierNode); ok {
		name = fn.Ident
	}
	switch name {
	case "len", "slice":
		l.sizes = true
	case "index":
		l.sizes = l.sizes || len(c.Args) != 3
	case "html", "js", "urlquery":
		l.escapes = true
	case "print", "printf", "println":
		l.joins = true
	}
	for i, a := range c.Args {
		l.argument(name, i, a)
	}
	if name == "printf" && (len(c.Args) < 2 || c.Args[1].Type() != parse.NodeString) {
		l.texts = append(l.texts, "%s", "%.0s", "%d")
	}
}

func (l *literals) argument(fn string, i int, a parse.Node) {
	switch a := a.(type) {
	case *parse.PipeNode:
		l.pipe(a)
	case *parse.ChainNode:
		l.argument("", 0, a.Node)
	case *parse.FieldNode:
		l.keys = append(l.keys, a.Ident[0])
	case *parse.VariableNode:
		if len(a.Ident) > 1 {
			l.keys = append(l.keys, a.Ident[1])
		}
	case *parse.NumberNode:
		if a.IsInt {
			l.number(a.Int64)
		}
	case *parse.StringNode:
		l.text(fn, i, a.Text)
	}
}

func (l *literals) number(n int64) {
	switch {
	case n >= 0 && n < maxLength:
		l.lengths[int(n)] = true
	case n > ' ' && n < 127:
		l.runes = append(l.runes, string(rune(n)))
	}
}

func (l *literals) text(fn string, i int, text string) {
	switch fn {
	case "printf":
		if i == 1 {
			l.parts = append(l.parts, strings.FieldsFunc(text, func(r rune) bool { return r == '%' })...)
			l.parts = append(l.parts, strings.Split(strings.ReplaceAll(text, "%v", "%s"), "%s")...)
			return
		}
	case "lt", "le", "gt", "ge":
		l.ordered = append(l.ordered, text)
	case "index", "input":
		l.keys = append(l.keys, text)
		return
	}
	l.texts = append(l.texts, text)
}

// maxLength bounds the lengths that a template can ask about and find a text
// for.
const maxLength = 12

// maxAny bounds a domain; what is beyond makes an enumeration inexact, not
// wrong.
const maxAny = 24

// values is the domain of a value that may be used in any way.
func (l *literals) values() []string {
	out := append([]string{freshOne, "", freshTwo}, l.texts...)
	if l.dynamic {
		out = append(out, l.keys...)
	}
	for _, o := range l.ordered {
		out = append(out, o+"!", "\x01", "~~")
	}
	out = append(out, l.runes...)
	if l.sizes {
		for n := range maxLength + 1 {
			if l.lengths[n] || l.lengths[n-1] || l.lengths[n+1] {
				out = append(out, strings.Repeat("q", n))
			}
		}
		out = append(out, "a", "\x00")
	}
	if l.escapes {
		for _, t := range l.texts {
			plain, _ := url.QueryUnescape(t)
			out = append(out, html.UnescapeString(t), plain)
		}
	}
	out = append(out, l.remainders()...)
	out = distinct(out)
	return out[:min(len(out), maxAny)]
}

// remainders are what is left of a literal when another literal is taken off
// one end: what a value has to be for their concatenation to be the literal.
func (l *literals) remainders() []string {
	if !l.joins {
		return nil
	}
	whole := slices.Clone(l.texts)
	if l.dynamic {
		whole = append(whole, l.keys...)
	}
	var out []string
	for _, t := range whole {
		for _, p := range slices.Concat(l.parts, l.texts) {
			if p == "" || p == t {
				continue
			}
			if rest, ok := strings.CutPrefix(t, p); ok {
				out = append(out, rest)
			}
			if rest, ok := strings.CutSuffix(t, p); ok {
				out = append(out, rest)
			}
		}
	}
	return out
}

// distinct drops repetitions and keeps the order.
func distinct(values []string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
