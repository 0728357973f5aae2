package prompt

import (
	"regexp"
	"sort"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// parseProblem rewords an error of Go's template parser and finds its column,
// which the parser does not tell.
func parseProblem(err error, name, text string, origin diag.Origin, functions *Functions) *diag.Problem {
	message := bareMessage(err, name)
	at, word := failingToken(message, name, text, functions)
	sentence := "the template cannot be parsed here: " + wordParse(message)
	switch {
	case strings.HasPrefix(message, "function "):
		sentence = unknownFunction(word, text, at, functions)
	case strings.HasPrefix(message, "undefined variable "):
		sentence = "the template uses " + word + " before it is declared: declare it with {{" + word + " := …}}, or write {{." + strings.TrimPrefix(word, "$") + "}} for a variable of the caller"
	case strings.Contains(message, "'-'"):
		sentence = "a name cannot contain a hyphen here: write {{index . \"the-name\"}} for a variable with a hyphen"
	}
	return problem(place(origin, text, at), sentence)
}

// bareMessage strips "template: NAME:LINE: " from a parser error.
func bareMessage(err error, name string) string {
	message := strings.TrimPrefix(err.Error(), "template: ")
	message = strings.TrimPrefix(message, name)
	return lineNumber.ReplaceAllString(message, "")
}

var lineNumber = regexp.MustCompile(`^:\d+: `)

// failingToken finds the token at which the parser stopped. The parser reads
// from left to right and stops at the first token it cannot take, so every
// prefix that holds this token gives the same message and no shorter one
// does.
func failingToken(message, name, text string, functions *Functions) (at int, word string) {
	switch {
	case strings.Contains(message, "unexpected EOF"):
		return max(lastOpenBlock(text), 0), ""
	case strings.HasPrefix(message, "unclosed") || strings.HasPrefix(message, "unterminated"):
		return max(strings.LastIndex(text, "{{"), 0), ""
	}
	// Cut inside the closing braces, the lexer complains before the parser
	// gets to say that a function does not exist; closing the action lets it.
	closing := ""
	if strings.HasPrefix(message, "function ") {
		closing = "}}"
	}
	end := sort.Search(len(text), func(n int) bool {
		_, err := parse.Parse(name, text[:n]+closing, "", "", functions.known...)
		return err != nil && bareMessage(err, name) == message
	})
	if m := undeclared.FindStringSubmatch(message); m != nil {
		// The parser has looked one token ahead.
		return strings.LastIndex(text[:end], m[1]), m[1]
	}
	start := tokenStart(text, end)
	if strings.HasPrefix(text[start:], "}") {
		start = max(strings.LastIndex(text[:start], "{{"), 0) // the action as a whole
	}
	return start, text[start:end]
}

var undeclared = regexp.MustCompile(`^undefined variable "(\$[^"]*)"`)

// tokenStart walks back from the end of a token to its first byte.
func tokenStart(text string, end int) int {
	start := end
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	if start > 0 && text[start-1] == '$' {
		start--
	}
	if start == end && start > 0 {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		start -= size
	}
	return start
}

func isWordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// unknownFunction words the commonest slip: a name without its dot.
func unknownFunction(word, text string, at int, functions *Functions) string {
	if !identifier.MatchString(word) {
		return "the template calls a function that does not exist"
	}
	advice := "write {{." + word + "}} for a variable, or \"" + word + "\" for a text"
	if closest := functions.closest(word); closest != "" {
		advice += "; the function with the nearest name is " + closest
	}
	if strings.HasPrefix(text[at+len(word):], "-") {
		advice = "write {{index . \"the-name\"}} for a variable with a hyphen"
	}
	return "there is no function " + word + ": " + advice
}

var identifier = regexp.MustCompile(`^[\p{L}_][\p{L}\p{Nd}_]*$`)

// wordParse gives the sentence for a parser message, without what the
// message quotes.
func wordParse(message string) string {
	for _, w := range parseWording {
		if strings.HasPrefix(message, w.prefix) {
			return w.sentence
		}
	}
	return "the action is not well formed"
}

// parseWording holds the messages of text/template/parse by their fixed
// beginning; the longer of two prefixes comes first.
var parseWording = []struct{ prefix, sentence string }{
	{"unexpected EOF", "a block is not closed; add {{end}}"},
	{"unclosed comment", "a comment is not closed; end it with */}}"},
	{"comment ends before closing delimiter", "a comment must fill its braces: {{/* … */}}"},
	{"unclosed left paren", "a parenthesis is not closed"},
	{"unclosed action", "the braces are not closed; add }}"},
	{"unexpected right paren", "there is a closing parenthesis too many"},
	{"unexpected {{end}}", "there is an {{end}} without a block to close"},
	{"unexpected {{else}}", "there is an {{else}} without an if, with or range"},
	{"unexpected <define>", "a define must stand at the top level of the template"},
	{"unexpected <if>", "an {{else if}} continues only an if"},
	{"unexpected <with>", "an {{else with}} continues only a with"},
	{"unexpected . after term", "a constant has no fields"},
	{"unexpected", "the action holds something that does not belong there"},
	{"expected end", "a block has more than one {{else}}"},
	{"expected :=", "a colon must be followed by ="},
	{"unrecognized character", "a character has no meaning inside an action; quote it if it is text"},
	{"bad character", "a character cannot follow this one inside an action"},
	{"bad number syntax", "a number is malformed"},
	{"illegal number syntax", "a number is malformed"},
	{"unterminated", "a quoted text is not closed"},
	{"invalid syntax", "a quoted text has a bad escape"},
	{"malformed character constant", "a character constant is malformed"},
	{"integer overflow", "a number is too large"},
	{"template: multiple definition", "a template of this name is defined twice"},
	{"{{break}} outside", "a {{break}} must stand inside a range"},
	{"{{continue}} outside", "a {{continue}} must stand inside a range"},
	{"range can only initialize variables", "a range declares one or two variables, and nothing else"},
	{"too many declarations", "too many variables are declared at once"},
	{"missing value for", "the action has no value"},
	{"empty command", "a command is missing"},
	{"non executable command", "a constant cannot receive a piped value"},
	{"max expression depth exceeded", "parentheses nest too deep"},
}
