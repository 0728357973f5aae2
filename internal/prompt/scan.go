package prompt

import "strings"

// action is what the scanner sees of one {{…}}: enough to measure nesting and
// to point at an unclosed block, without parsing.
type action struct {
	start   int    // offset of the opening braces
	keyword string // first word, "" if the action does not begin with one
	second  string // the word after else
	parens  int    // deepest nesting of parentheses
}

// scan calls visit for each action in order, comments excepted. It follows
// the lexer of text/template as far as finding the end of an action needs:
// quoted strings, raw strings and character constants hide braces.
func scan(text string, visit func(action) bool) {
	for at := 0; ; {
		open := strings.Index(text[at:], "{{")
		if open < 0 {
			return
		}
		start := at + open
		body := start + 2
		if rest := trimMarker(text[body:]); strings.HasPrefix(rest, "/*") {
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return
			}
			at = len(text) - len(rest) + 2 + end + 2
			continue
		}
		a, end := scanAction(text, start, body)
		if !visit(a) {
			return
		}
		at = end
	}
}

func trimMarker(s string) string {
	if len(s) > 1 && s[0] == '-' && strings.IndexByte(" \t\r\n", s[1]) >= 0 {
		return s[2:]
	}
	return s
}

// scanAction reads from just behind the opening braces to just behind the
// closing ones, or to the end of the text.
func scanAction(text string, start, at int) (action, int) {
	a := action{start: start}
	words, depth := strings.TrimLeft(trimMarker(text[at:]), " \t\r\n"), 0
	a.keyword, words = cutWord(words)
	if a.keyword == "else" {
		a.second, _ = cutWord(strings.TrimLeft(words, " \t\r\n"))
	}
	for at < len(text) {
		switch c := text[at]; c {
		case '}':
			if strings.HasPrefix(text[at:], "}}") {
				return a, at + 2
			}
		case '"', '\'':
			at = skipQuoted(text, at, c)
			continue
		case '`':
			if end := strings.IndexByte(text[at+1:], '`'); end >= 0 {
				at += end + 1
			} else {
				return a, len(text)
			}
		case '(':
			depth++
			a.parens = max(a.parens, depth)
		case ')':
			depth--
		}
		at++
	}
	return a, len(text)
}

func cutWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z') {
		i++
	}
	return s[:i], s[i:]
}

// skipQuoted returns the offset behind a quoted constant that starts at at.
func skipQuoted(text string, at int, quote byte) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '\n':
			return at + 1 // unterminated: the parser will say so
		case quote:
			return at + 1
		}
	}
	return len(text)
}

// nesting returns how deep the text nests its actions at most, counted as the
// parser recurses: blocks, else-if chains and parentheses, and where it first
// exceeds limit (-1 if it never does).
func nesting(text string, limit int) (over int) {
	over = -1
	if strings.Count(text, "{{")+strings.Count(text, "(") <= limit {
		return over
	}
	var open []int // levels that each open block's end will close
	depth := 0
	scan(text, func(a action) bool {
		switch a.keyword {
		case "if", "with", "range", "define", "block":
			open = append(open, 1)
			depth++
		case "else":
			if (a.second == "if" || a.second == "with") && len(open) > 0 {
				open[len(open)-1]++
				depth++
			}
		case "end":
			if n := len(open); n > 0 {
				depth -= open[n-1]
				open = open[:n-1]
			}
		}
		if depth+a.parens > limit {
			over = a.start
		}
		return over < 0
	})
	return over
}

// lastOpenBlock returns the offset of the innermost block that is not closed
// at the end of the text, or -1.
func lastOpenBlock(text string) int {
	var open []int
	scan(text, func(a action) bool {
		switch a.keyword {
		case "if", "with", "range", "define", "block":
			open = append(open, a.start)
		case "end":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
		return true
	})
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}
