package capacity

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Limits says how many runs a backend takes.
type Limits struct {
	Backend       string
	MaxConcurrent int // at a time; 0 for no limit
	MaxWaiting    int // in the queue behind them; negative for no limit
}

// Pool admits runs to several backends. It is safe for concurrent use.
type Pool struct {
	queues map[string]*queue // never written after NewPool
}

// NewPool returns a pool with a queue for each of limits. Backends are
// distinct.
func NewPool(limits ...Limits) *Pool {
	p := &Pool{queues: make(map[string]*queue, len(limits))}
	for _, l := range limits {
		p.queues[l.Backend] = &queue{stats: Stats{Backend: l.Backend, Limit: l.MaxConcurrent, MaxWaiting: l.MaxWaiting}}
	}
	return p
}

// Acquire takes a place at the backend and returns the function that gives it
// back, which may be called more than once. It fails with a *FullError if the
// queue has no room, and with the context's error if that ends first. A
// backend that the pool does not know has no limit.
func (p *Pool) Acquire(ctx context.Context, backend string) (release func(), err error) {
	q := p.queues[backend]
	if q == nil {
		return func() {}, ctx.Err()
	}
	if err := q.acquire(ctx); err != nil {
		return nil, err
	}
	return sync.OnceFunc(q.release), nil
}

// Stats returns the statistics of every backend, by name. The caller owns the
// result.
func (p *Pool) Stats() []Stats {
	all := make([]Stats, 0, len(p.queues))
	for _, q := range p.queues {
		all = append(all, q.snapshot())
	}
	slices.SortFunc(all, func(a, b Stats) int { return cmp.Compare(a.Backend, b.Backend) })
	return all
}
