package offline

import (
	"iter"
	"regexp/syntax"
	"strings"
)

// matching yields strings that a pattern may match, of at least a length
// where the pattern can be stretched: each repetition is taken as seldom as it
// may be, and then more often, alone and together with the others.
func matching(pattern string, shortest, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return
		}
		re = re.Simplify()
		seen := make(map[string]bool)
		for variant := 0; variant < limit && len(seen) < limit; variant++ {
			w := &writer{extra: extra(variant, shortest), pick: variant % len(letters), only: variant/2 - 1}
			w.write(re)
			s := w.b.String()
			// Without an anchor, anything may follow.
			for _, s := range []string{s, s + strings.Repeat("a", max(shortest-len(s), 0))} {
				if !seen[s] && len(s) <= maxBytes {
					seen[s] = true
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

// extra is how many more times than needed a repetition is taken.
func extra(variant, shortest int) int {
	if variant == 0 {
		return 0
	}
	if variant%2 == 1 { // as often as alone makes up the length
		return max(shortest-variant/2, 1)
	}
	return variant / 2
}

// writer writes a string that a pattern matches.
type writer struct {
	b     strings.Builder
	extra int // more times than needed, for repetitions
	only  int // the repetition that is taken more often; negative for every one
	pick  int // which of the characters of a class, of the arms of an alternation

	repetitions int // met so far
}

func (w *writer) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		w.b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		w.class(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.b.WriteByte(letters[w.pick%len(letters)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.write(re.Sub[w.pick%len(re.Sub)])
	case syntax.OpStar:
		w.repeat(re.Sub[0], 0)
	case syntax.OpPlus:
		w.repeat(re.Sub[0], 1)
	case syntax.OpQuest:
		if w.extra > 0 && w.pick%2 == 1 {
			w.write(re.Sub[0])
		}
	}
}

// repeat writes a repetition, more often if it is its turn.
func (w *writer) repeat(re *syntax.Regexp, times int) {
	if w.only < 0 || w.only == w.repetitions {
		times += w.extra
	}
	w.repetitions++
	for range times {
		if w.b.Len() > maxBytes {
			return
		}
		w.write(re)
	}
}

// class writes a character of a class: a letter or a digit if it has any, since
// those are what people mean.
func (w *writer) class(ranges []rune) {
	var usual []rune
	for _, c := range letters + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ " {
		if inRanges(ranges, c) {
			usual = append(usual, c)
		}
	}
	if len(usual) > 0 {
		w.b.WriteRune(usual[w.pick%len(usual)])
	} else if len(ranges) > 0 {
		w.b.WriteRune(ranges[0])
	}
}

func inRanges(ranges []rune, c rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= c && c <= ranges[i+1] {
			return true
		}
	}
	return false
}
