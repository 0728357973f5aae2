package cli

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// A page collects lines of text for one stream. Where colour is off, every
// style is the identity. Colours are those of the terminal's own palette, so
// that they are readable on whatever background its owner chose.
type page struct {
	w      io.Writer
	b      bytes.Buffer
	width  int
	colour bool
	// whole keeps messages on one line each, for programs that read them.
	whole bool
}

func newPage(w io.Writer, width int, colour bool) *page {
	return &page{w: w, width: width, colour: colour, whole: true}
}

func (p *page) bytes() []byte { return p.b.Bytes() }

// flush writes what the page has collected. A diagnostic that cannot be
// written has nowhere else to go, so the error is dropped.
func (p *page) flush() {
	_, _ = p.w.Write(p.b.Bytes())
	p.b.Reset()
}

func (p *page) style(s lipgloss.Style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return s.Render(text)
}

var (
	boldStyle  = lipgloss.NewStyle().Bold(true)
	faintStyle = lipgloss.NewStyle().Faint(true)
	goodStyle  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	warnStyle  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	badStyle   = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	nameStyle  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)

func (p *page) bold(s string) string  { return p.style(boldStyle, s) }
func (p *page) faint(s string) string { return p.style(faintStyle, s) }
func (p *page) good(s string) string  { return p.style(goodStyle, s) }
func (p *page) warn(s string) string  { return p.style(warnStyle, s) }
func (p *page) bad(s string) string   { return p.style(badStyle, s) }
func (p *page) name(s string) string  { return p.style(nameStyle, s) }

// line writes one line as it is.
func (p *page) line(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
	p.b.WriteByte('\n')
}

// prose writes a sentence, wrapped at the page's width.
func (p *page) prose(text string) { p.hanging("", 0, text) }

// hanging writes a text after a prefix that takes indent columns; further
// lines begin below the first one's text.
func (p *page) hanging(prefix string, indent int, text string) {
	for i, l := range strings.Split(wrap(text, max(p.width-indent, 20)), "\n") {
		if i > 0 {
			prefix = strings.Repeat(" ", indent)
		}
		p.line(strings.TrimRight(prefix+l, " "))
	}
}

// message writes a diagnostic: wrapped for people, on one line for programs.
func (p *page) message(prefix string, indent int, text string) {
	if p.whole {
		p.line(prefix, text)
		return
	}
	p.hanging(prefix, indent, text)
}

// spread writes one text at the left and one at the right edge, or below each
// other where there is no room for both.
func (p *page) spread(left, right string) {
	if right == "" {
		p.line(left)
		return
	}
	gap := p.width - ansi.StringWidth(left) - ansi.StringWidth(right)
	if gap < 2 {
		p.line(left)
		p.line(right)
		return
	}
	p.line(left, strings.Repeat(" ", gap), right)
}

// section writes an empty line and a heading.
func (p *page) section(title string) {
	p.line()
	p.line(p.bold(title))
}

// wrap breaks a text between words, and a word that is too long after a
// slash or, failing that, anywhere. Nothing is cut off. A hyphen is no place to
// break at, because a flag would be torn from its dashes.
func wrap(text string, width int) string {
	const stayTogether = "\u2011"
	text = lipgloss.Wrap(strings.ReplaceAll(text, "-", stayTogether), width, "/")
	return strings.ReplaceAll(text, stayTogether, "-")
}

// wrapName breaks one long word where a name has its joints.
func wrapName(name string, width int) string { return lipgloss.Wrap(name, width, "/-_.@") }

// printable returns a name or a sentence as a terminal can safely show it: as
// it is if every character is a printable one, quoted otherwise. Names come
// from files, and a file can hold anything.
func printable(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' }) {
		quoted := strconv.Quote(s)
		return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	}
	return s
}

// label is printable for something that stands on one line: an empty or
// blank name is quoted, because it would not be seen.
func label(s string) string {
	if strings.TrimSpace(s) == "" || strings.ContainsRune(s, '\n') {
		return strconv.Quote(s)
	}
	return printable(s)
}

// facts writes names and values below each other, aligned.
func (p *page) facts(pairs [][2]string) {
	width := 0
	for _, f := range pairs {
		width = max(width, ansi.StringWidth(f[0]))
	}
	for _, f := range pairs {
		pad := strings.Repeat(" ", width-ansi.StringWidth(f[0])+2)
		p.hanging(p.faint(f[0])+pad, width+2, f[1])
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
