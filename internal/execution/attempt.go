package execution

import (
	"context"
	"errors"
	"time"
)

// attempt makes one call and records it and what became of it.
func (s *run) attempt(ctx context.Context, waited time.Duration) (verdict, *Fault) {
	call := s.frozen.call(s.target, s.messages)
	body, sum, err := s.body(call)
	if err != nil {
		return verdict{}, faultOf(err)
	}
	call.Body = body
	a := s.begin(body, sum, waited)
	if s.opts.Observer != nil {
		return s.observed(ctx, call, a)
	}
	return s.judged(ctx, call, a)
}

// observed tells the observer of a call before and after it. It is apart from
// a call that nobody observes because the copies that it makes of the record
// are most of the stack of a run, which grows in each new goroutine.
func (s *run) observed(ctx context.Context, call *Call, a *Attempt) (verdict, *Fault) {
	ctx = s.opts.Observer.Started(ctx, *a)
	v, fault := s.judged(ctx, call, a)
	s.opts.Observer.Ended(ctx, *a)
	return v, fault
}

// judged makes a call, judges the reply and completes the record.
func (s *run) judged(ctx context.Context, call *Call, a *Attempt) (verdict, *Fault) {
	reply, fault := s.call(ctx, call, a)
	var v verdict
	if fault == nil {
		v = judge(s.frozen.req.Output, reply)
		a.heard(reply, v)
		s.reply = reply
		s.usage = s.usage.Add(reply.Usage)
	} else {
		a.Class, a.Status, a.Code = fault.Class, fault.Status, fault.Code
	}
	if s.opts.KeepContent {
		a.Content = &Content{Request: string(call.Body)}
		if reply != nil {
			a.Content.Reply = reply.Text
		}
	}
	return v, fault
}

// body is what a call sends, and its digest. That of the first try is frozen.
func (s *run) body(call *Call) ([]byte, string, error) {
	if s.try == 1 {
		return s.frozen.bodies[s.target], s.frozen.digests[s.target], nil
	}
	body, err := s.Generator.Encode(call)
	if err != nil {
		return nil, "", err
	}
	return body, digest(body), nil
}

// begin adds the record of a call that is about to be made, which is valid
// until the next one begins.
func (s *run) begin(body []byte, sum string, waited time.Duration) *Attempt {
	t := s.at()
	s.attempts = append(s.attempts, Attempt{
		Number: len(s.attempts) + 1, Try: s.try,
		ProfileID: t.ProfileID, BackendID: t.BackendID, Model: t.Model,
		Waited: waited, StartedAt: time.Now(),
		RequestBytes: int64(len(body)), RequestDigest: sum,
		Instructions: s.instructions,
	})
	return &s.attempts[len(s.attempts)-1]
}

// heard notes a reply and what became of it.
func (a *Attempt) heard(r *Reply, v verdict) {
	a.Class, a.Violations = v.class, len(v.violations)
	a.FinishReason, a.Usage = r.FinishReason, r.Usage
	if r.Model != "" {
		a.Model = r.Model
	}
	a.ReplyBytes, a.ReplyDigest = int64(len(r.Text)), textDigest(r.Text)
}

// call makes a call within the target's time limit.
func (s *run) call(ctx context.Context, call *Call, a *Attempt) (*Reply, *Fault) {
	limited := ctx
	if call.Target.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, call.Target.Timeout)
		defer cancel()
	}
	var first *time.Duration
	if s.opts.OnText != nil {
		first = s.listen(call, a.Number, a.StartedAt)
	}
	reply, err := s.Generator.Generate(limited, call)
	a.Duration = time.Since(a.StartedAt)
	if first != nil {
		a.FirstText = *first
	}
	if err != nil {
		return nil, explain(ctx, limited, faultOf(err))
	}
	return reply, nil
}

// listen makes a call pass its text on as it comes, and returns how long after
// the start the first of it came, once the call is over.
func (s *run) listen(call *Call, attempt int, start time.Time) *time.Duration {
	first := new(time.Duration)
	call.OnText = func(text string) {
		if *first == 0 {
			*first = time.Since(start)
		}
		s.opts.OnText(attempt, text)
	}
	return first
}

// explain tells the caller's context, whose end ends the run, from the
// target's time limit, after which it goes on.
func explain(ctx, limited context.Context, f *Fault) *Fault {
	byContext := f.Class == ClassCancelled || errors.Is(f.Err, context.Canceled) || errors.Is(f.Err, context.DeadlineExceeded)
	if !byContext {
		return f
	}
	if err := ended(ctx); err != nil {
		return cancelled(err)
	}
	if ended(limited) != nil {
		return &Fault{Class: ClassTimeout, Status: f.Status, Reason: "gave no complete reply within its timeout; raise timeout, or try later"}
	}
	return f
}

// cancelled is the failure that the caller's context is over.
func cancelled(cause error) *Fault {
	return &Fault{Class: ClassCancelled, Reason: "was given up on: " + cause.Error(), Err: cause}
}
