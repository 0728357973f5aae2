package promptkit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSessionBytes is how long a session ID may be: backends store it as a key.
const maxSessionBytes = 256

// normalSession trims a session ID. A blank one is no session: "". The second
// result says what is wrong with an unacceptable one, without quoting it.
func normalSession(id string) (normal, fault string) {
	id = strings.TrimSpace(id)
	switch {
	case len(id) > maxSessionBytes:
		return "", "has " + strconv.Itoa(len(id)) + " bytes; at most " + strconv.Itoa(maxSessionBytes) + " are allowed"
	case !utf8.ValidString(id):
		return "", "is not valid UTF-8"
	case strings.ContainsFunc(id, unicode.IsControl):
		return "", "contains a control character"
	}
	return id, ""
}
