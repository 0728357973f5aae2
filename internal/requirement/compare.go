package requirement

import (
	"fmt"
	"math"
	"slices"
)

func sprint(args []any) string                 { return fmt.Sprint(args...) }
func sprintln(args []any) string               { return fmt.Sprintln(args...) }
func sprintf(format string, args []any) string { return fmt.Sprintf(format, args...) }

// verdict is the outcome of comparing two values.
type verdict uint8

const (
	same verdict = iota
	different
	either // not known
	broken // the comparison itself fails
)

// applyEq is eq, which compares its first operand with each of the others
// until one equals it, and ne, which is its negation.
func (a *analysis) applyEq(e *expr, args []value) value {
	if len(args) < 2 {
		return a.fail(whyComparison, e.pos)
	}
	negate := e.fn == fnNe
	open := false
	for _, v := range args[1:] {
		switch a.compare(args[0], v) {
		case same: // whatever the earlier ones gave
			return boolValue(!negate)
		case either:
			open = true
		case broken:
			if !open {
				return a.fail(whyComparison, e.pos)
			}
			// Who gets past this comparison was equal before it.
			return boolValue(!negate)
		}
	}
	if !open {
		return boolValue(negate)
	}
	return a.unknownEq(args, negate)
}

// unknownEq is an undecided comparison, with what it says about a string that
// is compared with constants.
func (a *analysis) unknownEq(args []value, negate bool) value {
	s := symbol{kind: kBool, causes: a.causesOfAll(args)}
	if s.causes == 0 {
		s.causes = a.opaque()
	}
	subject, set := args[0], args[1:]
	if len(args) == 2 && subject.constant() {
		subject, set = args[1], args[:1]
	}
	p := pred{op: predEq, negate: negate, a: subject.sym}
	for _, v := range set {
		if v.kind != kString || v.sym != 0 {
			return a.equalTruth(s, args, negate)
		}
		p.set = append(p.set, v.str)
	}
	if subject.kind != kString || subject.sym == 0 {
		return a.equalTruth(s, args, negate)
	}
	return a.newDetailed(s, detail{pred: p})
}

// equalTruth knows one more thing: a length is 0 when its text is empty, and
// a truth value equals a constant one when it has that truth.
func (a *analysis) equalTruth(s symbol, args []value, negate bool) value {
	if len(args) == 2 {
		x, y := args[0], args[1]
		if x.constant() {
			x, y = y, x
		}
		switch {
		case x.sym == 0 || !y.constant():
		case x.kind == kInt && a.detailOf(x.sym).lengthOf != 0 && y.int() == 0 && y.kind == kInt:
			return a.newDetailed(s, detail{pred: predOn(x.sym, !negate)})
		case x.kind == kBool && y.kind == kBool:
			return a.newDetailed(s, detail{pred: predOn(x.sym, negate == (y.num == 1))})
		}
	}
	return a.newSymbol(s)
}

// compare mirrors one comparison of text/template's eq.
func (a *analysis) compare(x, y value) verdict {
	switch {
	case x.kind == kAny || y.kind == kAny:
		return either
	case x.kind == kNil || y.kind == kNil:
		return sameIf(x.kind == y.kind)
	case integer(x.kind) && integer(y.kind):
	case x.kind != y.kind:
		return broken
	case x.kind == kRoot:
		return broken // maps are not comparable
	}
	if x.sym == 0 && y.sym == 0 {
		return sameIf(equalConstants(x, y))
	}
	if x.sym == y.sym && x.kind != kFloat { // which may be NaN
		return same
	}
	switch x.kind {
	case kString:
		return a.compareStrings(x, y)
	case kBool:
		tx, ty := a.truth(x), a.truth(y)
		if tx != unknown && ty != unknown {
			return sameIf(tx == ty)
		}
	case kInt, kByte:
		return a.compareTruths(x, y)
	}
	return either
}

func integer(k kind) bool { return k == kInt || k == kByte }

func sameIf(b bool) verdict {
	if b {
		return same
	}
	return different
}

func equalConstants(x, y value) bool {
	switch x.kind {
	case kString:
		return x.str == y.str
	case kFloat:
		return math.Float64frombits(x.num) == math.Float64frombits(y.num)
	case kComplex:
		return math.Float64frombits(x.num) == math.Float64frombits(y.num) && x.imag == y.imag
	}
	return x.num == y.num
}

