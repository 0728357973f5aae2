package execution

import "time"

// Attempt records one call. It holds no content unless that was asked for.
type Attempt struct {
	Number int // of the call in the run, from 1
	Try    int // at an output that keeps the contract, from 1; retries and fallbacks belong to the same

	ProfileID string
	BackendID string
	Model     string // as the backend reports it, or else as requested

	Class        Class
	Status       int    // HTTP status of a failed call; 0 if there was none
	Code         string // the backend's error code, if it is an identifier
	FinishReason string
	Usage        Usage
	Violations   int // how many places in the reply the schema rejects

	Waited    time.Duration // before the call, because of the failure before it
	StartedAt time.Time
	Duration  time.Duration
	FirstText time.Duration // from the start to the first text of a stream; 0 without one

	RequestBytes  int64 // of the body, without the fields that ask for a stream
	RequestDigest string
	ReplyBytes    int64 // of the reply's text
	ReplyDigest   string

	Instructions []InstructionRecord
	Content      *Content // nil unless Options.KeepContent
}

// Content is what was sent and what came back.
type Content struct {
	Request string
	Reply   string
}

// Result is an output that keeps its contract, and how it came about.
type Result struct {
	Output       string
	Target       int    // index in Request.Targets of the one that answered
	Model        string // as the backend reports it, or else as requested
	FinishReason string
	Usage        Usage // of all attempts together
	Attempts     []Attempt
}
