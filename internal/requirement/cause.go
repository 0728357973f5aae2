package requirement

// cause is a set of reasons for not knowing something: an index into the
// arena of an analysis. 0 is the empty set. Joining two sets costs one node,
// whatever their size; sets are only listed for the report.
type cause int32

// causeNode is a leaf (code and name) or, with a set right, a pair.
type causeNode struct {
	left, right cause
	code        Code
	name        nameID
	root        bool // the set of supplied variables as a whole
	seen        bool
}

const noName nameID = -1

func (a *analysis) leaf(code Code, name nameID) cause {
	a.causes = append(a.causes, causeNode{code: code, name: name})
	return cause(len(a.causes) - 1)
}

// union joins two sets.
func (a *analysis) union(x, y cause) cause {
	if x == 0 || x == y {
		return y
	}
	if y == 0 {
		return x
	}
	if n := a.causes[x]; n.right != 0 && (n.left == y || n.right == y) {
		return x
	}
	a.causes = append(a.causes, causeNode{left: x, right: y})
	return cause(len(a.causes) - 1)
}

// opaque is the cause of everything that a caller's function decides.
func (a *analysis) opaque() cause {
	if a.opaqueCause == 0 {
		a.opaqueCause = a.leaf(ExpressionUnresolved, noName)
	}
	return a.opaqueCause
}

// unsupported is the cause of everything beyond the analysis.
func (a *analysis) unsupported() cause {
	if a.unsupportedCause == 0 {
		a.unsupportedCause = a.leaf(UnsupportedConstruct, noName)
	}
	return a.unsupportedCause
}

// someVariable is the cause of everything that depends on which variables
// there are at all.
func (a *analysis) someVariable() cause {
	if a.rootCause == 0 {
		a.rootCause = a.leaf(MissingVariable, noName)
		a.causes[a.rootCause].root = true
	}
	return a.rootCause
}

// eachLeaf calls visit for each leaf below c that it has not been called for
// in this analysis.
func (a *analysis) eachLeaf(c cause, visit func(causeNode)) {
	stack := append(a.causeStack[:0], c)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &a.causes[c]
		if c == 0 || n.seen {
			continue
		}
		n.seen = true
		if n.right == 0 {
			visit(*n)
			continue
		}
		stack = append(stack, n.right, n.left)
	}
	a.causeStack = stack
}
