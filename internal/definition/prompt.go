package definition

import "github.com/promptkit-go/promptkit/internal/diag"

// Prompt is one loaded prompt definition. It is immutable after loading.
type Prompt struct {
	ID, Version    string
	Description    string
	DefaultProfile string // an ID, not resolved here; "" if there is none
	Session        *Text  // nil if the definition has no session template
	Inputs         []Input
	Messages       []Message
	Instructions   []Instruction
	Output         Output

	// Hash is an opaque equality value over the whole loaded definition and
	// the content of its message files, and nothing else.
	Hash string
	// Position is where the definition's id stands.
	Position diag.Position
	// DefaultProfilePosition is where DefaultProfile stands, zero if it is "".
	DefaultProfilePosition diag.Position
}

// Text is a piece of template source and where it was written.
type Text struct {
	Body   string
	Origin diag.Origin
}

// Input is a declared input. ContentType and Description are nil where the
// definition leaves them out or says null, and point to "" where it says so.
type Input struct {
	Name        string
	Required    bool
	ContentType *string
	Description *string
	Position    diag.Position
}

// Message is one message of a prompt, in definition order.
type Message struct {
	Role         string // system, developer, user or assistant
	Content      Text   // from content or content_file
	CacheControl *CacheControl
	Position     diag.Position
}

// CacheControl marks the end of a prefix that a backend may cache.
type CacheControl struct {
	Type string // ephemeral
	TTL  string // "", 5m or 1h
}

// Instruction is a message after the prompt's own that may state run-time
// facts. Exactly one of Text and Template is set.
type Instruction struct {
	ID           string
	Role         string   // system or user
	Text         string   // sent as it is
	Template     string   // rendered with the facts of a turn
	Facts        []string // the facts Template names, first appearance first
	FromAction   int      // 0: from the start, and without a turn too
	CacheControl *CacheControl
	Position     diag.Position
}

// Output is the normalised declared output contract.
type Output struct {
	Format     string // text, markdown or json
	Validation string // none, json or json_schema
	Schema     string // path below the schema source, set exactly when Validation is json_schema
	// SchemaPosition is where the definition names the schema.
	SchemaPosition diag.Position
}
