package requirement

import (
	"reflect"

	"github.com/promptkit-go/promptkit/internal/prompt"
)

// Program is a prompt's templates in the form that Analyze walks: text
// dropped, names interned, template variables resolved to slots, places
// resolved to positions. It is immutable and safe for concurrent use.
type Program struct {
	units     []unit
	names     []name
	inputs    []nameID             // sorted by name, declared and mentioned
	variables []nameID             // sorted by name
	byName    [2]map[string]nameID // while it is compiled
	declared  []Declared
	occs      []occ
	size      int        // statements and expressions
	settled   [2]*Report // of a program that decides nothing; the second without the session
}

// unit is one compiled Unit.
type unit struct {
	message     int
	template    *prompt.Template
	root        *body
	unsupported bool // a template variable is declared inside an operand that may be skipped
	calls       bool // it may call a caller's function
}

type nameID int32

type space uint8

const (
	inputSpace space = iota
	variableSpace
)

// name is one input or variable that the templates mention or the definition
// declares.
type name struct {
	space    space
	text     string
	declared int // index of the declaration, or -1
	occs     []int32
}

type occKind uint8

const (
	occDemand occKind = iota // a field of the map: fails if the key is absent
	occLookup                // index: never fails
	occRead                  // input
	occBlock                 // no occurrence: a block whose body a dead path still shows
)

// occ is one place that reads a name.
type occ struct {
	kind  occKind
	name  nameID // noName if the name is computed
	unit  int32
	place Place
	base  base  // what the name is read from
	body  *body // occBlock
}

// base says statically what a field or index is taken of, so that a path
// which is never walked can still tell the caller's keys from others.
type base struct {
	kind baseKind
	id   int32 // baseDot: the scope; baseSlot: the slot
}

type baseKind uint8

const (
	baseOther baseKind = iota // a computed value
	baseDot
	baseSlot
)

// region is a run of occurrences: those of a stretch of template text.
type region struct{ from, to int32 }

// body is a template: the root of a unit, or a definition that something
// invokes.
type body struct {
	name      string
	stmts     []stmt
	occs      region
	slots     int  // the most template variables at once, $ included
	recursive bool // it may invoke itself
	calls     []*body
}

type stmtOp uint8

const (
	stmtEval stmtOp = iota
	stmtIf
	stmtWith
	stmtRange
	stmtTemplate
	stmtBreak
	stmtContinue
)

// stmt is one action. Text is not kept: it reads nothing.
type stmt struct {
	op        stmtOp
	pipe      *expr // nil for a template invoked without an argument
	list, alt []stmt
	occs      region // of the whole statement
	listOccs  region
	altOccs   region
	scope     int32 // the scope of dot at the statement
	slots     int32 // template variables in use before it
	pos       int32
	callee    *body // stmtTemplate; nil if it is not defined
	straight  bool  // stmtEval: it only prints; stmtIf: so do both of its lists
	outer     int   // stmtContinue: how many ranges around it it leaves, being in the else of each
	*loopInfo       // stmtRange
}

// loopInfo is what only a range has.
type loopInfo struct {
	decl        []int32 // the slots it declares or assigns
	assigned    []int32 // slots from outside that its list assigns
	altAssigned []int32 // the same for its else list
	altBreaks   bool    // its else list ends the range by a break
	elseLeaves  bool    // its else list continues the range around it
	calls       bool    // its list may call a caller's function
}

type exprOp uint8

const (
	exprConst exprOp = iota
	exprDot
	exprSlot
	exprField
	exprCall
	exprAnd
	exprOr
	exprInput
	exprCustom
	exprDecl
	exprFail
)

// expr is one expression. A value that is piped in is evaluated first.
type expr struct {
	op    exprOp
	fn    builtin
	slot  int32
	occ   int32
	pos   int32
	konst *value // exprConst
	base  *expr  // exprField: the receiver; exprDecl: the value
	final *expr  // the piped value, or nil
	args  []*expr
	*exprInfo
}

// exprInfo is what only some expressions have.
type exprInfo struct {
	why          string   // exprFail
	decl         []int32  // exprDecl: the slots that get the value
	occs         []region // exprAnd, exprOr: of each argument
	scope, slots int32    // exprAnd, exprOr: of dot, and in use
	fun          *custom  // exprCustom
}

// custom is a function of the caller's.
type custom struct {
	typ      reflect.Type
	result   kind
	mayRoot  bool // the result may be the map of variables
	takesMap bool // a parameter accepts the map of variables
	sized    bool // the result is a list
	stable   bool // the result is no map
}
