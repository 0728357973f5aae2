package promptkit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/fact"
)

// loopPrompt has one instruction of each sort that a loop can have.
const loopPrompt = `id: agent
version: "1"
default_profile: once
inputs:
  - name: goal
    required: true
messages:
  - role: system
    content: You maintain the {{.system}} system.
  - role: user
    content: '{{input "goal"}}'
instructions:
  - id: one-action
    role: system
    text: Name exactly one action. {{action}} stays as it is here.
  - id: pace
    role: system
    template: You have used {{action}} of your {{actionBudget}} actions; {{actionsRemaining}} left.
  - id: count
    role: user
    template: Action {{ action }}.
  - id: wrap-up
    role: system
    from_action: 28
    template: Start nothing new with {{actionsRemaining}} left.
  - id: late-static
    role: system
    from_action: 29
    text: Answer now.
`

// loopEngine knows loopPrompt, two profiles (once: one attempt, thrice: three)
// and a model that script answers.
func loopEngine(t *testing.T, script promptkit.ModelClient, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	return promptEngine(t, loopPrompt, script, opts...)
}

func promptEngine(t *testing.T, prompt string, script promptkit.ModelClient, opts ...promptkit.Option) *promptkit.Engine {
	t.Helper()
	opts = append([]promptkit.Option{
		promptkit.WithPromptFS(fstest.MapFS{"agent.yaml": {Data: []byte(prompt)}}),
		promptkit.WithProfiles(
			promptkit.Profile{ID: "once", Backend: "house", Model: "small"},
			promptkit.Profile{ID: "thrice", Extends: "once", Repair: &promptkit.Repair{MaxAttempts: 3}},
		),
		promptkit.WithBackends(promptkit.Backend{ID: "house", BaseURL: "http://model.test/v1"}),
		promptkit.WithModelClient(script),
	}, opts...)
	engine, err := promptkit.New(promptkit.Config{}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if problems := engine.Problems(); len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	return engine
}

// transcript is a model that says what it is told to and remembers what it was
// sent, attempt by attempt.
type transcript struct {
	replies []string // by attempt; the last one is repeated

	mu   sync.Mutex
	sent [][]promptkit.Message
}

func (m *transcript) Generate(_ context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, req.Messages)
	reply := m.replies[min(req.Attempt, len(m.replies))-1]
	return &promptkit.ModelReply{Text: reply, FinishReason: "stop"}, nil
}

func loopRequest(turn *fact.Turn) promptkit.RunRequest {
	return promptkit.RunRequest{
		PromptID: "agent",
		Vars:     map[string]string{"system": "export"},
		Inputs:   []promptkit.Input{{Name: "goal", Text: "Explain the empty file."}},
		Turn:     turn,
	}
}

// wantInstructions are the messages that loopPrompt's instructions become, and
// the records of what became of each.
func wantInstructions(action, budget int) ([]promptkit.Message, []promptkit.PreparedInstruction) {
	left := max(budget-action, 0)
	record := func(id string) promptkit.PreparedInstruction {
		return promptkit.PreparedInstruction{ID: id, State: promptkit.InstructionApplied}
	}
	messages := []promptkit.Message{
		{Role: "system", Content: "Name exactly one action. {{action}} stays as it is here."},
		{Role: "system", Content: fmt.Sprintf("You have used %d of your %d actions; %d left.", action, budget, left)},
		{Role: "user", Content: fmt.Sprintf("Action %d.", action)},
	}
	records := []promptkit.PreparedInstruction{record("one-action"), record("pace"), record("count"), record("wrap-up"), record("late-static")}
	if action >= 28 {
		messages = append(messages, promptkit.Message{Role: "system", Content: fmt.Sprintf("Start nothing new with %d left.", left)})
	} else {
		records[3].State = promptkit.InstructionInactive
	}
	if action >= 29 {
		messages = append(messages, promptkit.Message{Role: "system", Content: "Answer now."})
	} else {
		records[4].State = promptkit.InstructionInactive
	}
	return messages, records
}

