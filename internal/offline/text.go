package offline

import (
	"iter"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxTexts bounds how many strings are proposed for one place.
const maxTexts = 500

// texts yields strings that may be right: from the format, from the pattern,
// or plain ones of the least length.
func texts(all []*jsonschema.Schema) iter.Seq[any] {
	shortest, longest := lengths(all)
	return func(yield func(any) bool) {
		if shortest > maxBytes {
			return
		}
		for _, s := range all {
			if s.Format != nil && !yieldAll(yield, formatted(s.Format.Name, shortest)) {
				return
			}
		}
		for _, s := range all {
			if s.Pattern != nil && !yieldAll(yield, matching(s.Pattern.String(), shortest, maxTexts)) {
				return
			}
		}
		yieldAll(yield, plain(shortest, longest, maxTexts))
	}
}

func yieldAll(yield func(any) bool, texts iter.Seq[string]) bool {
	for s := range texts {
		if !yield(s) {
			return false
		}
	}
	return true
}

// lengths are the tightest limits of length, in characters.
func lengths(all []*jsonschema.Schema) (shortest, longest int) {
	longest = maxBytes
	for _, s := range all {
		if s.MinLength != nil {
			shortest = max(shortest, *s.MinLength)
		}
		if s.MaxLength != nil {
			longest = min(longest, *s.MaxLength)
		}
	}
	return shortest, longest
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// plain yields different strings of letters, the shortest first.
func plain(shortest, longest, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n, length := 0, shortest; length <= longest && n < limit; length++ {
			if length == 0 {
				n++
				if !yield("") {
					return
				}
				continue
			}
			start := strings.Repeat("a", length-1)
			for _, last := range letters {
				if n++; n > limit || !yield(start+string(last)) {
					return
				}
			}
		}
	}
}

// samples are values of the formats that the validator knows.
var samples = map[string][]string{
	"date":                  {"1970-01-01", "1970-01-02"},
	"date-time":             {"1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"},
	"duration":              {"P1D", "P2D"},
	"email":                 {"a@example.com", "b@example.com"},
	"hostname":              {"example.com", "example.org"},
	"idn-email":             {"a@example.com", "b@example.com"},
	"idn-hostname":          {"example.com", "example.org"},
	"ipv4":                  {"192.0.2.1", "192.0.2.2"},
	"ipv6":                  {"2001:db8::1", "2001:db8::2"},
	"iri":                   {"https://example.com/", "https://example.org/"},
	"iri-reference":         {"", "a"},
	"json-pointer":          {"", "/a"},
	"period":                {"1970-01-01T00:00:00Z/P1D"},
	"regex":                 {"", "a"},
	"relative-json-pointer": {"0", "1"},
	"semver":                {"0.0.0", "0.0.1"},
	"time":                  {"00:00:00Z", "00:00:01Z"},
	"uri":                   {"https://example.com/", "https://example.org/"},
	"uri-reference":         {"", "a"},
	"uri-template":          {"", "a"},
	"uuid":                  {"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001"},
}

// stretched are formats whose samples can be made longer, and how.
var stretched = map[string]func(sample string, by int) string{
	"email":         func(s string, by int) string { return strings.Repeat("a", by) + s },
	"idn-email":     func(s string, by int) string { return strings.Repeat("a", by) + s },
	"uri":           func(s string, by int) string { return s + strings.Repeat("a", by) },
	"iri":           func(s string, by int) string { return s + strings.Repeat("a", by) },
	"uri-reference": func(s string, by int) string { return s + strings.Repeat("a", by) },
	"iri-reference": func(s string, by int) string { return s + strings.Repeat("a", by) },
	"hostname":      func(s string, by int) string { return strings.Repeat("a", by) + s },
	"uri-template":  func(s string, by int) string { return s + strings.Repeat("a", by) },
	"regex":         func(s string, by int) string { return s + strings.Repeat("a", by) },
	"date-time": func(s string, by int) string {
		return strings.TrimSuffix(s, "Z") + "." + strings.Repeat("0", by) + "Z"
	},
}

// formatted yields values of a format, made longer where they have to be.
func formatted(format string, shortest int) iter.Seq[string] {
	known := samples[format]
	return func(yield func(string) bool) {
		for _, s := range known {
			if !yield(s) {
				return
			}
		}
		stretch := stretched[format]
		for _, s := range slices.Clone(known) {
			if stretch != nil && len(s) < shortest && !yield(stretch(s, shortest-len(s))) {
				return
			}
		}
	}
}
