package openai

import (
	"strconv"
	"strings"
	"time"
)

// Kind is what went wrong.
type Kind uint8

// The kinds of error.
const (
	Connection    Kind = iota + 1 // unreachable, refused, reset
	Timeout                       // the network's own time limits
	Canceled                      // the context ended
	Interrupted                   // the body or stream ended before its end
	TooLarge                      // a longer answer than any reply should be
	Protocol                      // an answer that is no chat completion
	Redirect                      // to another origin, or in a circle
	Unusable                      // the request cannot be sent: a bad header or address
	Conflict                      // 408 and 409: the same request may work next time
	RateLimited                   // 429
	Quota                         // nothing left to spend
	Unauthorized                  // 401, 403
	NotFound                      // 404
	ContextLength                 // the conversation is too long for the model
	ContentFilter                 // the prompt was declined before any model saw it
	Unsupported                   // the response format was refused
	BadRequest                    // any other 4xx
	Server                        // 5xx, and errors without a better name under status 200
)

// Error is why there is no reply. It holds nothing that the server wrote,
// except identifiers that were not part of what was sent.
type Error struct {
	Kind   Kind
	Status int    // HTTP status; 0 if there was no answer
	Code   string // the server's code or else type, if it is an identifier
	Param  string // the field of the request that the server names, if it is one
	// RetryAfter is how long the server asks to wait; 0 if it does not ask.
	RetryAfter time.Duration
	// Reason is a short description, without a subject.
	Reason string
	// Err is the context's or the operating system's error, if that was it.
	Err error
}

// Error describes what happened.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Reason)
	var facts []string
	if e.Status != 0 {
		facts = append(facts, "status "+strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		facts = append(facts, "code "+e.Code)
	}
	if e.Param != "" {
		facts = append(facts, "field "+e.Param)
	}
	if len(facts) > 0 {
		b.WriteString(" (" + strings.Join(facts, ", ") + ")")
	}
	return b.String()
}

// Unwrap returns the context's or the operating system's error.
func (e *Error) Unwrap() error { return e.Err }

// reasons describe the kinds that follow from a status or a code.
var reasons = map[Kind]string{
	Conflict:      "asks to try again",
	RateLimited:   "is rate limiting",
	Quota:         "reports that the account has no quota left; waiting does not help",
	Unauthorized:  "rejects the credential; check the variable that api_key_env names",
	NotFound:      "does not know the path or the model; check base_url and model",
	ContextLength: "takes no conversation of this length; shorten the inputs or use a model with a larger context",
	ContentFilter: "declines the prompt; its content filter stopped it",
	Unsupported: "refuses the response format; if it does not support json_schema or this schema, " +
		"set structured_output of the backend to json_object or none",
	BadRequest: "rejects the request",
	Server:     "failed on its side",
}
