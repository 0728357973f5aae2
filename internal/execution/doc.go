// Package execution gets from frozen messages to an output that keeps its
// contract: generate, validate, repair.
//
// A run is three loops, one inside the other. The innermost repeats a call
// that failed on its way, with growing waits; the next goes on to a fallback
// when the retries of one target are used up; the outermost shows the model a
// reply that broke the contract and asks again. Which failure may lead to
// what is a table (see Class), and how long to wait is a function of it (see
// Retry.Next); neither knows a clock, a network or a model.
//
// Whatever happens, a caller gets an output that keeps the contract, or an
// *Error that says why not. Every call is on the record.
package execution
