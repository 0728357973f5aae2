package openai

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestASecretIsNeverShown(t *testing.T) {
	const canary = "sk-canary-0123456789"
	secret := NewSecret(canary)
	type holder struct {
		Public  Secret
		private Secret
		pointer *Secret
		any     any
		list    []Secret
		byName  map[string]Secret
	}
	h := holder{secret, secret, &secret, secret, []Secret{secret}, map[string]Secret{"k": secret}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %p"} {
		fmt.Fprintf(&out, verb+"\n", secret)
		fmt.Fprintf(&out, verb+"\n", &secret)
		fmt.Fprintf(&out, verb+"\n", h)
		fmt.Fprintf(&out, verb+"\n", &h)
		fmt.Fprintf(&out, verb+"\n", Endpoint{Key: secret, Headers: []Header{{Name: "X", Value: secret}}})
	}
	fmt.Fprintln(&out, secret, h, secret.String(), secret.GoString())
	encoded, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(encoded)
	if encoded, err = xml.Marshal(secret); err != nil {
		t.Fatal(err)
	}
	out.Write(encoded)
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("m", "secret", secret, "pointer", &secret, "holder", h)
	}
	text := out.String()
	hexed := fmt.Sprintf("%x", canary)
	if strings.Contains(text, canary) || strings.Contains(strings.ToLower(text), hexed) {
		t.Errorf("the value shows:\n%s", text)
	}
	if !strings.Contains(text, "[credential]") {
		t.Error("the mask does not show")
	}
	if secret.Reveal() != canary || (Secret{}).Reveal() != "" {
		t.Error("Reveal does not give the value")
	}
}
