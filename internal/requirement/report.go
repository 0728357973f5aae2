package requirement

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// report turns what the last round found into the answer.
func (a *analysis) report() {
	b := &a.reporter
	b.begin(a)
	b.inputs()
	b.variables()
	b.unresolvedNames()
	if a.lenient {
		b.issue(Issue{Code: ExpressionUnresolved})
		b.r.CannotRender = a.failureReport()
	}
	b.finish()
}

// reporter collects a Report. Its memory is that of the analysis.
type reporter struct {
	*analysis
	r    Report
	uses []Use // of all entries, one after the other
}

func (b *reporter) begin(a *analysis) {
	b.analysis = a
	b.r = Report{Inputs: b.r.Inputs[:0], Variables: b.r.Variables[:0], Issues: b.r.Issues[:0]}
	b.uses = b.uses[:0] // should it move while it grows, entries keep what they have
}

// wipe forgets the names of a report that has been visited.
func (b *reporter) wipe() {
	b.analysis = nil
	clear(b.r.Inputs)
	clear(b.r.Variables)
	clear(b.r.Issues)
	b.r.CannotRender = nil
	if cap(b.uses) > 1<<14 {
		b.uses = nil
	}
}

// clone returns a copy that shares nothing.
func (r *Report) clone() *Report {
	c := &Report{
		Inputs: append([]Input(nil), r.Inputs...), Variables: append([]Variable(nil), r.Variables...),
		Issues: append([]Issue(nil), r.Issues...), CannotRender: r.CannotRender,
	}
	for i := range c.Inputs {
		c.Inputs[i].Uses = slices.Clone(c.Inputs[i].Uses)
	}
	for i := range c.Variables {
		c.Variables[i].Uses = slices.Clone(c.Variables[i].Uses)
	}
	return c
}

func (a *analysis) failureReport() *Failure {
	u := &a.p.units[a.cannot.unit]
	return &Failure{Message: u.message, Position: u.template.Lines().At(int(a.cannot.pos)), Sentence: a.cannot.why}
}

// namesIn lists the names of a space in order: those of the program, which
// are sorted already, and those that only a computation gave.
func (a *analysis) namesIn(s space) []nameID {
	sorted := a.p.inputs
	if s == variableSpace {
		sorted = a.p.variables
	}
	if len(a.extra) == 0 {
		return sorted
	}
	all := slices.Clone(sorted)
	for i := range a.extra {
		if a.extra[i].space == s {
			all = append(all, nameID(len(a.p.names)+i))
		}
	}
	slices.SortFunc(all, func(x, y nameID) int { return strings.Compare(a.nameText(x), a.nameText(y)) })
	return all
}

// entry is what inputs and variables have in common.
type entry struct {
	kind     Kind
	inactive bool
	uses     []Use
}

// entry aggregates the uses of a name. A conditional entry gives its reasons
// as issues.
func (b *reporter) entry(n nameID, kind Kind) entry {
	from := len(b.uses)
	inactive := true
	b.eachUse(n, func(u dynamicUse) {
		b.addUse(from, u)
		inactive = inactive && u.state == occInactive
		if b.counts(n, u) && kind == Optional {
			kind = Conditional
		}
	})
	b.addUnresolved(from, n)
	b.inOrder(from)
	uses := b.uses[from:len(b.uses):len(b.uses)]
	if kind == Conditional {
		b.reasons(n)
	}
	return entry{kind, inactive && len(uses) > 0, uses}
}

// maxPlaces is how many places that compute a name are listed with each input
// that they may read: a template could have thousands of both.
const maxPlaces = 64

// addUnresolved adds the places that may read an input though its name is not
// written there.
func (b *reporter) addUnresolved(from int, n nameID) {
	nm := b.nameOf(n)
	if nm.space != inputSpace {
		return
	}
	for _, u := range b.unresolved[:min(len(b.unresolved), maxPlaces)] {
		if b.p.occs[u.occ].kind == occRead && u.state >= occPossible && u.canBe(nm.text) {
			b.addUse(from, dynamicUse{occ: u.occ, state: occPossible})
		}
	}
}

func compareUses(x, y Use) int { return comparePlaces(x.Place, y.Place) }

var stateOf = [...]State{occInactive: Inactive, occDoomed: Possible, occPossible: Possible, occCertain: Certain}

