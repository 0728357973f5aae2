package execution

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptkit-go/promptkit/fact"
	"github.com/promptkit-go/promptkit/internal/capacity"
)

// failure is err as an *Error.
func failure(t *testing.T, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	return e
}

func classes(attempts []Attempt) []Class {
	var out []Class
	for _, a := range attempts {
		out = append(out, a.Class)
	}
	return out
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name     string
		contract Contract
		reply    answer
		class    Class
		output   string
		says     string
	}{
		{"text", text, says(" any text\n"), ClassOK, " any text\n", ""},
		{"JSON", jsonContract, says(` [1, "a"] `), ClassOK, ` [1, "a"] `, ""},
		{"fenced JSON", jsonContract, says("```json\n[1]\n```"), ClassOK, "[1]\n", ""},
		{"a fence is kept in text", text, says("```\nx\n```"), ClassOK, "```\nx\n```", ""},
		{"schema", object(t), says(`{"a":1}`), ClassOK, `{"a":1}`, ""},
		{"empty", text, says(" \n"), ClassEmpty, "", "holds no text"},
		{"cut text", text, stops("length", "half"), ClassTruncated, "", "max_output_tokens"},
		{"cut JSON that parses", jsonContract, stops("length", "[1]"), ClassTruncated, "", "max_output_tokens"},
		{"filtered", text, stops("content_filter", "x"), ClassRefused, "", "declined"},
		{"refused", text, func(context.Context, *Call) (*Reply, error) { return &Reply{Refusal: "no"}, nil }, ClassRefused, "", "declined"},
		{"prose", jsonContract, says("Sure: [1]"), ClassNotJSON, "", "line 1, column 1"},
		{"half JSON", jsonContract, says("{\"a\":\n"), ClassNotJSON, "", "unexpected end at line 2, column 1"},
		{"mismatch", object(t), says(`{"a":"secret"}`), ClassMismatch, "", "/a is a string and has to be integer"},
		{"mismatch at the top", object(t), says(`{}`), ClassMismatch, "", `the top level lacks "a"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, result, err := runScript(t.Context(), t, ask(tt.contract), Options{}, tt.reply)
			if tt.class == ClassOK {
				if err != nil || result.Output != tt.output {
					t.Fatalf("got %+v, %v", result, err)
				}
				return
			}
			e := failure(t, err)
			if e.Class != tt.class || e.Stage != Validation || !strings.Contains(e.Error(), tt.says) || strings.Contains(e.Error(), "secret") {
				t.Errorf("got %q in stage %d: %v", e.Class, e.Stage, e)
			}
			if len(e.Attempts) != 1 || e.Attempts[0].Class != tt.class {
				t.Errorf("record: %+v", e.Attempts)
			}
		})
	}
}

func TestRepairShowsTheReplyAndWhatIsWrong(t *testing.T) {
	req := ask(object(t))
	req.MaxAttempts = 3
	s, result, err := runScript(t.Context(), t, req, Options{}, says(`{"a":"x"}`), says("```json\n{\"a\": tru}\n```"), says(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if result.Output != `{"a":1}` || !slices.Equal(classes(result.Attempts), []Class{ClassMismatch, ClassNotJSON, ClassOK}) {
		t.Errorf("output %q, classes %q", result.Output, classes(result.Attempts))
	}
	if want := (Usage{InputTokens: 30, OutputTokens: 3}); result.Usage != want {
		t.Errorf("usage %+v, want the sum over the attempts", result.Usage)
	}
	second, third := s.messages(t, 1), s.messages(t, 2)
	if len(second) != 3 || second[0].Content != "question" || second[1] != (Message{Role: "assistant", Content: `{"a":"x"}`}) ||
		second[2].Role != "user" || !strings.Contains(second[2].Content, "- at /a: got string, want integer") {
		t.Errorf("the second call was sent %+v", second)
	}
	if len(third) != 3 || third[1].Content != "```json\n{\"a\": tru}\n```" || !strings.Contains(third[2].Content, "not valid JSON: unexpected") {
		t.Errorf("the third call was sent %+v, which should show the last reply alone", third)
	}
}

func TestAnEmptyReplyIsAskedForAgain(t *testing.T) {
	req := ask(text)
	req.MaxAttempts = 2
	s, result, err := runScript(t.Context(), t, req, Options{}, says(""), says("now"))
	if err != nil || result.Output != "now" {
		t.Fatalf("got %+v, %v", result, err)
	}
	if got := s.messages(t, 1); len(got) != 2 || got[1].Role != "user" || !strings.Contains(got[1].Content, "empty") {
		t.Errorf("the second call was sent %+v", got)
	}
}

func TestRepairIsBoundedAndKeepsTheLastFailure(t *testing.T) {
	req := ask(object(t))
	req.MaxAttempts = 3
	s, _, err := runScript(t.Context(), t, req, Options{}, says(`{}`), says(`[]`), says(`{"a":"last"}`), says(`{"a":1}`))
	e := failure(t, err)
	if len(s.bodies) != 3 || e.Class != ClassMismatch || len(e.Violations) != 1 || e.Violations[0].Path != "/a" {
		t.Errorf("%d calls, %v", len(s.bodies), e)
	}
	if e.LastReply() != `{"a":"last"}` {
		t.Errorf("last reply %q", e.LastReply())
	}
	if e.Usage.InputTokens != 30 || len(e.Attempts) != 3 {
		t.Errorf("usage %+v over %d attempts", e.Usage, len(e.Attempts))
	}
	if shown := fmt.Sprintf("%v %+v %#v %#v", e, e, e, *e); strings.Contains(shown, "last\"") {
		t.Errorf("the reply shows: %s", shown)
	}
}

func TestTruncationAndRefusalAreNotRepaired(t *testing.T) {
	for _, reply := range []answer{stops("length", `{"a":`), stops("content_filter", "x")} {
		req := ask(object(t))
		req.MaxAttempts = 5
		s, _, err := runScript(t.Context(), t, req, Options{}, reply)
		if err == nil || len(s.bodies) != 1 {
			t.Errorf("%d calls, %v", len(s.bodies), err)
		}
	}
}

// TestEachTryHasItsOwnRetries: calls that bring no reply use up no try.
func TestEachTryHasItsOwnRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := ask(object(t))
		req.MaxAttempts = 2
		req.Targets[0].Retry = Retry{MaxAttempts: 2, BaseDelay: time.Second}
		_, result, err := runScript(t.Context(), t, req, Options{}, fails(ClassServer), says(`{}`), fails(ClassTimeout), says(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		type step struct {
			Number, Try int
			Class       Class
			Waited      time.Duration
		}
		var got []step
		for _, a := range result.Attempts {
			got = append(got, step{a.Number, a.Try, a.Class, a.Waited})
		}
		want := []step{{1, 1, ClassServer, 0}, {2, 1, ClassMismatch, time.Second}, {3, 2, ClassTimeout, 0}, {4, 2, ClassOK, time.Second}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
	})
}

func TestRetriesEndWithTheTimeThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := ask(text)
		req.Targets[0].Retry = Retry{MaxAttempts: 10, BaseDelay: time.Second}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		_, _, err := runScript(ctx, t, req, Options{}, fails(ClassRateLimited))
		e := failure(t, err)
		// After 1 s and 2 s the next wait would be 4 s, and only 2 s are left.
		if e.Class != ClassRateLimited || len(e.Attempts) != 3 || time.Since(start) != 3*time.Second {
			t.Errorf("%d attempts in %v: %v", len(e.Attempts), time.Since(start), e)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Error("the deadline has not passed")
		}
	})
}

