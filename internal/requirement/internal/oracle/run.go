package oracle

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
)

// Bounds on one execution. Templates that hit them recurse without end or
// might as well; such an execution is neither a success nor a failure.
const (
	maxDepth   = 64
	maxEntries = 512
	maxEvents  = 1 << 12
	maxText    = 1 << 12 // bytes
	maxEndless = 8       // executions that hit a bound, before a search is given up
)

// Errors that abort a probed execution. Their wording reaches nobody.
var (
	errMissing = errors.New("no entry for key")
	errEndless = errors.New("bound reached")
	errType    = errors.New("cannot evaluate field")
	errArgs    = errors.New("field has arguments")
	errNil     = errors.New("nil data")
)

// event is one executed read.
type event struct {
	site int
	name string
	kind eventKind
}

type eventKind uint8

const (
	// reached: the place was executed, but failed before it read.
	reached eventKind = iota
	lookedUp
	demanded
	called // input
)

// rule tells whether a completion has a variable that is not supplied.
type rule uint8

const (
	free rule = iota
	absent
	present
)

// start is what a search takes for granted about completions.
type start struct {
	vars    map[string]string // supplied
	rule    func(name string) rule
	inputs  map[string]string // contents already chosen
	bound   bool              // no other input is bound
	answers []int             // what custom functions already answered
	pool    []string          // absent variables that the whole map may show
	// needed are variables whose absence makes a completion not count for
	// claims about names that are not read.
	needed map[string]bool
}

// variable is what is decided of a variable that is not supplied.
type variable struct {
	present, valued bool
	value           string
}

// content is what is decided of an input.
type content struct {
	valued bool
	value  string
}

// run is one execution that decides its completion as it goes.
type run struct {
	s       *Subject
	start   *start
	choose  func(n int) int
	root    map[string]string // the unit's own copy of the variables
	escaped bool              // root may have been changed by a function
	sealed  bool              // the whole map was seen: no name can join it
	vars    map[string]*variable
	inputs  map[string]*content
	answers []int
	events  []event
	depth   int
	entries int

	ok       bool
	endless  bool
	failed   string // the variable whose demand failed
	withheld bool   // a needed variable was left out
	missed   []string
	output   []string
}

// execute runs all units; the first failure ends it.
func (s *Subject) execute(st *start, choose func(int) int, keepOutput bool) *run {
	r := &run{s: s, start: st, choose: choose, vars: map[string]*variable{}, inputs: map[string]*content{}}
	s.run = r
	var out bytes.Buffer
	r.ok = true
	for _, u := range s.units {
		r.enterUnit()
		out.Reset()
		err := u.probed.Execute(&out, r.root)
		if keepOutput {
			r.output = append(r.output, out.String())
		}
		if err != nil {
			r.ok = false
			return r
		}
	}
	return r
}

func (r *run) enterUnit() {
	r.root = maps.Clone(r.start.vars)
	if r.root == nil {
		r.root = map[string]string{}
	}
	for name, v := range r.vars {
		if v.present {
			r.root[name] = v.value
		}
	}
	r.escaped, r.depth = false, 0
}

func (r *run) record(site int, name string, kind eventKind) error {
	if len(r.events) == maxEvents {
		r.endless = true
		return errEndless
	}
	r.events = append(r.events, event{site, name, kind})
	return nil
}

// isRoot reports whether v is the variable map itself.
func (r *run) isRoot(v reflect.Value) bool {
	return v.Kind() == reflect.Map && v.Pointer() == reflect.ValueOf(r.root).Pointer()
}

// variable decides, as far as the place needs it, whether a variable is there
// and what its value is.
func (r *run) variable(name string, u use, demand bool) (string, bool) {
	if r.escaped {
		value, ok := r.root[name]
		return value, ok
	}
	if value, ok := r.start.vars[name]; ok {
		return value, true
	}
	v := r.vars[name]
	if v == nil {
		if !demand && u.value == usedNowhere && r.start.rule(name) == free && !r.sealed {
			return freshOne, true // only printed: there or not, all the same
		}
		v = r.decide(name, demand)
	}
	if !v.present {
		return "", false
	}
	if u.value != usedNowhere {
		r.value(name, v)
	}
	return v.value, true
}