// addUse adds a use to those from from on. Several occurrences may have one
// place: the position of a quoted text is all that is known of those in it.
func (b *reporter) addUse(from int, u dynamicUse) {
	use := Use{&b.p.occs[u.occ].place, stateOf[u.state]}
	if last := len(b.uses) - 1; last >= from && samePlace(b.uses[last], use) {
		b.uses[last].State = max(b.uses[last].State, use.State)
		return
	}
	b.uses = append(b.uses, use)
}

func samePlace(x, y Use) bool { return x.Place == y.Place || *x.Place == *y.Place }

// inOrder sorts the uses from from on and makes one of those of one place.
// Only computed names are out of order: they come after the written ones.
func (b *reporter) inOrder(from int) {
	uses := b.uses[from:]
	if slices.IsSortedFunc(uses, compareUses) {
		return
	}
	slices.SortFunc(uses, compareUses)
	b.uses = b.uses[:from+1]
	for _, u := range uses[1:] {
		if last := &b.uses[len(b.uses)-1]; samePlace(*last, u) {
			last.State = max(last.State, u.State)
		} else {
			b.uses = append(b.uses, u)
		}
	}
}

func (b *reporter) reasons(n nameID) {
	b.eachUse(n, func(u dynamicUse) {
		if !b.counts(n, u) {
			return
		}
		b.explain(u.cause)
		if u.oneOf && b.p.occs[u.occ].kind == occRead {
			b.issue(Issue{Code: DynamicInputName})
		}
	})
}

// explain turns a set of causes into issues.
func (b *reporter) explain(c cause) {
	b.eachLeaf(c, func(n causeNode) {
		switch {
		case n.root:
			b.explainRoot()
		case n.name == noName:
			b.issue(Issue{Code: n.code})
		case n.code == InputContent:
			b.issue(Issue{Code: n.code, Input: b.nameText(n.name)})
		default:
			b.issue(Issue{Code: n.code, Variable: b.nameText(n.name)})
		}
	})
}

// explainRoot says that it matters which variables there are: those that may
// still be supplied are the cause, or just any.
func (b *reporter) explainRoot() {
	named := false
	for n := range b.vars {
		id := nameID(n)
		if b.nameOf(id).space == variableSpace && !b.variable(id).supplied && b.kindOf(id) != Optional {
			b.issue(Issue{Code: MissingVariable, Variable: b.nameText(id)})
			named = true
		}
	}
	if !named {
		b.issue(Issue{Code: MissingVariable})
	}
}

func (b *reporter) issue(i Issue) { b.r.Issues = append(b.r.Issues, i) }

func (b *reporter) inputs() {
	names := b.namesIn(inputSpace)
	for _, n := range names {
		nm := b.nameOf(n)
		kind := Optional
		if b.certain[n] || nm.declared >= 0 && b.p.declared[nm.declared].Required {
			kind = Required
		}
		if kind == Optional && b.mayBeUnresolved(occRead, nm.text) {
			kind = Conditional
		}
		e := b.entry(n, kind)
		if len(e.uses) == 0 && nm.declared < 0 {
			continue // written where nothing looks: a definition that is not invoked
		}
		b.r.Inputs = append(b.r.Inputs, Input{
			Name: nm.text, Kind: e.kind, Declared: nm.declared, Uses: e.uses,
			Inactive: e.inactive && e.kind == Optional && !b.mayBeComputed(true, nm.text),
		})
	}
}

func (b *reporter) variables() {
	names := b.namesIn(variableSpace)
	for _, n := range names {
		kind := Optional
		if b.certain[n] {
			kind = Required
		}
		e := b.entry(n, kind)
		if len(e.uses) == 0 {
			continue
		}
		text := b.nameText(n)
		b.r.Variables = append(b.r.Variables, Variable{
			Name: text, Kind: e.kind, Supplied: b.variable(n).supplied, Uses: e.uses,
			Inactive: e.inactive && e.kind == Optional && !b.mayBeComputed(false, text),
		})
	}
}

// mayBeUnresolved reports whether a use that succeeds may be of this name.
func (b *reporter) mayBeUnresolved(k occKind, text string) bool {
	for _, u := range b.unresolved {
		if b.p.occs[u.occ].kind == k && u.state >= occPossible && u.canBe(text) {
			return true
		}
	}
	return false
}

// mayBeComputed reports whether any use whose name stayed unknown, even one
// that only failing executions reach, may be of this name.
func (b *reporter) mayBeComputed(read bool, text string) bool {
	for _, u := range b.unresolved {
		if (b.p.occs[u.occ].kind == occRead) == read && u.canBe(text) {
			return true
		}
	}
	return false
}

