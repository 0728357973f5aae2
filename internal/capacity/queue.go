package capacity

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"
)

// FullError says that a backend's queue has no room for another run.
type FullError struct {
	Backend    string
	Limit      int // runs at a time
	MaxWaiting int // runs that may wait
	Waiting    int // runs that were waiting
}

// Error names the backend, its limits and what was waiting.
func (e *FullError) Error() string {
	return fmt.Sprintf("backend %q is at its limit of %d at a time and %d of at most %d are waiting: try again later, or raise max_concurrent or max_waiting",
		e.Backend, e.Limit, e.Waiting, e.MaxWaiting)
}

// Stats is what a backend's queue does now and has done so far.
type Stats struct {
	Backend    string
	Limit      int // runs at a time; 0 for no limit
	MaxWaiting int // runs that may wait; negative for no limit
	Running    int
	Waiting    int
	Admitted   int64         // in all
	Rejected   int64         // turned away because the queue was full
	Abandoned  int64         // gave up waiting because their context ended
	Waited     time.Duration // by all that were admitted, together
}

// queue is the admission of one backend.
type queue struct {
	mu      sync.Mutex
	stats   Stats     // guarded by mu, Waiting excepted: that is waiters' length
	waiters list.List // of chan struct{}, closed on admission; oldest first
}

// acquire takes a place, waiting for one if it has to.
func (q *queue) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	turn, err := q.join()
	if turn == nil {
		return err
	}
	start := time.Now()
	select {
	case <-turn.Value.(chan struct{}):
		q.mu.Lock()
		q.stats.Waited += time.Since(start)
		q.mu.Unlock()
		return nil
	case <-ctx.Done():
		q.leave(turn)
		return ctx.Err()
	}
}

// join takes a free place, in which case there is nothing to wait for, or a
// place in the queue.
func (q *queue) join() (*list.Element, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := &q.stats
	if s.Limit <= 0 || s.Running < s.Limit {
		// Nobody can be waiting: places are handed over, never put back, while
		// somebody is.
		s.Running++
		s.Admitted++
		return nil, nil
	}
	if s.MaxWaiting >= 0 && q.waiters.Len() >= s.MaxWaiting {
		s.Rejected++
		return nil, &FullError{Backend: s.Backend, Limit: s.Limit, MaxWaiting: s.MaxWaiting, Waiting: q.waiters.Len()}
	}
	return q.waiters.PushBack(make(chan struct{})), nil
}

// leave gives up waiting. If the place came in the same moment, it goes on to
// the next in the queue.
func (q *queue) leave(turn *list.Element) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats.Abandoned++
	select {
	case <-turn.Value.(chan struct{}):
		q.stats.Admitted--
		q.pass()
	default:
		q.waiters.Remove(turn)
	}
}

// release gives a place back.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass()
}

// pass hands a place to the longest waiting, or frees it. q.mu is held.
func (q *queue) pass() {
	next := q.waiters.Front()
	if next == nil {
		q.stats.Running--
		return
	}
	q.waiters.Remove(next)
	q.stats.Admitted++
	close(next.Value.(chan struct{}))
}

// snapshot returns the statistics of this moment.
func (q *queue) snapshot() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.stats
	s.Waiting = q.waiters.Len()
	return s
}
