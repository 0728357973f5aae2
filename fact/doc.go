// Package fact renders instructions that state run-time facts to a model:
// which action of its budget it is about to take, how many it may take, and
// how many are left. "You have used 22 of your 30 actions" becomes something
// an instruction can say.
//
// An instruction names a fact between two braces:
//
//	This is action {{action}} of {{actionBudget}}; {{actionsRemaining}} left.
//
// Before each action the host renders the instruction with the [Turn] it is
// in. The package is pure: it keeps no state, reads no clock, logs nothing and
// imports only the standard library, so an agent loop can use it alone. All
// its functions are safe for concurrent use.
//
// # Why a closed vocabulary
//
// The facts are these three, and a caller cannot add one:
//
//	action            the action about to be taken, counted from 1
//	actionBudget      how many actions this turn may take
//	actionsRemaining  how many are left after this one, never negative
//
// A function from name to value would be more general, and worse. A function
// has an answer for every name, usually the zero value, so a misspelt
// placeholder or a host without a budget turns into "action 23 of 0": a
// statement that looks like a fact, that the model believes, and that nobody
// notices. A closed list lets a typo be refused when the instruction is
// loaded ([CheckKnown]), long before a model reads it. It gives every fact one
// meaning, so an instruction means the same in each host that runs it. And it
// keeps arithmetic here, where "remaining" is tested at its edges, and not in
// every caller.
//
// # Why all or nothing
//
// A host may not know a fact: it has no budget, say. [Render] then renders
// nothing at all. Leaving a gap, a zero or the placeholder itself would hand
// the model a broken or a false sentence, and no rule for what to print
// instead suits every sentence. The host leaves the instruction out and can
// say why, since [Missing] names what was lacking.
//
// # Grammar
//
// A placeholder is two opening braces, optional white space, one or more of
// the letters A to Z and a to z, the digits 0 to 9 and the underscore, optional
// white space, and two closing braces. White space is what ECMAScript calls so:
// the no-break space and the byte order mark count, the zero width space does
// not. Everything else is text, "{action}", "{{.action}}" and
// "{{action-budget}}" included.
//
// Text is read once, from left to right. There is no escape, and what is put
// in is not read again. Text without a placeholder is an ordinary instruction
// and renders to itself.
package fact
