package cli

import "strings"

// shellPlain are the characters that no shell takes for anything else.
const shellPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@:+,%="

// shellWord quotes a word for a shell where it needs it, so that commands in
// hints can be copied.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, shellPlain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(printable(s), "'", `'\''`) + "'"
}
