package ants

import (
	"math/big"
	"slices"
)

// damage kills every ant whose enemies in range do it a damage of 1 or more between them.
func (s *Solver) damage() {
	for i, own := range s.enemies {
		if own == 0 {
			continue
		}
		if !s.work.goOn() {
			return
		}
		s.shares = s.shares[:0]
		for _, enemy := range s.inRange(int32(i)) {
			s.shares = append(s.shares, s.enemies[enemy])
		}
		s.dead[i] = reachesOne(s.shares)
	}
}

// whole is the least common multiple of 1, 2, ..., 42: the damage that an ant does in all, in units of which it can
// hand out whole numbers to as many enemies. 1 to 43 would overflow below.
const whole = 219060189739591200

// reachesOne reports whether the sum of 1/e over the counts, all at least 1, is 1 or more. The order of the counts is
// changed.
//
// The sum is bounded from both sides by one of integers. Only if 1 lies between the bounds, which takes a share
// that is no whole number of units, do integers of any size decide.
func reachesOne(counts []int) bool {
	sum, broken := uint64(0), uint64(0) // a broken share is worth less than a unit more than it is counted for
	for _, e := range counts {
		share := whole / uint64(e)
		if share*uint64(e) != whole {
			broken++
		}
		if sum += share; sum >= whole { // at most 2 * whole - 1
			return true
		}
	}
	return sum+broken > whole && exactlyReachesOne(counts)
}

// exactlyReachesOne does it over the least common denominator.
func exactlyReachesOne(counts []int) bool {
	slices.Sort(counts)
	denominator := big.NewInt(1)
	for i, e := range counts {
		if i == 0 || counts[i-1] != e {
			divisor := big.NewInt(int64(e))
			common := new(big.Int).GCD(nil, nil, denominator, divisor)
			denominator.Mul(denominator, divisor.Quo(divisor, common))
		}
	}
	sum, share := new(big.Int), new(big.Int)
	for i := 0; i < len(counts); {
		first := i
		for i < len(counts) && counts[i] == counts[first] {
			i++
		}
		share.Quo(denominator, big.NewInt(int64(counts[first])))
		sum.Add(sum, share.Mul(share, big.NewInt(int64(i-first))))
	}
	return sum.Cmp(denominator) >= 0
}
