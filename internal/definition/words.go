package definition

import (
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
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

// didYouMean ends a sentence about a name that does not exist with the one
// that was probably meant, or with nothing.
func didYouMean(name string, candidates []string) string {
	if near := similar(name, candidates); near != "" {
		return "; did you mean " + quote(near) + "?"
	}
	return ""
}

// maxGuessed bounds the cost of guessing at words that no one misspelt.
const maxGuessed = 128

func similar(name string, candidates []string) string {
	if len(name) > maxGuessed {
		return ""
	}
	return diag.Nearest(name, candidates)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
