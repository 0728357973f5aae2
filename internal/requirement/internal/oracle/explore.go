package oracle

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// decisions is the sequence of choices that leads to one execution.
type decisions struct {
	taken, width []int
	at           int
	random       *rand.Rand // chooses where nothing is prescribed; nil: the first
}

func (d *decisions) choose(n int) int {
	if n == 1 {
		return 0
	}
	if d.at == len(d.taken) {
		c := 0
		if d.random != nil {
			c = d.random.IntN(n)
		}
		d.taken, d.width = append(d.taken, c), append(d.width, n)
	}
	d.at++
	return d.taken[d.at-1]
}

// next advances to the next path of the tree of choices, depth first.
func (d *decisions) next() bool {
	d.at = 0
	for i := len(d.taken) - 1; i >= 0; i-- {
		if d.taken[i]+1 < d.width[i] {
			d.taken[i]++
			d.taken, d.width = d.taken[:i+1], d.width[:i+1]
			return true
		}
	}
	return false
}

// Limits bound how many executions a search takes.
type Limits struct {
	Paths   int // executions before a search is no longer exhaustive
	Samples int // random executions after that
}

// search runs completions from a start until visit returns false or there are
// no more, and reports whether it has seen all of them.
func (s *Subject) search(st *start, l Limits, visit func(*run) bool) (exhausted bool) {
	endless := 0
	d := &decisions{}
	for range l.Paths {
		r := s.execute(st, d.choose, false)
		if r.endless {
			endless++
		}
		if !visit(r) || endless > maxEndless {
			return false
		}
		if !d.next() {
			return endless == 0
		}
	}
	d = &decisions{random: rand.New(rand.NewPCG(1, uint64(l.Paths)))}
	for range l.Samples {
		d.taken, d.width, d.at = d.taken[:0], d.width[:0], 0
		if !visit(s.execute(st, d.choose, false)) {
			break
		}
	}
	return false
}

// grow adds to the pool what an execution asked for after it had seen the
// whole map without it, and reports whether there was anything.
func (st *start) grow(missed map[string]bool) bool {
	if len(missed) == 0 {
		return false
	}
	st.pool = append(slices.Clone(st.pool), slices.Sorted(maps.Keys(missed))...)
	return true
}

// maxGrowths bounds how often a search starts anew with a larger pool.
const maxGrowths = 4

// success searches for a completion that succeeds.
func (s *Subject) success(st *start, l Limits) *Completion {
	for range maxGrowths {
		var found *Completion
		missed := map[string]bool{}
		s.search(st, l, func(r *run) bool {
			if r.ok {
				c := r.completion()
				found = &c
			}
			r.addMissed(missed)
			return found == nil
		})
		if found != nil || !st.grow(missed) {
			return found
		}
	}
	return nil
}

func (r *run) addMissed(to map[string]bool) {
	for _, name := range r.missed {
		to[name] = true
	}
}
