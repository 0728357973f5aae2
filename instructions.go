package promptkit

import (
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
)

// instructionsOf is a definition's run-time instructions in the form that
// execution renders anew for each attempt.
func instructionsOf(instructions []definition.Instruction) []execution.Instruction {
	var list []execution.Instruction
	for _, in := range instructions {
		list = append(list, execution.Instruction{
			ID: in.ID, Role: in.Role, Text: in.Text, Template: in.Template, FromAction: in.FromAction,
			Cache: (*execution.Cache)(in.CacheControl),
		})
	}
	return list
}

// instructionRecords says what became of each instruction.
func instructionRecords(records []execution.InstructionRecord) []PreparedInstruction {
	var list []PreparedInstruction
	for _, r := range records {
		in := PreparedInstruction{ID: r.ID, State: InstructionState(r.State), Facts: r.Missing}
		if in.State == InstructionSkipped {
			in.Reason = InstructionReasonUnknownFact
		}
		list = append(list, in)
	}
	return list
}
