package execution

import "time"

// Target is where a call goes and how the model is set.
type Target struct {
	ProfileID string
	BackendID string
	Model     string
	Offline   bool

	Temperature     *float64
	TopP            *float64
	MaxOutputTokens *int
	Seed            *int64
	Stop            []string
	ReasoningEffort string

	StructuredOutput string // json_schema, json_object or none; "" means json_schema
	SessionField     string // the request field for the session ID; "" for none

	Timeout time.Duration // of one call; 0 for no limit but the context's
	Retry   Retry
}
