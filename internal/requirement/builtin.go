package requirement

// builtin is one of text/template's own functions.
type builtin uint8

const (
	fnNone builtin = iota
	fnAnd
	fnOr
	fnNot
	fnEq
	fnNe
	fnLt
	fnLe
	fnGt
	fnGe
	fnLen
	fnIndex
	fnSlice
	fnPrint
	fnPrintf
	fnPrintln
	fnHTML
	fnJS
	fnURLQuery
	fnCall
)

// builtins says how many arguments each function takes; max is -1 for any
// number. A comparison without a second value is refused when it is called.
var builtins = map[string]struct {
	op       builtin
	min, max int
}{
	"and": {fnAnd, 1, -1}, "or": {fnOr, 1, -1}, "not": {fnNot, 1, 1},
	"eq": {fnEq, 1, -1}, "ne": {fnNe, 2, 2}, "lt": {fnLt, 2, 2}, "le": {fnLe, 2, 2}, "gt": {fnGt, 2, 2}, "ge": {fnGe, 2, 2},
	"len": {fnLen, 1, 1}, "index": {fnIndex, 1, -1}, "slice": {fnSlice, 1, -1},
	"print": {fnPrint, 0, -1}, "printf": {fnPrintf, 1, -1}, "println": {fnPrintln, 0, -1},
	"html": {fnHTML, 0, -1}, "js": {fnJS, 0, -1}, "urlquery": {fnURLQuery, 0, -1},
	"call": {fnCall, 1, -1},
}

// Why an expression fails whatever the values, for Failure.Sentence.
const (
	whyNil         = "nil stands where a value is needed"
	whyNoFunction  = "something that is not a function is given an argument"
	whyOverflow    = "a number is too large"
	whyUndeclared  = "a template variable is used where it was not declared"
	whyArguments   = "a function is given the wrong number of arguments"
	whyField       = "a field is taken of a text or number, which has none: only . and $ have the caller's variables"
	whyNoValue     = "a field is taken of no value: the template was invoked without an argument"
	whyFieldArgs   = "a variable is followed by an argument; variables take none"
	whyRange       = "range needs a list, a map or a number; a variable is a text"
	whyRangeTwo    = "range over a number declares one variable, not two"
	whyUndefined   = "the template invokes a template that is not defined"
	whyRecursion   = "a template invokes itself without end"
	whyIndex       = "an index does not fit the value it is used on"
	whySlice       = "a slice does not fit the value it is taken of"
	whyLen         = "this value has no length"
	whyComparison  = "values that cannot be compared are compared"
	whyType        = "a function is given a value of the wrong type"
	whyCall        = "call needs a function; a variable is a text"
	whyAbsent      = "a variable is needed where there are none"
	whyEveryBranch = "every branch fails"
)
