// Package backend makes a generator of the captured backends: one that sends
// calls to OpenAI-compatible endpoints, and answers those for the offline
// backend itself.
package backend
