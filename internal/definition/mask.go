package definition

import (
	"regexp"
	"strings"
)

// mask stands for whatever may be a credential.
const mask = "******"

// masked returns the text of a definition file with everything that may be a
// credential replaced. It reads lines, not YAML, because the files that people
// have to be shown are those that do not parse; where it cannot tell, it hides.
func masked(text string) string {
	var out strings.Builder
	m := masker{secretIn: -1, headersIn: -1}
	for len(text) > 0 {
		line, rest, more := strings.Cut(text, "\n")
		out.WriteString(m.line(line))
		if more {
			out.WriteByte('\n')
		}
		text = rest
	}
	return out.String()
}

// masker remembers the key that a line may continue. A line belongs to a key
// if it is indented deeper than the key, or if something that the value opened
// is still open.
type masker struct {
	secretIn  int // column of a key whose value is hidden, -1 for none
	headersIn int // column of a "headers" key, -1 for none
	open      unclosed
}

// entry finds the first key of a line: its indentation with any list marks,
// the key, its colon and what follows.
var keyed = regexp.MustCompile(`^([\s\-?{,\[]*)(["']?)([A-Za-z0-9_.\-]+)(["']?\s*:)(.*)$`)

func (m *masker) line(line string) string {
	if blank(line) {
		return line
	}
	column := len(line) - len(strings.TrimLeft(line, " \t-?{[,"))
	if m.open.any() || m.secretIn >= 0 && column > m.secretIn {
		m.open.read(line)
		return indented(line)
	}
	m.secretIn = -1
	if m.headersIn >= 0 && column <= m.headersIn {
		m.headersIn = -1
	}
	parts := keyed.FindStringSubmatch(line)
	if parts == nil {
		if m.headersIn >= 0 {
			return indented(line)
		}
		return m.inline(line)
	}
	return m.entry(line, column, parts)
}

// entry masks a line that starts with a key.
func (m *masker) entry(line string, column int, parts []string) string {
	key, value := parts[3], parts[5]
	hide := func() string {
		m.secretIn = column
		m.open.read(line)
		return strings.TrimSuffix(line, value) + hidden(value)
	}
	switch squeezed := squeeze(key); {
	case squeezed == "headers":
		m.headersIn = column
		if blank(value) {
			return line
		}
		return hide()
	case squeezed == "apikeyenv":
		if variableName.MatchString(value) {
			return line
		}
		return hide()
	case m.headersIn >= 0:
		if environment.MatchString(value) {
			return line
		}
		return hide()
	case credential(key):
		return hide()
	}
	return m.inline(line)
}

var (
	variableName = regexp.MustCompile(`^\s*["']?[A-Z_][A-Z0-9_]*["']?\s*$`)
	environment  = regexp.MustCompile(`^\s*["']?\$\{env:[A-Za-z_][A-Za-z0-9_]*\}["']?\s*$`)
)

// hidden replaces a value and keeps the space before it.
func hidden(value string) string {
	if blank(value) {
		return value
	}
	return value[:len(value)-len(strings.TrimLeft(value, " \t"))] + mask
}

func indented(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))] + mask
}

// Credentials that stand inside a line: later entries of a flow mapping, the
// user information and the query of a URL, and keys of known shapes.
var (
	flowKey    = regexp.MustCompile(`[{,\[]\s*["']?([A-Za-z0-9_.\-]+)["']?\s*:`)
	flowName   = regexp.MustCompile(`^\s*["']?[A-Z_][A-Z0-9_]*["']?\s*(?:[,}\]]|$)`)
	userInfo   = regexp.MustCompile(`(://)[^/\s"']*@`)
	queryEntry = regexp.MustCompile(`([?&])([A-Za-z0-9_.\-]+)=([^&\s"']*)`)
	keyShape   = regexp.MustCompile(`\b(sk|pk|rk|ghp|gho|xox[a-z])[-_][A-Za-z0-9_\-]{8,}|\bAKIA[A-Z0-9]{12,}`)
	scheme     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9+/=_.\-]{8,}`)
)

func (m *masker) inline(line string) string {
	if at := flowSecret(line); at >= 0 {
		m.open.read(line)
		line = line[:at] + " " + mask
	}
	line = userInfo.ReplaceAllString(line, "${1}"+mask+"@")
	line = queryEntry.ReplaceAllStringFunc(line, func(s string) string {
		if p := queryEntry.FindStringSubmatch(s); credential(p[2]) {
			return p[1] + p[2] + "=" + mask
		}
		return s
	})
	line = scheme.ReplaceAllString(line, "${1} "+mask)
	return keyShape.ReplaceAllString(line, mask)
}

// flowSecret returns where the first value to hide begins among the entries of
// flow mappings, -1 if there is none. Where a value ends is not asked: it may
// be quoted or nested, so the rest of the line goes with it.
func flowSecret(line string) int {
	for _, at := range flowKey.FindAllStringSubmatchIndex(line, -1) {
		key, end := line[at[2]:at[3]], at[1]
		switch squeezed := squeeze(key); {
		case squeezed == "apikeyenv":
			if !flowName.MatchString(line[end:]) {
				return end
			}
		case squeezed == "headers", credential(key):
			return end
		}
	}
	return -1
}

// unclosed is what a hidden value opened and did not close in its lines.
type unclosed struct {
	brackets int
	quote    byte // 0 outside a quoted text
}

func (u *unclosed) any() bool { return u.brackets > 0 || u.quote != 0 }

// read follows quotes and brackets through a line. A quote opens a text only
// where a value can begin: anywhere else it is an apostrophe.
func (u *unclosed) read(line string) {
	before := byte(' ')
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case u.quote == '"' && c == '\\':
			i++
		case u.quote != 0:
			if c == u.quote {
				u.quote = 0
			}
		case (c == '"' || c == '\'') && strings.IndexByte(" \t:,{[", before) >= 0:
			u.quote = c
		case c == '{' || c == '[':
			u.brackets++
		case c == '}' || c == ']':
			u.brackets = max(u.brackets-1, 0)
		}
		before = c
	}
}
