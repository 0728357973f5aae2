package cli

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/promptkit-go/promptkit"
)

// live shows a reply on a terminal as it comes, above a status line that says
// which attempt this is, how much has come and how long it has taken.
//
// The status line stands in the row below the text. After drawing it the
// cursor goes back to where the text ends, in steps relative to where it is:
// absolute and saved positions are lost when the screen scrolls. For that the
// column has to be known, so lines are broken here and not by the terminal.
type live struct {
	mu     sync.Mutex
	out    io.Writer
	width  int
	style  *page
	quiet  bool // the text goes elsewhere, so that only the status is shown
	model  string
	start  time.Time
	now    func() time.Time
	column int // where the text ends in its row
	stop   chan struct{}
	done   chan struct{}

	attempt int
	pieces  int
	shown   strings.Builder // the text of this attempt, as it came
}

// watch begins to show a run, if both streams go to a terminal and there is
// something to wait for.
func (a *app) watch(target promptkit.Target) *live {
	width, outTerminal := terminalWidth(a.stdout)
	_, errTerminal := terminalWidth(a.stderr)
	if !outTerminal || !errTerminal || a.format != formatText || target.Offline {
		return nil
	}
	l := newLive(a.stdout, width, colourWanted(), target.Model, time.Now)
	l.quiet = a.output != ""
	go l.tick()
	return l
}

func newLive(out io.Writer, width int, colour bool, model string, now func() time.Time) *live {
	return &live{
		out: out, width: width, style: newPage(nil, width, colour), model: model,
		start: now(), now: now, attempt: 1, stop: make(chan struct{}), done: make(chan struct{}),
	}
}

// tick redraws the status while nothing comes, so that the seconds go on.
func (l *live) tick() {
	defer close(l.done)
	t := time.NewTicker(100 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
			l.mu.Lock()
			l.draw("")
			l.mu.Unlock()
		}
	}
}

// text takes a piece of the reply.
func (l *live) text(attempt int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if attempt != l.attempt {
		l.draw(l.breakOff(attempt))
	}
	l.pieces++
	if l.quiet {
		return // the ticker draws
	}
	l.shown.WriteString(text)
	l.draw(l.broken(harmless(text)))
}

// breakOff begins another attempt below what the last one brought, if it
// brought anything: a call may have failed before its first word.
func (l *live) breakOff(attempt int) string {
	silent := l.shown.Len() == 0
	l.attempt, l.pieces = attempt, 0
	l.shown.Reset()
	if silent || l.quiet {
		return ""
	}
	fresh := ""
	if l.column > 0 {
		fresh = "\r\n"
	}
	l.column = 0
	return fresh + l.style.warn("attempt "+itoa(attempt)+": the last reply could not be used") + "\r\n"
}

// broken is a text with line ends where the terminal would wrap it, and keeps
// count of the column.
func (l *live) broken(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' {
			b.WriteString("\r\n")
			l.column = 0
			continue
		}
		if r == '\t' {
			r = ' '
		}
		w := ansi.StringWidth(string(r))
		if l.column+w >= l.width {
			b.WriteString("\r\n")
			l.column = 0
		}
		b.WriteRune(r)
		l.column += w
	}
	return b.String()
}

// draw writes text where the last one ended and the status in the row below.
func (l *live) draw(text string) {
	var b strings.Builder
	b.WriteString(ansi.EraseScreenBelow)
	b.WriteString(text)
	b.WriteString("\r\n")
	b.WriteString(l.style.faint(ansi.Truncate(l.status(), l.width-1, "…")))
	b.WriteString(ansi.CursorUp(1) + "\r")
	if l.column > 0 {
		b.WriteString(ansi.CursorForward(l.column))
	}
	_, _ = io.WriteString(l.out, b.String())
}

func (l *live) status() string {
	s := "attempt " + itoa(l.attempt) + " · "
	if l.pieces == 0 {
		s += "waiting for " + printable(l.model)
	} else {
		s += "about " + countOf(l.pieces, "token")
	}
	return s + " · " + l.now().Sub(l.start).Truncate(100*time.Millisecond).String()
}

// end takes the status away and leaves the cursor below the text.
func (l *live) end() {
	if l == nil {
		return
	}
	close(l.stop)
	<-l.done
	l.mu.Lock()
	defer l.mu.Unlock()
	s := ansi.EraseScreenBelow
	if l.column > 0 {
		s += "\r\n"
	}
	_, _ = io.WriteString(l.out, s)
}

// shows tells whether the text on the screen is the output.
func (l *live) shows(output string) bool {
	return l != nil && l.shown.Len() > 0 && strings.TrimSpace(l.shown.String()) == strings.TrimSpace(output)
}
