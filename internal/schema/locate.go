package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// offsetOf returns where in a JSON text the value begins that tokens lead to,
// or where its nearest ancestor begins, if the text has no such value.
func offsetOf(data []byte, tokens []string) int {
	c := cursor{dec: json.NewDecoder(bytes.NewReader(data)), data: data}
	c.dec.UseNumber()
	offset := c.start()
	for _, token := range tokens {
		next, ok := c.enter(token)
		if !ok {
			break
		}
		offset = next
	}
	return offset
}

// cursor walks through a JSON text, remembering places.
type cursor struct {
	dec  *json.Decoder
	data []byte
}

// start is where the next value begins.
func (c *cursor) start() int {
	offset := int(c.dec.InputOffset())
	rest := c.data[offset:]
	return offset + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

// enter opens the next value and goes to the member or element that token
// names. It returns where that begins.
func (c *cursor) enter(token string) (int, bool) {
	open, err := c.dec.Token()
	if err != nil {
		return 0, false
	}
	for i := 0; c.dec.More(); i++ {
		key := strconv.Itoa(i)
		if open == json.Delim('{') {
			name, err := c.dec.Token()
			if err != nil {
				return 0, false
			}
			key, _ = name.(string)
		}
		if key == token {
			return c.start(), true
		}
		var skipped json.RawMessage
		if c.dec.Decode(&skipped) != nil {
			return 0, false
		}
	}
	return 0, false
}

// pointer joins tokens to a JSON Pointer.
func pointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(t))
	}
	return b.String()
}

// tokens splits a JSON Pointer.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}
