package requirement

// eval returns what an expression is where the path stands, in the order in
// which text/template evaluates it.
func (a *analysis) eval(e *expr) value {
	if e == nil {
		return nilValue
	}
	if !a.step() {
		return a.unknownAny(a.unsupported())
	}
	switch e.op {
	case exprConst:
		return *e.konst
	case exprDot:
		return a.resolve(a.dot)
	case exprSlot:
		return a.resolve(a.slots[a.fp+e.slot])
	case exprField:
		return a.evalField(e)
	case exprCall:
		return a.evalCall(e)
	case exprAnd, exprOr:
		return a.evalAndOr(e)
	case exprInput:
		return a.evalInput(e)
	case exprCustom:
		return a.evalCustom(e)
	case exprDecl:
		return a.evalDecl(e)
	}
	a.evalOperands(e)
	return a.fail(e.why, e.pos)
}

// evalOperands evaluates the operands in order; the piped one comes first and
// is last in the result.
func (a *analysis) evalOperands(e *expr) []value {
	n := len(e.args)
	if e.final != nil {
		n++
	}
	if n == 0 {
		return nil
	}
	from := len(a.operands)
	for range n {
		a.operands = append(a.operands, nilValue)
	}
	if e.final != nil {
		v := a.eval(e.final)
		a.operands[from+n-1] = v
	}
	for i, arg := range e.args {
		v := a.eval(arg)
		a.operands[from+i] = v
	}
	return a.operands[from : from+n : from+n]
}

func (a *analysis) evalDecl(e *expr) value {
	v := a.eval(e.base)
	for _, slot := range e.decl {
		if slot < 0 {
			return a.fail(whyUndeclared, e.pos)
		}
		a.setSlot(a.fp+slot, v)
	}
	return v
}

func (a *analysis) evalField(e *expr) value {
	applied, handed := len(e.args) > 0 || e.final != nil, false
	if e.final != nil {
		handed = a.mayBeRoot(a.eval(e.final))
	}
	v := a.eval(e.base)
	switch {
	case v.kind == kRoot:
		n := a.p.occs[e.occ].name
		result := a.readVariable(e.occ, n)
		if a.noVariables() && !a.variable(n).supplied {
			return a.fail(whyAbsent, e.pos)
		}
		if applied {
			a.evalArgs(e)
			return a.fail(whyFieldArgs, e.pos)
		}
		return result
	case v.kind == kAny:
		return a.fieldOfUnknown(e, v, handed)
	case v.kind == kNil:
		return a.fail(whyNoValue, e.pos)
	}
	a.evalArgs(e)
	return a.fail(whyField, e.pos)
}

// evalArgs reports whether the map of variables may be among the operands.
func (a *analysis) evalArgs(e *expr) (handed bool) {
	for _, arg := range e.args {
		handed = a.mayBeRoot(a.eval(arg)) || handed
	}
	return handed
}

// fieldOfUnknown takes a field of what a caller's function gave: a struct, a
// map, a method, or the caller's variables if the function has had them.
func (a *analysis) fieldOfUnknown(e *expr, v value, handed bool) value {
	n := a.p.occs[e.occ].name
	switch s := &a.symbols[v.sym]; {
	case s.rootOnly && s.mayRoot:
		// Anything else has no fields: who gets past this has the map.
		result := a.readVariable(e.occ, n)
		a.evalArgs(e)
		return result
	case s.mayRoot:
		a.useOneOf(e.occ, n, a.causesOf(v))
	}
	if a.evalArgs(e) || handed {
		a.escape() // a method may do with the map what a function may
	}
	return a.newSymbol(symbol{kind: kAny, mayRoot: a.escapedEver, causes: a.union(a.causesOf(v), a.opaque())})
}

// readVariable is a field of the caller's variables: it fails if the key is
// absent.
func (a *analysis) readVariable(o int32, n nameID) value {
	v := a.variable(n)
	if a.escaped && !v.supplied {
		// The function that was handed the map may have added the key.
		a.useOneOf(o, n, a.opaque())
		return a.unknownOf(kString, a.opaque())
	}
	a.use(o, n)
	a.demand(n)
	if a.escaped {
		return a.unknownOf(kString, a.opaque())
	}
	if v.supplied {
		return stringValue(v.value)
	}
	a.hasVariables = !a.noVariables()
	return a.resolve(a.variableSymbol(n))
}

// variable returns what the context says of a variable.
func (a *analysis) variable(n nameID) variableState {
	v := &a.vars[n]
	if !v.known {
		v.known = true
		v.value, v.supplied = a.query.Vars[a.nameText(n)]
	}
	return *v
}

// variableSymbol is the value that an absent variable has if it is supplied
// after all, or "" if it is not: what index gives.
func (a *analysis) variableSymbol(n nameID) value {
	v := &a.vars[n]
	if v.sym == 0 {
		v.sym = a.unknownOf(kString, a.leaf(MissingVariable, n)).sym
		a.assure(v.sym, n)
	}
	return value{kind: kString, sym: v.sym}
}

