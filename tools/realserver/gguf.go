package main

import (
	"bytes"
	"encoding/binary"
)

// GGUF is the format in which llama.cpp reads models: a header, metadata,
// a table of tensors, and their data, aligned.
const (
	ggufMagic     = "GGUF"
	ggufVersion   = 3
	ggufAlignment = 32
)

// The types of metadata, as the format numbers them.
const (
	ggufUint32  = 4
	ggufInt32   = 5
	ggufFloat32 = 6
	ggufBool    = 7
	ggufString  = 8
	ggufArray   = 9
)

// tensorFloat32 is the type of tensors that are not quantized.
const tensorFloat32 = 0

// gguf is a model that is being put together.
type gguf struct {
	metadata bytes.Buffer
	entries  uint64
	tensors  []tensor
}

// tensor is a matrix, or a vector if it has one row. The format wants columns
// before rows.
type tensor struct {
	name       string
	cols, rows int
	data       []float32
}

// add adds a tensor of zeros and returns its data, row by row.
func (g *gguf) add(name string, cols, rows int) []float32 {
	t := tensor{name, cols, rows, make([]float32, cols*rows)}
	g.tensors = append(g.tensors, t)
	return t.data
}

// set adds metadata: a string, bool, uint32, float32, or a list of strings,
// of int32 or of float32.
func (g *gguf) set(key string, value any) {
	g.entries++
	b := &g.metadata
	putString(b, key)
	switch v := value.(type) {
	case string:
		put(b, uint32(ggufString))
		putString(b, v)
	case []string:
		put(b, []uint32{ggufArray, ggufString})
		put(b, uint64(len(v)))
		for _, s := range v {
			putString(b, s)
		}
	case bool:
		put(b, uint32(ggufBool))
		put(b, v)
	case uint32:
		put(b, []uint32{ggufUint32, v})
	case float32:
		put(b, uint32(ggufFloat32))
		put(b, v)
	case []int32:
		put(b, []uint32{ggufArray, ggufInt32})
		put(b, uint64(len(v)))
		put(b, v)
	case []float32:
		put(b, []uint32{ggufArray, ggufFloat32})
		put(b, uint64(len(v)))
		put(b, v)
	}
}

// bytes is the file.
func (g *gguf) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(ggufMagic)
	put(&b, uint32(ggufVersion))
	put(&b, []uint64{uint64(len(g.tensors)), g.entries})
	b.Write(g.metadata.Bytes())
	offset := 0
	for _, t := range g.tensors {
		putString(&b, t.name)
		put(&b, uint32(2))
		put(&b, []uint64{uint64(t.cols), uint64(t.rows)})
		put(&b, uint32(tensorFloat32))
		put(&b, uint64(offset))
		offset = aligned(offset + 4*len(t.data))
	}
	pad(&b)
	for _, t := range g.tensors {
		put(&b, t.data)
		pad(&b)
	}
	return b.Bytes()
}

// put appends numbers. It cannot fail: a buffer takes everything, and every
// type that is put here has a fixed size.
func put(b *bytes.Buffer, v any) { _ = binary.Write(b, binary.LittleEndian, v) }

func putString(b *bytes.Buffer, s string) {
	put(b, uint64(len(s)))
	b.WriteString(s)
}

func pad(b *bytes.Buffer) { b.Write(make([]byte, aligned(b.Len())-b.Len())) }

func aligned(n int) int { return (n + ggufAlignment - 1) / ggufAlignment * ggufAlignment }
