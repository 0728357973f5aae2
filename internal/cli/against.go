package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// againstAnswer says what another context would change; its JSON form is
// promptkit.against/v1.
type againstAnswer struct {
	Format   string    `json:"format"`
	Prompt   promptRef `json:"prompt"`
	Profile  string    `json:"profile"`
	Changed  []string  `json:"changed_variables"`
	Complete bool      `json:"complete"`
	// CompleteAgainst is Complete in the other context.
	CompleteAgainst bool         `json:"complete_against"`
	Inputs          []kindChange `json:"inputs"`
	Variables       []kindChange `json:"variables"`
}

// A kindChange is an entry whose kind differs. An empty kind means that the
// entry is not listed at all.
type kindChange struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Change is required, tightened, relaxed, released, added or dropped.
	Change string `json:"change"`
}

// against compares an answer with that of another context.
func (a *app) against(ctx context.Context, p *project, s selection, q question, before *needsAnswer, pairs []string) error {
	values, err := parsePairs("--against", pairs)
	if err != nil {
		return err
	}
	after, err := p.ask(ctx, s, q.with(values))
	if err != nil {
		return p.explain(err, s, q.request.ProfileID)
	}
	answer := compareContexts(before, after, slices.Sorted(maps.Keys(values)))
	return a.emit(answer, func(pg *page) { layOutAgainst(pg, answer, before, after) })
}

func compareContexts(before, after *needsAnswer, changed []string) againstAnswer {
	return againstAnswer{
		Format: "promptkit.against/v1", Prompt: before.Prompt, Profile: before.Profile, Changed: changed,
		Complete: before.Complete, CompleteAgainst: after.Complete,
		Inputs:    kindChanges(before.inputKinds(), after.inputKinds()),
		Variables: kindChanges(before.variableKinds(), after.variableKinds()),
	}
}

func (n *needsAnswer) inputKinds() map[string]string {
	kinds := map[string]string{}
	for _, in := range n.Inputs {
		kinds[in.Name] = in.Kind
	}
	return kinds
}

func (n *needsAnswer) variableKinds() map[string]string {
	kinds := map[string]string{}
	for _, v := range n.Variables {
		kinds[v.Name] = v.Kind
	}
	return kinds
}

// kindChanges lists what differs, sorted by name.
func kindChanges(before, after map[string]string) []kindChange {
	all := maps.Clone(before)
	maps.Copy(all, after)
	changes := []kindChange{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b, a := before[name], after[name]
		if b != a {
			changes = append(changes, kindChange{name, b, a, changeWord(b, a)})
		}
	}
	return changes
}

// changeWord names a change from the point of view of who has to supply.
func changeWord(before, after string) string {
	switch {
	case after == kindRequired:
		return "required"
	case after == "" && before != "":
		if strength(before) == 0 {
			return "dropped"
		}
		return "released"
	case before == "" && strength(after) == 0:
		return "added"
	case strength(after) > strength(before):
		return "tightened"
	case strength(after) == 0:
		return "released"
	}
	return "relaxed"
}

// strength orders the kinds; what is not listed asks for nothing.
func strength(kind string) int {
	switch kind {
	case kindRequired:
		return 2
	case kindConditional:
		return 1
	}
	return 0
}

func layOutAgainst(pg *page, answer againstAnswer, before, after *needsAnswer) {
	header(pg, answer.Prompt, answer.Profile)
	pg.prose("What changes with " + otherValues(answer.Changed) + ":")
	pg.line()
	if len(answer.Inputs)+len(answer.Variables) == 0 {
		pg.line("Nothing: the same inputs and variables are needed.")
	} else {
		var rows [][]string
		for _, c := range answer.Inputs {
			rows = append(rows, changeRow(pg, "input", c))
		}
		for _, c := range answer.Variables {
			rows = append(rows, changeRow(pg, "variable", c))
		}
		pg.table([]string{"", "NAME", "", "NOW", "THEN"}, rows)
	}
	pg.line()
	pg.line("Now:  ", completeWords(pg, before))
	pg.line("Then: ", completeWords(pg, after))
}

func otherValues(names []string) string {
	if len(names) == 1 {
		return "the other value of " + label(names[0])
	}
	return "the other values of " + listWords(names)
}

func changeRow(pg *page, noun string, c kindChange) []string {
	return []string{changeMark(pg, c), pg.name(label(c.Name)), pg.faint(noun), kindCell(pg, c.Before), kindCell(pg, c.After)}
}

// changeMark is + where more is asked for and - where less is.
func changeMark(pg *page, c kindChange) string {
	if strength(c.After) > strength(c.Before) {
		return pg.warn("+")
	}
	if strength(c.After) < strength(c.Before) {
		return pg.good("-")
	}
	return pg.faint("~")
}

func completeWords(pg *page, n *needsAnswer) string {
	if n.CannotRender != nil {
		return pg.bad("cannot render")
	}
	if n.Complete {
		return pg.good("complete")
	}
	return pg.warn("not complete") + pg.faint(" ("+strings.Join(issueCodes(n), ", ")+")")
}

func issueCodes(n *needsAnswer) []string {
	var codes []string
	for _, i := range n.Issues {
		if !slices.Contains(codes, i.Code) {
			codes = append(codes, i.Code)
		}
	}
	return codes
}
