// Package capacity admits runs to backends: so many at a time to each, and
// the others wait in the order in which they came.
//
// A Pool has one queue for each backend. Whoever asks gets a place at once if
// one is free and nobody waits, else joins the end of the queue, unless the
// queue is full. A place that is given back goes to whoever has waited
// longest, so that nobody is overtaken and nobody starves. Waiting ends early
// with the context.
package capacity