func TestCancellation(t *testing.T) {
	tests := []struct {
		name    string
		answers []answer
		class   Class
		calls   int
		at      time.Duration
	}{
		{"during a call", []answer{hangs}, ClassCancelled, 1, 3 * time.Second},
		{"during a wait", []answer{fails(ClassServer)}, ClassCancelled, 2, 3 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				req := ask(text)
				req.Targets[0].Retry = Retry{MaxAttempts: 10, BaseDelay: 2 * time.Second}
				req.Targets = append(req.Targets, Target{BackendID: "b", Model: "fallback"})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(3*time.Second, cancel)
				start := time.Now()
				s, _, err := runScript(ctx, t, req, Options{}, tt.answers...)
				e := failure(t, err)
				if e.Class != tt.class || e.Stage != Generation || !errors.Is(err, context.Canceled) {
					t.Errorf("got %q: %v", e.Class, err)
				}
				if len(s.bodies) != tt.calls || time.Since(start) != tt.at {
					t.Errorf("%d calls in %v", len(s.bodies), time.Since(start))
				}
			})
		})
	}
}

func TestTheCallersDeadlineIsNoTimeoutOfTheBackend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := ask(text)
		req.Targets[0].Timeout = 10 * time.Second
		req.Targets[0].Retry = Retry{MaxAttempts: 2}
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		s, _, err := runScript(ctx, t, req, Options{}, hangs)
		e := failure(t, err)
		if want := []Class{ClassTimeout, ClassCancelled}; !slices.Equal(classes(e.Attempts), want) || len(s.bodies) != 2 {
			t.Errorf("classes %q, want %q", classes(e.Attempts), want)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestATimeoutDoesNotMatchTheContextsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := ask(text)
		req.Targets[0].Timeout = time.Second
		_, _, err := runScript(t.Context(), t, req, Options{}, hangs)
		if e := failure(t, err); e.Class != ClassTimeout || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			t.Errorf("got %q: %v", e.Class, err)
		}
	})
}

