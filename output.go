package promptkit

// OutputFormat is what kind of text a prompt asks for.
type OutputFormat string

// The output formats.
const (
	OutputText     OutputFormat = "text"
	OutputMarkdown OutputFormat = "markdown"
	OutputJSON     OutputFormat = "json"
)

// ValidationMode is how a reply is validated before it is returned.
type ValidationMode string

// The validation modes.
const (
	ValidateNone       ValidationMode = "none"        // any text
	ValidateJSON       ValidationMode = "json"        // one JSON document
	ValidateJSONSchema ValidationMode = "json_schema" // one that the schema accepts
)

// OutputContract is what a reply has to be. In JSON it is
// {"format":…,"validation":…,"schema":…}.
type OutputContract struct {
	// Format defaults to text.
	Format OutputFormat `json:"format"`
	// Validation defaults to none.
	Validation ValidationMode `json:"validation"`
	// Schema is a slash-separated path below the schema source. It is set
	// exactly when Validation is json_schema.
	Schema string `json:"schema"`
}
