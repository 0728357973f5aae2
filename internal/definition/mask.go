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
// if it is indented deeper than the key.
type masker struct {
	secretIn  int // column of a key whose value is hidden, -1 for none
	headersIn int // column of a "headers" key, -1 for none
}

// entry finds the first key of a line: its indentation with any list marks,
// the key, its colon and what follows.
var keyed = regexp.MustCompile(`^([\s\-?{,\[]*)(["']?)([A-Za-z0-9_.\-]+)(["']?\s*:)(.*)$`)

func (m *masker) line(line string) string {
	if blank(line) {
		return line
	}
	column := len(line) - len(strings.TrimLeft(line, " \t-?{[,"))
	if m.secretIn >= 0 && column > m.secretIn {
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
		return inline(line)
	}
	return m.entry(line, column, parts)
}

// entry masks a line that starts with a key.
func (m *masker) entry(line string, column int, parts []string) string {
	key, value := parts[3], parts[5]
	hide := func() string {
		m.secretIn = column
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
	return inline(line)
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
	flowEntry  = regexp.MustCompile(`([{,]\s*["']?)([A-Za-z0-9_.\-]+)(["']?\s*:\s*)([^,}]*)`)
	userInfo   = regexp.MustCompile(`(://)[^/\s"']*@`)
	queryEntry = regexp.MustCompile(`([?&])([A-Za-z0-9_.\-]+)=([^&\s"']*)`)
	keyShape   = regexp.MustCompile(`\b(sk|pk|rk|ghp|gho|xox[a-z])[-_][A-Za-z0-9_\-]{8,}|\bAKIA[A-Z0-9]{12,}`)
	scheme     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9+/=_.\-]{8,}`)
)

func inline(line string) string {
	line = flowEntry.ReplaceAllStringFunc(line, func(s string) string {
		if p := flowEntry.FindStringSubmatch(s); credential(p[2]) {
			return p[1] + p[2] + p[3] + mask
		}
		return s
	})
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