// TestLoopOfThirtyActions drives a loop to the end of its budget and one
// wrap-up action beyond, and looks at every request that is prepared and at
// every one that is sent.
func TestLoopOfThirtyActions(t *testing.T) {
	const budget = 30
	model := &transcript{replies: []string{"look"}}
	engine := loopEngine(t, model)
	declared, err := engine.InspectPrompt(t.Context(), "agent", "")
	if err != nil {
		t.Fatal(err)
	}
	own := []promptkit.Message{
		{Role: "system", Content: "You maintain the export system."},
		{Role: "user", Content: "Explain the empty file."},
	}

	hashes := make(map[string]int)
	for action := 1; action <= budget+1; action++ {
		request := loopRequest(&fact.Turn{Action: action, Budget: new(budget)})
		instructions, records := wantInstructions(action, budget)
		want := slices.Concat(own, instructions)

		prepared, err := engine.Prepare(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, prepared.Messages); diff != "" {
			t.Errorf("action %d, prepared (-want +got):\n%s", action, diff)
		}
		if diff := cmp.Diff(records, prepared.Instructions, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("action %d, records (-want +got):\n%s", action, diff)
		}
		if prepared.PromptHash != declared.PromptHash {
			t.Errorf("action %d changed the prompt hash", action)
		}
		if earlier, ok := hashes[prepared.RenderedHash]; ok {
			t.Errorf("actions %d and %d have one rendered hash", earlier, action)
		}
		hashes[prepared.RenderedHash] = action

		result, err := engine.Run(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, model.sent[action-1]); diff != "" {
			t.Errorf("action %d, sent (-want +got):\n%s", action, diff)
		}
		if result.RenderedHash != prepared.RenderedHash {
			t.Errorf("action %d: Run rendered something else than Prepare", action)
		}
	}
}

// TestConcurrentLoopsDoNotMix runs loops of different budgets on one engine;
// each must read its own numbers only. The race detector watches.
func TestConcurrentLoopsDoNotMix(t *testing.T) {
	engine := loopEngine(t, echo{})
	var loops sync.WaitGroup
	for budget := 23; budget < 31; budget++ {
		loops.Go(func() {
			for action := 1; action <= budget+1; action++ {
				result, err := engine.Run(context.Background(), loopRequest(&fact.Turn{Action: action, Budget: &budget}))
				if err != nil {
					t.Error(err)
					return
				}
				messages, _ := wantInstructions(action, budget)
				if diff := cmp.Diff(strings.Join(contentsOf(messages), "\n"), result.Output); diff != "" {
					t.Errorf("budget %d, action %d (-want +got):\n%s", budget, action, diff)
				}
			}
		})
	}
	loops.Wait()
}

// echo is a model that answers with what the instructions told it.
type echo struct{}

func (echo) Generate(_ context.Context, req promptkit.ModelRequest) (*promptkit.ModelReply, error) {
	return &promptkit.ModelReply{Text: strings.Join(contentsOf(req.Messages[2:]), "\n"), FinishReason: "stop"}, nil
}

// TestMissingFactsAreSkippedByName: what cannot be said is left out whole, and
// the record says why; what can be said stays.
func TestMissingFactsAreSkippedByName(t *testing.T) {
	applied := func(id string) promptkit.PreparedInstruction {
		return promptkit.PreparedInstruction{ID: id, State: promptkit.InstructionApplied}
	}
	inactive := func(id string) promptkit.PreparedInstruction {
		return promptkit.PreparedInstruction{ID: id, State: promptkit.InstructionInactive}
	}
	skipped := func(id string, facts ...string) promptkit.PreparedInstruction {
		return promptkit.PreparedInstruction{
			ID: id, State: promptkit.InstructionSkipped,
			Reason: promptkit.InstructionReasonUnknownFact, Facts: facts,
		}
	}
	static := "Name exactly one action. {{action}} stays as it is here."
	tests := []struct {
		why      string
		turn     *fact.Turn
		records  []promptkit.PreparedInstruction
		contents []string
	}{
		{
			why:  "no budget: exactly those that name it are skipped",
			turn: &fact.Turn{Action: 5},
			records: []promptkit.PreparedInstruction{
				applied("one-action"), skipped("pace", "actionBudget", "actionsRemaining"),
				applied("count"), inactive("wrap-up"), inactive("late-static"),
			},
			contents: []string{static, "Action 5."},
		},
		{
			why:  "no budget, late: held back no longer, and skipped for what it names",
			turn: &fact.Turn{Action: 29},
			records: []promptkit.PreparedInstruction{
				applied("one-action"), skipped("pace", "actionBudget", "actionsRemaining"),
				applied("count"), skipped("wrap-up", "actionsRemaining"), applied("late-static"),
			},
			contents: []string{static, "Action 29.", "Answer now."},
		},
		{
			why: "no turn: no fact at all, and nothing that waits for an action",
			records: []promptkit.PreparedInstruction{
				applied("one-action"), skipped("pace", "action", "actionBudget", "actionsRemaining"),
				skipped("count", "action"), inactive("wrap-up"), inactive("late-static"),
			},
			contents: []string{static},
		},
		{
			why:  "a budget of zero is a real one",
			turn: &fact.Turn{Action: 1, Budget: new(0)},
			records: []promptkit.PreparedInstruction{
				applied("one-action"), applied("pace"), applied("count"), inactive("wrap-up"), inactive("late-static"),
			},
			contents: []string{static, "You have used 1 of your 0 actions; 0 left.", "Action 1."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			var seen observationLog
			engine := loopEngine(t, &transcript{replies: []string{"look"}}, promptkit.WithObserver(&seen))
			prepared, err := engine.Prepare(t.Context(), loopRequest(tt.turn))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.records, prepared.Instructions, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.contents, contentsOf(prepared.Messages[2:])); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}

			result, err := engine.Run(t.Context(), loopRequest(tt.turn))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.records, result.Instructions, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the result's records (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.records, seen.started(t).Instructions, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the observed records (-want +got):\n%s", diff)
			}
		})
	}
}

