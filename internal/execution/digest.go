package execution

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

const digestPrefix = "sha256:"

// digest names a content.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return digestOf(sum[:])
}

// textDigest is the digest of a text, without the copy of it that a hash
// would take: a reply is as long as what the model has to say.
func textDigest(text string) string {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.hash.Reset()
	for len(text) > 0 {
		n := copy(h.buf[:], text)
		_, _ = h.hash.Write(h.buf[:n]) // a hash never fails
		text = text[n:]
	}
	clear(h.buf[:]) // it held a part of the reply
	return digestOf(h.hash.Sum(h.buf[:0]))
}

// digestOf writes a sum as digests are written.
func digestOf(sum []byte) string {
	var text [len(digestPrefix) + 2*sha256.Size]byte
	n := copy(text[:], digestPrefix)
	hex.Encode(text[n:], sum)
	return string(text[:])
}

// hasher is a hash and the memory through which texts go into it.
type hasher struct {
	hash hash.Hash
	buf  [512]byte
}

var hashers = sync.Pool{New: func() any { return &hasher{hash: sha256.New()} }}