func (u *unresolved) canBe(text string) bool {
	return strings.HasPrefix(text, u.prefix) && strings.HasSuffix(text, u.suffix) && !slices.Contains(u.not, text)
}

// unresolvedNames gives the reasons for names that stayed unknown.
func (b *reporter) unresolvedNames() {
	for _, u := range b.unresolved {
		if u.state < occPossible {
			continue
		}
		b.explain(u.cause)
		if b.p.occs[u.occ].kind == occRead {
			b.issue(Issue{Code: DynamicInputName})
		} else {
			b.issue(Issue{Code: DynamicVariableName})
		}
	}
}

func (b *reporter) finish() {
	slices.SortFunc(b.r.Issues, func(x, y Issue) int {
		return cmp.Or(cmp.Compare(x.Code, y.Code), strings.Compare(x.Input, y.Input), strings.Compare(x.Variable, y.Variable))
	})
	b.r.Issues = slices.Compact(b.r.Issues)
}

// giveUp is the answer where the analysis does not reach: every name that the
// templates mention may be needed, and others too.
func (a *analysis) giveUp() {
	b := &a.reporter
	b.begin(a)
	b.issue(Issue{Code: UnsupportedConstruct})
	for _, n := range a.p.inputs {
		nm := &a.p.names[n]
		kind := Conditional
		if nm.declared >= 0 && a.p.declared[nm.declared].Required {
			kind = Required
		}
		if uses := b.allUses(n); len(uses) > 0 || nm.declared >= 0 {
			b.r.Inputs = append(b.r.Inputs, Input{Name: nm.text, Kind: kind, Declared: nm.declared, Uses: uses})
		}
	}
	for _, n := range a.p.variables {
		text := a.nameText(n)
		_, supplied := a.query.Vars[text]
		if uses := b.allUses(n); len(uses) > 0 {
			b.r.Variables = append(b.r.Variables, Variable{Name: text, Kind: Conditional, Supplied: supplied, Uses: uses})
		}
	}
	for i := range a.p.occs {
		switch o := &a.p.occs[i]; {
		case o.name != noName:
		case o.kind == occRead:
			b.issue(Issue{Code: DynamicInputName})
		case o.kind == occLookup:
			b.issue(Issue{Code: DynamicVariableName})
		}
	}
	b.finish()
}

// plainlyRoot reports whether a name is read from the caller's variables by
// the look of it.
func plainlyRoot(o base) bool {
	return o.kind == baseDot && o.id <= 0 || o.kind == baseSlot && o.id == 0
}

func (b *reporter) allUses(n nameID) []Use {
	var uses []Use
	for _, i := range b.p.names[n].occs {
		o := &b.p.occs[i]
		if o.kind == occDemand && !plainlyRoot(o.base) {
			continue // it may be a field of something else
		}
		if m := b.p.units[o.unit].message; m != Session || !b.query.SkipSession {
			uses = append(uses, Use{&o.place, Possible})
		}
	}
	return uses
}

// Sentence says what an issue means to whoever has to resolve it. It is fixed
// for each code, names aside.
func (i Issue) Sentence() string {
	switch i.Code {
	case MissingVariable:
		if i.Variable == "" {
			return "Which variables are supplied decides what else is needed."
		}
		return "Variable " + strconv.Quote(i.Variable) + " is not supplied, and its value decides what else is needed."
	case InputContent:
		if i.Input == "" {
			return "The content of an input decides what else is needed."
		}
		return "The content of input " + strconv.Quote(i.Input) + " decides what else is needed."
	case DynamicInputName:
		return "The name of an input is computed from a value that is not known yet."
	case DynamicVariableName:
		return "The name of a variable is computed from a value that is not known yet."
	case ExpressionUnresolved:
		return "An expression in the templates cannot be evaluated, or fails whatever is supplied."
	}
	return "The templates use a construct that is beyond the analysis."
}

// String returns the code as reports spell it.
func (c Code) String() string {
	return [...]string{
		DynamicInputName: "dynamic_input_name", DynamicVariableName: "dynamic_variable_name",
		ExpressionUnresolved: "expression_unresolved", InputContent: "input_content",
		MissingVariable: "missing_variable", UnsupportedConstruct: "unsupported_construct",
	}[c]
}

// String returns the kind as reports spell it.
func (k Kind) String() string {
	return [...]string{Optional: "optional", Conditional: "conditional", Required: "required"}[k]
}

// String returns the state as reports spell it.
func (s State) String() string {
	return [...]string{Inactive: "inactive", Possible: "possible", Certain: "certain"}[s]
}
