package requirement

import (
	"strings"
	"text/template"
)

// evalCall evaluates a call of a built-in function: on constants by the
// function itself or a mirror of it, otherwise to what can be said without
// knowing every operand.
func (a *analysis) evalCall(e *expr) value {
	from := len(a.operands)
	args := a.evalOperands(e)
	v := a.apply(e, args)
	a.operands = a.operands[:from]
	return v
}

func (a *analysis) apply(e *expr, args []value) value {
	switch e.fn {
	case fnNot:
		return a.applyNot(args[0])
	case fnEq, fnNe:
		return a.applyEq(e, args)
	case fnLt, fnLe, fnGt, fnGe:
		return a.applyOrder(e, args)
	case fnLen:
		return a.applyLen(e, args[0])
	case fnIndex:
		return a.applyIndex(e, args)
	case fnSlice:
		return a.applySlice(e, args)
	case fnPrintf:
		return a.applyPrintf(e, args)
	case fnCall:
		return a.applyCall(e, args)
	}
	return a.applyText(e.fn, args)
}

func (a *analysis) allConstant(args []value) bool {
	for _, v := range args {
		if !v.constant() {
			return false
		}
	}
	return true
}

func (a *analysis) causesOfAll(args []value) cause {
	c := cause(0)
	for _, v := range args {
		c = a.union(c, a.causesOf(v))
	}
	return c
}

// unknownTextSymbol is a string that is not known because some operand is
// not.
func (a *analysis) unknownTextSymbol(args []value) symbol {
	for _, v := range args {
		if a.mayBeRoot(v) {
			a.look()
		}
	}
	c := a.causesOfAll(args)
	if c == 0 {
		c = a.opaque() // a computed text beyond the limit
	}
	return symbol{kind: kString, causes: c}
}

func (a *analysis) unknownText(args []value) value { return a.newSymbol(a.unknownTextSymbol(args)) }

func anyValues(args []value) []any {
	out := make([]any, len(args))
	for i, v := range args {
		out[i] = v.any()
	}
	return out
}

func (a *analysis) text(s string, args []value) value {
	if len(s) > maxConstant {
		return a.unknownText(args)
	}
	return stringValue(s)
}

// applyText evaluates the functions that turn any operands into a text.
func (a *analysis) applyText(fn builtin, args []value) value {
	if a.allConstant(args) {
		if totalLength(args) > maxConstant {
			return a.unknownText(args)
		}
		return a.text(textOf(fn, anyValues(args)), args)
	}
	s, d := a.unknownTextSymbol(args), detail{}
	switch fn {
	case fnPrint:
		if pieces, ok := a.printPieces(args); ok {
			return a.computedText(s, pieces)
		}
		d.prefix = knownStart(args)
	case fnPrintln:
		s.truth, d.suffix = yes, "\n"
	case fnHTML, fnJS, fnURLQuery:
		// Escaping is empty for the empty text only.
		if len(args) == 1 && args[0].kind == kString {
			d.pred = predOn(args[0].sym, false)
		}
	}
	return a.newDetailed(s, d)
}

// computedText is an unknown text of known pieces, or the one value that it
// comes down to.
func (a *analysis) computedText(s symbol, pieces []piece) value {
	d, truth, only, ok := detailOfPieces(pieces)
	if ok {
		return only
	}
	s.truth = truth
	return a.newDetailed(s, d)
}

func textOf(fn builtin, args []any) string {
	switch fn {
	case fnPrint:
		return sprint(args)
	case fnPrintln:
		return sprintln(args)
	case fnHTML:
		return template.HTMLEscaper(args...)
	case fnJS:
		return template.JSEscaper(args...)
	}
	return template.URLQueryEscaper(args...)
}

func totalLength(args []value) int {
	n := 0
	for _, v := range args {
		n += len(v.str)
	}
	return n
}

// knownStart is what printing the operands certainly begins with: the leading
// constants. Between operands that are not texts, print puts a space, which
// cannot come before the first one.
func knownStart(args []value) string {
	n := 0
	for n < len(args) && args[n].constant() {
		n++
	}
	return sprint(anyValues(args[:n]))
}

