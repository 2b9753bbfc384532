package naval

import (
	"math/bits"
	"math/rand/v2"
)

// chance is a stream of random numbers.
type chance struct{ rand.PCG }

// The purposes for which streams are drawn. Numbers are part of the results: never change one.
const (
	streamGame    = 1   // one for each game of a tournament
	streamPlayers = 2   // placements of the players
	streamShots   = 3   // shots at a fleet that does not shoot back
	streamFleet   = 100 // plus the placement: such fleets
)

// restart makes c the stream of one purpose and number under a seed. Both words of the generator's state are mixed from
// all three, because it has one cycle only: states that differ by little would give related streams.
func (c *chance) restart(seed, purpose, number uint64) {
	a := mix(seed + purpose*0x9e3779b97f4a7c15)
	b := mix(a ^ number)
	c.Seed(b, mix(b+0x9e3779b97f4a7c15)^a)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014), a bijection in which each bit of the input moves about
// half of the output's.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number 0..n-1, n >= 1, each with exactly the same probability (Lemire 2019).
func (c *chance) below(n int) int {
	hi, lo := bits.Mul64(c.Uint64(), uint64(n))
	if lo < uint64(n) {
		for reject := -uint64(n) % uint64(n); lo < reject; {
			hi, lo = bits.Mul64(c.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// pick returns a cell of a set that is not empty.
func (c *chance) pick(s Cells) Cell { return s.nth(c.below(s.Count())) }

// pickMore returns s with n more cells, 0 or more, of those in from.
func (c *chance) pickMore(s Cells, n int, from Cells) Cells {
	for range n {
		s = s.or(single(c.pick(from.andNot(s))))
	}
	return s
}
