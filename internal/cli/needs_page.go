package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit"
)

// The marks. Each stands beside its word or in the legend, so that neither
// colour nor the mark alone carries a meaning.
const (
	markCertain  = "●"
	markPossible = "◐"
	markInactive = "○"
	markDeclared = "≡"
)

// layOutNeeds is the page of needs: what the prompt is, what it needs, how
// sure that is, and what to do next.
func layOutNeeds(pg *page, p *project, q question, n *needsAnswer) {
	header(pg, n.Prompt, n.Profile)
	if n.description != "" {
		pg.prose(printable(n.description))
	}
	pg.line()
	inventory(pg, n)
	legend(pg, p, n)
	instructionLines(pg, n, q)
	pg.line()
	conclusion(pg, p, n)
	planLines(pg, n)
	nextSteps(pg, p, q, n)
}

// header names the prompt and the profile.
func header(pg *page, ref promptRef, profile string) {
	right := ""
	if profile != "" {
		right = pg.faint("profile ") + label(profile)
	}
	pg.spread(pg.bold(printable(ref.name())), right)
}

// inventory is the table of inputs and the table of variables.
func inventory(pg *page, n *needsAnswer) {
	var grids []grid
	if len(n.Inputs) > 0 {
		grids = append(grids, inputGrid(pg, n.Inputs))
	}
	if len(n.Variables) > 0 {
		grids = append(grids, variableGrid(pg, n.Variables))
	}
	if len(n.Inputs) == 0 {
		pg.line("This prompt reads no input.")
	}
	if len(n.Variables) == 0 {
		pg.line("This prompt uses no variable.")
	}
	if len(grids) == 1 {
		pg.line()
	}
	if len(grids) > 0 {
		pg.tables(grids...)
	}
}

func inputGrid(pg *page, inputs []inputNeed) grid {
	g := grid{titles: []string{"INPUT", "NEED", "SUPPLIED", "WHERE"}}
	for _, in := range inputs {
		places := useLines(pg, in.Uses)
		if d := in.Declaration; d != nil {
			places = append([]string{pg.faint(markDeclared + " " + placeOf(d.File, d.Line, d.Column))}, places...)
		}
		g.rows = append(g.rows, []string{
			pg.name(label(in.Name)), kindCell(pg, in.Kind), suppliedCell(pg, in.Supplied, in.Kind), strings.Join(places, "\n"),
		})
	}
	return g
}

func variableGrid(pg *page, variables []variableNeed) grid {
	g := grid{titles: []string{"VARIABLE", "NEED", "SUPPLIED", "WHERE"}}
	for _, v := range variables {
		g.rows = append(g.rows, []string{
			pg.name(label(v.Name)), kindCell(pg, v.Kind), suppliedCell(pg, v.Supplied, v.Kind), strings.Join(useLines(pg, v.Uses), "\n"),
		})
	}
	return g
}

func kindCell(pg *page, kind string) string {
	switch kind {
	case kindRequired:
		return pg.bold(markCertain + " required")
	case kindConditional:
		return pg.warn(markPossible + " conditional")
	case "":
		return pg.faint("– not used")
	}
	return pg.faint(markInactive + " optional")
}

func suppliedCell(pg *page, supplied bool, kind string) string {
	switch {
	case supplied:
		return pg.good("yes")
	case kind == kindRequired:
		return pg.warn("no")
	}
	return pg.faint("no")
}

func useLines(pg *page, uses []useAnswer) []string {
	var out []string
	for _, u := range uses {
		out = append(out, useLine(pg, u))
	}
	return out
}

func useLine(pg *page, u useAnswer) string {
	mark, place := useMark(u.State), placeOf(u.File, u.Line, u.Column)
	switch mark {
	case markInactive:
		return pg.faint(mark + " " + place)
	case markPossible:
		mark = pg.warn(mark)
	}
	return mark + " " + place
}

func placeOf(file string, line, column int) string {
	return printable(file) + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(column)
}

// legend explains the marks that the tables use, and where the files are.
func legend(pg *page, p *project, n *needsAnswer) {
	used := n.marks()
	var parts []string
	for _, entry := range []struct{ mark, meaning string }{
		{markDeclared, "declared"}, {markCertain, "certain"}, {markPossible, "possible"}, {markInactive, "not reached"},
	} {
		if used[entry.mark] {
			parts = append(parts, entry.mark+" "+entry.meaning)
		}
	}
	if len(parts) == 0 {
		return
	}
	pg.line()
	parts = append(parts, "files are below "+printable(p.place(promptkit.ProblemPrompt, ""))+"/")
	pg.prose(pg.faint(strings.Join(parts, "   ")))
}

