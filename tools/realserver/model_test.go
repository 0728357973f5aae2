package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGGUFIsLaidOutAsTheFormatSays(t *testing.T) {
	g := &gguf{}
	g.set("k", uint32(7))
	g.set("list", []string{"a", "bc"})
	g.add("one", 2, 1)[1] = 1.5
	g.add("two", 1, 1)[0] = 2.5
	var want bytes.Buffer
	want.WriteString("GGUF")
	for _, v := range []any{
		uint32(3), uint64(2), uint64(2), // version, tensors, entries
		uint64(1), []byte("k"), uint32(4), uint32(7),
		uint64(4), []byte("list"), uint32(9), uint32(8), uint64(2), uint64(1), []byte("a"), uint64(2), []byte("bc"),
		uint64(3), []byte("one"), uint32(2), uint64(2), uint64(1), uint32(0), uint64(0),
		uint64(3), []byte("two"), uint32(2), uint64(1), uint64(1), uint32(0), uint64(32),
	} {
		if err := binary.Write(&want, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	want.Write(make([]byte, (32-want.Len()%32)%32))
	for _, data := range [][2]float32{{0, 1.5}, {2.5, 0}} {
		_ = binary.Write(&want, binary.LittleEndian, data)
		want.Write(make([]byte, 32-8))
	}
	if got := g.bytes(); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("got\n%q\nwant\n%q", got, want.Bytes())
	}
}

// TestTheModelFollowsItsText: what was read once is likelier than what never
// was, every token has a way on, and the end comes after a full stop.
func TestTheModelFollowsItsText(t *testing.T) {
	v := newVocabulary()
	table := v.likelihoods()
	sky, is, rain := v.ids["sky"], v.ids["is"], v.ids["rain"]
	if table[sky][is] <= table[sky][rain] {
		t.Error(`"is" does not follow "sky" more often than "rain" does`)
	}
	if stop := v.ids["."]; table[stop][endToken] <= table[sky][endToken] {
		t.Error("a reply does not end at a full stop more often than elsewhere")
	}
	for i, row := range table {
		for j, likelihood := range row {
			if math.IsNaN(likelihood) || math.IsInf(likelihood, 0) {
				t.Fatalf("after %q comes %q with %v", v.tokens[i], v.tokens[j], likelihood)
			}
		}
	}
	if got := v.tokens[firstByte+'{']; got != "<0x7B>" {
		t.Errorf("the byte { is the token %q", got)
	}
}

func TestWriteModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	for range 2 { // the second time, it replaces the first
		if err := writeModel(path); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(data, []byte("GGUF\x03")) || len(data)%ggufAlignment != 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestTail(t *testing.T) {
	if got := tail("1\n2\n3\n4\n5\n6\n7\n\n"); got != "3\n4\n5\n6\n7" {
		t.Errorf("got %q", got)
	}
}

// TestAptIsConfinedToItsFolder: none of the system's hooks runs, and every
// folder that apt is told of is below the one for this installation.
func TestAptIsConfinedToItsFolder(t *testing.T) {
	if err := installable(); err != nil {
		t.Skip(err)
	}
	config, err := aptConfig(t.Context(), "/the/work")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(config) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(name, "-Invoke") || strings.HasPrefix(name, "Dir") && !strings.HasPrefix(value, `"/the/work`) {
			t.Errorf("the configuration says %s", line)
		}
	}
}
