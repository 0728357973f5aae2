package definition

import "github.com/promptkit-go/promptkit/internal/diag"

// Field is a value that a definition may leave out. A key that is absent or
// null leaves Set false; a list or text that is written as empty sets it.
type Field[T any] struct {
	Value    T
	Set      bool
	Position diag.Position // where the value stands; zero for a value from memory
}

// Given is a Field that holds v and comes from no file.
func Given[T any](v T) Field[T] { return Field[T]{Value: v, Set: true} }

// Profile is one loaded execution profile, before inheritance: it holds what
// its own definition says and nothing else. It is immutable after loading.
type Profile struct {
	ID      string
	Extends Field[string] // ID of the parent; not resolved here
	Backend Field[string] // ID of a backend; not resolved here
	Model   Field[string]

	Temperature     Field[float64] // 0 to 2
	TopP            Field[float64] // above 0, to 1
	MaxOutputTokens Field[int]     // at least 1
	Seed            Field[int64]
	Stop            Field[[]string]
	ReasoningEffort Field[string]
	RepairAttempts  Field[int] // repair.max_attempts: every try, the first included

	// Fallback holds profile IDs in the order they are tried; not resolved here.
	Fallback Field[[]string]
	// FallbackPositions has the position of each ID of Fallback, or is empty
	// for a profile from memory.
	FallbackPositions []diag.Position

	// Position is where the id stands; its File is empty for a profile from memory.
	Position diag.Position
}
