package requirement_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
)

// growths are templates of which there is one for every size. The time for
// each is to grow no faster than the size times its logarithm.
var growths = []struct {
	name  string
	base  int // the size that counts as 1×
	build func(n int) string
}{
	{"straight-line", 100, func(n int) string { return strings.Repeat("Text {{.name}} and more.\n", n) }},
	{"names", 100, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("{{.v%d}}", i) })
	}},
	{"branches", 10, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("{{if .v%d}}{{input \"i%d\"}}{{end}}\n", i, i) })
	}},
	{"assignments", 10, func(n int) string {
		return repeat(n, func(i int) string {
			return fmt.Sprintf("{{$x%d := \"\"}}{{if .v%d}}{{$x%d = \"a\"}}{{end}}{{input $x%d}}\n", i, i, i, i)
		})
	}},
	{"nesting", 10, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("{{if .v%d}}{{.w%d}}", i, i) }) + strings.Repeat("{{end}}", n)
	}},
	{"else-if", 10, func(n int) string {
		return "{{if .a}}" + repeat(n, func(i int) string { return fmt.Sprintf("{{else if eq .m \"v%d\"}}{{input \"i%d\"}}", i, i) }) + "{{end}}"
	}},
	{"defines", 10, func(n int) string {
		return repeat(n, func(i int) string {
			return fmt.Sprintf("{{define \"t%d\"}}{{.v%d}}{{template \"t%d\" .}}{{end}}", i, i, i+1)
		}) + fmt.Sprintf("{{define \"t%d\"}}end{{end}}{{template \"t0\" .}}", n)
	}},
	{"guards", 10, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("{{if index . \"v%d\"}}{{.v%d}}{{end}}", i, i+1) })
	}},
	{"reversed guards", 10, func(n int) string {
		return "{{if .v0}}{{end}}" + repeat(n, func(i int) string { return fmt.Sprintf("{{if index . \"v%d\"}}{{.v%d}}{{end}}", n-i, n-i+1) }) + "{{.v1}}"
	}},
}

func repeat(n int, part func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(part(i))
	}
	return b.String()
}

func program(b testing.TB, text string) *requirement.Program {
	functions, err := prompt.NewFunctions(nil)
	if err != nil {
		b.Fatal(err)
	}
	tmpl, problem := prompt.Compile(text, diag.Origin{File: "bench.tmpl", Line: 1, Column: 1, Exact: true}, functions)
	if problem != nil {
		b.Fatal(problem)
	}
	return requirement.Compile([]requirement.Unit{{Template: tmpl}}, nil)
}

// BenchmarkGrowth measures 1×, 10× and 100× of each kind of template.
func BenchmarkGrowth(b *testing.B) {
	for _, g := range growths {
		for _, factor := range []int{1, 10, 100} {
			b.Run(fmt.Sprintf("%s/%d×", g.name, factor), func(b *testing.B) {
				p := program(b, g.build(g.base*factor))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := p.Analyze(context.Background(), requirement.Query{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.base*factor), "ns/part")
			})
		}
	}
}
