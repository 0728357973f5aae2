package prompt

import (
	"fmt"
	"strings"
	"sync"
	"text/template/parse"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// What a template may be at most. Go's parser recurses without a limit of its
// own, so both are checked before it runs.
const (
	MaxBytes   = 1 << 20
	MaxNesting = 10_000
)

// Template is one compiled template with everything it defines. It is
// immutable and safe for concurrent use.
type Template struct {
	origin    diag.Origin
	text      string
	root      *parse.Tree
	trees     map[string]*parse.Tree
	functions *Functions
	renderers sync.Pool // of *renderer
}

// Compile parses text, which was written at origin. The problem, if any, says
// what is wrong and where without quoting more of the text than an
// identifier.
func Compile(text string, origin diag.Origin, functions *Functions) (*Template, *diag.Problem) {
	if len(text) > MaxBytes {
		return nil, problem(origin.At(1, 1), fmt.Sprintf("the template has %d bytes; the limit is %d: split the prompt into several messages or bind large text as an input", len(text), MaxBytes))
	}
	if at := nesting(text, MaxNesting); at >= 0 {
		return nil, problem(place(origin, text, at), fmt.Sprintf("the template nests its actions more than %d deep, which is the limit: flatten it", MaxNesting))
	}
	name := rootName(text)
	trees, err := parse.Parse(name, text, "", "", functions.known...)
	if err != nil {
		return nil, parseProblem(err, name, text, origin, functions)
	}
	for _, tree := range trees {
		markProgress(tree.Root, tree.Name != name)
	}
	return &Template{origin: origin, text: text, root: trees[name], trees: trees, functions: functions}, nil
}

func problem(at diag.Position, message string) *diag.Problem {
	return &diag.Problem{Position: at, Message: message}
}

// rootName returns a name for the root template that the text cannot mention:
// no name that is longer than the text can be written in it, whatever the
// escapes. Most texts name no template at all.
func rootName(text string) string {
	for _, word := range []string{"define", "block", "template"} {
		if strings.Contains(text, word) {
			return strings.Repeat("·", len(text)/len("·")+1)
		}
	}
	return "prompt"
}

// markProgress puts an empty text in front of every loop body and every
// invoked template. Executing it writes nothing, but it calls the writer, and
// that is how a rendering that only loops notices its context.
func markProgress(list *parse.ListNode, invoked bool) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.IfNode:
			markProgress(n.List, false)
			markProgress(n.ElseList, false)
		case *parse.WithNode:
			markProgress(n.List, false)
			markProgress(n.ElseList, false)
		case *parse.RangeNode:
			markProgress(n.List, true)
			markProgress(n.ElseList, false)
		}
	}
	if invoked {
		tick := &parse.TextNode{NodeType: parse.NodeText, Pos: list.Pos}
		list.Nodes = append([]parse.Node{tick}, list.Nodes...)
	}
}

// Root returns the parse tree of the template itself. Callers must not change
// it.
func (t *Template) Root() *parse.Tree { return t.root }

// Lookup returns the parse tree of a template defined in this one, or nil.
// Callers must not change it.
func (t *Template) Lookup(name string) *parse.Tree { return t.trees[name] }

// Functions returns the table the template was compiled with.
func (t *Template) Functions() *Functions { return t.functions }

// Lines returns an index that maps offsets in the template's text to places
// in the file it was written in.
func (t *Template) Lines() *Lines { return newLines(t.origin, t.text) }

// IsBlock reports whether the node was written as a block, which defines the
// template it invokes.
func (t *Template) IsBlock(n *parse.TemplateNode) bool {
	return strings.HasSuffix(strings.TrimRight(t.text[:n.Pos], " \t\r\n"), "block")
}

// hasAt reports whether the text has word at offset.
func (t *Template) hasAt(offset int, word string) bool {
	return offset >= 0 && offset <= len(t.text) && strings.HasPrefix(t.text[offset:], word)
}
