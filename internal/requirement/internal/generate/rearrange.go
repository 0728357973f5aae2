package generate

import "slices"

// place is somewhere between two pieces.
func (t *twister) place() int { return t.r.IntN(len(t.pieces) + 1) }

// block chooses a balanced stretch, empty where there is none at the place
// chosen.
func (t *twister) block() span { return block(t.pieces, t.r.IntN(len(t.pieces))) }

// duplicate copies a stretch elsewhere.
func (t *twister) duplicate() {
	s := t.block()
	t.pieces = slices.Insert(t.pieces, t.place(), cloned(t.pieces[s.from:s.to])...)
}

// cloned copies pieces such that tokens of one copy can change.
func cloned(pieces []piece) []piece {
	out := slices.Clone(pieces)
	for i := range out {
		out[i].tokens = slices.Clone(out[i].tokens)
	}
	return out
}

// drop leaves out a stretch, or of a construct all but what is in it.
func (t *twister) drop() {
	s := t.block()
	if s.to-s.from > 1 && t.r.IntN(2) == 0 {
		t.pieces = slices.Delete(t.pieces, s.to-1, s.to)
		s.to = s.from + 1
	}
	t.pieces = slices.Delete(t.pieces, s.from, s.to)
}

// move takes an action or a stretch elsewhere; an else or an end as well.
func (t *twister) move() {
	s := t.block()
	if s.from == s.to {
		s.to++
	}
	moved := cloned(t.pieces[s.from:s.to])
	t.pieces = slices.Delete(t.pieces, s.from, s.to)
	t.pieces = slices.Insert(t.pieces, t.place(), moved...)
}

// exit puts in a way out of a loop, or an else.
func (t *twister) exit() {
	out := action(one(t, []string{"break", "continue", "else", "else if " + t.operand()}))
	pieces := []piece{out}
	if t.r.IntN(3) == 0 {
		pieces = []piece{action("if " + t.operand()), out, action("end")}
	}
	t.pieces = slices.Insert(t.pieces, t.place(), pieces...)
}

// wrap puts a few stretches that follow each other into a construct.
func (t *twister) wrap() {
	s := t.block()
	for range t.r.IntN(4) {
		if s.to < len(t.pieces) {
			s.to = max(s.to, block(t.pieces, s.to).to)
		}
	}
	before, after := t.construct()
	t.pieces = slices.Insert(t.pieces, s.to, after...)
	t.pieces = slices.Insert(t.pieces, s.from, before...)
}

// construct is what to put before a stretch and after it.
func (t *twister) construct() (before, after []piece) {
	end, otherwise := action("end"), action("else")
	x := t.operand()
	name := "$r"
	if k := t.token(localPattern.MatchString); k != nil {
		name = *k
	}
	head := action(one(t, []string{
		"range 2", "range 1", "range 0", "range $", "range " + x, "range " + name + " = 2", "range " + name + " = " + x, "range $r, $s := " + x,
		"range " + name + ", " + name + " = $", "if " + x, "if not " + x, "with " + x, "with " + name + " := " + x, "range $r := 2",
	}))
	exit := action(one(t, []string{"break", "continue"}))
	switch t.r.IntN(5) {
	case 0:
		return []piece{head, otherwise}, []piece{end}
	case 1:
		return []piece{head}, []piece{otherwise, exit, end}
	case 2:
		return []piece{action("range 2"), head}, []piece{otherwise, exit, end, end}
	case 3:
		return []piece{action("range 2"), head, exit, otherwise}, []piece{end, end}
	}
	return []piece{head}, []piece{end}
}
