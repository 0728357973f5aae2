package definition

import (
	"time"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// The kinds of backend.
const (
	KindOpenAI  = "openai"  // an OpenAI-compatible endpoint; the default
	KindOffline = "offline" // answers by itself, without a network
)

// The ways a backend can be held to a JSON answer.
const (
	StructuredSchema = "json_schema" // the default
	StructuredObject = "json_object"
	StructuredNone   = "none"
)

// Unlimited is the MaxWaiting of a backend that does not limit it.
const Unlimited = -1

// What a backend does where its definition says nothing.
const (
	DefaultTimeout       = 5 * time.Minute
	DefaultRetryAttempts = 3
	DefaultBaseDelay     = 500 * time.Millisecond
	DefaultMaxDelay      = 30 * time.Second
)

// Backend is one loaded backend. The value of every field is effective: where
// the definition says nothing, Set is false and the value is the default. A
// backend is immutable after loading and holds no credential, only names of
// environment variables.
type Backend struct {
	ID        string
	Kind      Field[string] // KindOpenAI, the default, or KindOffline
	BaseURL   Field[string] // http or https, without user information; always set for KindOpenAI
	APIKeyEnv Field[string] // name of the environment variable; "", the default, sends no key
	Headers   []Header      // in the order of the file

	StructuredOutput Field[string] // StructuredSchema, the default, StructuredObject or StructuredNone

	MaxConcurrent Field[int] // 0, the default: not limited
	MaxWaiting    Field[int] // how many runs may wait for a place; -1, the default: not limited
	Timeout       Field[time.Duration]

	RetryAttempts  Field[int]           // retry.max_attempts: every try, the first included; at least 1
	RetryBaseDelay Field[time.Duration] // retry.base_delay
	RetryMaxDelay  Field[time.Duration] // retry.max_delay; not below RetryBaseDelay

	SessionField Field[string] // request field that carries the session ID; "", the default, sends none

	// Position is where the id stands; its File is empty for a backend from memory.
	Position diag.Position
}

// Header is one additional request header. Exactly one of Value and Env is
// meant: Env if it is not "".
type Header struct {
	Name     string // as written; unique in any case
	Value    string // sent as it is
	Env      string // name of the environment variable that holds the value
	Position diag.Position
}
