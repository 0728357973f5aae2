// Package prompt compiles and renders the templates of a prompt.
//
// A template is Go's text/template with missingkey=error over the caller's
// map[string]string, plus one helper, input, that returns the content bound to
// an input. Functions is the one table of what a template may call; rendering
// and analysis both work from it.
//
// Go's own errors cannot be passed on: an execution error quotes values and a
// parse error quotes the text. Both are reworded here into fixed sentences
// with the place in the file the text came from.
package prompt
