package promptkit

// Stats is what an engine's runs are doing at one moment.
type Stats struct {
	// Backends lists the backends that have been used, sorted by ID.
	Backends []BackendStats
}

// BackendStats is what is going on at one backend.
type BackendStats struct {
	BackendID     string
	Running       int // admitted and not finished
	Waiting       int // waiting for admission
	MaxConcurrent int // 0 means no bound
	MaxWaiting    int
	Admitted      int64 // since the engine was built
	Rejected      int64 // because the queue was full, since the engine was built
}

// Stats reports what runs are doing now. The result belongs to the caller.
func (e *Engine) Stats() Stats { return Stats{} }
