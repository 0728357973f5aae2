package definition

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

var (
	backendKeys = []string{
		"id", "kind", "base_url", "api_key_env", "headers", "structured_output",
		"max_concurrent", "max_waiting", "timeout", "retry", "session_field",
	}
	retryKeys = []string{"max_attempts", "base_delay", "max_delay"}
)

// backend decodes a backend and fills in its defaults. What is wrong with it
// is reported; the result is meant only if nothing is.
func (d *document) backend(root *yaml.Node) *Backend {
	o := d.object(root, "a backend", backendKeys)
	id := o.required("id")
	b := &Backend{
		ID:               id.Value,
		Kind:             o.name("kind"),
		BaseURL:          o.name("base_url"),
		APIKeyEnv:        o.name("api_key_env"),
		Headers:          o.headers(),
		StructuredOutput: o.name("structured_output"),
		MaxConcurrent:    o.count("max_concurrent"),
		MaxWaiting:       o.count("max_waiting"),
		Timeout:          o.duration("timeout"),
		SessionField:     o.name("session_field"),
		Position:         id.Position,
	}
	if n := o.value("retry"); n != nil {
		r := d.object(n, `"retry"`, retryKeys)
		b.RetryAttempts = r.count("max_attempts")
		b.RetryBaseDelay = r.duration("base_delay")
		b.RetryMaxDelay = r.duration("max_delay")
	}
	b.fillIn()
	b.validate(d.report)
	return b
}

// headers reads a mapping whose keys are free.
func (o *object) headers() []Header {
	n := o.value("headers")
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		o.wrong("headers", n, "a mapping of header names and values")
		return nil
	}
	headers := make([]Header, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		if name.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || isNull(value) {
			o.doc.report(o.doc.at(n.Content[i]), "a header must have a name and a text, not %s", kind(value))
			continue
		}
		h := HeaderOf(name.Value, value.Value)
		h.Position = o.doc.at(n.Content[i])
		headers = append(headers, h)
	}
	return headers
}

var fromEnvironment = regexp.MustCompile(`^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$`)

// HeaderOf reads the value of a header as files spell it: ${env:NAME} is the
// value of an environment variable, anything else is literal.
func HeaderOf(name, value string) Header {
	if m := fromEnvironment.FindStringSubmatch(value); m != nil {
		return Header{Name: name, Env: m[1]}
	}
	return Header{Name: name, Value: strings.Clone(value)}
}
