package offline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/promptkit-go/promptkit/internal/schema"
)

// Text is the reply to a request with these bytes that asks for prose.
func Text(request []byte) string {
	return fmt.Sprintf("Offline reply %s: no model was asked.", short(request))
}

// JSON is the reply to a request with these bytes that asks for any JSON.
func JSON(request []byte) string {
	return fmt.Sprintf(`{"offline":%q}`, short(request))
}

// Instance is the reply to a request that asks for what a schema describes.
// The error says at which place the search found no value.
func Instance(s *schema.Schema) (string, error) {
	return search(s)
}

func short(request []byte) string {
	sum := sha256.Sum256(request)
	return hex.EncodeToString(sum[:6])
}
