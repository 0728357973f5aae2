package cli

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// screen is as much of a terminal as live uses: it scrolls, it can go up and
// right, and it erases from the cursor to its end.
type screen struct {
	rows     [][]rune
	row, col int
	width    int
	wrapped  bool // a line was broken by the terminal, which must not happen
	pending  string
}

func newScreen(width int) *screen {
	return &screen{width: width, rows: [][]rune{{}}}
}

func (s *screen) Write(p []byte) (int, error) {
	text := s.pending + string(p)
	s.pending = ""
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			s.escape(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		r := []rune(text)[0]
		s.put(r)
		text = text[len(string(r)):]
	}
	return len(p), nil
}

func (s *screen) escape(parameter string, command byte) {
	n, _ := strconv.Atoi(parameter)
	switch command {
	case 'J':
		s.rows = s.rows[:s.row+1]
		s.rows[s.row] = s.rows[s.row][:min(s.col, len(s.rows[s.row]))]
	case 'A':
		s.row = max(s.row-max(n, 1), 0)
	case 'C':
		s.col += max(n, 1)
	}
}

func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.col = 0
	case '\n':
		s.row++
		if s.row == len(s.rows) {
			s.rows = append(s.rows, nil)
		}
	default:
		if s.col >= s.width {
			s.wrapped = true
		}
		for len(s.rows[s.row]) <= s.col {
			s.rows[s.row] = append(s.rows[s.row], ' ')
		}
		s.rows[s.row][s.col] = r
		s.col++
	}
}

func (s *screen) lines() []string {
	var out []string
	for _, row := range s.rows {
		out = append(out, strings.TrimRight(string(row), " "))
	}
	return out
}

// clock is a time that a test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func newTestLive(s *screen, c *clock) *live {
	l := newLive(s, s.width, false, "test-model", c.now)
	close(l.done) // no ticker: the test draws
	return l
}

func TestLiveShowsTextAboveItsStatus(t *testing.T) {
	s, c := newScreen(40), &clock{}
	l := newTestLive(s, c)
	l.draw("")
	wantLines(t, s, "", "attempt 1 · waiting for test-model · 0s")
	c.t = c.t.Add(1234 * time.Millisecond)
	l.text(1, "It will ")
	wantLines(t, s, "It will", "attempt 1 · about 1 token · 1.2s")
	l.text(1, "rain.\nBring a ")
	wantLines(t, s, "It will rain.", "Bring a", "attempt 1 · about 2 tokens · 1.2s")
	l.text(1, "coat.")
	l.end()
	wantLines(t, s, "It will rain.", "Bring a coat.", "")
	if !l.shows("It will rain.\nBring a coat.\n") {
		t.Error("the text on the screen is the output, and is not taken for it")
	}
}

func TestLiveBreaksLinesItself(t *testing.T) {
	s, c := newScreen(10), &clock{}
	l := newTestLive(s, c)
	l.text(1, strings.Repeat("abcdefghij", 3))
	l.text(1, "\tz")
	l.end()
	wantLines(t, s, "abcdefghi", "jabcdefgh", "ijabcdefg", "hij z", "")
	if s.wrapped {
		t.Error("the terminal broke a line, so the cursor is not where live believes")
	}
}

func TestLiveBeginsAnotherAttemptBelow(t *testing.T) {
	s, c := newScreen(80), &clock{}
	l := newTestLive(s, c)
	l.text(1, "Certainly!")
	l.text(2, `{"a":1}`)
	wantLines(t, s, "Certainly!", "attempt 2: the last reply could not be used", `{"a":1}`, "attempt 2 · about 1 token · 0s")
	l.end()
	if l.shows("Certainly!") || !l.shows(`{"a":1}`) {
		t.Error("only the last attempt's text can be the output")
	}
}

func TestLiveSaysNothingOfACallThatBroughtNoWord(t *testing.T) {
	s, c := newScreen(80), &clock{}
	l := newTestLive(s, c)
	l.draw("")
	l.text(2, "It will rain.")
	wantLines(t, s, "It will rain.", "attempt 2 · about 1 token · 0s")
	l.end()
}

func TestLiveShowsOnlyItsStatusWhereTheTextGoesElsewhere(t *testing.T) {
	s, c := newScreen(80), &clock{}
	l := newTestLive(s, c)
	l.quiet = true
	l.text(1, "It will ")
	l.text(1, "rain.")
	l.draw("")
	wantLines(t, s, "", "attempt 1 · about 2 tokens · 0s")
	l.end()
	wantLines(t, s, "")
}

func TestLiveShowsNothingThatATerminalObeys(t *testing.T) {
	s, c := newScreen(80), &clock{}
	l := newTestLive(s, c)
	l.text(1, "a\x1b[2Jb\x07c\rd")
	l.end()
	wantLines(t, s, "a\uFFFD[2Jb\uFFFDc\uFFFDd", "")
}

func TestNoLiveIsHarmless(t *testing.T) {
	var l *live
	l.end()
	if l.shows("") {
		t.Error("nothing was shown")
	}
}

func wantLines(t *testing.T, s *screen, want ...string) {
	t.Helper()
	got := s.lines()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("screen:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
