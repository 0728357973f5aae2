package execution

// Class says how an attempt ended. Its values are stable: they appear in
// records and as metric attributes.
type Class string

// ClassOK is an attempt whose output keeps the contract.
const ClassOK Class = ""

// Failures of the way to the backend or of the backend itself. The same
// request may succeed later or elsewhere.
const (
	ClassConnection  Class = "connection"   // refused, reset, unresolved, TLS
	ClassInterrupted Class = "interrupted"  // a body or stream that ends before its end
	ClassTimeout     Class = "timeout"      // the backend's own time limit, not the caller's
	ClassConflict    Class = "conflict"     // 408 and 409
	ClassRateLimited Class = "rate_limited" // 429, quota excepted
	ClassServer      Class = "server_error" // 5xx, and errors without a better name under status 200
)

// Failures that a second identical call would only repeat.
const (
	ClassProtocol      Class = "protocol"           // HTML, no JSON, no choices: no chat completion
	ClassTooLarge      Class = "too_large"          // longer than any reply should be
	ClassQuota         Class = "quota"              // nothing left to spend
	ClassUnauthorized  Class = "unauthorized"       // 401 and 403
	ClassNotFound      Class = "not_found"          // no such path or model
	ClassBadRequest    Class = "bad_request"        // any other 4xx
	ClassContextLength Class = "context_length"     // the messages do not fit the model's context
	ClassUnsupported   Class = "unsupported"        // the backend refuses the response format
	ClassRedirect      Class = "redirect"           // to another origin, or in a circle
	ClassUnusable      Class = "unusable"           // the request cannot be sent, a header's value for example
	ClassCredential    Class = "credential_missing" // a named variable is unset or empty
	ClassCapacity      Class = "capacity"           // the backend's queue is full
	ClassCancelled     Class = "cancelled"          // the caller's context ended
	ClassUnknown       Class = "unknown"            // a generator's error without a class
)

// Replies that arrived whole and do not keep the output contract.
const (
	ClassTruncated Class = "truncated"       // the model ran into its token limit
	ClassRefused   Class = "refused"         // the model or a content filter declined
	ClassEmpty     Class = "empty"           // no text
	ClassNotJSON   Class = "not_json"        // the contract asks for JSON
	ClassMismatch  Class = "schema_mismatch" // JSON, but not what the schema describes
)

// policy is what a class may lead to.
type policy struct{ retry, fallBack, repair bool }

// policies lists the classes after which a run goes on. A class that is not
// listed ends it.
var policies = map[Class]policy{
	ClassConnection:  {retry: true, fallBack: true},
	ClassInterrupted: {retry: true, fallBack: true},
	ClassTimeout:     {retry: true, fallBack: true},
	ClassConflict:    {retry: true, fallBack: true},
	ClassRateLimited: {retry: true, fallBack: true},
	ClassServer:      {retry: true, fallBack: true},
	ClassProtocol:    {fallBack: true},
	ClassTooLarge:    {fallBack: true},
	ClassQuota:       {fallBack: true},
	ClassEmpty:       {repair: true},
	ClassNotJSON:     {repair: true},
	ClassMismatch:    {repair: true},
}

// Retried reports whether the same call may be made again after a wait.
func (c Class) Retried() bool { return policies[c].retry }

// FallsBack reports whether the next fallback may be tried once the retries
// are used up.
func (c Class) FallsBack() bool { return policies[c].fallBack }

// Repaired reports whether the model may be shown its reply and asked again.
func (c Class) Repaired() bool { return policies[c].repair }

// ofReply reports whether the class is about a reply, not about the lack of one.
func (c Class) ofReply() bool {
	switch c {
	case ClassTruncated, ClassRefused, ClassEmpty, ClassNotJSON, ClassMismatch:
		return true
	}
	return false
}
