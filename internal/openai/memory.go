package openai

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// Replies are read through memory that is used again: everything that a reply
// is kept for is copied out of it, and for a short one the memory would be
// most of what a call allocates.
var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 16<<10) }}
)

// maxKept bounds the memory that is kept for each call at a time. A long reply
// is rare, and its memory is better given back.
const maxKept = 64 << 10

func borrowBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

// returnBuffer forgets what was in the buffer.
func returnBuffer(b *bytes.Buffer) {
	if b.Cap() > maxKept {
		return
	}
	clear(b.Bytes())
	b.Reset()
	buffers.Put(b)
}

func borrowReader(from io.Reader) *bufio.Reader {
	r := readers.Get().(*bufio.Reader)
	r.Reset(from)
	return r
}

// returnReader lets go of what the reader read from.
func returnReader(r *bufio.Reader) {
	r.Reset(nil)
	readers.Put(r)
}
