package capacity

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustAcquire(t *testing.T, p *Pool, backend string) func() {
	t.Helper()
	release, err := p.Acquire(t.Context(), backend)
	if err != nil {
		t.Fatalf("Acquire(%q): %v", backend, err)
	}
	return release
}

func TestPlacesAreHandedOverInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: -1})
		release := mustAcquire(t, p, "b")
		var order []int
		for i := range 20 {
			go func() {
				release := mustAcquire(t, p, "b")
				order = append(order, i)
				time.Sleep(time.Second)
				release()
			}()
			synctest.Wait() // so that they queue in the order of i
		}
		release()
		time.Sleep(time.Minute)
		synctest.Wait()
		want := make([]int, 20)
		for i := range want {
			want[i] = i
		}
		if !slices.Equal(order, want) {
			t.Errorf("admitted in order %v", order)
		}
		s := p.Stats()[0]
		wantStats := Stats{Backend: "b", Limit: 1, MaxWaiting: -1, Admitted: 21, Waited: 190 * time.Second}
		if diff := cmp.Diff(wantStats, s); diff != "" {
			t.Errorf("stats (-want +got):\n%s", diff)
		}
	})
}

func TestAFullQueueSaysWhatWasWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Limits{Backend: "gpu", MaxConcurrent: 2, MaxWaiting: 1})
		r1, r2 := mustAcquire(t, p, "gpu"), mustAcquire(t, p, "gpu")
		go func() { mustAcquire(t, p, "gpu")() }()
		synctest.Wait()

		_, err := p.Acquire(t.Context(), "gpu")
		var full *FullError
		if !errors.As(err, &full) {
			t.Fatalf("got %v, want a *FullError", err)
		}
		want := FullError{Backend: "gpu", Limit: 2, MaxWaiting: 1, Waiting: 1}
		if *full != want {
			t.Errorf("got %+v, want %+v", *full, want)
		}
		r1()
		r2()
		synctest.Wait()
		if s := p.Stats()[0]; s.Running != 0 || s.Waiting != 0 || s.Rejected != 1 || s.Admitted != 3 {
			t.Errorf("stats %+v", s)
		}
	})
}

func TestNoWaitingAtAll(t *testing.T) {
	p := NewPool(Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: 0})
	release := mustAcquire(t, p, "b")
	if _, err := p.Acquire(t.Context(), "b"); err == nil {
		t.Error("the second was admitted")
	}
	release()
	mustAcquire(t, p, "b")()
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: -1})
		release := mustAcquire(t, p, "b")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := p.Acquire(ctx, "b"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if got := time.Since(start); got != 3*time.Second {
			t.Errorf("waited %v", got)
		}
		if s := p.Stats()[0]; s.Waiting != 0 || s.Abandoned != 1 || s.Running != 1 {
			t.Errorf("stats %+v", s)
		}
		release()
		mustAcquire(t, p, "b")()
	})
}

func TestACancelledContextTakesNoPlace(t *testing.T) {
	p := NewPool(Limits{Backend: "b", MaxConcurrent: 1, MaxWaiting: -1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, backend := range []string{"b", "unknown"} {
		if _, err := p.Acquire(ctx, backend); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", backend, err)
		}
	}
	if s := p.Stats()[0]; s.Running != 0 || s.Admitted != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestGivingBackTwiceFreesOnePlace(t *testing.T) {
	p := NewPool(Limits{Backend: "b", MaxConcurrent: 2, MaxWaiting: 0})
	first := mustAcquire(t, p, "b")
	mustAcquire(t, p, "b")
	first()
	first()
	mustAcquire(t, p, "b")
	if _, err := p.Acquire(t.Context(), "b"); err == nil {
		t.Error("a place was freed twice")
	}
}

func TestBackendsDoNotShareAndTheUnknownHaveNoLimit(t *testing.T) {
	p := NewPool(Limits{Backend: "a", MaxConcurrent: 1}, Limits{Backend: "b", MaxConcurrent: 1}, Limits{Backend: "free"})
	mustAcquire(t, p, "a")
	mustAcquire(t, p, "b")
	for range 100 {
		mustAcquire(t, p, "free")
		mustAcquire(t, p, "unknown")
	}
	if s := p.Stats()[2]; s.Backend != "free" || s.Running != 100 {
		t.Errorf("stats %+v", s)
	}
}

// TestNoPlaceIsLost lets many runs come, give up and go at random and then
// counts: places that a cancelled run was given in its last moment are where
// queues leak.
func TestNoPlaceIsLost(t *testing.T) {
	const limit, runs = 4, 4000
	p := NewPool(Limits{Backend: "b", MaxConcurrent: limit, MaxWaiting: 50})
	var running, most, admitted atomic.Int64
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(300))*time.Microsecond)
			defer cancel()
			release, err := p.Acquire(ctx, "b")
			if err != nil {
				return
			}
			admitted.Add(1)
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Duration(rng.IntN(20)) * time.Microsecond)
			running.Add(-1)
			release()
		})
	}
	wg.Wait()
	s := p.Stats()[0]
	if s.Running != 0 || s.Waiting != 0 {
		t.Errorf("left over: %+v", s)
	}
	if most.Load() > limit {
		t.Errorf("%d ran at a time", most.Load())
	}
	if s.Admitted != admitted.Load() || s.Rejected > runs || s.Admitted+s.Rejected+s.Abandoned > runs {
		t.Errorf("counts do not add up: %+v, admitted %d", s, admitted.Load())
	}
}
