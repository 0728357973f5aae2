package fact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/fact"
)

// kilobyte is an instruction of 1 KB that names each fact twice.
var kilobyte = func() string {
	const facts = "Action {{action}} of {{actionBudget}}, {{actionsRemaining}} left. "
	prose := strings.Repeat("Prefer a short and certain answer to a long one. ", 10)
	text := facts + prose + facts + prose
	return text[:1024]
}()

// BenchmarkRender1KB compares Render with the cheapest thing that could do the
// job if the facts were known and never missing: a strings.Replacer, made
// beforehand, passing over the text. The ratio must stay below 2.
func BenchmarkRender1KB(b *testing.B) {
	turn := fact.Turn{Action: 23, Budget: new(30)}
	replacer := strings.NewReplacer("{{action}}", "23", "{{actionBudget}}", "30", "{{actionsRemaining}}", "7")
	if got, ok := fact.Render(kilobyte, turn); !ok || got != replacer.Replace(kilobyte) {
		b.Fatal("the two do not do the same")
	}
	b.SetBytes(int64(len(kilobyte)))
	b.ReportAllocs()
	for b.Loop() {
		fact.Render(kilobyte, turn)
	}
	render := b.Elapsed()

	start := time.Now()
	for range b.N {
		replacer.Replace(kilobyte)
	}
	ratio := float64(render) / float64(time.Since(start))
	b.ReportMetric(ratio, "×replacer")
	if ratio > 2 && b.N > 10_000 { // fewer rounds measure the machine
		b.Errorf("Render takes %.2f times a strings.Replacer pass, want at most 2", ratio)
	}
}

func BenchmarkIsTemplateWithoutBraces(b *testing.B) {
	text := strings.Repeat("Prefer a short and certain answer to a long one. ", 21)[:1024]
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		fact.IsTemplate(text)
	}
}

func BenchmarkMissing1KB(b *testing.B) {
	turn := fact.Turn{Action: 23}
	b.ReportAllocs()
	for b.Loop() {
		fact.Missing(kilobyte, turn)
	}
}
