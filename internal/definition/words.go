package definition

import (
	"strconv"
	"strings"

	"github.com/promptkit-go/promptkit/internal/diag"
)

func quote(s string) string { return strconv.Quote(s) }

// maxListed is how many names a sentence lists before it counts the rest.
const maxListed = 12

// quoteAll renders names as a list in a sentence.
func quoteAll(names []string) string {
	quoted := make([]string, min(len(names), maxListed))
	for i := range quoted {
		quoted[i] = quote(names[i])
	}
	return list(quoted, len(names), ", ")
}

// list joins at most maxListed of total names.
func list(names []string, total int, separator string) string {
	listed := strings.Join(names[:min(len(names), maxListed)], separator)
	if total > maxListed {
		listed += separator + strconv.Itoa(total-maxListed) + " more"
	}
	return listed
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
