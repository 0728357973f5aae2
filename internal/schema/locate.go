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

// findOffsets sets, for every pointer that is a key of offsets, where in a
// JSON text the value begins that it leads to. It reads the text once.
func findOffsets(data []byte, offsets map[string]int) {
	inside := make(map[string]bool) // what has to be looked into
	for p := range offsets {
		for i := strings.LastIndexByte(p, '/'); i >= 0 && !inside[p[:i]]; i = strings.LastIndexByte(p[:i], '/') {
			inside[p[:i]] = true
		}
	}
	c := cursor{dec: json.NewDecoder(bytes.NewReader(data)), data: data}
	c.dec.UseNumber()
	c.note("", offsets, inside)
}

// note notes where the next value begins, and passes it. It reports false at
// the end of what can be read.
func (c *cursor) note(at string, offsets map[string]int, inside map[string]bool) bool {
	if _, ok := offsets[at]; ok {
		offsets[at] = c.start()
	}
	var skipped json.RawMessage
	if !inside[at] {
		return c.dec.Decode(&skipped) == nil
	}
	open, err := c.dec.Token()
	if _, composite := open.(json.Delim); err != nil || !composite {
		return err == nil
	}
	for i := 0; c.dec.More(); i++ {
		key := strconv.Itoa(i)
		if open == json.Delim('{') {
			name, err := c.dec.Token()
			if err != nil {
				return false
			}
			key, _ = name.(string)
		}
		if !c.note(at+pointer([]string{key}), offsets, inside) {
			return false
		}
	}
	_, err = c.dec.Token() // the closing bracket
	return err == nil
}

// escaper writes tokens as parts of a pointer.
var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// pointer joins tokens to a JSON Pointer.
func pointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(escaper.Replace(t))
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
