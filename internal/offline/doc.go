// Package offline makes up replies without a model: for demonstrations, dry
// runs and tests. The same request always gets the same reply.
//
// A reply to a schema is a small document that the schema accepts. It is
// found by search: every construct of a schema proposes values, smallest
// first, and the schema itself judges them. So a construct that nobody thought
// of costs a longer search or an error, and never a wrong document. The search
// deepens step by step, which is what ends it on recursive schemas.
//
// Any other reply says that no model was asked, with a digest of what would
// have been sent.
package offline
