package requirement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What a computed text certainly begins and ends with, and whether it can be
// empty, comes from its pieces: literal text, constants and unknown values.

// piece is a part of a computed text.
type piece struct {
	known  string // what it is, if it is known
	open   bool   // it is not known
	filled bool   // open: it is never empty
	value  value  // open: the value that it prints, if it prints just that
	start  string // open: what it begins with
}

// detailOfPieces returns what is certain of the pieces together. If they come
// down to one value, that is returned as well.
func detailOfPieces(pieces []piece) (d detail, truth tri, only value, ok bool) {
	first := slices.IndexFunc(pieces, func(p piece) bool { return p.open })
	for _, p := range pieces[:first] {
		d.prefix += p.known
	}
	d.prefix += pieces[first].start
	last := len(pieces) - 1
	for ; !pieces[last].open; last-- {
		d.suffix = pieces[last].known + d.suffix
	}
	var open []value
	for _, p := range pieces {
		if p.known != "" || p.filled {
			truth = yes
		}
		if p.open {
			open = append(open, p.value)
		}
	}
	if truth == yes {
		return d, truth, value{}, false
	}
	d.pred = predOfPieces(open)
	return d, truth, open[0], len(open) == 1 && open[0].sym != 0
}

// predOfPieces says when a text of one or two strings is not empty.
func predOfPieces(open []value) pred {
	for _, v := range open {
		if v.kind != kString || v.sym == 0 {
			return pred{}
		}
	}
	switch len(open) {
	case 1:
		return predOn(open[0].sym, false)
	case 2:
		return pred{op: predOr, a: open[0].sym, b: open[1].sym}
	}
	return pred{}
}

// printed is an operand as %v prints it.
func (a *analysis) printed(v value) piece {
	switch {
	case v.constant():
		return piece{known: fmt.Sprint(v.any())}
	case v.kind == kString:
		return piece{open: true, value: v, filled: a.truth(v) == yes, start: a.prefixOf(v)}
	case v.kind == kRoot:
		return piece{open: true, filled: true, start: "map["}
	}
	return piece{open: true, filled: v.kind != kAny}
}

// printPieces are the pieces of print: it puts a space between operands of
// which neither is a text.
func (a *analysis) printPieces(args []value) ([]piece, bool) {
	pieces := make([]piece, 0, len(args))
	for i, v := range args {
		if i > 0 && v.kind != kString && args[i-1].kind != kString {
			if v.kind == kAny || args[i-1].kind == kAny {
				return nil, false
			}
			pieces = append(pieces, piece{known: " "})
		}
		pieces = append(pieces, a.printed(v))
	}
	return pieces, true
}

// verb is a plain formatting directive, without flags, width or precision.
var verb = regexp.MustCompile(`%[a-z%]`)

// formatPieces are the pieces of printf with a known format, if all of its
// directives are plain.
func (a *analysis) formatPieces(format string, args []value) ([]piece, bool) {
	var pieces []piece
	at := 0
	for _, m := range verb.FindAllStringIndex(format, -1) {
		if strings.Contains(format[at:m[0]], "%") {
			return nil, false
		}
		pieces = append(pieces, piece{known: format[at:m[0]]})
		at = m[1]
		switch directive := format[m[0]:m[1]]; {
		case directive == "%%":
			pieces = append(pieces, piece{known: "%"})
		case len(args) == 0:
			pieces = append(pieces, piece{known: "%!" + directive[1:] + "(MISSING)"})
		default:
			pieces = append(pieces, a.formatted(directive, args[0]))
			args = args[1:]
		}
	}
	if strings.Contains(format[at:], "%") {
		return nil, false
	}
	pieces = append(pieces, piece{known: format[at:]})
	if len(args) > 0 {
		pieces = append(pieces, piece{known: "%!(EXTRA "}, piece{open: true}, piece{known: ")"})
	}
	return pieces, true
}

// formatted is an operand as a directive prints it.
func (a *analysis) formatted(directive string, v value) piece {
	switch {
	case v.constant():
		return piece{known: fmt.Sprintf(directive, v.any())}
	case directive == "%s" && v.kind == kString, directive == "%v":
		return a.printed(v)
	}
	return piece{open: true, filled: (directive == "%q" || directive == "%d") && v.kind == kString}
}
