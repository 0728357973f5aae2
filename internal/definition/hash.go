package definition

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// hashFormat starts every hashed encoding. It changes when the encoding does.
const hashFormat = "promptkit prompt 1"

// encoder writes values such that different sequences of values never give
// the same bytes: texts and lists are preceded by their length.
type encoder struct{ buf []byte }

func (e *encoder) text(s string) {
	e.buf = binary.AppendUvarint(e.buf, uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) count(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }

func (e *encoder) flag(b bool) {
	if b {
		e.count(1)
	} else {
		e.count(0)
	}
}

// optional writes a text such that absent and empty are the same.
func (e *encoder) optional(s *string) {
	if s == nil {
		e.text("")
	} else {
		e.text(*s)
	}
}

// hash returns the hash of a prompt, a function of what the definition means:
// neither the layout of its file nor the names of its message files count.
func (e *encoder) hash(p *Prompt) string {
	e.buf = e.buf[:0]
	e.text(hashFormat)
	e.text(p.ID)
	e.text(p.Version)
	e.text(p.Description)
	e.text(p.DefaultProfile)
	if p.Session != nil {
		e.text(p.Session.Body)
	} else {
		e.text("")
	}
	e.inputs(p.Inputs)
	e.messages(p.Messages)
	e.instructions(p.Instructions)
	e.text(p.Output.Format)
	e.text(p.Output.Validation)
	e.text(p.Output.Schema)
	sum := sha256.Sum256(e.buf)
	return hex.EncodeToString(sum[:])
}

func (e *encoder) inputs(inputs []Input) {
	e.count(len(inputs))
	for _, in := range inputs {
		e.text(in.Name)
		e.flag(in.Required)
		e.optional(in.ContentType)
		e.optional(in.Description)
	}
}

func (e *encoder) messages(messages []Message) {
	e.count(len(messages))
	for i := range messages {
		e.text(messages[i].Role)
		e.text(messages[i].Content.Body)
		e.cacheControl(messages[i].CacheControl)
	}
}

func (e *encoder) instructions(instructions []Instruction) {
	e.count(len(instructions))
	for i := range instructions {
		in := &instructions[i]
		e.text(in.ID)
		e.text(in.Role)
		e.text(in.Text)
		e.text(in.Template)
		e.count(in.FromAction)
		e.cacheControl(in.CacheControl)
	}
}

func (e *encoder) cacheControl(c *CacheControl) {
	e.flag(c != nil)
	if c != nil {
		e.text(c.Type)
		e.text(c.TTL)
	}
}
