package execution

import (
	"math"
	"testing"
	"time"
)

func TestNext(t *testing.T) {
	const never = -1
	r := Retry{MaxAttempts: 5, BaseDelay: time.Second, MaxDelay: 6 * time.Second}
	tests := []struct {
		name   string
		retry  Retry
		calls  int
		class  Class
		asked  time.Duration
		left   time.Duration
		chance float64
		want   time.Duration
		again  bool
	}{
		{"first wait, least chance", r, 1, ClassServer, 0, never, 0, 500 * time.Millisecond, true},
		{"first wait, most chance", r, 1, ClassServer, 0, never, 1, time.Second, true},
		{"doubled", r, 2, ClassServer, 0, never, 1, 2 * time.Second, true},
		{"doubled twice", r, 3, ClassServer, 0, never, 1, 4 * time.Second, true},
		{"capped", r, 4, ClassServer, 0, never, 1, 6 * time.Second, true},
		{"capped, least chance", r, 4, ClassServer, 0, never, 0, 3 * time.Second, true},
		{"used up", r, 5, ClassServer, 0, never, 1, 0, false},
		{"the server asks for more", r, 1, ClassRateLimited, 5 * time.Second, never, 1, 5 * time.Second, true},
		{"the server asks for less", r, 3, ClassRateLimited, time.Second, never, 1, 4 * time.Second, true},
		{"the server asks for too much", r, 1, ClassRateLimited, time.Hour, never, 1, 6 * time.Second, true},
		{"no time for the wait", r, 1, ClassServer, 0, time.Second, 1, 0, false},
		{"just enough time", r, 1, ClassServer, 0, time.Second + 1, 1, time.Second, true},
		{"no time at all", r, 1, ClassServer, 0, 0, 0, 0, false},
		{"no time for what the server asks", r, 1, ClassServer, 5 * time.Second, 3 * time.Second, 1, 0, false},
		{"a class that is not retried", r, 1, ClassBadRequest, time.Second, never, 1, 0, false},
		{"no retries", Retry{}, 1, ClassServer, 0, never, 1, 0, false},
		{"no delay", Retry{MaxAttempts: 3}, 2, ClassServer, 0, never, 1, 0, true},
		{"no cap", Retry{MaxAttempts: 3, BaseDelay: time.Second}, 1, ClassServer, time.Hour, never, 1, time.Hour, true},
		{"many calls", Retry{MaxAttempts: 200, BaseDelay: time.Second, MaxDelay: time.Minute}, 100, ClassServer, 0, never, 1, time.Minute, true},
		{"many calls without a cap", Retry{MaxAttempts: 200, BaseDelay: time.Second}, 100, ClassServer, 0, never, 1, 4096 * time.Second, true},
		{"a huge base", Retry{MaxAttempts: 9, BaseDelay: math.MaxInt64}, 5, ClassServer, 0, never, 0, math.MaxInt64 / 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wait, again := tt.retry.Next(tt.calls, &Fault{Class: tt.class, RetryAfter: tt.asked}, tt.left, tt.chance)
			if wait != tt.want || again != tt.again {
				t.Errorf("got %v, %v; want %v, %v", wait, again, tt.want, tt.again)
			}
		})
	}
}

// TestPolicy spells the table out once more, so that a class does not get
// another fate in passing.
func TestPolicy(t *testing.T) {
	type fate struct{ retried, fallsBack, repaired bool }
	all := map[Class]fate{
		ClassOK: {}, ClassConnection: {true, true, false}, ClassInterrupted: {true, true, false},
		ClassTimeout: {true, true, false}, ClassConflict: {true, true, false}, ClassRateLimited: {true, true, false},
		ClassServer: {true, true, false}, ClassProtocol: {false, true, false}, ClassTooLarge: {false, true, false},
		ClassQuota: {false, true, false}, ClassUnauthorized: {}, ClassNotFound: {}, ClassBadRequest: {},
		ClassContextLength: {}, ClassUnsupported: {}, ClassRedirect: {}, ClassUnusable: {}, ClassCredential: {},
		ClassCapacity: {}, ClassCancelled: {}, ClassUnknown: {}, ClassTruncated: {}, ClassRefused: {},
		ClassEmpty: {false, false, true}, ClassNotJSON: {false, false, true}, ClassMismatch: {false, false, true},
	}
	for class, want := range all {
		if got := (fate{class.Retried(), class.FallsBack(), class.Repaired()}); got != want {
			t.Errorf("%q: got %+v, want %+v", class, got, want)
		}
	}
}
