package definition

import (
	"net/url"
	"regexp"
	"strings"
	"time"
)

// fillIn puts the default into every field that is not set.
func (b *Backend) fillIn() {
	fill(&b.Kind, KindOpenAI)
	fill(&b.StructuredOutput, StructuredSchema)
	fill(&b.MaxWaiting, Unlimited)
	fill(&b.Timeout, DefaultTimeout)
	fill(&b.RetryAttempts, DefaultRetryAttempts)
	// Of the two delays, the one that is set draws the default of the other.
	fill(&b.RetryMaxDelay, max(DefaultMaxDelay, b.RetryBaseDelay.Value))
	fill(&b.RetryBaseDelay, min(DefaultBaseDelay, b.RetryMaxDelay.Value))
}

func fill[T any](f *Field[T], value T) {
	if !f.Set {
		f.Value = value
	}
}

// validate checks what the types of a backend's fields do not. It serves
// files and values from memory alike, and runs after fillIn.
func (b *Backend) validate(report reporter) {
	if f := b.Kind; f.Value != KindOpenAI && f.Value != KindOffline {
		kinds := []string{KindOpenAI, KindOffline}
		report(f.Position, `"kind" must be %s%s`, alternatives(kinds), didYouMean(f.Value, kinds))
	}
	b.validateAddress(report)
	b.validateKey(report)
	b.validateHeaders(report)
	ways := []string{StructuredSchema, StructuredObject, StructuredNone}
	if f := b.StructuredOutput; f.Value != ways[0] && f.Value != ways[1] && f.Value != ways[2] {
		report(f.Position, `"structured_output" must be %s%s`, alternatives(ways), didYouMean(f.Value, ways))
	}
	b.validateLimits(report)
}

func (b *Backend) validateLimits(report reporter) {
	atLeast(report, b.MaxConcurrent, "max_concurrent", 1)
	atLeast(report, b.MaxWaiting, "max_waiting", 0)
	if f := b.MaxWaiting; f.Set && !b.MaxConcurrent.Set {
		report(f.Position, `"max_waiting" has a meaning only with "max_concurrent"; add that, or remove it`)
	}
	positive(report, b.Timeout, "timeout")
	between(report, b.RetryAttempts, "retry.max_attempts", 1, MaxAttempts)
	positive(report, b.RetryBaseDelay, "retry.base_delay")
	positive(report, b.RetryMaxDelay, "retry.max_delay")
	if b.RetryMaxDelay.Value < b.RetryBaseDelay.Value {
		report(b.RetryMaxDelay.Position, `"retry.max_delay" must not be below "retry.base_delay"`)
	}
}

func positive(report reporter, f Field[time.Duration], key string) {
	if f.Set && f.Value <= 0 {
		report(f.Position, "%s must be above 0", quote(key))
	}
}

// validateAddress never cites the address, which may hold a credential.
func (b *Backend) validateAddress(report reporter) {
	f := b.BaseURL
	if !f.Set {
		if b.Kind.Value == KindOpenAI {
			report(b.Position, `a backend needs the key "base_url", unless it has "kind: offline"`)
		}
		return
	}
	address, err := url.Parse(f.Value)
	switch {
	case err != nil || address.Host == "" || address.Hostname() == "":
		report(f.Position, `"base_url" must be a complete address such as https://api.example.com/v1`)
	case address.Scheme != "https" && address.Scheme != "http":
		report(f.Position, `"base_url" must start with https:// or http://`)
	case address.User != nil || hasCredential(address.Query()):
		report(f.Position, `"base_url" holds a credential; %s`, adviceOnCredentials)
	case address.Fragment != "":
		report(f.Position, `"base_url" must have no fragment ("#"), which is never sent`)
	}
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// validateKey never cites the name, which may be the key itself.
func (b *Backend) validateKey(report reporter) {
	if f := b.APIKeyEnv; f.Set && !variable.MatchString(f.Value) {
		report(f.Position, `"api_key_env" must be the name of an environment variable, such as OPENAI_API_KEY, not a key itself`)
	}
}

// validateHeaders never cites a value.
func (b *Backend) validateHeaders(report reporter) {
	seen := map[string]bool{}
	for _, h := range b.Headers {
		name := strings.ToLower(h.Name)
		switch {
		case !headerName.MatchString(h.Name):
			report(h.Position, "a header must have a name of letters, digits and hyphens")
		case seen[name]:
			report(h.Position, "the header %s is given twice; case does not count", quote(h.Name))
		case managed(name):
			report(h.Position, "the header %s is set by the client; remove it", quote(h.Name))
		case h.Env == "" && carriesCredential(name):
			report(h.Position, "the header %s holds a literal credential; %s, or write ${env:NAME} as the value", quote(h.Name), adviceOnCredentials)
		case name == "authorization" && b.APIKeyEnv.Set:
			report(h.Position, `the header %s and "api_key_env" both authorise; remove one`, quote(h.Name))
		case strings.Contains(h.Value, "${"):
			report(h.Position, "the value of the header %s must be literal text without ${, or exactly ${env:NAME}", quote(h.Name))
		case strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }):
			report(h.Position, "the value of the header %s holds a control character", quote(h.Name))
		}
		seen[name] = true
	}
}

// headerName is the grammar of a header's name without its odder characters.
var headerName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// managed reports whether the client sets a header by itself.
func managed(name string) bool {
	switch name {
	case "host", "content-length", "content-type", "transfer-encoding", "connection", "accept":
		return true
	}
	return false
}
