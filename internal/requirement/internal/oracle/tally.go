package oracle

// tally counts what executions read, over all completions of a search.
type tally struct {
	runs, successes, counted int
	names                    map[nameKey]*count
	places                   map[placeKey]*count
}

type nameKey struct {
	name  string
	input bool
}

type placeKey struct {
	site int
	name string
}

// count tells in how many executions something happened.
type count struct {
	executed int // in those that count for claims of inactivity
	read     int // in successes
	demanded int // in successes

	seenExecuted, seenRead, seenDemanded int // the last execution counted
}

func newTally() *tally {
	return &tally{names: map[nameKey]*count{}, places: map[placeKey]*count{}}
}

// add counts one execution.
func (t *tally) add(r *run) {
	t.runs++
	if r.ok {
		t.successes++
	}
	if !r.withheld {
		t.counted++
	}
	for _, e := range r.events {
		key := nameKey{e.name, e.kind == called}
		n := t.names[key]
		if n == nil {
			n = &count{}
			t.names[key] = n
		}
		p := t.places[placeKey{e.site, e.name}]
		if p == nil {
			p = &count{}
			t.places[placeKey{e.site, e.name}] = p
		}
		n.add(t.runs, r, e.kind)
		p.add(t.runs, r, e.kind)
	}
}

func (c *count) add(run int, r *run, kind eventKind) {
	if !r.withheld && c.seenExecuted != run {
		c.seenExecuted = run
		c.executed++
	}
	if !r.ok || kind == reached {
		return
	}
	if c.seenRead != run {
		c.seenRead = run
		c.read++
	}
	if kind != lookedUp && c.seenDemanded != run {
		c.seenDemanded = run
		c.demanded++
	}
}

// of returns what was counted for a name.
func (t *tally) of(name string, input bool) count {
	if c := t.names[nameKey{name, input}]; c != nil {
		return *c
	}
	return count{}
}