func TestFallback(t *testing.T) {
	tests := []struct {
		name    string
		answers []answer
		targets []string
		class   Class
	}{
		{"in order", []answer{fails(ClassServer), fails(ClassServer), fails(ClassConnection), fails(ClassConnection), says("x")},
			[]string{"first", "first", "second", "second", "third"}, ClassOK},
		{"quota without a retry", []answer{fails(ClassQuota), says("x")}, []string{"first", "second"}, ClassOK},
		{"a server that speaks something else", []answer{fails(ClassProtocol), says("x")}, []string{"first", "second"}, ClassOK},
		{"not for a bad request", []answer{fails(ClassBadRequest)}, []string{"first"}, ClassBadRequest},
		{"not for a wrong key", []answer{fails(ClassUnauthorized)}, []string{"first"}, ClassUnauthorized},
		{"not for a long prompt", []answer{fails(ClassContextLength)}, []string{"first"}, ClassContextLength},
		{"not for a reply", []answer{stops("length", "x")}, []string{"first"}, ClassTruncated},
		{"a bad request on the way", []answer{fails(ClassQuota), fails(ClassBadRequest)}, []string{"first", "second"}, ClassBadRequest},
		{"a fallback without its key is passed over", []answer{fails(ClassQuota), fails(ClassCredential), says("x")},
			[]string{"first", "second", "third"}, ClassOK},
		{"until there is none", []answer{fails(ClassProtocol)}, []string{"first", "second", "third"}, ClassProtocol},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				retry := Retry{MaxAttempts: 2, BaseDelay: time.Second}
				req := ask(text)
				req.Targets = []Target{
					{ProfileID: "p1", BackendID: "b1", Model: "first", Retry: retry},
					{ProfileID: "p2", BackendID: "b2", Model: "second", Retry: retry},
					{ProfileID: "p3", BackendID: "b3", Model: "third", Retry: retry},
				}
				s, result, err := runScript(t.Context(), t, req, Options{}, tt.answers...)
				if !slices.Equal(s.targets, tt.targets) {
					t.Errorf("called %q, want %q", s.targets, tt.targets)
				}
				last := len(tt.targets) - 1
				if tt.class == ClassOK {
					if err != nil || req.Targets[result.Target].Model != tt.targets[last] {
						t.Errorf("got %+v, %v", result, err)
					}
					return
				}
				if e := failure(t, err); e.Class != tt.class || e.Model != tt.targets[last] {
					t.Errorf("got %q at %q", e.Class, e.Model)
				}
			})
		})
	}
}

// TestAFallbackWithoutItsKeyExplainsNothing: the run fails of what led to it.
func TestAFallbackWithoutItsKeyExplainsNothing(t *testing.T) {
	req := ask(text)
	req.Targets = append(req.Targets, Target{BackendID: "b2", Model: "second"})
	s, _, err := runScript(t.Context(), t, req, Options{}, fails(ClassQuota), fails(ClassCredential))
	if e := failure(t, err); e.Class != ClassQuota || e.Model != "first" || len(s.targets) != 2 || len(e.Attempts) != 2 {
		t.Errorf("got %q at %q after %q", e.Class, e.Model, s.targets)
	}
	_, _, err = runScript(t.Context(), t, req, Options{}, fails(ClassCredential))
	if e := failure(t, err); e.Class != ClassCredential || e.Model != "first" {
		t.Errorf("got %q at %q", e.Class, e.Model)
	}
}

