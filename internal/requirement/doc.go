// Package requirement finds out what the templates of a prompt need, before
// any input exists: it walks them as text/template would execute them, over
// values that may be unknown.
//
// # The walk
//
// Compile turns parse trees into a Program: text is dropped, names are
// interned, and template variables get the slots in which the execution's
// stack would hold them. Analyze walks the Program in the order of
// text/template's exec.go. A value is a constant, the map of the caller's
// variables, or a symbol: something unknown with a kind, its causes, and
// whatever is known of it (a prefix, a short list of candidates, when it is
// true). The value of an absent variable and the content of an input are one
// symbol wherever they are read, so that {{eq .u .u}} is true.
//
// A branch whose condition is known is no branch. Otherwise the walk takes
// one arm after the other, each from the state at the branch, and joins what
// they changed. An arm starts with what its condition teaches: {{if .u}} says
// that u is not empty, {{if eq .u "x"}} what it is. A name is certain if the
// path is, or if both arms need it. An arm that fails in every execution
// contributes no success, so the other arm is no branch either. After an
// assignment under an unresolved branch, the variable is unknown with the
// causes of that branch.
//
// Nothing that a completion can do is excluded by guessing: where the walk
// cannot tell, the answer is conditional, and the causes of the decisions on
// the way are given as issues.
//
// # Absent variables
//
// A lookup of an absent variable ({{index . "name"}}) gives "", unless the
// variable is supplied after all because something else needs it. So the walk
// is repeated: the first round takes all absent variables to stay absent; a
// variable that the round finds to be needed or perhaps needed is left open
// in the next, in which every claim is proved again. A chain of such guards
// could ask for a round for each of its links, so after six rounds all are
// left open.
//
// Two more things are found in one round and used in the next: that some
// variable is required, so that the map is not empty; and what every success
// has in common at the end of a template ({{slice .u 0 1}} says that u is not
// empty), so that a branch that only failures take decides nothing.
//
// # What is tracked
//
//	construct            walked as
//	{{.a}} {{$.a}}       a demand: fails if a is absent, known if supplied
//	index . "a"          a lookup: never fails
//	input "n"            a read; its content is unknown
//	input .x             a read of what x is: one name, several, or unresolved
//	if, with, else       one arm, or a fork and a join
//	and, or              a fork where an operand may be skipped; a piped operand is evaluated first
//	eq, ne, lt, …        constants, candidates, identity, the empty text, lengths
//	not, len             linked to their operand: what decides one teaches the other
//	print, html, …       evaluated on constants by the function itself; else a prefix
//	slice, index "text"  evaluated on constants; else that the text is long enough
//	range 3              one iteration at a time, up to 64
//	range .              any iteration, and one for each supplied variable
//	range of an unknown  any iteration: what the body assigns is found beforehand
//	break, continue      what follows is inactive, or in doubt if they are
//	define, template     the body, with its argument as dot and $
//	recursion            until an argument is covered, or replaced by any value
//	caller's functions   opaque: arguments are evaluated, the result is unknown
//
// A template variable declared inside an operand that may be skipped is not
// followed; the answer is then unsupported_construct for everything.
//
// # Bounds
//
// Every analysis ends: it takes at most 100,000 steps and 64 more for each
// statement and expression. Past that the answer is unsupported_construct,
// with every name conditional. Independent branches cost their own size, so
// that a thousand of them, or ten thousand levels of nesting, are ordinary.
// A cancelled context is noticed at every branch and invocation.
package requirement
