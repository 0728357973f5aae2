package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// planLines says how the plan fits.
func planLines(pg *page, n *needsAnswer) {
	if n.Plan == nil {
		return
	}
	pg.line()
	if n.Plan.OK {
		pg.line(pg.good("✓ The plan fits."))
	} else {
		pg.line(pg.bad("✗ The plan does not fit."))
	}
	planPartLines(pg, "input", n.Plan.Inputs)
	planPartLines(pg, "variable", n.Plan.Variables)
}

func planPartLines(pg *page, noun string, c planComparison) {
	for _, name := range c.Missing {
		pg.hanging("  · ", 4, noun+" "+label(name)+" is required and not planned.")
	}
	for _, u := range c.Unknown {
		pg.hanging("  · ", 4, noun+" "+label(u.Name)+" is planned, and the prompt has no use for it."+meant(u))
	}
	for _, u := range c.Undecided {
		pg.hanging("  · ", 4, noun+" "+label(u.Name)+" is planned and not listed; the list is not final enough to say that it is unknown."+meant(u))
	}
	for _, name := range c.Uncovered {
		pg.hanging("  · ", 4, noun+" "+label(name)+" may turn out to be needed, and is not planned.")
	}
}

func meant(u planUnknown) string {
	if u.Nearest == "" {
		return ""
	}
	return " Did you mean " + label(u.Nearest) + "?"
}

// nextSteps says what to type next.
func nextSteps(pg *page, p *project, q question, n *needsAnswer) {
	if n.CannotRender != nil || n.Plan != nil && len(n.Resolve.Variables) == 0 {
		return // nothing helps, or the plan has said it all
	}
	pg.section("Next")
	if len(n.Resolve.Variables) > 0 {
		pg.line("For a complete answer, add:")
		flagLines(pg, "  ", suggestedVars(n.Resolve.Variables))
		return
	}
	if perhaps := n.unsupplied(kindConditional); !perhaps.empty() {
		pg.prose(certainty(n, perhaps))
	}
	command := []string{"promptkit" + p.dirFlag(), "prepare", shellWord(n.Prompt.name())}
	command = append(command, q.repeated()...)
	command = append(command, suggestedVars(n.Missing.Variables)...)
	command = append(command, inputFlags(n.Missing.Inputs)...)
	pg.line("See what would be sent" + suppliedNote(q) + ":")
	flagLines(pg, "  ", command)
	if n.optionalVariable() {
		pg.prose("What would an optional variable change? Add --against NAME=VALUE.")
	}
}

// manyVars is from how many variables on a file is easier than flags.
const manyVars = 12

// suggestedVars are the flags to add for variables.
func suggestedVars(names []string) []string {
	if len(names) > manyVars {
		return []string{"--vars-file FILE"}
	}
	return varFlags(names, "VALUE")
}

// optionalVariable tells whether a variable that is not supplied is looked at
// all the same: setting it may change the answer.
func (n *needsAnswer) optionalVariable() bool {
	return slices.ContainsFunc(n.Variables, func(v variableNeed) bool {
		return !v.Supplied && v.Kind == kindOptional && v.Explanation == ""
	})
}

// certainty says what to do about inputs that no variable decides.
func certainty(n *needsAnswer, perhaps names) string {
	reason := "No variable can settle the rest in advance."
	if len(n.Resolve.Inputs) > 0 {
		reason = "Only the content of " + listWords(n.Resolve.Inputs) + " settles the rest."
	}
	return reason + " To be safe, supply " + countNames(perhaps) + " as well."
}

// repeated are the flags that were given already. Values are not repeated:
// whoever reads over a shoulder, or a log, has no business with them.
func (q question) repeated() []string {
	var out []string
	if q.flags.varsFile != "" {
		out = append(out, "--vars-file "+shellWord(q.flags.varsFile))
	}
	given, _ := parsePairs("--var", q.flags.vars)
	out = append(out, varFlags(slices.Sorted(maps.Keys(given)), "…")...)
	for _, pair := range q.flags.inputs {
		out = append(out, "--input "+shellWord(pair))
	}
	if q.flags.profile != "" {
		out = append(out, "--profile "+shellWord(q.flags.profile))
	}
	if q.flags.session != "" {
		out = append(out, "--session …")
	}
	return append(out, q.turn.repeated()...)
}

func suppliedNote(q question) string {
	if len(q.flags.vars) > 0 || q.flags.session != "" {
		return " (… is what you gave)"
	}
	return ""
}

func varFlags(names []string, value string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "--var "+shellWord(n)+"="+value)
	}
	return out
}

func inputFlags(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "--input "+shellWord(n)+"=FILE")
	}
	return out
}

// flagLines writes words of a command in as few lines as fit, such that it
// can be copied: a line that goes on ends with a backslash.
func flagLines(pg *page, indent string, words []string) {
	line := indent + words[0]
	for _, w := range words[1:] {
		if ansi.StringWidth(line)+1+ansi.StringWidth(w)+2 > pg.width {
			pg.line(line, " \\")
			line = strings.Repeat(" ", ansi.StringWidth(indent)+2) + w
			continue
		}
		line += " " + w
	}
	pg.line(strings.TrimRight(line, " "))
}
