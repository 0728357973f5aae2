package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// app is what every command shares: the streams, the flags of the root, and
// what they lead to.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	dir    string // -C
	format string // text or json
	output string // -o, for commands that have it
}

const (
	formatText = "text"
	formatJSON = "json"
)

// fallbackWidth is how wide a page is that does not go to a terminal.
const fallbackWidth = 80

// emit sends a command's answer on its way, in the form that was asked for:
// one JSON document, or a page. It goes to standard output or to the file of
// --output, whole or not at all.
func (a *app) emit(answer any, layOut func(p *page)) error {
	if a.format == formatJSON {
		data, err := encodeJSON(answer)
		if err != nil {
			return err
		}
		return a.deliver(data)
	}
	if a.output != "" {
		p := newPage(nil, fallbackWidth, false)
		layOut(p)
		return a.deliver(p.bytes())
	}
	p := pageFor(a.stdout)
	layOut(p)
	return a.deliver(p.bytes())
}

// deliver writes finished data to --output or to standard output.
func (a *app) deliver(data []byte) error {
	if a.output != "" {
		return writeFile(a.output, data)
	}
	if _, err := a.stdout.Write(data); err != nil {
		return failedf("cannot write to standard output: %s", fileReason(err))
	}
	return nil
}

// toTerminal tells whether data goes to a terminal.
func (a *app) toTerminal() bool {
	_, terminal := terminalWidth(a.stdout)
	return terminal && a.output == "" && a.format == formatText
}

// diagnostics is a page for standard error.
func (a *app) diagnostics() *page { return pageFor(a.stderr) }

// pageFor makes a page as wide and as colourful as what it goes to allows.
func pageFor(w io.Writer) *page {
	width, terminal := terminalWidth(w)
	p := newPage(w, width, terminal && colourWanted())
	p.whole = !terminal
	return p
}

// colourWanted honours NO_COLOR, which counts if it is not empty, and
// terminals that declare themselves unable.
func colourWanted() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminalWidth returns how wide a page for w should be, and whether w is a
// terminal. Lines longer than 100 columns are hard to read even where there
// is room for them.
func terminalWidth(w io.Writer) (width int, terminal bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return fallbackWidth, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return fallbackWidth, true
	}
	return max(40, min(width, 100)), true
}
