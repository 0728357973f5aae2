package generate

import (
	"reflect"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

func TestSameSeedSamePrompt(t *testing.T) {
	for seed := range uint64(200) {
		if a, b := New(seed), New(seed); !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d gives two prompts:\n%+v\n%+v", seed, a, b)
		}
	}
}

// TestPromptsAreFit holds the generator to what makes its prompts worth
// judging: they parse, most can succeed, enough are hard, and executing them
// with probes changes nothing.
func TestPromptsAreFit(t *testing.T) {
	const n = 1000
	vacuous, hard, exhausted, runs := 0, 0, 0, 0
	begin := time.Now()
	for seed := range uint64(n) {
		p := New(seed)
		s, err := oracle.NewSubject(p.Case)
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p.Case.Units)
		}
		j := s.Judge(&oracle.Report{Issues: []string{"expression_unresolved"}}, oracle.Limits{Paths: 500, Samples: 100})
		for _, v := range j.Violations {
			t.Errorf("seed %d: %+v %q: %v", seed, p.Case.Units, p.Case.Vars, v)
		}
		if p.Hard {
			hard++
		}
		if j.Vacuous {
			vacuous++
		}
		if j.Exhausted {
			exhausted++
		}
		runs += j.Runs
	}
	t.Logf("%d prompts in %v: %d hard, %d vacuous, %d exhausted, %d runs", n, time.Since(begin), hard, vacuous, exhausted, runs)
	if vacuous*100 >= n*15 {
		t.Errorf("%d of %d prompts cannot succeed", vacuous, n)
	}
	if hard*100 < n*30 {
		t.Errorf("%d of %d prompts are hard", hard, n)
	}
}
