package promptkit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sync"
)

// digestPrefix names the algorithm, so that it can change without confusion.
const digestPrefix = "sha256:"

// digest is the digest of a content.
func digest(content string) string {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.hash.Reset()
	h.write(content)
	return h.sum()
}

// renderedHash is an equality value over messages: each part is preceded by
// its length, so that no two lists of messages share an encoding.
func renderedHash(messages []Message) string {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.hash.Reset()
	for i := range messages {
		m := &messages[i]
		h.part(m.Role)
		h.part(m.Content)
		if m.CacheControl == nil {
			h.part("")
			continue
		}
		h.part(m.CacheControl.Type + "/" + m.CacheControl.TTL)
	}
	return h.sum()
}

// hashers keeps the memory of digests: without it, a third of what preparing
// a short prompt allocates would be theirs.
var hashers = sync.Pool{New: func() any { return &hasher{hash: sha256.New()} }}

// hasher takes strings, which a hash.Hash does not without a copy of each.
type hasher struct {
	hash hash.Hash
	buf  [512]byte
	text [len(digestPrefix) + 2*sha256.Size]byte
}

// write adds a text. A hash never fails.
func (h *hasher) write(text string) {
	for len(text) > 0 {
		n := copy(h.buf[:], text)
		_, _ = h.hash.Write(h.buf[:n])
		text = text[n:]
	}
}

// part adds a text and its length.
func (h *hasher) part(text string) {
	_, _ = h.hash.Write(binary.BigEndian.AppendUint64(h.buf[:0], uint64(len(text))))
	h.write(text)
}

// sum is the digest of what was added.
func (h *hasher) sum() string {
	n := copy(h.text[:], digestPrefix)
	hex.Encode(h.text[n:], h.hash.Sum(h.buf[:0]))
	clear(h.buf[:]) // it held text of the caller's
	return string(h.text[:])
}
