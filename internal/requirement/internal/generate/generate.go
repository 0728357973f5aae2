package generate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// Prompt is a generated prompt in a context.
type Prompt struct {
	Seed   uint64
	Case   oracle.Case
	Hard   bool     // from the hard stratum
	Custom bool     // may call custom functions
	Tags   []string // the constructs in it, sorted
}

// Strata of generated prompts, in hundredths.
const (
	hardShare   = 45
	customShare = 8  // of all; these are hard as well
	denseShare  = 40 // of the hard ones
	twistShare  = 15 // of the hard ones
)

// New makes the prompt of a seed.
func New(seed uint64) Prompt {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), tags: map[string]bool{}}
	p := Prompt{Seed: seed}
	kind := g.r.IntN(100)
	p.Custom = kind < customShare
	p.Hard = kind < hardShare
	g.hard, g.custom, g.dense = p.Hard, p.Custom, p.Hard && (p.Custom || g.chance(denseShare))
	g.names()
	p.Case = g.prompt()
	if p.Hard && g.chance(twistShare) {
		g.tags["twisted"] = true
		p.Case = g.twist(p.Case)
	}
	p.Tags = slices.Sorted(maps.Keys(g.tags))
	return p
}

// generator makes one prompt.
type generator struct {
	r            *rand.Rand
	hard, custom bool
	dense        bool     // few names and actions
	vars, inputs []string // the names the prompt may use
	values       []string // literals it may compare with
	on           map[feature]bool
	tags         map[string]bool
	defs         []definition // templates that the message may invoke
	serial       int          // makes names of locals distinct
	budget       int          // actions left in this message
}

// names chooses what the prompt talks about: few names, so that places meet.
// Dense prompts are short and talk of hardly anything.
func (g *generator) names() {
	spread := 5
	if g.dense {
		spread = 2
	}
	g.vars = g.some(variableNames, 1+g.r.IntN(spread))
	g.inputs = g.some(inputNames, 1+g.r.IntN(min(spread, 3)))
	g.values = append(g.some(literalValues, 1+g.r.IntN(min(spread, 3))), "")
	g.on = map[feature]bool{}
	for f := range customFunctions + 1 {
		share := 45
		if rare[f] {
			share = 12
		}
		g.on[f] = g.hard && g.r.IntN(100) < share
	}
	g.on[customFunctions] = g.custom
}

func (g *generator) prompt() oracle.Case {
	c := oracle.Case{Vars: map[string]string{}}
	if g.chance(20) && !g.dense {
		g.tags["session"] = true
		c.Units = append(c.Units, oracle.Unit{Message: -1, Text: g.session()})
		c.SkipSession = g.chance(30)
	}
	messages := 1
	if g.chance(25) && (!g.dense || g.custom) {
		messages += 1 + g.r.IntN(2)
		g.tags["messages"] = true
	}
	for i := range messages {
		c.Units = append(c.Units, oracle.Unit{Message: i, Text: g.message()})
	}
	for _, name := range g.vars {
		if g.chance(35) || g.custom && g.chance(35) {
			c.Vars[name] = g.value()
		}
	}
	for _, name := range g.inputs {
		if g.chance(35) {
			c.Declared = append(c.Declared, oracle.Declared{Name: name, Required: g.chance(35)})
		}
	}
	return c
}

// value is what a supplied variable or a dynamic name may be.
func (g *generator) value() string {
	switch g.r.IntN(10) {
	case 0:
		return ""
	case 1:
		return g.one(g.inputs)
	case 2:
		return g.one(g.vars)
	case 3:
		return "other"
	}
	return g.one(g.values)
}

func (g *generator) session() string {
	if g.chance(70) {
		return fmt.Sprintf("{{.%s}}-{{.%s}}", g.one(g.vars), g.one(g.vars))
	}
	g.budget = 3
	return g.list(env{dot: root, dollar: root}, 2, 2)
}

// message makes one template with what it defines.
func (g *generator) message() string {
	g.defs = nil
	g.budget = 4 + g.r.IntN(6)
	if g.hard {
		g.budget = 4 + g.r.IntN(9)
	}
	if g.dense {
		g.budget = 3 + g.r.IntN(3)
	}
	var before, after strings.Builder
	if g.feature(subtemplates) {
		for range 1 + g.r.IntN(2) {
			text := g.define()
			if g.chance(50) {
				before.WriteString(text)
			} else {
				after.WriteString(text)
			}
		}
	}
	depth := 2 + g.r.IntN(2)
	if !g.hard && g.chance(53) {
		depth = 0 // straight-line
	}
	body := g.list(env{dot: root, dollar: root}, depth, 3+g.r.IntN(4))
	return before.String() + body + after.String()
}

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *generator) one(list []string) string { return list[g.r.IntN(len(list))] }

// some returns n different elements.
func (g *generator) some(list []string, n int) []string {
	var out []string
	for _, i := range g.r.Perm(len(list))[:min(n, len(list))] {
		out = append(out, list[i])
	}
	return out
}

// feature reports whether the prompt uses a construct, and notes that it does.
func (g *generator) feature(f feature) bool {
	if g.on[f] {
		g.tags[features[f]] = true
	}
	return g.on[f]
}

// weighted is a way to continue, taken as often as its weight says.
type weighted struct {
	weight int
	make   func() string
}

// pick takes one of the ways; weights of zero never.
func (g *generator) pick(ways ...weighted) string {
	total := 0
	for _, w := range ways {
		total += w.weight
	}
	n := g.r.IntN(total)
	for _, w := range ways {
		if n -= w.weight; n < 0 {
			return w.make()
		}
	}
	panic("unreachable")
}