// TestRepairStaysWhereTheReplyCameFrom: a target that failed is not gone back to.
func TestRepairStaysWhereTheReplyCameFrom(t *testing.T) {
	req := ask(jsonContract)
	req.MaxAttempts = 2
	req.Targets = append(req.Targets, Target{ProfileID: "p2", BackendID: "b2", Model: "second"})
	s, _, err := runScript(t.Context(), t, req, Options{}, fails(ClassQuota), says("no"), says("[]"))
	if want := []string{"first", "second", "second"}; err != nil || !slices.Equal(s.targets, want) {
		t.Errorf("called %q, %v", s.targets, err)
	}
	if !strings.Contains(s.bodies[1], `"model":"second"`) {
		t.Errorf("the fallback was sent %s", s.bodies[1])
	}
}

func TestAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := capacity.NewPool(capacity.Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: 1})
		s := &script{answers: []answer{func(ctx context.Context, c *Call) (*Reply, error) {
			time.Sleep(time.Second)
			return says("x")(ctx, c)
		}}}
		f, err := Freeze(s, ask(text))
		if err != nil {
			t.Fatal(err)
		}
		r := &Runner{Generator: s, Admission: pool}
		var wg sync.WaitGroup
		var mu sync.Mutex
		var errs []error
		for range 3 {
			wg.Go(func() {
				if _, err := r.Run(t.Context(), f, Options{}); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		if len(errs) != 1 {
			t.Fatalf("errors: %v", errs)
		}
		var full *capacity.FullError
		if e := failure(t, errs[0]); e.Stage != Admission || e.Class != ClassCapacity || !errors.As(e, &full) || full.Waiting != 1 {
			t.Errorf("got %q in stage %d: %v", e.Class, e.Stage, e)
		}
		if st := pool.Stats()[0]; st.Running != 0 || st.Admitted != 2 {
			t.Errorf("stats %+v", st)
		}
	})
}

func TestCancelledWhileWaitingForAPlace(t *testing.T) {
	pool := capacity.NewPool(capacity.Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: -1})
	if _, err := pool.Acquire(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	s := &script{answers: []answer{says("x")}}
	f, err := Freeze(s, ask(text))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = (&Runner{Generator: s, Admission: pool}).Run(ctx, f, Options{})
	if e := failure(t, err); e.Stage != Admission || e.Class != ClassCancelled || !errors.Is(err, context.DeadlineExceeded) || len(s.bodies) != 0 {
		t.Errorf("got %q in stage %d: %v", e.Class, e.Stage, e)
	}
}

// TestAFullFallbackIsPassedOver, and its fullness is not what the run fails of.
func TestAFullFallbackIsPassedOver(t *testing.T) {
	pool := capacity.NewPool(capacity.Limits{Backend: "b", MaxConcurrent: 1}, capacity.Limits{Backend: "full", MaxConcurrent: 1})
	if _, err := pool.Acquire(t.Context(), "full"); err != nil {
		t.Fatal(err)
	}
	for _, third := range []bool{true, false} {
		s := &script{answers: []answer{fails(ClassQuota), says("x")}}
		req := ask(text)
		req.Targets = append(req.Targets, Target{BackendID: "full", Model: "second"})
		if third {
			req.Targets = append(req.Targets, Target{BackendID: "free", Model: "third"})
		}
		f, err := Freeze(s, req)
		if err != nil {
			t.Fatal(err)
		}
		result, err := (&Runner{Generator: s, Admission: pool}).Run(t.Context(), f, Options{})
		if third && (err != nil || result.Target != 2) {
			t.Errorf("got %+v, %v", result, err)
		}
		if !third {
			if e := failure(t, err); e.Class != ClassQuota || e.Model != "first" {
				t.Errorf("got %q at %q", e.Class, e.Model)
			}
		}
	}
	if st := pool.Stats()[0]; st.Running != 0 {
		t.Errorf("a place is not given back: %+v", st)
	}
}

