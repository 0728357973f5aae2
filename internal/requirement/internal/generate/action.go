package generate

import (
	"regexp"
	"slices"
	"strings"
)

// piece is a stretch of a template: an action, or the text between two.
type piece struct {
	text        string // where it is no action
	left, right string // the delimiters of an action, "" in a text
	tokens      []string
}

const (
	quoted     = `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`"
	identifier = `[$.\w-]+`
)

var (
	actionPattern = regexp.MustCompile(`(\{\{(?:- )?)((?:` + quoted + "|[^\"'`])*?)" + `((?: -)?\}\})`)
	tokenPattern  = regexp.MustCompile(quoted + `|\s+|:=|` + identifier + `|.`)
	numberPattern = regexp.MustCompile(`^\d+$`)
	localPattern  = regexp.MustCompile(`^\$\w+$`)
)

// split takes a template apart.
func split(text string) []piece {
	var out []piece
	at := 0
	for _, m := range actionPattern.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, piece{text: text[at:m[0]]}, piece{
			left: text[m[2]:m[3]], tokens: tokenPattern.FindAllString(text[m[4]:m[5]], -1), right: text[m[6]:m[7]],
		})
		at = m[1]
	}
	return append(out, piece{text: text[at:]})
}

// join is the inverse of split.
func join(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text + p.left + strings.Join(p.tokens, "") + p.right)
	}
	return b.String()
}

func action(inside string) piece {
	return piece{left: "{{", tokens: tokenPattern.FindAllString(inside, -1), right: "}}"}
}

// keyword is the first word of an action.
func (p *piece) keyword() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *piece) opens() bool {
	return slices.Contains([]string{"if", "with", "range", "block", "define"}, p.keyword())
}

// pipeline is where the pipeline of an action begins.
func (p *piece) pipeline() int {
	at := 0
	for at < len(p.tokens) && (slices.Contains([]string{"else", "if", "with", "range"}, p.tokens[at]) || p.tokens[at] == " ") {
		at++
	}
	if i := slices.IndexFunc(p.tokens, func(t string) bool { return t == ":=" || t == "=" }); i >= at && !slices.Contains(p.tokens[:i], "(") {
		return min(i+2, len(p.tokens))
	}
	return at
}

// span is a stretch of tokens or of pieces, the end excluded.
type span struct{ from, to int }

// operands are the operands of an action: constants, fields, locals, and
// parentheses with what is in them.
func (p *piece) operands() []span {
	var out []span
	var open []int
	for i := p.pipeline(); i < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t == "(":
			open = append(open, i)
		case t == ")" && len(open) > 0:
			end := i + 1
			if end < len(p.tokens) && p.tokens[end][0] == '.' {
				end++
			}
			out = append(out, span{open[len(open)-1], end})
			open = open[:len(open)-1]
		case strings.ContainsRune("\"'`$.-0123456789", rune(t[0])) && (i == 0 || p.tokens[i-1] != ")"):
			out = append(out, span{i, i + 1})
		}
	}
	return out
}

// block is a balanced stretch of pieces that begins at one: an action that
// opens with all up to its end, or just the piece. It is empty where the piece
// is in the middle of a construct.
func block(pieces []piece, from int) span {
	p := &pieces[from]
	if !p.opens() {
		if k := p.keyword(); k == "else" || k == "end" {
			return span{from, from}
		}
		return span{from, from + 1}
	}
	depth := 0
	for i := from; i < len(pieces); i++ {
		if pieces[i].opens() {
			depth++
		}
		if pieces[i].keyword() == "end" {
			if depth--; depth == 0 {
				return span{from, i + 1}
			}
		}
	}
	return span{from, from}
}
