package diag

import "strings"

// Nearest returns the candidate that a person most likely meant by word, or
// "" if none is near: one edit for every three characters is near, where an
// edit adds, drops, changes or swaps characters, and letter case is free. So
// is leaving off the end of exactly one candidate. Of several equally near
// candidates the first wins.
func Nearest(word string, candidates []string) string {
	best, distance := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := edits(strings.ToLower(word), strings.ToLower(c), distance); d < distance {
			best, distance = c, d
		}
	}
	if best == "" {
		return onlyExtension(word, candidates)
	}
	return best
}

// onlyExtension returns the one candidate that begins with word.
func onlyExtension(word string, candidates []string) string {
	found := ""
	for _, c := range candidates {
		if len(word) < 3 || len(c) < len(word) || !strings.EqualFold(c[:len(word)], word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = c
	}
	return found
}

// edits is the optimal string alignment distance of a and b, or limit if it
// is at least that.
func edits(a, b string, limit int) int {
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range old {
		old[j] = j
	}
	for i, r := range s {
		row[0] = i + 1
		for j, q := range t {
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+differ(r, q))
			if i > 0 && j > 0 && r == t[j-1] && s[i-1] == q {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return min(old[len(t)], limit)
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
