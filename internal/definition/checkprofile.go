package definition

import (
	"slices"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// MaxAttempts is the greatest number of tries that a profile or a backend may
// ask for, the first included.
const MaxAttempts = 20

// maxStops is how many stop sequences the protocol has room for.
const maxStops = 4

// efforts are the words that OpenAI-compatible backends understand.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// reporter receives what is wrong. The arguments are names, never values.
type reporter func(at diag.Position, format string, args ...any)

// validate checks what the types of a profile's fields do not. It serves
// files and values from memory alike.
func (p *Profile) validate(report reporter) {
	between(report, p.Temperature, "temperature", 0, 2)
	if f := p.TopP; f.Set && !(0 < f.Value && f.Value <= 1) {
		report(f.Position, `"top_p" must be above 0 and at most 1`)
	}
	atLeast(report, p.MaxOutputTokens, "max_output_tokens", 1)
	between(report, p.RepairAttempts, "repair.max_attempts", 1, MaxAttempts)
	if f := p.ReasoningEffort; f.Set && !slices.Contains(efforts, f.Value) {
		report(f.Position, `"reasoning_effort" must be %s%s`, alternatives(efforts), didYouMean(f.Value, efforts))
	}
	if len(p.Stop.Value) > maxStops {
		report(p.Stop.Position, `"stop" holds more than %d texts, the limit of the protocol`, maxStops)
	}
	if slices.Contains(p.Stop.Value, "") {
		report(p.Stop.Position, `"stop" holds an empty text, which would stop every answer at once`)
	}
	if p.Extends.Set && p.Extends.Value == p.ID {
		report(p.Extends.Position, "the profile extends itself")
	}
	p.validateFallback(report)
}

func (p *Profile) validateFallback(report reporter) {
	for i, id := range p.Fallback.Value {
		at := p.FallbackAt(i)
		switch {
		case blank(id):
			report(at, `a fallback is blank; it must be the ID of a profile`)
		case id == p.ID:
			report(at, "the profile falls back to itself")
		case slices.Contains(p.Fallback.Value[:i], id):
			report(at, "the fallback %s is named twice", quote(id))
		}
	}
}

// FallbackAt returns where the i-th fallback stands.
func (p *Profile) FallbackAt(i int) diag.Position {
	if i < len(p.FallbackPositions) {
		return p.FallbackPositions[i]
	}
	return p.Fallback.Position
}

func between[T int | float64](report reporter, f Field[T], key string, low, high T) {
	if f.Set && !(low <= f.Value && f.Value <= high) { // so that NaN is outside
		report(f.Position, "%s must be between %v and %v", quote(key), low, high)
	}
}

func atLeast[T int | int64 | float64](report reporter, f Field[T], key string, low T) {
	if f.Set && f.Value < low {
		report(f.Position, "%s must be at least %v", quote(key), low)
	}
}
