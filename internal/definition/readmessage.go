package definition

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/source"
)

// MaxPrompt is what the message files of one prompt may amount to in bytes.
const MaxPrompt = 16 << 20

var messageKeys = []string{"role", "content", "content_file", "cache_control"}

func (o *object) messages() []Message {
	items := o.list("messages")
	if len(items) == 0 {
		switch n := o.value("messages"); {
		case n == nil:
			o.missing("messages")
		case n.Kind == yaml.SequenceNode:
			o.doc.report(o.doc.at(n), `"messages" is empty; a prompt has at least one message`)
		}
		return nil
	}
	messages := make([]Message, len(items))
	for i, item := range items {
		m := o.doc.object(item, "a message", messageKeys)
		if m.value("role") == nil {
			m.missing("role")
		}
		messages[i] = Message{
			Role:         m.choice("role", "system", "developer", "user", "assistant").Value,
			Content:      m.content(),
			CacheControl: m.cacheControl(),
			Position:     o.doc.at(item),
		}
	}
	return messages
}

// content returns the template of a message, from exactly one of two places.
func (o *object) content() Text {
	inline, file := o.value("content"), o.value("content_file")
	switch {
	case o.node.Kind != yaml.MappingNode:
	case inline != nil && file != nil:
		o.doc.report(o.doc.at(file), `a message has "content" or "content_file", not both; remove one`)
	case inline == nil && file == nil && o.mistaken("content", "content_file"):
	case inline == nil && file == nil:
		o.doc.report(o.doc.at(o.node), `a message needs the key "content" or "content_file"`)
	case inline != nil:
		if o.text("content").Set {
			return o.doc.template(inline)
		}
	default:
		if f := o.text("content_file"); f.Set {
			return o.doc.readContent(f)
		}
	}
	return Text{}
}

// readContent reads a message file, which is named relative to the folder of
// the definition.
func (d *document) readContent(f Field[string]) Text {
	if strings.ContainsAny(f.Value, "\n\r") || len(f.Value) > maxPath {
		d.report(f.Position, `"content_file" is the path of a file; write the text of a message under "content"`)
		return Text{}
	}
	if d.content > MaxPrompt {
		return Text{} // reported already, and nothing more is read
	}
	name, data, err := d.readBeside(f.Value)
	if err != nil {
		d.fail(f.Position, err, "the message file %s", err)
		return Text{}
	}
	if d.content += int64(len(data)); d.content > MaxPrompt {
		d.report(f.Position, "the message files of this prompt together are larger than %d MiB, the limit for one prompt", MaxPrompt>>20)
		return Text{}
	}
	text, bad, why := plain(data)
	if bad >= 0 {
		at := (&lines{data: text}).position(name, bad)
		d.report(at, "%s", why)
		return Text{}
	}
	return Text{Body: string(text), Origin: diag.Origin{File: name, Line: 1, Column: 1, Exact: true}}
}

// maxPath is longer than any path that a file system resolves.
const maxPath = 4096

func (d *document) readBeside(reference string) (name string, data []byte, err error) {
	if name, err = source.Beside(d.file, reference); err != nil {
		return "", nil, err
	}
	data, err = d.src.Read(name, source.Content)
	return name, data, err
}

// below checks a path that is relative to another source than this one.
func below(reference string) (string, error) {
	if strings.ContainsAny(reference, "\n\r") || len(reference) > maxPath {
		return "", errors.New("is not named by a path")
	}
	return source.Below(reference)
}