// applyPrintf evaluates printf. A width or precision can ask for a text of any
// length, so a format with a long number in it is not evaluated.
func (a *analysis) applyPrintf(e *expr, args []value) value {
	format := args[0]
	if format.kind != kString && format.kind != kAny {
		return a.fail(whyType, e.pos)
	}
	if a.allConstant(args) && modestFormat(format.str) && totalLength(args) <= maxConstant {
		return a.text(sprintf(format.str, anyValues(args[1:])), args)
	}
	if format.sym != 0 {
		return a.unknownFormat(format, args)
	}
	s := a.unknownTextSymbol(args)
	if pieces, ok := a.formatPieces(format.str, args[1:]); ok && !a.allConstant(args) {
		return a.computedText(s, pieces)
	}
	var d detail
	d.prefix, _, _ = strings.Cut(format.str, "%")
	return a.newDetailed(s, d)
}

// unknownFormat is printf of a format that is not known. Without operands,
// every format but the empty one prints something.
func (a *analysis) unknownFormat(format value, args []value) value {
	if len(args) == 1 && format.kind == kString {
		return a.newDetailed(a.unknownTextSymbol(args), detail{pred: predOn(format.sym, false)})
	}
	return a.unknownText(args)
}

// modestFormat reports whether a format asks for no great width.
func modestFormat(format string) bool {
	digits := 0
	for i := range len(format) {
		switch c := format[i]; {
		case c == '*':
			return false
		case '0' <= c && c <= '9':
			if digits++; digits > 3 {
				return false
			}
		default:
			digits = 0
		}
	}
	return true
}

func (a *analysis) applyNot(v value) value {
	switch t := a.truth(v); {
	case t != unknown:
		return boolValue(t == no)
	case v.sym != 0:
		return a.newDetailed(symbol{kind: kBool, causes: a.decisionCause(v)}, detail{pred: predOn(v.sym, true)})
	}
	if v.kind == kRoot && !a.escaped {
		return a.newDetailed(symbol{kind: kBool, causes: a.someVariable()}, detail{pred: predOn(a.rootSymbol(), true)})
	}
	return a.unknownOf(kBool, a.decisionCause(v))
}

func (a *analysis) applyLen(e *expr, v value) value {
	switch {
	case v.kind == kString && v.sym == 0:
		return intValue(len(v.str))
	case v.kind == kString:
		s := symbol{kind: kInt, sized: true, causes: a.causesOf(v)}
		return a.newDetailed(s, detail{lengthOf: v.sym, pred: predOn(v.sym, false)})
	case v.kind == kRoot:
		truth := a.truth(v)
		a.look()
		return a.newSymbol(symbol{kind: kInt, sized: true, causes: a.causesOf(v), truth: truth})
	case v.kind == kAny:
		return a.newSymbol(symbol{kind: kInt, sized: true, causes: a.causesOf(v)})
	}
	return a.fail(whyLen, e.pos)
}

// applyIndex folds the keys: index x 1 2 is x[1][2].
func (a *analysis) applyIndex(e *expr, args []value) value {
	item := args[0]
	if item.kind == kNil {
		return a.fail(whyIndex, e.pos)
	}
	for i, key := range args[1:] {
		switch item.kind {
		case kRoot:
			item = a.indexRoot(e, i == 0, key)
		case kString:
			item = a.indexString(e, item, key)
		case kAny:
			item = a.indexUnknown(e, i == 0, item, key)
		default:
			return a.fail(whyIndex, e.pos)
		}
	}
	return item
}

// indexRoot looks up a key of the caller's variables. Only the first key of a
// call can be one: the values are texts.
func (a *analysis) indexRoot(e *expr, first bool, key value) value {
	if !first || key.kind != kString && key.kind != kAny {
		return a.fail(whyIndex, e.pos)
	}
	if key.kind == kString && key.sym == 0 {
		n := a.p.occs[e.occ].name
		if n == noName {
			n = a.named(variableSpace, key.str)
		}
		return a.lookupVariable(e.occ, n)
	}
	return a.indexRootUnknown(e, key, a.causesOf(key))
}