func TestInstructionsAreRenderedForEachTry(t *testing.T) {
	instructions := []Instruction{
		{ID: "static", Role: "system", Text: "Be {{action}} brief."},
		{ID: "pace", Role: "system", Template: "Try {{action}} of {{actionBudget}}, {{actionsRemaining}} left."},
		{ID: "late", Role: "user", Text: "Hurry.", FromAction: 2},
	}
	req := ask(jsonContract)
	req.MaxAttempts = 2
	req.Instructions = instructions
	s, result, err := runScript(t.Context(), t, req, Options{}, says("no"), says("[]"))
	if err != nil {
		t.Fatal(err)
	}
	var said [][]string
	for call := range 2 {
		var contents []string
		for _, m := range s.messages(t, call) {
			contents = append(contents, m.Content)
		}
		said = append(said, contents)
	}
	want := [][]string{
		{"question", "Be {{action}} brief.", "Try 1 of 2, 1 left."},
		{"question", "Be {{action}} brief.", "Try 2 of 2, 0 left.", "Hurry.", "no"},
	}
	if !slices.Equal(said[0], want[0]) || !slices.Equal(said[1][:5], want[1]) {
		t.Errorf("said %q", said)
	}
	states := []InstructionRecord{{ID: "static", State: InstructionApplied}, {ID: "pace", State: InstructionApplied}, {ID: "late", State: InstructionInactive}}
	if diff := cmp.Diff(states, result.Attempts[0].Instructions); diff != "" {
		t.Errorf("first record (-want +got):\n%s", diff)
	}
	states[2].State = InstructionApplied
	if diff := cmp.Diff(states, result.Attempts[1].Instructions); diff != "" {
		t.Errorf("second record (-want +got):\n%s", diff)
	}
}

