package definition

import (
	"strconv"
	"strings"
)

func quote(s string) string { return strconv.Quote(s) }

// quoteAll renders names as a list in a sentence.
func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}

// nearest returns the candidate that name is most likely a misspelling of, or
// "". A third of the longer word may differ: more is a different word.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 1<<30
	for _, c := range candidates {
		if d := distance(name, c); d < bestDistance && d*3 <= max(len(name), len(c)) {
			best, bestDistance = c, d
		}
	}
	return best
}

// maxCompared bounds the cost of comparing words that no one misspelt.
const maxCompared = 64

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, case set aside.
func distance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return 1 << 20
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitute := last[j-1]
			if a[i-1] != b[j-1] {
				substitute++
			}
			row[j] = min(substitute, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