func (a *analysis) indexRootUnknown(e *expr, key value, causes cause) value {
	a.look()
	if set := a.candidatesOf(key); set != nil {
		for _, s := range set {
			n := a.named(variableSpace, s)
			a.useOneOf(e.occ, n, a.decisionCause(key))
			if !a.variable(n).supplied {
				causes = a.union(causes, a.causesOf(a.variableSymbol(n)))
			}
		}
	} else {
		a.useUnresolved(e.occ, key)
		causes = a.union(causes, a.someVariable())
	}
	if causes == 0 {
		causes = a.decisionCause(key)
	}
	return a.unknownOf(kString, causes)
}

// indexUnknown indexes what may be the caller's variables or anything else.
func (a *analysis) indexUnknown(e *expr, first bool, item, key value) value {
	causes := a.union(a.causesOf(item), a.causesOf(key))
	if first && a.mayBeRoot(item) && (key.kind == kString || key.kind == kAny) {
		if key.kind == kString && key.sym == 0 {
			a.useOneOf(e.occ, a.named(variableSpace, key.str), a.causesOf(item))
			a.look()
		} else {
			causes = a.union(causes, a.causesOf(a.indexRootUnknown(e, key, causes)))
		}
	}
	return a.newSymbol(symbol{kind: kAny, mayRoot: a.escapedEver, causes: a.union(causes, a.opaque())})
}

func (a *analysis) indexString(e *expr, item, key value) value {
	switch {
	case key.kind != kInt && key.kind != kByte && key.kind != kAny:
		return a.fail(whyIndex, e.pos)
	case item.sym == 0 && key.constant():
		if i := key.int(); i >= 0 && i < len(item.str) {
			return byteValue(item.str[i])
		}
		return a.fail(whyIndex, e.pos)
	case key.constant() && key.int() < 0:
		return a.fail(whyIndex, e.pos)
	}
	a.learn(item, true) // there is an element
	return a.unknownOf(kByte, a.union(a.causesOf(item), a.causesOf(key)))
}

// applySlice takes a part of a string.
func (a *analysis) applySlice(e *expr, args []value) value {
	item, keys := args[0], args[1:]
	switch {
	case item.kind == kAny:
		return a.newSymbol(symbol{kind: kAny, causes: a.causesOfAll(args)})
	case item.kind != kString || len(keys) > 2:
		return a.fail(whySlice, e.pos)
	}
	for _, k := range keys {
		if k.kind != kInt && k.kind != kByte && k.kind != kAny {
			return a.fail(whySlice, e.pos)
		}
	}
	if len(keys) == 0 {
		return item
	}
	if !a.allConstant(args) {
		return a.sliceUnknown(e, item, keys, args)
	}
	from, to := keys[0].int(), len(item.str)
	if len(keys) == 2 {
		to = keys[1].int()
	}
	if from < 0 || to > len(item.str) || from > to {
		return a.fail(whySlice, e.pos)
	}
	return stringValue(item.str[from:to])
}

// sliceUnknown is a part of a string that is not known. It can only be taken
// of one that is long enough.
func (a *analysis) sliceUnknown(e *expr, item value, keys, args []value) value {
	v := a.unknownOf(kString, a.causesOfAll(args))
	if !a.allConstant(keys) {
		return v
	}
	from, to := keys[0].int(), -1
	if len(keys) == 2 {
		to = keys[1].int()
	}
	switch {
	case from < 0, len(keys) == 2 && from > to:
		return a.fail(whySlice, e.pos)
	case from == 0 && len(keys) == 1:
		return item
	case from == to:
		v = stringValue("")
	case to > from:
		a.symbols[v.sym].truth = yes
	}
	if max(from, to) > 0 {
		a.learn(item, true)
	}
	return v
}

// applyCall is the built-in call: only a caller's function gives something
// that can be called.
func (a *analysis) applyCall(e *expr, args []value) value {
	if args[0].kind != kAny {
		return a.fail(whyCall, e.pos)
	}
	for _, v := range args[1:] {
		if a.mayBeRoot(v) {
			a.escape()
		}
	}
	return a.newSymbol(symbol{kind: kAny, mayRoot: a.escapedEver, causes: a.opaque()})
}