func TestInstructionsWithoutFacts(t *testing.T) {
	pace := Instruction{ID: "pace", Role: "system", Template: "Action {{action}} of {{actionBudget}}."}
	late := Instruction{ID: "late", Role: "system", Text: "Hurry.", FromAction: 3}
	tests := []struct {
		name  string
		turn  *fact.Turn
		tries int
		want  []InstructionRecord
	}{
		{"no turn, no repair", nil, 1, []InstructionRecord{
			{ID: "pace", State: InstructionSkipped, Missing: []string{"action", "actionBudget"}}, {ID: "late", State: InstructionInactive}}},
		{"a turn without a budget", &fact.Turn{Action: 3}, 1, []InstructionRecord{
			{ID: "pace", State: InstructionSkipped, Missing: []string{"actionBudget"}}, {ID: "late", State: InstructionApplied}}},
		{"the caller's turn comes first", &fact.Turn{Action: 1, Budget: new(9)}, 4, []InstructionRecord{
			{ID: "pace", State: InstructionApplied}, {ID: "late", State: InstructionInactive}}},
	}
	for _, tt := range tests {
		req := ask(text)
		req.Turn, req.MaxAttempts, req.Instructions = tt.turn, tt.tries, []Instruction{pace, late}
		f, err := Freeze(&script{}, req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, f.Instructions()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFrozenIsFrozen(t *testing.T) {
	req := ask(text)
	req.Targets[0].Stop = []string{"END"}
	req.Messages[0].Cache = &Cache{Type: "ephemeral"}
	req.Turn = &fact.Turn{Action: 1, Budget: new(5)}
	req.Instructions = []Instruction{{ID: "i", Role: "user", Template: "{{action}}/{{actionBudget}}"}}
	s := &script{answers: []answer{says("x")}}
	f, err := Freeze(s, req)
	if err != nil {
		t.Fatal(err)
	}
	body := string(f.Body())
	req.Messages[0].Content, req.Messages[0].Cache.Type = "changed", "changed"
	req.Targets[0].Model, req.Targets[0].Stop[0] = "changed", "changed"
	*req.Turn.Budget, req.Turn.Action = 99, 99
	req.Instructions[0].Template = "changed"
	f.Body()[0] = 'X'
	f.Messages()[0].Content = "changed"
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := (&Runner{Generator: s}).Run(t.Context(), f, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, sent := range s.bodies {
		if sent != body {
			t.Fatalf("sent   %s\nfrozen %s", sent, body)
		}
	}
	if !strings.Contains(body, `"1/5"`) {
		t.Errorf("frozen %s", body)
	}
}

func TestTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := ask(jsonContract)
		req.MaxAttempts = 2
		slow := func(ctx context.Context, c *Call) (*Reply, error) {
			time.Sleep(time.Second)
			c.OnText("n")
			time.Sleep(2 * time.Second)
			c.OnText("o")
			return &Reply{Text: "no", FinishReason: "stop", Model: "first-0513", Usage: Usage{InputTokens: 5, OutputTokens: 2, CachedTokens: 3}}, nil
		}
		var heard []string
		opts := Options{KeepContent: true, OnText: func(n int, text string) { heard = append(heard, fmt.Sprint(n, text)) }}
		start := time.Now()
		s, result, err := runScript(t.Context(), t, req, opts, slow, says("[1]"))
		if err != nil {
			t.Fatal(err)
		}
		want := []Attempt{
			{
				Number: 1, Try: 1, ProfileID: "p", BackendID: "b", Model: "first-0513", Class: ClassNotJSON, FinishReason: "stop",
				Usage: Usage{InputTokens: 5, OutputTokens: 2, CachedTokens: 3}, StartedAt: start, Duration: 3 * time.Second, FirstText: time.Second,
				RequestBytes: int64(len(s.bodies[0])), RequestDigest: digest([]byte(s.bodies[0])), ReplyBytes: 2, ReplyDigest: digest([]byte("no")),
				Content: &Content{Request: s.bodies[0], Reply: "no"},
			},
			{
				Number: 2, Try: 2, ProfileID: "p", BackendID: "b", Model: "first", FinishReason: "stop",
				Usage: Usage{InputTokens: 10, OutputTokens: 1}, StartedAt: start.Add(3 * time.Second),
				RequestBytes: int64(len(s.bodies[1])), RequestDigest: digest([]byte(s.bodies[1])), ReplyBytes: 3, ReplyDigest: digest([]byte("[1]")),
				Content: &Content{Request: s.bodies[1], Reply: "[1]"},
			},
		}
		if diff := cmp.Diff(want, result.Attempts, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
		if !slices.Equal(heard, []string{"1n", "1o", "2[1]"}) {
			t.Errorf("heard %q", heard)
		}
	})
}

// notes is an observer that writes down what it is told.
type notes struct{ lines []string }

type key struct{}

func (n *notes) Admitted(_ context.Context, t *Target, waited time.Duration) {
	n.lines = append(n.lines, fmt.Sprint("admitted ", t.BackendID, " ", waited))
}

func (n *notes) Started(ctx context.Context, a Attempt) context.Context {
	n.lines = append(n.lines, fmt.Sprint("started ", a.Number))
	return context.WithValue(ctx, key{}, a.Number)
}

func (n *notes) Ended(ctx context.Context, a Attempt) {
	n.lines = append(n.lines, fmt.Sprint("ended ", ctx.Value(key{}), " ", a.Class))
}

func TestObserver(t *testing.T) {
	req := ask(jsonContract)
	req.MaxAttempts = 2
	req.Targets = append(req.Targets, Target{BackendID: "b2", Model: "second"})
	n := &notes{}
	inside := func(ctx context.Context, c *Call) (*Reply, error) {
		n.lines = append(n.lines, fmt.Sprint("called ", ctx.Value(key{})))
		return says("no")(ctx, c)
	}
	_, _, err := runScript(t.Context(), t, req, Options{Observer: n}, fails(ClassQuota), inside, says("[]"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"admitted b 0s", "started 1", "ended 1 quota", "admitted b2 0s", "started 2", "called 2", "ended 2 not_json", "started 3", "ended 3 ",
	}
	for i, line := range n.lines {
		if strings.HasPrefix(line, "admitted") {
			n.lines[i] = strings.Join(strings.Fields(line)[:2], " ") + " 0s"
		}
	}
	if !slices.Equal(n.lines, want) {
		t.Errorf("got %q", n.lines)
	}
}

func TestAnErrorOfUnknownMake(t *testing.T) {
	cause := errors.New("canary in the words")
	_, _, err := runScript(t.Context(), t, ask(text), Options{}, func(context.Context, *Call) (*Reply, error) { return nil, cause })
	e := failure(t, err)
	if e.Class != ClassUnknown || !errors.Is(err, cause) || strings.Contains(e.Error(), "canary") {
		t.Errorf("got %q: %v", e.Class, err)
	}
}

func TestFreezeRefuses(t *testing.T) {
	if _, err := Freeze(&script{}, Request{}); err == nil {
		t.Error("a request without a target was frozen")
	}
}

// TestAPanicGivesThePlaceBack: the caller's callback may panic, and recover.
func TestAPanicGivesThePlaceBack(t *testing.T) {
	pool := capacity.NewPool(capacity.Limits{Backend: "b", MaxConcurrent: 1})
	s := &script{answers: []answer{says("x")}}
	f, err := Freeze(s, ask(text))
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = (&Runner{Generator: s, Admission: pool}).Run(t.Context(), f, Options{OnText: func(int, string) { panic("callback") }})
	}()
	if st := pool.Stats()[0]; st.Running != 0 {
		t.Errorf("stats %+v", st)
	}
}
