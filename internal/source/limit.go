package source

import "strconv"

// Limit is the greatest size of a kind of file, and how to speak of it.
type Limit struct {
	Name  string // as in "the limit for a message file"
	Bytes int64
}

// The limits of the files an engine reads. They stop a file that was put in
// the wrong place, or is hostile, from filling memory.
var (
	Definition = Limit{Name: "a definition file", Bytes: 1 << 20}
	Content    = Limit{Name: "a message file", Bytes: 1 << 20}
	Schema     = Limit{Name: "a schema file", Bytes: 4 << 20}
)

// size renders the limit for people: in MiB where that is a whole number.
func (l Limit) size() string {
	if mib := l.Bytes >> 20; mib > 0 && mib<<20 == l.Bytes {
		return strconv.FormatInt(mib, 10) + " MiB"
	}
	return strconv.FormatInt(l.Bytes, 10) + " bytes"
}
