package promptkit

// Engine answers questions about the prompts that it captured, and runs them.
// It is safe for concurrent use. A nil Engine answers every method that
// returns an error with ErrInvalidConfig, and every other with a zero value.
type Engine struct{}

// PromptIdentity is one captured prompt.
type PromptIdentity struct {
	ID, Version string
	// Description is what the definition says the prompt is for; may be "".
	Description string
	// File is slash-separated and relative to the prompt source.
	File string
}

// New captures every source once and returns an engine that answers from what
// it captured. A definition that fails to load fails alone: it is listed by
// Problems, and lookups that could have selected it fail.
//
// New itself fails with ErrInvalidConfig for a configuration that makes no
// sense, and with ErrPromptLoad or ErrProfileLoad if the root of a source
// cannot be read.
func New(cfg Config, opts ...Option) (*Engine, error) {
	return nil, failf(ErrInvalidConfig, "no source was captured")
}

// Prompts lists the prompts that loaded, by ID and then, within one ID, in
// the order in which they were discovered. The slice belongs to the caller.
func (e *Engine) Prompts() []PromptIdentity { return nil }

// ProfileIDs lists the profiles that loaded, sorted. The slice belongs to the
// caller.
func (e *Engine) ProfileIDs() []string { return nil }
