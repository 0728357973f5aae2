package openai

import (
	"bytes"
	"encoding/json"
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
// the message is.
type completion struct {
	ID      text            `json:"id"`
	Model   text            `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *wireUsage      `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Index        number  `json:"index"`
	Message      message `json:"message"`
	Delta        message `json:"delta"`
	FinishReason text    `json:"finish_reason"`
}

type message struct {
	Content content `json:"content"`
	Refusal text    `json:"refusal"`
}

type wireUsage struct {
	Prompt        number `json:"prompt_tokens"`
	Completion    number `json:"completion_tokens"`
	PromptDetails struct {
		Cached number `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning number `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

func (u *wireUsage) usage() Usage {
	if u == nil {
		return Usage{}
	}
	return Usage{
		InputTokens:     int(u.Prompt),
		OutputTokens:    int(u.Completion),
		CachedTokens:    int(u.PromptDetails.Cached),
		ReasoningTokens: int(u.CompletionDetails.Reasoning),
	}
}

// failed reports whether the reply is an error in spite of its status.
func (c *completion) failed() bool {
	return len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null"))
}

// decodeReply reads a whole reply.
func (x *exchange) decodeReply(body []byte) (*Reply, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, x.protocol("answers with an empty body")
	}
	var c completion
	if err := json.Unmarshal(body, &c); err != nil {
		if isArray(body) && describesError(body) { // some servers wrap an error in a list
			return nil, x.errorIn(body)
		}
		return nil, x.notJSON()
	}
	if c.failed() {
		return nil, x.errorIn(body)
	}
	if len(c.Choices) == 0 {
		if describesError(body) {
			return nil, x.errorIn(body)
		}
		return nil, x.protocol("answers without a choice")
	}
	first := c.Choices[0]
	return &Reply{
		Text:         string(first.Message.Content),
		Refusal:      string(first.Message.Refusal),
		FinishReason: x.finishReason(first.FinishReason),
		Model:        x.identifier(string(c.Model)),
		ID:           x.identifier(string(c.ID)),
		Usage:        c.Usage.usage(),
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

// text takes a string and ignores any other type, so that a server's liberty
// with a field of no consequence does not cost the reply.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '"' {
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// number takes a whole number, also one written as 12.0, and ignores the rest.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil && f >= 0 && f < 1<<53 {
		*n = number(f)
	}
	return nil
}

// content takes a string, or a list of parts of which those of text count.
type content string

func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return c.parts(b)
	}
	return (*text)(c).UnmarshalJSON(b)
}

func (c *content) parts(b []byte) error {
	var parts []struct {
		Type text `json:"type"`
		Text text `json:"text"`
	}
	_ = json.Unmarshal(b, &parts) // a list of something else has no text
	var joined strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" {
			joined.WriteString(string(p.Text))
		}
	}
	*c = content(joined.String())
	return nil
}

func isArray(body []byte) bool {
	trimmed := bytes.TrimSpace(body)
	return len(trimmed) > 0 && trimmed[0] == '['
}
