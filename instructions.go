package promptkit

import (
	"github.com/promptkit-go/promptkit/fact"
	"github.com/promptkit-go/promptkit/internal/definition"
)

// renderInstructions turns run-time instructions into messages for one turn,
// and records what became of each. Without a turn no fact is available.
func renderInstructions(instructions []definition.Instruction, turn *fact.Turn) ([]Message, []PreparedInstruction) {
	if len(instructions) == 0 {
		return nil, nil
	}
	var messages []Message
	record := make([]PreparedInstruction, len(instructions))
	for i, in := range instructions {
		content, outcome := renderInstruction(in, turn)
		record[i] = outcome
		if outcome.State == InstructionApplied {
			messages = append(messages, Message{Role: in.Role, Content: content, CacheControl: cacheControl(in.CacheControl)})
		}
	}
	return messages, record
}

// renderInstruction renders one instruction. It is skipped as a whole if a
// fact that it names is unavailable: a gap or a made-up number would be worse
// than silence.
func renderInstruction(in definition.Instruction, turn *fact.Turn) (string, PreparedInstruction) {
	if in.FromAction > 0 && (turn == nil || turn.Action < in.FromAction) {
		return "", PreparedInstruction{ID: in.ID, State: InstructionInactive}
	}
	applied := PreparedInstruction{ID: in.ID, State: InstructionApplied}
	if in.Template == "" {
		return in.Text, applied
	}
	var now fact.Turn
	if turn != nil {
		now = *turn
	}
	content, ok := fact.Render(in.Template, now)
	if !ok {
		return "", PreparedInstruction{
			ID: in.ID, State: InstructionSkipped,
			Reason: InstructionReasonUnknownFact, Facts: fact.Missing(in.Template, now),
		}
	}
	return content, applied
}

func cacheControl(c *definition.CacheControl) *CacheControl {
	if c == nil {
		return nil
	}
	return &CacheControl{Type: c.Type, TTL: c.TTL}
}
