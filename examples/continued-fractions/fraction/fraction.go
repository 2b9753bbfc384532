// Package fraction expands rational numbers as continued fractions.
package fraction

import "math/big"

// Expand returns the terms of the continued fraction of p/q, for q > 0: p/q = a0 + 1/(a1 + 1/(a2 + ...)).
func Expand(p, q int64) []int64 {
	var terms []int64
	for q != 0 {
		a := p / q
		if p%q < 0 {
			a-- // the floor
		}
		terms = append(terms, a)
		p, q = q, p-a*q
	}
	return terms
}

// Convergents returns the fractions that the first terms give, one more term each time.
func Convergents(terms []int64) []*big.Rat {
	var all []*big.Rat
	p, q := [2]*big.Int{big.NewInt(0), big.NewInt(1)}, [2]*big.Int{big.NewInt(1), big.NewInt(0)}
	for _, a := range terms {
		step := func(x [2]*big.Int) [2]*big.Int {
			return [2]*big.Int{x[1], new(big.Int).Add(x[0], new(big.Int).Mul(big.NewInt(a), x[1]))}
		}
		p, q = step(p), step(q)
		all = append(all, new(big.Rat).SetFrac(p[1], q[1]))
	}
	return all
}
