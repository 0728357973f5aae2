package requirement

import (
	"math"
	"slices"
)

// kind is the type of a value, as far as the analysis tells types apart.
type kind uint8

const (
	kAny     kind = iota // not known: the result of a caller's function
	kNil                 // text/template's invalid value: nil, or a missing argument
	kString              //
	kInt                 //
	kByte                // an element of a string
	kBool                //
	kFloat               //
	kComplex             //
	kRoot                // the caller's variables
)

// tri is a truth value that may be unknown.
type tri uint8

const (
	unknown tri = iota
	yes
	no
)

func triOf(b bool) tri {
	if b {
		return yes
	}
	return no
}

func (t tri) not() tri {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

// value is what an expression is known to be: a constant, the map of the
// caller's variables, or a symbol that stands for something unknown.
type value struct {
	kind kind
	sym  symID   // not 0: unknown, and everything else but kind is unset
	str  string  // kString
	num  uint64  // kInt, kByte, kBool as integers; kFloat as bits; kComplex's real part as bits
	imag float64 // kComplex
}

// symID names a symbol of one analysis; 0 is none.
type symID int32

func stringValue(s string) value { return value{kind: kString, str: s} }
func intValue(n int) value       { return value{kind: kInt, num: uint64(n)} }
func byteValue(b byte) value     { return value{kind: kByte, num: uint64(b)} }

func boolValue(b bool) value {
	if b {
		return value{kind: kBool, num: 1}
	}
	return value{kind: kBool}
}

func floatValue(f float64) value { return value{kind: kFloat, num: math.Float64bits(f)} }

func complexValue(c complex128) value {
	return value{kind: kComplex, num: math.Float64bits(real(c)), imag: imag(c)}
}

var (
	nilValue  = value{kind: kNil}
	rootValue = value{kind: kRoot}
)

// constant reports whether the value is fully known. The map of variables is
// not: a completion may add to it.
func (v value) constant() bool { return v.sym == 0 && v.kind != kRoot }

func (v value) int() int { return int(v.num) }

// any is the Go value that an execution would have, for constants.
func (v value) any() any {
	switch v.kind {
	case kString:
		return v.str
	case kInt:
		return v.int()
	case kByte:
		return byte(v.num)
	case kBool:
		return v.num == 1
	case kFloat:
		return math.Float64frombits(v.num)
	case kComplex:
		return complex(math.Float64frombits(v.num), v.imag)
	}
	return nil
}

// constTruth is the truth of a constant, as text/template's IsTrue has it.
func (v value) constTruth() bool {
	switch v.kind {
	case kString:
		return v.str != ""
	case kFloat:
		return math.Float64frombits(v.num) != 0
	case kComplex:
		return math.Float64frombits(v.num) != 0 || v.imag != 0
	case kNil:
		return false
	}
	return v.num != 0
}

// symbol stands for a value that is not known. Symbols are many and made
// often, so they hold no pointers: what only some have is in a detail, and
// what a path has learned of one in a fact, each in an arena of the analysis.
type symbol struct {
	kind     kind
	mayRoot  bool  // kAny: it may be the map of the caller's variables
	rootOnly bool  // nothing else that it may be has fields
	widened  bool  // it stands for every value of its kind
	sized    bool  // it is true exactly if a range over it has an element
	stable   bool  // kAny: no map, whose truth a caller's function could change
	loose    bool  // its truth is a question of when it is asked
	weight   uint8 // how many symbols its pred asks in turn
	truth    tri
	causes   cause
	detail   int32 // what is known of it on every path; 0: nothing more
	fact     int32 // what the path knows; 0: nothing more
	sure     int32 // what holds in every success, as an earlier round has found
	stamp    uint32
	pos      int32
}

// detail is what is known of some symbols on every path.
type detail struct {
	prefix   string   // kString: every value begins with it
	suffix   string   // kString: every value ends with it
	set      []string // kString: the candidates; nil if there is no such list
	pred     pred     // when it is true, in terms of other symbols
	lengthOf symID    // kInt: it is the length of this string
}

// fact is what the current path has learned about a symbol.
type fact struct {
	truth tri
	set   []string // kString: the candidates left; nil if there is no such list
	not   []string // kString: excluded values
}

// pred says when a symbol is true.
type pred struct {
	op     predOp
	negate bool
	a, b   symID
	set    []string // predEq: a is one of these
}

type predOp uint8

const (
	predNone predOp = iota
	predTrue        // a is true
	predEq          // a is in set
	predAnd         // a and b are true
	predOr          // a or b is true
	predOnly        // only if a is true
)

const (
	maxSet    = 8  // candidates of a finite string
	maxNot    = 16 // excluded values of a string
	maxWeight = 24 // symbols that a pred asks; each truth costs a walk over them
)

// meet is what two facts say together. Where they contradict each other no
// execution has both, and the first one stands.
func meet(x, y fact) fact {
	if x.truth == unknown {
		x.truth = y.truth
	}
	switch {
	case x.set == nil:
		x.set = y.set
	case y.set != nil:
		x = narrow(x, x.set, func(v string) bool { return slices.Contains(y.set, v) })
	}
	for _, v := range y.not {
		x.not = exclude(x.not, v)
	}
	return x
}

func (f fact) empty() bool { return f.truth == unknown && f.set == nil && f.not == nil }

func (f fact) equal(g fact) bool {
	return f.truth == g.truth && slices.Equal(f.set, g.set) && slices.Equal(f.not, g.not)
}
