package execution

import (
	"context"
	"time"
)

// Retry says how often and how patiently a failed call is repeated.
type Retry struct {
	MaxAttempts int           // calls in all, the first included; below 1 means 1
	BaseDelay   time.Duration // before the second call, doubled for each further one
	MaxDelay    time.Duration // the longest wait, whatever a server asks for; 0 for no limit
}

// Next decides whether a call that failed is made again, and after which
// wait. calls is how many were made so far, left how much time there is
// (negative: no limit), and chance a number from 0 up to 1 that spreads the
// waits of runs that failed together.
//
// A wait that does not fit in the time that is left is not begun: the caller
// learns the failure while it can still do something about it.
func (r Retry) Next(calls int, f *Fault, left time.Duration, chance float64) (wait time.Duration, again bool) {
	if !f.Class.Retried() || calls >= r.MaxAttempts {
		return 0, false
	}
	wait = r.backoff(calls, chance)
	if asked := r.capped(f.RetryAfter); asked > wait {
		wait = asked
	}
	if left >= 0 && wait >= left {
		return 0, false
	}
	return wait, true
}

// backoff is the wait after so many calls: at least half of a doubling delay,
// the other half by chance.
func (r Retry) backoff(calls int, chance float64) time.Duration {
	delay := r.BaseDelay
	for range calls - 1 {
		if delay > time.Hour { // beyond any use, and before it overflows
			break
		}
		delay *= 2
	}
	delay = r.capped(delay)
	return delay/2 + time.Duration(chance*float64(delay-delay/2))
}

func (r Retry) capped(d time.Duration) time.Duration {
	if r.MaxDelay > 0 {
		return min(d, r.MaxDelay)
	}
	return d
}

// pause waits, or returns the context's error if that ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// remaining is how much time a context leaves; negative for no limit.
func remaining(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return -1
	}
	return max(time.Until(deadline), 0)
}

// ended is the error of a context that is over. A deadline that has passed
// counts, though the context's own timer may not have noticed.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if remaining(ctx) == 0 {
		return context.DeadlineExceeded
	}
	return nil
}
