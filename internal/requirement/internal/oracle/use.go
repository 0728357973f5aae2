package oracle

import (
	"slices"
	"text/template/parse"
)

// use tells what a value can influence where it stands. It decides how many
// different values a name needs to be tried with, and nothing else.
type use struct {
	value valueUse
	lits  []string // with usedEqual: what it is compared with
	root  rootUse  // how the variable map itself would be observed here
}

// valueUse grades what a text can influence, weakest first.
type valueUse uint8

const (
	usedNowhere valueUse = iota // printed, or irrelevant
	usedTruth                   // whether it is empty
	usedEqual                   // whether it equals a literal
	usedAny
)

// rootUse grades what can be seen of the whole variable map.
type rootUse uint8

const (
	rootHidden  rootUse = iota
	rootTruth           // whether it has any key
	rootKeys            // how many keys it has
	rootAll             // keys and values
	rootEscapes         // an opaque function has it and may change it
)

var (
	useNone   = use{}
	usePass   = use{value: usedAny}
	useTruth  = use{value: usedTruth, root: rootTruth}
	useWith   = use{value: usedAny, root: rootTruth}
	useLen    = use{value: usedAny, root: rootKeys}
	useAll    = use{value: usedAny, root: rootAll}
	useOpaque = use{value: usedAny, root: rootEscapes}
)

// printed reports whether a value in this place only becomes output.
func (u use) printed() bool { return u.value == usedNowhere && u.root == rootHidden }

// argumentUse tells how an argument of the call c is used, where the call's
// own result is used as want says. arg is the argument's index in c.Args, or
// len(c.Args) for the piped one; piped tells whether there is one.
func argumentUse(c *parse.CommandNode, arg int, piped bool, want use) use {
	fn, ok := c.Args[0].(*parse.IdentifierNode)
	if !ok {
		return useNone // an argument of what is no function: always an error
	}
	switch fn.Ident {
	case "print", "println", "printf", "html", "js", "urlquery":
		if want.printed() {
			return useNone
		}
		return useAll
	case "not":
		return useTruth
	case "and", "or":
		return operandUse(want)
	case "eq", "ne":
		return comparedUse(c, arg, piped)
	case "len":
		return useLen
	case "index":
		if arg == 1 && len(c.Args) == 2 && !piped {
			return want.join(useAll) // the item itself is the result
		}
		return usePass
	case "slice", "lt", "le", "gt", "ge", "input":
		return usePass
	}
	return useOpaque
}

// operandUse is the use of an operand of and or or: it decides, and it may be
// the result.
func operandUse(want use) use {
	u := want
	if u.value < usedTruth {
		u.value = usedTruth
	}
	if u.value == usedEqual {
		u.value = usedAny // and, or keep operands: compared and tested
	}
	u.root = max(u.root, rootTruth)
	return u
}

// comparedUse is the use of an argument of eq or ne: only equality with the
// other operands matters, if those are literal.
func comparedUse(c *parse.CommandNode, arg int, piped bool) use {
	u := use{value: usedEqual}
	for i, other := range c.Args {
		if i == 0 || i == arg {
			continue
		}
		switch other := other.(type) {
		case *parse.StringNode:
			u.lits = append(u.lits, other.Text)
		case *parse.NumberNode, *parse.BoolNode, *parse.NilNode:
			// no text equals it
		default:
			return usePass
		}
	}
	if piped && arg < len(c.Args) {
		return usePass
	}
	return u
}

// join is the use of a value that is used in both ways.
func (u use) join(v use) use {
	return use{
		value: max(u.value, v.value),
		lits:  append(slices.Clone(u.lits), v.lits...),
		root:  max(u.root, v.root),
	}
}
