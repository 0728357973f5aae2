package generate

import (
	"fmt"
	"strings"
)

var (
	variableNames = []string{"audience", "mode", "lang", "topic", "tone", "user", "style", "max_len"}
	inputNames    = []string{"transcript", "glossary", "notes", "draft", "schema"}
	literalValues = []string{"a", "b", "deep", "json", "en", "notes", "x", "topic"}
	words         = []string{"Summarise", "the meeting.", "Use", "short", "sentences:", "{", "}", "-", "\n", "# Rules\n", "user: "}
)

// feature is a construct that a hard prompt may use.
type feature int

const (
	locals feature = iota
	assignment
	rebinding
	withChains
	logic
	pipedOperands
	manyOperands
	ordered
	lengths
	printing
	escaping
	slicing
	negation
	rangeInt
	rangeRoot
	rangeNil
	rangeAssign
	rangeExits
	subtemplates
	recursion
	blocks
	guards
	dynamicInputs
	dynamicVariables
	failingArms
	wholeRoot
	typeChanges
	oddNumbers
	formats
	noValue
	skippedDeclarations
	mutualRecursion
	twins
	carried
	branched
	operandAssignments
	customFunctions
)

// rare are features that hardly a prompt has and that drown the others where
// they occur.
var rare = map[feature]bool{typeChanges: true, oddNumbers: true, formats: true, noValue: true, skippedDeclarations: true, mutualRecursion: true,
	operandAssignments: true}

// features names the features in reports.
var features = map[feature]string{
	locals: "locals", assignment: "assignment", rebinding: "rebinding $", withChains: "with",
	logic: "and/or", pipedOperands: "piped operands", manyOperands: "eq many", ordered: "lt/gt",
	lengths: "len", printing: "print", escaping: "html/js/urlquery", slicing: "slice/index", negation: "not",
	rangeInt: "range int", rangeRoot: "range root", rangeNil: "range nil", rangeAssign: "range assign",
	rangeExits: "break/continue", subtemplates: "define", recursion: "recursion", blocks: "block",
	guards: "lookup guard", dynamicInputs: "dynamic input", dynamicVariables: "dynamic variable",
	failingArms: "failing arm", wholeRoot: "whole root", typeChanges: "type change", oddNumbers: "odd number",
	formats: "printf format", noValue: "nil", skippedDeclarations: "skipped declaration",
	mutualRecursion: "mutual recursion", twins: "twin arms", carried: "loop-carried", branched: "assigned in a branch",
	operandAssignments: "assignment in operand", customFunctions: "custom function",
}

// Anonymous replaces the names that prompts use by letters in the order in
// which they occur, so that prompts that differ in nothing else are equal.
func Anonymous(text string) string {
	n := 0
	for _, list := range [][]string{variableNames, inputNames} {
		for {
			first, at := "", len(text)
			for _, name := range list {
				if i := strings.Index(text, name); i >= 0 && i < at {
					first, at = name, i
				}
			}
			if first == "" {
				break
			}
			text = strings.ReplaceAll(text, first, fmt.Sprintf("N%d", n))
			n++
		}
	}
	return text
}