// marks are those that stand before places.
func (n *needsAnswer) marks() map[string]bool {
	used := map[string]bool{}
	add := func(uses []useAnswer) {
		for _, u := range uses {
			used[useMark(u.State)] = true
		}
	}
	for _, in := range n.Inputs {
		used[markDeclared] = used[markDeclared] || in.Declared
		add(in.Uses)
	}
	for _, v := range n.Variables {
		add(v.Uses)
	}
	return used
}

func useMark(state string) string {
	switch promptkit.RequirementUseState(state) {
	case promptkit.RequirementUseCertain:
		return markCertain
	case promptkit.RequirementUsePossible:
		return markPossible
	}
	return markInactive
}

// conclusion says in sentences how sure the list is.
func conclusion(pg *page, p *project, n *needsAnswer) {
	if f := n.CannotRender; f != nil {
		pg.hanging(pg.bad("✗")+" ", 2, pg.bad("Cannot render")+" with these variables, whatever else is supplied:")
		pg.hanging("  ", 2, placeOf(p.place(promptkit.ProblemPrompt, f.File), f.Line, f.Column)+": "+printable(f.Description))
		return
	}
	if n.Complete {
		pg.hanging(pg.good("✓")+" ", 2, pg.good("Complete:")+" nothing else can be needed in this context.")
		pg.hanging("  ", 2, supplySentence(n.Missing))
		return
	}
	pg.hanging(pg.warn(markPossible)+" ", 2, pg.warn("Not complete:")+" what is listed may not be all, or not all be needed.")
	const most = 20
	for i, issue := range n.Issues {
		if i == most {
			pg.line("  · and ", countOf(len(n.Issues)-most, "reason"), " more; --format json lists them all")
			break
		}
		pg.hanging("  · ", 4, printable(issue.Description))
	}
}

func supplySentence(missing names) string {
	if missing.empty() {
		return "Everything that is required is supplied."
	}
	return "Still to supply: " + countNames(missing) + "."
}

// countNames words a set: inputs a and b, and variable c.
func countNames(n names) string {
	var parts []string
	if len(n.Inputs) > 0 {
		parts = append(parts, plural("input", len(n.Inputs))+" "+listWords(n.Inputs))
	}
	if len(n.Variables) > 0 {
		parts = append(parts, plural("variable", len(n.Variables))+" "+listWords(n.Variables))
	}
	return strings.Join(parts, "; ")
}

func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func listWords(names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = label(n)
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// instructionLines lists the run-time instructions and what becomes of them.
func instructionLines(pg *page, n *needsAnswer, q question) {
	if len(n.Instructions) == 0 {
		return
	}
	pg.line()
	var rows [][]string
	for _, in := range n.Instructions {
		rows = append(rows, []string{pg.name(label(in.ID)), factsCell(in), stateCell(pg, in, q.turn.turn() != nil)})
	}
	pg.table([]string{"INSTRUCTION", "FACTS IT STATES", "IN THIS TURN"}, rows)
	runNote(pg, n, q.turn.turn() != nil)
}

func factsCell(in instructionNeed) string {
	if len(in.Facts) == 0 {
		return "none"
	}
	return strings.Join(in.Facts, ", ")
}

func stateCell(pg *page, in instructionNeed, turn bool) string {
	switch promptkit.InstructionState(in.State) {
	case promptkit.InstructionApplied:
		return pg.good("applied")
	case promptkit.InstructionInactive:
		return pg.faint(fmt.Sprintf("held back until action %d", in.FromAction))
	}
	if !turn {
		return pg.warn("skipped; add --action and --action-budget")
	}
	return pg.warn("skipped; add --action-budget")
}

// runNote says that a run which may repair counts its own attempts, so that
// what is skipped here may well be stated there.
func runNote(pg *page, n *needsAnswer, turn bool) {
	needy := slices.ContainsFunc(n.Instructions, func(in instructionNeed) bool { return len(in.Facts) > 0 })
	if turn || n.attempts < 2 || !needy {
		return
	}
	pg.prose(pg.faint(fmt.Sprintf("Without these flags, a run counts its own attempts: 1 of %d, as profile %s allows.", n.attempts, label(n.Profile))))
}
