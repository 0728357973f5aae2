package promptkit

import (
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// contentPart and contentMessage are the conventions' form of a message.
type contentPart struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

type contentMessage struct {
	Role         string        `json:"role"`
	Parts        []contentPart `json:"parts"`
	FinishReason string        `json:"finish_reason,omitempty"`
}

// contentAttributes are the messages that were sent and the reply, in JSON.
func contentAttributes(c *AttemptContent, finishReason string) []attribute.KeyValue {
	attrs := []attribute.KeyValue{semconv.GenAIInputMessagesKey.String(encode(sentMessages(c.Request)))}
	if c.Reply == "" {
		return attrs
	}
	return append(attrs, semconv.GenAIOutputMessagesKey.String(encode([]contentMessage{{
		Role: "assistant", Parts: []contentPart{{Type: "text", Content: c.Reply}}, FinishReason: finishReason,
	}})))
}

// sentMessages reads the messages out of the body of a request. Their content
// is a text, or a list of texts where one carries a mark.
func sentMessages(body string) []contentMessage {
	var request struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal([]byte(body), &request) // what is no such body has no messages
	sent := make([]contentMessage, len(request.Messages))
	for i, m := range request.Messages {
		sent[i] = contentMessage{Role: m.Role, Parts: contentParts(m.Content)}
	}
	return sent
}

func contentParts(content json.RawMessage) []contentPart {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []contentPart{{Type: "text", Content: text}}
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	list := make([]contentPart, len(parts))
	for i, p := range parts {
		list[i] = contentPart{Type: "text", Content: p.Text}
	}
	return list
}

// encode is the JSON of messages, which cannot fail: they are all text.
func encode(messages []contentMessage) string {
	text, _ := json.Marshal(messages)
	return string(text)
}