// observationLog keeps what an engine tells its observer.
type observationLog struct {
	mu   sync.Mutex
	list []promptkit.Observation
}

func (o *observationLog) Observe(_ context.Context, seen promptkit.Observation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, seen)
}

func (o *observationLog) started(t *testing.T) promptkit.Observation {
	t.Helper()
	i := slices.IndexFunc(o.list, func(o promptkit.Observation) bool { return o.Kind == promptkit.ObservedStarted })
	if i < 0 {
		t.Fatal("no run was observed to start")
	}
	return o.list[i]
}

func contentsOf(messages []promptkit.Message) []string {
	var list []string
	for _, m := range messages {
		list = append(list, m.Content)
	}
	return list
}

// TestActionBelowOneIsRefused: action 0 is no action, and saying it to a model
// would be a fabricated fact.
func TestActionBelowOneIsRefused(t *testing.T) {
	engine := loopEngine(t, &transcript{replies: []string{"look"}})
	for _, action := range []int{0, -3} {
		prepared, err := engine.Prepare(t.Context(), loopRequest(&fact.Turn{Action: action, Budget: new(30)}))
		if !errors.Is(err, promptkit.ErrInvalidRequest) || prepared != nil {
			t.Errorf("action %d: %v, want ErrInvalidRequest", action, err)
		}
	}
}

