package promptkit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

// digestPrefix names the algorithm, so that it can change without confusion.
const digestPrefix = "sha256:"

// digest is the digest of a content.
func digest(content string) string {
	h := sha256.New()
	_, _ = io.WriteString(h, content) // a hash never fails
	return hexDigest(h)
}

// renderedHash is an equality value over messages: each part is preceded by
// its length, so that no two lists of messages share an encoding.
func renderedHash(messages []Message) string {
	h := sha256.New()
	for _, m := range messages {
		hashPart(h, m.Role)
		hashPart(h, m.Content)
		if m.CacheControl == nil {
			hashPart(h, "")
			continue
		}
		hashPart(h, m.CacheControl.Type+"/"+m.CacheControl.TTL)
	}
	return hexDigest(h)
}

func hashPart(h hash.Hash, part string) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(part)))
	_, _ = h.Write(length[:])
	_, _ = io.WriteString(h, part)
}

func hexDigest(h hash.Hash) string {
	var sum [sha256.Size]byte
	return digestPrefix + hex.EncodeToString(h.Sum(sum[:0]))
}
