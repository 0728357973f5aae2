package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// contextLength is how many tokens the model takes; to it, a letter is one.
const contextLength = 8192

// text is all that the model has ever read.
const text = `The sky is clear and the wind is light . In the morning the rain comes from the sea , and the wind is
strong . The boats stay in the harbour and people wait for the sun . In the evening the sky is clear again . A short
report says when the rain comes and how strong the wind is . The report is good when it is short . People read the
report in the morning and take the boats to the sea . A warm day follows a cold night , and a cold night follows a
clear day . The wind comes from the north and brings snow to the hills . The harbour is small and the sea is cold .`

// The first tokens, in the order that tokenizers of this kind have them: three
// that are no text, then one for each byte.
const (
	unknownToken = iota
	startToken
	endToken
	firstByte
	firstWord = firstByte + 256
)

// The types of tokens, as the tokenizer numbers them.
const (
	typeWord    = 1
	typeUnknown = 2
	typeControl = 3
	typeByte    = 6
)

// vocabulary is every token of the model.
type vocabulary struct {
	tokens []string
	types  []int32
	scores []float32
	ids    map[string]int // of the words
	read   []int          // the text in tokens
}

func newVocabulary() *vocabulary {
	v := &vocabulary{ids: make(map[string]int)}
	v.add("<unk>", typeUnknown, 0)
	v.add("<s>", typeControl, 0)
	v.add("</s>", typeControl, 0)
	for i := range 256 {
		v.add(fmt.Sprintf("<0x%02X>", i), typeByte, 0)
	}
	words := strings.Fields(text)
	for _, word := range slices.Compact(slices.Sorted(slices.Values(words))) {
		v.ids[word] = len(v.tokens)
		if word != "." && word != "," {
			word = "▁" + word // how this tokenizer writes a space
		}
		v.add(word, typeWord, float32(firstWord-len(v.tokens)-1))
	}
	for _, word := range words {
		v.read = append(v.read, v.ids[word])
	}
	return v
}

func (v *vocabulary) add(token string, typ int32, score float32) {
	v.tokens, v.types, v.scores = append(v.tokens, token), append(v.types, typ), append(v.scores, score)
}

// likelihoods says, for each token, how likely each other one follows it, in
// logarithms. Words follow each other as in the text; JSON's punctuation,
// letters and digits are likely enough for a grammar to find its way.
func (v *vocabulary) likelihoods() [][]float64 {
	first := make([]float64, len(v.tokens))
	for i := range first {
		first[i] = -6
	}
	first[unknownToken], first[startToken], first[endToken] = -30, -30, -4
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz0123456789") {
		first[firstByte+int(c)] = -5
	}
	for _, c := range []byte(`{"}[]:, `) {
		first[firstByte+int(c)] = -2.5
	}
	count := make(map[int]int)
	for _, id := range v.read {
		count[id]++
	}
	for id, n := range count {
		first[id] = math.Log(float64(n)/float64(len(v.read))) - 1
	}
	table := make([][]float64, len(v.tokens))
	for i := range table {
		table[i] = slices.Clone(first)
	}
	for i, id := range v.read[1:] {
		table[v.read[i]][id] += 2.5
	}
	table[v.ids["."]][endToken] = 0.5 // a full stop often ends the reply
	return table
}

// writeModel writes a model of the Llama architecture that does nothing but
// look up which token follows the last one. An embedding is a one at the
// token's own place, attention and the feed-forward layer add nothing to it,
// and so the output matrix is that table.
func writeModel(path string) error {
	v := newVocabulary()
	n := len(v.tokens)
	const head = 64
	dim := (n + head - 1) / head * head // a place for each token, and whole heads
	g := &gguf{}
	v.describe(g, uint32(dim), head)
	embedding := g.add("token_embd.weight", dim, n)
	output := g.add("output.weight", dim, n)
	// Normalization makes the one in a vector of dim places that much larger.
	scale := math.Sqrt(float64(dim))
	for last, row := range v.likelihoods() {
		embedding[last*dim+last] = 1
		for next, likelihood := range row {
			output[next*dim+last] = float32(likelihood / scale)
		}
	}
	for _, name := range []string{"output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"} {
		ones(g.add(name+".weight", dim, 1))
	}
	for _, name := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
		g.add("blk.0."+name+".weight", dim, dim)
	}
	g.add("blk.0.ffn_gate.weight", dim, head)
	g.add("blk.0.ffn_up.weight", dim, head)
	g.add("blk.0.ffn_down.weight", head, dim)
	return replace(path, g.bytes())
}

func ones(data []float32) {
	for i := range data {
		data[i] = 1
	}
}

// describe writes what llama.cpp has to know of the model.
func (v *vocabulary) describe(g *gguf, dim, head uint32) {
	g.set("general.architecture", "llama")
	g.set("general.name", "tiny")
	g.set("general.file_type", uint32(tensorFloat32))
	g.set("llama.context_length", uint32(contextLength))
	g.set("llama.embedding_length", dim)
	g.set("llama.block_count", uint32(1))
	g.set("llama.feed_forward_length", head)
	g.set("llama.attention.head_count", dim/head)
	g.set("llama.attention.head_count_kv", dim/head)
	g.set("llama.attention.layer_norm_rms_epsilon", float32(1e-9))
	g.set("llama.rope.dimension_count", head)
	g.set("llama.vocab_size", uint32(len(v.tokens)))
	g.set("tokenizer.ggml.model", "llama")
	g.set("tokenizer.ggml.tokens", v.tokens)
	g.set("tokenizer.ggml.scores", v.scores)
	g.set("tokenizer.ggml.token_type", v.types)
	g.set("tokenizer.ggml.unknown_token_id", uint32(unknownToken))
	g.set("tokenizer.ggml.bos_token_id", uint32(startToken))
	g.set("tokenizer.ggml.eos_token_id", uint32(endToken))
	g.set("tokenizer.ggml.add_bos_token", true)
	g.set("tokenizer.ggml.add_space_prefix", false)
	// It must not end with a space: llama.cpp puts what it ends with before the
	// reply when it follows a grammar, and a space fits none.
	g.set("tokenizer.chat_template",
		"{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}")
}

// replace writes a file in one step: another realserver may be reading it.
func replace(path string, data []byte) error {
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(temporary, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
