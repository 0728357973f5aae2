package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template/parse"
)

// maxShrinks bounds the cases that a shrinking tries.
const maxShrinks = 3000

// Shrink makes a case smaller as long as fails holds of it: fewer units,
// variables and declarations, and smaller parse trees.
func Shrink(c Case, fails func(Case) bool) Case {
	tries := 0
	try := func(smaller Case) bool {
		tries++
		return tries < maxShrinks && smaller.size() < c.size() && fails(smaller)
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for smaller := range c.smaller {
			if try(smaller) {
				c, shrunk = smaller, true
				break
			}
		}
	}
	return c
}

// size orders cases; shrinking always makes it smaller.
func (c Case) size() int {
	n := 4*len(c.Vars) + 4*len(c.Declared) + 4*len(c.Units)
	for _, u := range c.Units {
		n += len(u.Text)
	}
	for _, v := range c.Vars {
		n += len(v)
	}
	for _, d := range c.Declared {
		if d.Required {
			n++
		}
	}
	return n
}

// smaller yields cases that are one step smaller.
func (c Case) smaller(yield func(Case) bool) {
	for i := range c.Units {
		d := c.Clone()
		d.Units = slices.Delete(d.Units, i, i+1)
		if len(d.Units) > 0 && !yield(d) {
			return
		}
	}
	for i, u := range c.Units {
		for text := range smallerTexts(u.Text) {
			d := c.Clone()
			d.Units[i].Text = text
			if !yield(d) {
				return
			}
		}
	}
	c.smallerContext(yield)
}

func (c Case) smallerContext(yield func(Case) bool) {
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		d := c.Clone()
		delete(d.Vars, name)
		if !yield(d) {
			return
		}
		if c.Vars[name] != "" {
			d.Vars[name] = ""
			if !yield(d) {
				return
			}
		}
	}
	for i := range c.Declared {
		d := c.Clone()
		d.Declared[i].Required = false
		if c.Declared[i].Required && !yield(d) {
			return
		}
		d.Declared = slices.Delete(d.Declared, i, i+1)
		if !yield(d) {
			return
		}
	}
}

// smallerTexts yields texts whose parse trees have one edit.
func smallerTexts(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for target := 0; ; target++ {
			trees, err := parseAny(text)
			if err != nil {
				return
			}
			e := &editor{target: target}
			for _, name := range slices.Sorted(maps.Keys(trees)) {
				if name != rootName && e.offer() {
					delete(trees, name)
					continue
				}
				e.list(trees[name].Root)
			}
			if !e.done {
				return
			}
			edited := write(trees)
			if _, err := parseAny(edited); err == nil && !yield(edited) {
				return
			}
		}
	}
}

// parseAny parses without looking at function names.
func parseAny(text string) (map[string]*parse.Tree, error) {
	trees := map[string]*parse.Tree{}
	t := parse.New(rootName)
	t.Mode = parse.SkipFuncCheck
	_, err := t.Parse(text, "", "", trees)
	return trees, err
}

func write(trees map[string]*parse.Tree) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if name != rootName {
			fmt.Fprintf(&b, "{{define %q}}%s{{end}}", name, trees[name].Root)
		}
	}
	if root := trees[rootName]; root != nil {
		b.WriteString(root.Root.String())
	}
	return b.String()
}

// editor applies one of the edits that a tree offers, counted in order.
type editor struct {
	target, seen int
	done         bool
}

// offer reports whether the next edit is the one to apply.
func (e *editor) offer() bool {
	e.seen++
	if e.done || e.seen-1 != e.target {
		return false
	}
	e.done = true
	return true
}

func (e *editor) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for i := 0; i < len(l.Nodes) && !e.done; i++ {
		if e.offer() {
			l.Nodes = slices.Delete(l.Nodes, i, i+1)
			return
		}
		if b := branchOf(l.Nodes[i]); b != nil {
			if e.splice(l, i, b) {
				return
			}
			e.branch(b)
			continue
		}
		switch n := l.Nodes[i].(type) {
		case *parse.ActionNode:
			e.pipe(n.Pipe)
		case *parse.TemplateNode:
			e.pipe(n.Pipe)
		}
	}
}

// splice offers to put an arm in the place of its branch.
func (e *editor) splice(l *parse.ListNode, i int, b *parse.BranchNode) bool {
	for _, arm := range []*parse.ListNode{b.List, b.ElseList} {
		if arm != nil && e.offer() {
			l.Nodes = slices.Concat(l.Nodes[:i:i], arm.Nodes, l.Nodes[i+1:])
			return true
		}
	}
	return false
}

func branchOf(n parse.Node) *parse.BranchNode {
	switch n := n.(type) {
	case *parse.IfNode:
		return &n.BranchNode
	case *parse.WithNode:
		return &n.BranchNode
	case *parse.RangeNode:
		return &n.BranchNode
	}
	return nil
}

func (e *editor) branch(b *parse.BranchNode) {
	if b.ElseList != nil && e.offer() {
		b.ElseList = nil
	}
	e.pipe(b.Pipe)
	e.list(b.List)
	e.list(b.ElseList)
}

func (e *editor) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	if len(p.Decl) > 0 && e.offer() {
		p.Decl = nil
	}
	if len(p.Cmds) > 1 && e.offer() {
		p.Cmds = p.Cmds[:len(p.Cmds)-1]
	}
	for _, c := range p.Cmds {
		e.command(p, c)
	}
}

// command offers to drop an argument, and to put one in the call's place.
func (e *editor) command(p *parse.PipeNode, c *parse.CommandNode) {
	for i := 1; i < len(c.Args) && !e.done; i++ {
		if e.offer() {
			c.Args = []parse.Node{c.Args[i]}
			return
		}
		if len(c.Args) > 2 && e.offer() {
			c.Args = slices.Delete(c.Args, i, i+1)
			return
		}
	}
	for i, a := range c.Args {
		switch a := a.(type) {
		case *parse.PipeNode:
			if len(a.Cmds) == 1 && len(a.Decl) == 0 && len(a.Cmds[0].Args) == 1 && e.offer() {
				c.Args[i] = a.Cmds[0].Args[0]
				return
			}
			if i == 0 && len(c.Args) == 1 && len(p.Cmds) == 1 && len(p.Decl) == 0 && e.offer() {
				*p = *a
				return
			}
			e.pipe(a)
		case *parse.StringNode:
			if a.Text != "" && e.offer() {
				a.Text, a.Quoted = "", `""`
			}
		case *parse.FieldNode:
			if len(a.Ident) > 1 && e.offer() {
				a.Ident = a.Ident[:1]
			}
		case *parse.ChainNode:
			if inner, ok := a.Node.(*parse.PipeNode); ok {
				e.pipe(inner)
			}
		}
	}
}
