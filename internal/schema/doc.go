// Package schema compiles the JSON Schemas of a project and holds replies to
// them.
//
// A Set reads schemas from one source and never from anywhere else: a
// reference from one schema to another is followed within the source, and one
// that leads out of it is an error at its place, whatever its scheme. Nothing
// is ever fetched.
//
// A violation has two wordings. One is for people, logs and records: it says
// where and which rule, and holds nothing that the model wrote. The other is
// for the model that wrote the reply, and is as exact as it can be.
package schema
