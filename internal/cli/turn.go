package cli

import (
	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

// turnFlags say which action of how many is about to be taken, for prompts
// whose instructions state it.
type turnFlags struct {
	action, budget int
	cmd            *cobra.Command
}

func (f *turnFlags) register(cmd *cobra.Command) {
	f.cmd = cmd
	cmd.Flags().IntVar(&f.action, "action", 0, "the action about to be taken, from 1, for instructions that state it")
	cmd.Flags().IntVar(&f.budget, "action-budget", 0, "how many actions the turn may take")
	_ = cmd.RegisterFlagCompletionFunc("action", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("action-budget", cobra.NoFileCompletions)
}

func (f *turnFlags) given(flag string) bool { return f.cmd != nil && f.cmd.Flags().Changed(flag) }

func (f *turnFlags) check() error {
	switch {
	case f.given("action") && f.action < 1:
		return usagef("--action counts from 1")
	case f.given("action-budget") && f.budget < 0:
		return usagef("--action-budget cannot be negative")
	case f.given("action-budget") && !f.given("action"):
		return usagef("--action-budget says of how many; add --action to say which one")
	}
	return nil
}

// turn is nil if the flags describe none.
func (f *turnFlags) turn() *fact.Turn {
	if !f.given("action") {
		return nil
	}
	t := &fact.Turn{Action: f.action}
	if f.given("action-budget") {
		budget := f.budget
		t.Budget = &budget
	}
	return t
}

// repeated are the flags that were given.
func (f *turnFlags) repeated() []string {
	var out []string
	if f.given("action") {
		out = append(out, "--action "+itoa(f.action))
	}
	if f.given("action-budget") {
		out = append(out, "--action-budget "+itoa(f.budget))
	}
	return out
}

// instructionNeed is a run-time instruction and what would become of it.
type instructionNeed struct {
	ID         string   `json:"id"`
	Role       string   `json:"role"`
	Facts      []string `json:"facts"`
	FromAction int      `json:"from_action"`
	// State is applied, inactive or skipped, for the turn of the flags or
	// for the lack of one.
	State string `json:"state"`
	// Unavailable are the facts for which it is skipped.
	Unavailable []string `json:"unavailable"`
}

func instructionNeeds(declared []promptkit.PromptInstruction, turn *fact.Turn) []instructionNeed {
	out := make([]instructionNeed, 0, len(declared))
	for _, in := range declared {
		n := instructionNeed{ID: in.ID, Role: in.Role, Facts: append([]string{}, in.Facts...), FromAction: in.FromAction, Unavailable: []string{}}
		n.State = string(promptkit.InstructionApplied)
		switch missing := unavailable(in.Facts, turn); {
		case in.FromAction > 0 && (turn == nil || turn.Action < in.FromAction):
			n.State = string(promptkit.InstructionInactive)
		case len(missing) > 0:
			n.State, n.Unavailable = string(promptkit.InstructionSkipped), missing
		}
		out = append(out, n)
	}
	return out
}

// unavailable lists the facts that a turn, or the lack of one, cannot supply.
func unavailable(facts []string, turn *fact.Turn) []string {
	if turn == nil {
		return append([]string{}, facts...)
	}
	missing := []string{}
	for _, f := range facts {
		missing = append(missing, fact.Missing("{{"+f+"}}", *turn)...)
	}
	return missing
}
