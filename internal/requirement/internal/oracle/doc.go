// Package oracle tells, from real executions of text/template alone, whether
// an answer about what a prompt needs is true and how far it is from the
// strongest true one. It shares nothing with the analyser it judges: no code,
// no abstraction, no idea of how an answer is found.
//
// # Seeing reads
//
// A template's access to a key of a map leaves no trace, so a copy of every
// parse tree is rewritten: a field access becomes a call of a probe that gets
// the receiver and does what text/template does with it, index and input
// become probes that know their place, and a bare dot or variable is handed
// through a probe wherever the whole map could be observed. Evaluation order,
// short circuits, pipes and failures stay those of text/template, which runs
// the rewritten trees; every case is also executed unrewritten, and both runs
// must agree in outcome, output and calls.
//
// # Seeing all completions
//
// A completion is decided while it runs. Whether an absent variable is there,
// what its value is and what an input holds is chosen when the execution asks
// for it, and each choice is a fork of a depth-first search that replays the
// execution. What is never asked for is never chosen: one execution stands for
// all completions that differ in nothing it looked at. A value that is only
// printed is never chosen either. Values come from a small domain made from
// the template's own literals, so the search is finite, and mostly small
// enough to be exhausted; else it goes on with random choices.
package oracle
