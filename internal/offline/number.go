package offline

import (
	"encoding/json"
	"iter"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxNumbers bounds how many numbers are proposed for one place.
const maxNumbers = 500

// numbers yields numbers within the bounds that the schemas set, from the one
// that is nearest to zero on.
func numbers(all []*jsonschema.Schema, whole bool) iter.Seq[any] {
	low, high := bounds(all)
	step, stepped := steps(all, whole)
	return func(yield func(any) bool) {
		if !stepped && low != nil && high != nil && !propose(yield, between(low, high)...) {
			return
		}
		from := new(big.Rat)
		switch {
		case low != nil && low.Sign() > 0:
			from = multiple(low, step, true)
		case high != nil && high.Sign() < 0:
			from = multiple(high, step, false)
		}
		up, down := new(big.Rat).Set(from), new(big.Rat).Set(from)
		if !propose(yield, from) {
			return
		}
		for range maxNumbers / 2 {
			up.Add(up, step)
			down.Sub(down, step)
			above, below := high != nil && up.Cmp(high) > 0, low != nil && down.Cmp(low) < 0
			if above && below || !above && !propose(yield, up) || !below && !propose(yield, down) {
				return
			}
		}
	}
}

// between are the numbers that are worth a try in a narrow interval.
func between(low, high *big.Rat) []*big.Rat {
	middle := new(big.Rat).Add(low, high)
	middle.Quo(middle, big.NewRat(2, 1))
	if low.Sign() <= 0 && high.Sign() >= 0 {
		return []*big.Rat{new(big.Rat), low, middle, high}
	}
	return []*big.Rat{low, middle, high}
}

// propose yields those of the numbers that decimal digits can write.
func propose(yield func(any) bool, numbers ...*big.Rat) bool {
	for _, n := range numbers {
		if digits, ok := decimal(n); ok && !yield(json.Number(digits)) {
			return false
		}
	}
	return true
}

// decimal writes a number exactly, if it has an end.
func decimal(n *big.Rat) (string, bool) {
	if n.IsInt() {
		return n.Num().String(), true
	}
	places, exact := n.FloatPrec()
	return n.FloatString(places), exact
}

// bounds are the tightest limits; nil for none. Whether they are themselves
// allowed is for the schemas to say.
func bounds(all []*jsonschema.Schema) (low, high *big.Rat) {
	for _, s := range all {
		for _, b := range []*big.Rat{s.Minimum, s.ExclusiveMinimum} {
			if b != nil && (low == nil || b.Cmp(low) > 0) {
				low = b
			}
		}
		for _, b := range []*big.Rat{s.Maximum, s.ExclusiveMaximum} {
			if b != nil && (high == nil || b.Cmp(high) < 0) {
				high = b
			}
		}
	}
	return low, high
}

// steps is the number of which a value is a multiple: the least common one of
// all multipleOf, and 1 for integers. Without either it is 1 and nobody
// demands it.
func steps(all []*jsonschema.Schema, whole bool) (step *big.Rat, demanded bool) {
	step = big.NewRat(1, 1)
	demanded = whole
	for _, s := range all {
		if s.MultipleOf == nil || s.MultipleOf.Sign() <= 0 {
			continue
		}
		if demanded {
			step = common(step, s.MultipleOf)
		} else {
			step, demanded = s.MultipleOf, true
		}
	}
	return step, demanded
}

// common is the least common multiple of two fractions.
func common(a, b *big.Rat) *big.Rat {
	x := new(big.Int).Mul(a.Num(), b.Denom())
	y := new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	lcm := new(big.Int).Mul(x, new(big.Int).Quo(y, gcd))
	return new(big.Rat).SetFrac(lcm, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// multiple is the multiple of step that is nearest to n, from above or below.
func multiple(n, step *big.Rat, above bool) *big.Rat {
	ratio := new(big.Rat).Quo(n, step)
	k := new(big.Int).Div(ratio.Num(), ratio.Denom()) // rounds down
	if above && !ratio.IsInt() {
		k.Add(k, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(k), step)
}
