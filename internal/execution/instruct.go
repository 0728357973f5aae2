package execution

import "github.com/promptkit-go/promptkit/fact"

// Instruction is a message after the prompt's own that may state run-time
// facts. Exactly one of Text and Template is set.
type Instruction struct {
	ID         string
	Role       string
	Text       string // sent as it is
	Template   string // rendered with the facts of the turn
	FromAction int    // held back before this action; 0 for from the start
	Cache      *Cache
}

// InstructionState says what became of an instruction.
type InstructionState string

// The states of an instruction.
const (
	InstructionApplied  InstructionState = "applied"
	InstructionInactive InstructionState = "inactive" // held back, or without the turn that it needs
	InstructionSkipped  InstructionState = "skipped"  // a fact that it names is unavailable
)

// InstructionRecord records one instruction.
type InstructionRecord struct {
	ID      string
	State   InstructionState
	Missing []string // the facts that a skipped instruction lacks
}

// Instruct renders instructions for a turn; nil is no turn. It returns the
// messages of those that apply, and a record of each.
func Instruct(instructions []Instruction, turn *fact.Turn) ([]Message, []InstructionRecord) {
	var messages []Message
	var records []InstructionRecord
	for _, in := range instructions {
		text, record := in.render(turn)
		records = append(records, record)
		if record.State == InstructionApplied {
			messages = append(messages, Message{Role: in.Role, Content: text, Cache: in.Cache})
		}
	}
	return messages, records
}

// render is the text of one instruction in a turn, and what became of it.
func (in Instruction) render(turn *fact.Turn) (string, InstructionRecord) {
	record := InstructionRecord{ID: in.ID, State: InstructionApplied}
	if in.FromAction > 0 && (turn == nil || turn.Action < in.FromAction) {
		record.State = InstructionInactive
		return "", record
	}
	if in.Template == "" {
		return in.Text, record
	}
	var facts fact.Turn // supplies nothing
	if turn != nil {
		facts = *turn
	}
	text, ok := fact.Render(in.Template, facts)
	if !ok {
		record.State, record.Missing = InstructionSkipped, fact.Missing(in.Template, facts)
	}
	return text, record
}
