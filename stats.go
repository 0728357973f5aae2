package promptkit

import "time"

// Stats is what an engine's runs are doing at one moment.
type Stats struct {
	// Backends lists the captured backends, sorted by ID.
	Backends []BackendStats
}

// BackendStats is what is going on at one backend.
type BackendStats struct {
	BackendID     string
	Running       int // admitted and not finished
	Waiting       int // waiting for admission
	MaxConcurrent int // 0 means no bound
	MaxWaiting    int // -1 means no bound
	// Since the engine was built:
	Admitted  int64
	Rejected  int64         // because the queue was full
	Abandoned int64         // because their context ended while they waited
	Waited    time.Duration // by all that were admitted, together
}

// Stats reports what runs are doing now. The result belongs to the caller.
func (e *Engine) Stats() Stats {
	if !e.usable() {
		return Stats{}
	}
	var stats Stats
	for _, s := range e.runner.pool.Stats() {
		stats.Backends = append(stats.Backends, BackendStats{
			BackendID: s.Backend, Running: s.Running, Waiting: s.Waiting, MaxConcurrent: s.Limit, MaxWaiting: s.MaxWaiting,
			Admitted: s.Admitted, Rejected: s.Rejected, Abandoned: s.Abandoned, Waited: s.Waited,
		})
	}
	return stats
}
