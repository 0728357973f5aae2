package prompt

// closest returns the function whose name is one slip away from word, or "".
func (f *Functions) closest(word string) string {
	for _, name := range f.Names() {
		if len(word) > 2 && oneEditApart(word, name) {
			return name
		}
	}
	return ""
}

// oneEditApart reports whether a single insertion, deletion, substitution or
// swap of neighbours turns a into b.
func oneEditApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		if i == len(a) {
			return false
		}
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}