// assure gives a value what earlier rounds have found of it.
func (a *analysis) assure(id symID, n nameID) {
	if f := a.sure[n]; !f.empty() {
		a.facts = append(a.facts, f)
		a.symbols[id].sure = int32(len(a.facts) - 1)
	}
}

// lookupVariable is index of the caller's variables: it never fails.
func (a *analysis) lookupVariable(o int32, n nameID) value {
	a.use(o, n)
	v := a.variable(n)
	switch {
	case a.escaped:
		return a.unknownOf(kString, a.opaque())
	case v.supplied:
		return stringValue(v.value)
	}
	if a.noVariables() {
		return stringValue("")
	}
	if a.noteLookup(n) {
		return a.resolve(a.variableSymbol(n))
	}
	return stringValue("")
}

// noteLookup notes that the path has looked up a variable. It reports whether
// an absent one may be supplied after all.
func (a *analysis) noteLookup(n nameID) (open bool) {
	if a.variable(n).supplied {
		return false
	}
	a.look()
	if a.open[n] || a.allOpen {
		return true
	}
	a.vars[n].assumed, a.assumed = true, true
	return false
}

func (a *analysis) evalInput(e *expr) value {
	from := len(a.operands)
	v := a.evalOperands(e)[0]
	a.operands = a.operands[:from]
	switch {
	case v.kind != kString && v.kind != kAny:
		return a.fail(whyType, e.pos)
	case v.kind == kString && v.sym == 0:
		n := a.p.occs[e.occ].name
		if n == noName {
			n = a.named(inputSpace, v.str)
		}
		a.use(e.occ, n)
		a.demand(n)
		return a.inputSymbol(n)
	}
	if set := a.candidatesOf(v); set != nil {
		return a.inputOneOf(e, v, set)
	}
	content := a.unknownOf(kString, a.union(a.causesOf(v), a.leaf(InputContent, noName)))
	if set := a.successCandidates(v); set != nil {
		// Whoever reads another name fails.
		a.noteUnresolved(e.occ, v, occDoomed)
		if len(set) > 1 {
			a.inputOneOf(e, v, set)
			return content
		}
		n := a.named(inputSpace, set[0])
		a.use(e.occ, n)
		a.demand(n)
		return content
	}
	a.useUnresolved(e.occ, v)
	return content
}

func (a *analysis) inputOneOf(e *expr, v value, set []string) value {
	causes := a.causesOf(v)
	for _, s := range set {
		n := a.named(inputSpace, s)
		a.useOneOf(e.occ, n, a.decisionCause(v))
		causes = a.union(causes, a.causesOf(a.inputSymbol(n)))
	}
	return a.unknownOf(kString, causes)
}

// inputSymbol is the content of an input: the same at every reading.
func (a *analysis) inputSymbol(n nameID) value {
	if a.inputSyms[n] == 0 {
		a.inputSyms[n] = a.unknownOf(kString, a.leaf(InputContent, n)).sym
		a.assure(a.inputSyms[n], n)
	}
	return a.resolve(value{kind: kString, sym: a.inputSyms[n]})
}

// named returns the ID of a name that a computation gave.
func (a *analysis) named(s space, text string) nameID {
	if id, ok := a.p.lookup(s, text); ok {
		return id
	}
	key := dynamicName{s, text}
	if id, ok := a.extraIDs[key]; ok {
		return id
	}
	if a.extraIDs == nil {
		a.extraIDs = map[dynamicName]nameID{}
	}
	id := nameID(len(a.p.names) + len(a.extra))
	a.extra = append(a.extra, name{space: s, text: text, declared: -1})
	a.extraIDs[key] = id
	a.growNames(int(id) + 1)
	return id
}

func (a *analysis) nameText(n nameID) string { return a.nameOf(n).text }

func (a *analysis) nameOf(n nameID) *name {
	if int(n) < len(a.p.names) {
		return &a.p.names[n]
	}
	return &a.extra[int(n)-len(a.p.names)]
}

// evalCustom calls nothing: what a caller's function gives is not known, and
// if it is handed the map of variables, it may change or keep it.
func (a *analysis) evalCustom(e *expr) value {
	from := len(a.operands)
	handed := false
	for _, v := range a.evalOperands(e) {
		handed = handed || a.mayBeRoot(v) || v.kind == kAny && a.escapedEver
	}
	a.operands = a.operands[:from]
	if handed && e.fun.takesMap {
		a.escape()
	}
	return a.newSymbol(symbol{kind: e.fun.result, sized: e.fun.sized, stable: e.fun.stable, mayRoot: e.fun.mayRoot && a.escapedEver, causes: a.opaque()})
}

// escape notes that a caller's function has had the map of variables: it may
// have changed it, and kept it.
func (a *analysis) escape() {
	a.escaped, a.escapedEver = true, true
	a.look()
}