// compareTruths tells numbers apart by one being 0 and the other not.
func (a *analysis) compareTruths(x, y value) verdict {
	tx, ty := a.truth(x), a.truth(y)
	if tx != unknown && ty != unknown && (tx != ty || tx == no) {
		return sameIf(tx == ty)
	}
	return either
}

func (a *analysis) compareStrings(x, y value) verdict {
	if x.sym == 0 {
		x, y = y, x
	}
	if y.sym == 0 {
		return verdictOf(a.isOneOf(x.sym, []string{y.str}))
	}
	xs, ys := a.candidatesOf(x), a.candidatesOf(y)
	if xs != nil && ys != nil && !slices.ContainsFunc(xs, func(s string) bool { return slices.Contains(ys, s) }) {
		return different
	}
	return either
}

func verdictOf(t tri) verdict {
	switch t {
	case yes:
		return same
	case no:
		return different
	}
	return either
}

// applyOrder is lt, le, gt and ge.
func (a *analysis) applyOrder(e *expr, args []value) value {
	x, y := args[0], args[1]
	switch {
	case x.kind == kAny || y.kind == kAny:
		return a.unknownOf(kBool, a.union(a.causesOfAll(args), a.opaque()))
	case !ordered(x.kind) || !ordered(y.kind):
		return a.fail(whyComparison, e.pos)
	case x.kind != y.kind && !(integer(x.kind) && integer(y.kind)):
		return a.fail(whyComparison, e.pos)
	case x.constant() && y.constant():
		return boolValue(compareOrder(e.fn, x, y))
	}
	if v, ok := a.orderFromZero(e.fn, x, y); ok {
		return v
	}
	c := a.causesOfAll(args)
	if c == 0 {
		c = a.opaque()
	}
	return a.newDetailed(symbol{kind: kBool, causes: c}, detail{pred: orderPred(e.fn, x, y)})
}

// orderPred says what follows for a text that comes after another one: it is
// not empty.
func orderPred(fn builtin, x, y value) pred {
	if x.kind == kString && x.sym == 0 {
		x, y, fn = y, x, mirrored[fn]
	}
	if x.kind == kString && x.sym != 0 && (fn == fnGt || fn == fnGe && y.sym == 0 && y.str != "") {
		return pred{op: predOnly, a: x.sym}
	}
	return pred{}
}

func ordered(k kind) bool { return k == kString || k == kFloat || integer(k) }

func compareOrder(fn builtin, x, y value) bool {
	less, equal := lessConstants(x, y), equalConstants(x, y)
	switch fn {
	case fnLt:
		return less
	case fnLe:
		return less || equal
	case fnGt:
		return !less && !equal
	}
	return !less
}

func lessConstants(x, y value) bool {
	switch x.kind {
	case kString:
		return x.str < y.str
	case kFloat:
		return math.Float64frombits(x.num) < math.Float64frombits(y.num)
	}
	return int64(x.num) < int64(y.num)
}

// orderFromZero decides comparisons with a constant that ask whether a length
// is 0, or a text empty, or nothing at all: nothing comes before those.
func (a *analysis) orderFromZero(fn builtin, x, y value) (value, bool) {
	if x.constant() {
		x, y = y, x
		fn = mirrored[fn]
	}
	isLength := x.sym != 0 && a.detailOf(x.sym).lengthOf != 0
	if x.sym == 0 || !y.constant() || !isLength && (y.kind != kString || y.str != "") {
		return value{}, false
	}
	n := y.int() // 0 for the empty text
	s := symbol{kind: kBool, causes: a.causesOf(x)}
	switch {
	case n < 0, n == 0 && (fn == fnLt || fn == fnGe):
		return boolValue(fn == fnGt || fn == fnGe), true
	case n == 0 && fn == fnGt, n == 1 && fn == fnGe:
		return a.newDetailed(s, detail{pred: predOn(x.sym, false)}), true
	case n == 0 && fn == fnLe, n == 1 && fn == fnLt:
		return a.newDetailed(s, detail{pred: predOn(x.sym, true)}), true
	}
	return value{}, false
}

// mirrored is the comparison that holds with the operands swapped.
var mirrored = map[builtin]builtin{fnLt: fnGt, fnLe: fnGe, fnGt: fnLt, fnGe: fnLe}
