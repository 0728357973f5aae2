package openai

import (
	"fmt"
	"io"
	"log/slog"
)

const mask = "[credential]"

// Secret is a value that must not be shown. Every formatting, encoding and
// logging of it gives a fixed mask; only Reveal gives the value. The zero
// Secret is empty.
type Secret struct {
	// A function, because a printer that walks into unexported fields, where
	// it cannot call Format, finds an address here and no text.
	reveal func() string
}

// NewSecret conceals value.
func NewSecret(value string) Secret {
	return Secret{reveal: func() string { return value }}
}

// Reveal returns the value.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// Format prints the mask, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask) }

// String returns the mask.
func (Secret) String() string { return mask }

// GoString returns the mask.
func (Secret) GoString() string { return mask }

// LogValue returns the mask.
func (Secret) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns the mask, for JSON and other encodings.
func (Secret) MarshalText() ([]byte, error) { return []byte(mask), nil }
