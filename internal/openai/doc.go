// Package openai speaks the chat completions protocol, and nothing else: one
// request, one reply, whole or as a stream. It does not wait, retry or judge
// what the model says; it does say exactly what went wrong.
//
// The protocol has one specification and many implementations, and the ways
// in which these fail are the larger part of the package: errors under status
// 200, errors that are strings, codes that are numbers, replies without a
// choice, streams that stop in the middle, pages of HTML from a proxy. Each
// becomes an *Error with a Kind, and none becomes an empty success.
//
// What a server writes is never passed on in an error. It may echo the
// credential or the prompt, so an error keeps the status, and the server's
// own code and type where they are identifiers that were not part of what was
// sent.
package openai
