package diag

import "testing"

func TestNearest(t *testing.T) {
	inputs := []string{"transcript", "glossary", "agenda", "forecast-oslo", "forecast-bergen"}
	tests := []struct{ why, word, want string }{
		{"two letters swapped", "transcirpt", "transcript"},
		{"one letter left out", "glosary", "glossary"},
		{"letter case is free", "AGENDA", "agenda"},
		{"one letter changed", "forecast-oslu", "forecast-oslo"},
		{"the exact word", "agenda", "agenda"},
		{"the end left off", "gloss", "glossary"},
		{"the end left off two", "forecast-", ""},
		{"too short to be the beginning of anything", "gl", ""},
		{"nothing like it", "weather", ""},
		{"empty", "", ""},
		{"not ASCII", "agendä", "agenda"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got := Nearest(tt.word, inputs); got != tt.want {
				t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
			}
		})
	}
	if got := Nearest("a", nil); got != "" {
		t.Errorf("Nearest without candidates = %q, want none", got)
	}
	if got := Nearest("cat", []string{"bat", "car"}); got != "bat" {
		t.Errorf("equally near: got %q, want the first, %q", got, "bat")
	}
}

func TestEditsIsSymmetric(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "kitten", "sitting", "content", "contnet"}
	for _, a := range words {
		for _, b := range words {
			if x, y := edits(a, b, 100), edits(b, a, 100); x != y {
				t.Errorf("edits(%q, %q) = %d, the other way round %d", a, b, x, y)
			}
		}
	}
	if got := edits("kitten", "sitting", 100); got != 3 {
		t.Errorf("kitten to sitting = %d, want 3", got)
	}
	if got := edits("content", "contnet", 100); got != 1 {
		t.Errorf("a swap = %d, want 1", got)
	}
}
