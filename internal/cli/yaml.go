package cli

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// oneMapping parses a file that must be a single YAML mapping and returns its
// node, or nil for an empty document. What the parser says may quote the
// file, so only its position is used.
func oneMapping(data []byte, file string) (*yaml.Node, *diag.Problem) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, syntaxProblem(err, file)
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		return nil, &diag.Problem{Position: position(file, &second), Message: "there is a second document; keep one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxProblem(err, file)
	}
	root := &doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		root = doc.Content[0]
	}
	switch {
	case root.Kind == yaml.MappingNode:
		return root, nil
	case root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null":
		return nil, nil
	}
	return nil, &diag.Problem{Position: position(file, root), Message: "the file must hold names with values, one a line: name: value"}
}

func syntaxProblem(err error, file string) *diag.Problem {
	// Only what cannot be read as text at all has no place.
	if e := (*yaml.LoadError)(nil); errors.As(err, &e) && e.Mark.Line > 0 {
		at := diag.Position{File: file, Line: e.Mark.Line, Column: e.Mark.Column}
		return &diag.Problem{Position: at, Message: "the file is neither YAML nor JSON from here on; check quotes, indentation and brackets"}
	}
	return &diag.Problem{Position: diag.Position{File: file}, Message: "the file holds bytes that are no text; save it as UTF-8"}
}

func quoteName(name string) string { return strconv.Quote(name) }

func position(file string, n *yaml.Node) diag.Position {
	return diag.Position{File: file, Line: n.Line, Column: n.Column}
}