// decide chooses whether a variable is there. A completion without a
// variable that is demanded now fails here and reads nothing that one with it
// does not read, so a demand decides for presence.
func (r *run) decide(name string, demand bool) *variable {
	there := false
	switch r.start.rule(name) {
	case present:
		there = true
	case free:
		switch {
		case r.sealed:
			r.missed = append(r.missed, name)
		case demand:
			there = true
		default:
			there = r.choose(2) == 1
		}
	}
	v := &variable{present: there, value: freshOne}
	r.vars[name] = v
	if there {
		r.root[name] = v.value
	} else if r.start.needed[name] {
		r.withheld = true
	}
	return v
}

func (r *run) value(name string, v *variable) {
	if v.valued {
		return
	}
	domain := r.s.domains.of(name, false)
	v.value, v.valued = domain[r.choose(len(domain))], true
	r.root[name] = v.value
}

// content decides what an input holds, if the place needs to know. A
// completion that leaves an input unbound fails where it is called and reads
// nothing that one with it bound does not read, so all are bound.
func (r *run) content(name string, u use) (string, error) {
	if text, ok := r.start.inputs[name]; ok {
		return text, nil
	}
	if r.start.bound {
		return "", errUnbound
	}
	c := r.inputs[name]
	if c == nil {
		c = &content{value: freshOne}
		r.inputs[name] = c
	}
	if u.value != usedNowhere && !c.valued {
		domain := r.s.domains.of(name, true)
		c.value, c.valued = domain[r.choose(len(domain))], true
	}
	return c.value, nil
}

// seeRoot decides as much about all variables as a look at the whole map
// could tell. What is not in the pool then can no longer be there.
func (r *run) seeRoot(how rootUse) {
	if how == rootTruth && len(r.root) > 0 {
		return
	}
	for _, name := range r.start.pool {
		if _, supplied := r.start.vars[name]; supplied {
			continue
		}
		v := r.vars[name]
		if v == nil {
			v = r.decide(name, false)
		}
		if v.present && how >= rootAll {
			r.value(name, v)
		}
	}
	r.sealed = true
	if how == rootEscapes {
		for name, v := range r.vars {
			if v.present {
				r.value(name, v)
			}
		}
		r.escaped = true
	}
}

// answer chooses what a custom function returns.
func (r *run) answer(n int) int {
	i := len(r.answers)
	var a int
	if i < len(r.start.answers) && r.start.answers[i] < n {
		a = r.start.answers[i]
	} else {
		a = r.choose(n)
	}
	r.answers = append(r.answers, a)
	return a
}

// completion makes one concrete completion of all that the run stands for,
// with every variable that is needed and was not asked for.
func (r *run) completion() Completion {
	c := Completion{Vars: maps.Clone(r.start.vars), Inputs: maps.Clone(r.start.inputs), Answers: r.answers}
	if c.Vars == nil {
		c.Vars = map[string]string{}
	}
	if c.Inputs == nil {
		c.Inputs = map[string]string{}
	}
	for name, v := range r.vars {
		if v.present {
			c.Vars[name] = v.value
		}
	}
	for name, needed := range r.start.needed {
		if _, decided := r.vars[name]; needed && !decided {
			c.Vars[name] = freshOne
		}
	}
	for name, v := range r.inputs {
		c.Inputs[name] = v.value
	}
	c.Succeeds = r.ok
	return c
}

// reads lists the events that read name as a variable or as an input.
func (r *run) reads(name string, input bool, at least) bool {
	return slices.ContainsFunc(r.events, func(e event) bool {
		return e.name == name && (e.kind == called) == input && at(e.kind)
	})
}

// least selects kinds of events.
type least func(eventKind) bool

func anyEvent(eventKind) bool    { return true }
func readEvent(k eventKind) bool { return k != reached }
func demandEvent(k eventKind) bool {
	return k == demanded
}
