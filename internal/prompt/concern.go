package prompt

import (
	"slices"
	"strconv"
	"text/template/parse"
)

// concern is what the expression of a failed action reads, as far as the
// syntax alone tells: dot and $ have to be the caller's variables there.
type concern struct {
	offset  int
	dot     bool // dot is the caller's variables
	dollar  bool // and so is $
	found   bool
	unclear bool // something else is read, which may be what failed
	names   []reading
}

// reading is one name that an expression reads.
type reading struct {
	name  string
	input bool
}

func (r reading) String() string {
	if r.input {
		return "input " + strconv.Quote(r.name)
	}
	return "variable " + strconv.Quote(r.name)
}

// concerned returns the one variable or input that the expression at offset
// is about. There is none if it reads several, or what it reads depends on
// what ran before.
func (t *Template) concerned(offset int) (reading, bool) {
	c := &concern{offset: offset, dot: true, dollar: true}
	c.list(t.root.Root)
	if !c.found || c.unclear || len(c.names) != 1 {
		return reading{}, false
	}
	return c.names[0], true
}

func (c *concern) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		if c.found {
			return
		}
		switch n := node.(type) {
		case *parse.ActionNode:
			c.pipe(n.Pipe)
		case *parse.IfNode:
			c.branch(&n.BranchNode, c.dot)
		case *parse.WithNode:
			c.branch(&n.BranchNode, false)
		case *parse.RangeNode:
			c.branch(&n.BranchNode, false)
		case *parse.TemplateNode:
			c.pipe(n.Pipe)
		}
	}
}

// branch looks at the pipeline and both arms; inDot says whether dot is still
// the caller's variables in the first arm.
func (c *concern) branch(n *parse.BranchNode, inDot bool) {
	c.pipe(n.Pipe)
	outer := c.dot
	c.dot = outer && inDot
	c.list(n.List)
	c.dot = outer
	c.list(n.ElseList)
}

// pipe looks for the command at the offset. A command that reads no name got
// its value from the ones before it, so then the whole pipeline counts.
func (c *concern) pipe(pipe *parse.PipeNode) {
	if pipe == nil || c.found {
		return
	}
	for _, decl := range pipe.Decl {
		if decl.Ident[0] == "$" {
			c.dollar = false
		}
	}
	for _, cmd := range pipe.Cmds {
		for _, arg := range cmd.Args {
			if nested, ok := arg.(*parse.PipeNode); ok {
				c.pipe(nested)
			}
		}
		if c.found {
			return
		}
		if c.found = c.at(cmd); !c.found {
			continue
		}
		c.read(cmd)
		if len(c.names) == 0 {
			c.read(pipe)
		}
		return
	}
}

// at reports whether the command or one of its arguments is at the offset.
func (c *concern) at(cmd *parse.CommandNode) bool {
	if int(cmd.Position()) == c.offset {
		return true
	}
	for _, arg := range cmd.Args {
		if int(arg.Position()) == c.offset {
			return true
		}
	}
	return false
}

// read collects the names that an expression reads.
func (c *concern) read(node parse.Node) {
	switch n := node.(type) {
	case *parse.PipeNode:
		for _, cmd := range n.Cmds {
			c.read(cmd)
		}
	case *parse.CommandNode:
		for _, arg := range c.literal(n) {
			c.read(arg)
		}
	case *parse.ChainNode:
		c.read(n.Node)
	case *parse.FieldNode:
		c.root(c.dot, n.Ident)
	case *parse.VariableNode:
		c.root(c.dollar && n.Ident[0] == "$", n.Ident[1:])
	case *parse.DotNode:
		c.unclear = true
	}
}

// root notes a chain of fields that starts at the caller's variables.
func (c *concern) root(whole bool, fields []string) {
	if !whole || len(fields) == 0 {
		c.unclear = true
		return
	}
	c.add(reading{name: fields[0]})
}

// literal notes the name in input "name" and in index . "name", and returns
// the arguments that are left to be read.
func (c *concern) literal(cmd *parse.CommandNode) []parse.Node {
	function, _ := cmd.Args[0].(*parse.IdentifierNode)
	switch {
	case function == nil:
		return cmd.Args
	case function.Ident == InputFunc && len(cmd.Args) == 2:
		if name, ok := cmd.Args[1].(*parse.StringNode); ok {
			c.add(reading{name.Text, true})
			return nil
		}
	case function.Ident == "index" && len(cmd.Args) > 2 && c.variables(cmd.Args[1]):
		if name, ok := cmd.Args[2].(*parse.StringNode); ok {
			c.add(reading{name: name.Text})
			return cmd.Args[3:]
		}
	}
	return cmd.Args[1:]
}

// variables reports whether the node is the caller's variables as a whole.
func (c *concern) variables(node parse.Node) bool {
	switch n := node.(type) {
	case *parse.DotNode:
		return c.dot
	case *parse.VariableNode:
		return c.dollar && len(n.Ident) == 1 && n.Ident[0] == "$"
	}
	return false
}

func (c *concern) add(r reading) {
	if !slices.Contains(c.names, r) {
		c.names = append(c.names, r)
	}
}
