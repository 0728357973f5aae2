package prompt

import (
	"sort"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// Lines maps offsets in a text to places in the file it came from.
type Lines struct {
	origin diag.Origin
	starts []int // offset of the first byte of each line
}

func newLines(origin diag.Origin, text string) *Lines {
	l := &Lines{origin: origin, starts: make([]int, 1, 1+strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// At returns the place of the byte at offset.
func (l *Lines) At(offset int) diag.Position {
	line := sort.SearchInts(l.starts, offset+1)
	return l.origin.At(line, offset-l.starts[line-1]+1)
}

// place is Lines for a single offset.
func place(origin diag.Origin, text string, offset int) diag.Position {
	before := text[:min(max(offset, 0), len(text))]
	return origin.At(strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
}
