package openai

import (
	"bytes"
	"strings"
)

// Reply is what a model answered.
type Reply struct {
	Text         string
	Refusal      string // what the model says instead, if it declines
	FinishReason string // stop, length, content_filter, …; "" if the server does not say
	Model        string // the model that answered, if that is an identifier
	ID           string // the server's name for the reply, if that is an identifier
	Usage        Usage
}

// Usage counts tokens; what the server does not report is 0.
type Usage struct {
	InputTokens     int
	OutputTokens    int
	CachedTokens    int
	ReasoningTokens int
}

// completion is a whole reply, or one chunk of a stream: they differ in where
// the message is. A member of another type than expected counts as absent, so
// that a server's liberty with one of no consequence does not cost the reply.
type completion struct {
	id, model string
	choices   []choice
	usage     Usage
	hasUsage  bool
	failed    bool // there is an error in it
}

type choice struct {
	index        int
	text         string
	refusal      string
	finishReason string
}

// parse reads a JSON object; false if the text is none. It overwrites c, and
// reuses its memory.
func (c *completion) parse(data []byte) bool {
	last := *c
	*c = completion{choices: c.choices[:0]}
	s := scanner{data: data}
	if s.peek() != '{' {
		return false
	}
	s.object(func(name []byte) {
		switch string(name) {
		case "id":
			c.id = s.textLike(last.id) // the same in every chunk
		case "model":
			c.model = s.textLike(last.model)
		case "choices":
			c.choices = c.choices[:0]
			s.array(func() { c.choices = append(c.choices, parseChoice(&s)) })
		case "usage":
			c.hasUsage = s.peek() == '{'
			c.usage = parseUsage(&s)
		case "error":
			c.failed = s.peek() != 'n' // of null
			s.skip()
		default:
			s.skip()
		}
	})
	return s.end()
}

func parseChoice(s *scanner) (c choice) {
	s.object(func(name []byte) {
		switch string(name) {
		case "index":
			c.index = s.count()
		case "message", "delta":
			c.text, c.refusal = parseMessage(s)
		case "finish_reason":
			c.finishReason = s.text()
		default:
			s.skip()
		}
	})
	return c
}

func parseMessage(s *scanner) (text, refusal string) {
	s.object(func(name []byte) {
		switch string(name) {
		case "content":
			text = parseContent(s)
		case "refusal":
			refusal = s.text()
		default:
			s.skip()
		}
	})
	return text, refusal
}

// parseContent reads a string, or the text of a list of parts.
func parseContent(s *scanner) string {
	if s.peek() != '[' {
		return s.text()
	}
	var joined strings.Builder
	s.array(func() {
		var kind, text string
		s.object(func(name []byte) {
			switch string(name) {
			case "type":
				kind = s.text()
			case "text":
				text = s.text()
			default:
				s.skip()
			}
		})
		if kind == "text" || kind == "output_text" {
			joined.WriteString(text)
		}
	})
	return joined.String()
}

func parseUsage(s *scanner) (u Usage) {
	detail := func(member string, to *int) {
		s.object(func(name []byte) {
			if string(name) == member {
				*to = s.count()
			} else {
				s.skip()
			}
		})
	}
	s.object(func(name []byte) {
		switch string(name) {
		case "prompt_tokens":
			u.InputTokens = s.count()
		case "completion_tokens":
			u.OutputTokens = s.count()
		case "prompt_tokens_details":
			detail("cached_tokens", &u.CachedTokens)
		case "completion_tokens_details":
			detail("reasoning_tokens", &u.ReasoningTokens)
		default:
			s.skip()
		}
	})
	return u
}

// decodeReply reads a whole reply.
func (x *exchange) decodeReply(body []byte) (*Reply, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, x.protocol("answers with an empty body")
	}
	var c completion
	switch {
	case !c.parse(body):
		if isArray(body) && describesError(body) { // some servers wrap an error in a list
			return nil, x.errorIn(body)
		}
		return nil, x.notJSON()
	case c.failed, len(c.choices) == 0 && describesError(body):
		return nil, x.errorIn(body)
	case len(c.choices) == 0:
		return nil, x.protocol("answers without a choice")
	}
	first := c.choices[0]
	return &Reply{
		Text:         first.text,
		Refusal:      first.refusal,
		FinishReason: x.finishReason(first.finishReason),
		Model:        x.identifier(c.model),
		ID:           x.identifier(c.id),
		Usage:        c.usage,
	}, nil
}

// notJSON is the error for a body that does not decode. A page of HTML gets
// its own words, since the usual cause is a wrong address or a proxy.
func (x *exchange) notJSON() *Error {
	if x.html {
		return x.protocol("answers with a page of HTML; check base_url, and what stands between here and the server")
	}
	if !x.json {
		return x.protocol("answers with a content type other than JSON")
	}
	return x.protocol("answers with a body that is not the JSON of a chat completion")
}

func isArray(body []byte) bool {
	trimmed := bytes.TrimSpace(body)
	return len(trimmed) > 0 && trimmed[0] == '['
}
