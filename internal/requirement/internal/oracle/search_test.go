package oracle_test

import (
	"maps"
	"testing"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/generate"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// TestSearchSeesEverything compares the search, which chooses only what an
// execution asks for, with a search that tries all values for all names.
func TestSearchSeesEverything(t *testing.T) {
	compared := 0
	for seed := uint64(1); seed <= 250; seed++ {
		p := generate.New(seed)
		if p.Custom {
			continue
		}
		s, err := oracle.NewSubject(p.Case)
		if err != nil {
			t.Fatal(err)
		}
		lazy, exhausted := s.Lazily(oracle.Limits{Paths: 2000})
		if !exhausted || s.Dynamic() {
			continue
		}
		brute, ok := s.Brutely()
		if !ok {
			continue
		}
		compared++
		if !maps.Equal(lazy, brute) {
			t.Errorf("seed %d: %+v %q\nsearch %v\nbrute  %v", seed, p.Case.Units, p.Case.Vars, lazy, brute)
		}
	}
	if compared < 30 {
		t.Errorf("compared only %d", compared)
	}
}
