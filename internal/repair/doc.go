// Package repair holds the words of a repair: it finds the JSON in a reply,
// and asks a model to correct a reply that broke its contract. It is pure and
// knows nothing of how a reply was made or checked.
package repair
