package definition

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// MaxNesting is how deep collections of a definition file may be nested. No
// definition needs a tenth of it.
const MaxNesting = 64

// limits replaces the parser's own limits, whose messages do not name them.
// Aliases are checked by this package, because nothing is constructed here.
type limits struct{}

var errNesting = fmt.Errorf("collections are nested deeper than %d levels, the limit for a definition file", MaxNesting)

func (limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > MaxNesting {
		return errNesting
	}
	return nil
}

func (limits) CheckAlias(int, int) error { return nil }

var yamlOptions = yaml.Options(yaml.WithPlugin(limits{}))

// parse turns the bytes of a file into the root of its one document. If it
// returns nil, it has reported why.
func (d *document) parse(data []byte) *yaml.Node {
	text, bad, why := plain(data)
	d.lines.index(text)
	if bad < 0 {
		bad, why = control(text)
	}
	if bad >= 0 {
		d.report(d.lines.position(d.file, bad), "%s", why)
		return nil
	}
	first, second, err := load(text)
	switch {
	case err != nil:
		at, why := d.syntax(err)
		d.report(at, "%s", why)
	case second != nil:
		d.report(d.at(second), "a second YAML document begins here; write one definition a file")
	case empty(first):
		d.report(diag.Position{File: d.file}, "the file is empty; a definition starts with its id")
	default:
		return first.Content[0]
	}
	return nil
}

// load reads up to two documents. A panic of the parser on hostile input must
// not take other definitions down.
func load(text []byte) (first, second *yaml.Node, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the YAML parser cannot read this file")
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(text), yamlOptions)
	if err != nil {
		return nil, nil, err
	}
	if first, err = next(loader); err != nil || first == nil {
		return nil, nil, err
	}
	second, err = next(loader)
	return first, second, err
}

// next returns the next document, nil after the last one.
func next(loader *yaml.Loader) (*yaml.Node, error) {
	var doc yaml.Node
	switch err := loader.Load(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &doc, nil
}

func empty(doc *yaml.Node) bool {
	return doc == nil || len(doc.Content) == 0 || isNull(doc.Content[0])
}

// syntax words an error of the parser. Its messages are fixed phrases, but
// for those that cite the text; they are replaced.
func (d *document) syntax(err error) (at diag.Position, why string) {
	var inYAML *yaml.LoadError
	if !errors.As(err, &inYAML) {
		return diag.Position{File: d.file}, "the YAML parser cannot read this file"
	}
	at = d.lines.mark(d.file, inYAML.Mark.Line, inYAML.Mark.Column)
	begun := inYAML.ContextMark.Line
	if begun == 0 || begun == inYAML.Mark.Line {
		return at, explain(inYAML.Message, inYAML.ContextMsg)
	}
	line := d.lines.mark(d.file, begun, 1).Line
	return at, explain(inYAML.Message, fmt.Sprintf("%s that begins in line %d", inYAML.ContextMsg, line))
}

// explanations says what to do about the mistakes that people make most.
var explanations = []struct{ cites, advice string }{
	{"unknown anchor", `this is an alias to an anchor that does not exist; quote a text that starts with "*"`},
	{"mapping values are not allowed", `a ":" followed by a space stands where no key can; quote the text, or correct the indentation`},
	{"cannot start any token", "a tab or a reserved character stands where a key or a value must start; indent with spaces, and quote a text that starts with one of % @ `"},
	{"did not find expected key", "a key was expected here; correct the indentation"},
	{"could not find expected ':'", `a key without its ":"; correct the line, or the indentation of a text that goes on here`},
	{"did not find expected '-' indicator", `an item that starts with "-" was expected here; correct the indentation`},
	{"is not allowed in a YAML tag", `a character that is not allowed in a tag; quote a text that starts with "!"`},
	{"undefined tag handle", `a tag that is not declared; quote a text that starts with "!"`},
	{"levels, the limit", errNesting.Error()},
}

func explain(message, context string) string {
	for _, e := range explanations {
		if strings.Contains(message, e.cites) {
			return e.advice
		}
	}
	if context != "" {
		return "the file is not valid YAML: " + context + ": " + message
	}
	return "the file is not valid YAML: " + message
}