// TestFactsAreReadOnce: a caller that counts on in the same Turn while a
// frozen request waits changes nothing about it.
func TestFactsAreReadOnce(t *testing.T) {
	model := &transcript{replies: []string{"look"}}
	engine := loopEngine(t, model)
	budget := 30
	turn := &fact.Turn{Action: 7, Budget: &budget}
	frozen, err := engine.PrepareExecution(t.Context(), loopRequest(turn))
	if err != nil {
		t.Fatal(err)
	}
	turn.Action, budget = 8, 31
	if _, err := engine.RunPrepared(t.Context(), frozen); err != nil {
		t.Fatal(err)
	}
	want, _ := wantInstructions(7, 30)
	if diff := cmp.Diff(want, model.sent[0][2:]); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// repairPrompt wants JSON, so a model that answers in prose is asked again.
const repairPrompt = `id: agent
version: "1"
default_profile: thrice
messages:
  - {role: user, content: Answer in JSON.}
instructions:
  - {id: tries, role: system, template: 'Try {{action}} of {{actionBudget}}, {{actionsRemaining}} left.'}
  - {id: last, role: system, from_action: 3, text: This is the last try.}
output: {format: json, validation: json}
`

// TestRepairLoopSaysItsTries: each attempt of a repairing profile is an action
// of a budget that is the profile's attempts.
func TestRepairLoopSaysItsTries(t *testing.T) {
	model := &transcript{replies: []string{"no", "still no", "{}"}}
	engine := promptEngine(t, repairPrompt, model)
	result, err := engine.Run(t.Context(), promptkit.RunRequest{PromptID: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Attempts) != 3 || len(model.sent) != 3 {
		t.Fatalf("%d attempts recorded and %d sent, want 3", len(result.Attempts), len(model.sent))
	}
	for i, messages := range model.sent {
		want := []string{fmt.Sprintf("Try %d of 3, %d left.", i+1, 2-i)}
		last := promptkit.InstructionInactive
		if i == 2 {
			want, last = append(want, "This is the last try."), promptkit.InstructionApplied
		}
		if diff := cmp.Diff(want, spoken(messages)); diff != "" {
			t.Errorf("attempt %d (-want +got):\n%s", i+1, diff)
		}
		records := result.Attempts[i].Instructions
		if len(records) != 2 || records[0].State != promptkit.InstructionApplied || records[1].State != last {
			t.Errorf("attempt %d is recorded as %v", i+1, records)
		}
	}
}

// TestCallersTurnOutranksTheRepairLoop: a loop's own count is what the model
// is told, in every attempt alike.
func TestCallersTurnOutranksTheRepairLoop(t *testing.T) {
	model := &transcript{replies: []string{"no", "{}"}}
	engine := promptEngine(t, repairPrompt, model)
	request := promptkit.RunRequest{PromptID: "agent", Turn: &fact.Turn{Action: 2, Budget: new(9)}}
	if _, err := engine.Run(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	for i, messages := range model.sent {
		if diff := cmp.Diff([]string{"Try 2 of 9, 7 left."}, spoken(messages)); diff != "" {
			t.Errorf("attempt %d (-want +got):\n%s", i+1, diff)
		}
	}
}

// TestCallersTurnIsNotMixed: a caller that has no budget has none, although
// the repair loop would.
func TestCallersTurnIsNotMixed(t *testing.T) {
	model := &transcript{replies: []string{"no", "{}"}}
	engine := promptEngine(t, repairPrompt, model)
	result, err := engine.Run(t.Context(), promptkit.RunRequest{PromptID: "agent", Turn: &fact.Turn{Action: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for i, messages := range model.sent {
		if got := spoken(messages); len(got) != 0 {
			t.Errorf("attempt %d says %q", i+1, got)
		}
		want := []string{"actionBudget", "actionsRemaining"}
		if got := result.Attempts[i].Instructions[0]; got.State != promptkit.InstructionSkipped || !slices.Equal(got.Facts, want) {
			t.Errorf("attempt %d is recorded as %v", i+1, got)
		}
	}
}

// TestOneAttemptHasNoTurnOfItsOwn: a profile that does not repair is no loop.
func TestOneAttemptHasNoTurnOfItsOwn(t *testing.T) {
	model := &transcript{replies: []string{"{}"}}
	engine := promptEngine(t, repairPrompt, model)
	result, err := engine.Run(t.Context(), promptkit.RunRequest{PromptID: "agent", ProfileID: "once"})
	if err != nil {
		t.Fatal(err)
	}
	if got := spoken(model.sent[0]); len(got) != 0 {
		t.Errorf("the model was told %q", got)
	}
	if got := result.Instructions[0]; got.State != promptkit.InstructionSkipped || len(got.Facts) != 3 {
		t.Errorf("recorded as %v", got)
	}
}

// TestPrepareHasNoFactsOfItsOwn: preparation alone is no loop, even with a
// profile that repairs; an execution freezes its first attempt.
func TestPrepareHasNoFactsOfItsOwn(t *testing.T) {
	engine := promptEngine(t, repairPrompt, &transcript{replies: []string{"{}"}})
	prepared, err := engine.Prepare(t.Context(), promptkit.RunRequest{PromptID: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if got := spoken(prepared.Messages); len(got) != 0 {
		t.Errorf("Prepare says %q", got)
	}
	frozen, err := engine.PrepareExecution(t.Context(), promptkit.RunRequest{PromptID: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Try 1 of 3, 2 left."}, spoken(frozen.Prepared().Messages)); diff != "" {
		t.Errorf("frozen (-want +got):\n%s", diff)
	}
}

// spoken are the contents of the system messages: in repairPrompt, what the
// instructions became.
func spoken(messages []promptkit.Message) []string {
	var list []string
	for _, m := range messages {
		if m.Role == "system" {
			list = append(list, m.Content)
		}
	}
	return list
}

// TestPromptHashCoversInstructions: changing what an instruction says changes
// the prompt, whether or not the instruction applies.
func TestPromptHashCoversInstructions(t *testing.T) {
	hash := func(prompt string) string {
		inspection, err := promptEngine(t, prompt, &transcript{}).InspectPrompt(t.Context(), "agent", "1")
		if err != nil {
			t.Fatal(err)
		}
		return inspection.PromptHash
	}
	original := hash(loopPrompt)
	for _, change := range [][2]string{
		{"Answer now.", "Answer at once."},
		{"from_action: 29", "from_action: 30"},
		{"id: late-static", "id: later-static"},
		{"Action {{ action }}.", "Action {{action}}."},
	} {
		if hash(strings.Replace(loopPrompt, change[0], change[1], 1)) == original {
			t.Errorf("%q for %q left the prompt hash as it was", change[1], change[0])
		}
	}
}

// TestInspectPromptListsInstructions: the facts that a template names, in
// order of appearance, and none for a text, whatever its braces.
func TestInspectPromptListsInstructions(t *testing.T) {
	inspection, err := loopEngine(t, &transcript{}).InspectPrompt(t.Context(), "agent", "1")
	if err != nil {
		t.Fatal(err)
	}
	want := []promptkit.PromptInstruction{
		{ID: "one-action", Role: "system"},
		{ID: "pace", Role: "system", Facts: []string{"action", "actionBudget", "actionsRemaining"}},
		{ID: "count", Role: "user", Facts: []string{"action"}},
		{ID: "wrap-up", Role: "system", Facts: []string{"actionsRemaining"}, FromAction: 28},
		{ID: "late-static", Role: "system", FromAction: 29},
	}
	if diff := cmp.Diff(want, inspection.Instructions, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("instructions (-want +got):\n%s", diff)
	}
}
