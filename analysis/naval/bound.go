package naval

import (
	"errors"
	"math/big"
)

// ShotsBound returns what no shooter can do better, if there are so many fleets of the post's ten ships, 1 or more: the
// mean number of shots over all of them, each as likely as any other, is at least mean, and against some fleet he needs
// at least worst shots. He is told miss, hit or sunk. The proof counts the answers that he may get
// (docs/derivations/naval.md, Theorem 2). [CountFleets] counts the fleets of a board.
func ShotsBound(count uint64) (mean *big.Rat, worst int) {
	if count == 0 {
		refuse(errors.New("count = 0: there must be 1 fleet or more"))
	}
	fleets := new(big.Int).SetUint64(count)
	patterns := sunkPatterns()
	// told is how many sequences of answers end with the last hit after so many shots or fewer.
	told := new(big.Int)
	mean = new(big.Rat)
	for shots := 0; ; shots++ {
		if shots >= fleetDecks {
			with := new(big.Int).Binomial(int64(shots-1), fleetDecks-1)
			told.Add(told, with.Mul(with, patterns))
		}
		if told.Cmp(fleets) >= 0 {
			return mean, shots
		}
		left := new(big.Int).Sub(fleets, told)
		mean.Add(mean, new(big.Rat).SetFrac(left, fleets)) // these fleets at least need another shot
	}
}

// sunkPatterns returns how many ways there are to say which of the hits sink a ship. The last one does, and no ship is
// sunk before there are as many hits as the smallest ships have decks.
func sunkPatterns() *big.Int {
	var least []int // hits that it takes to sink one ship, two ships, ...
	sum := 0
	for decks := 1; decks <= longest; decks++ {
		for range numberOf[decks] {
			sum += decks
			least = append(least, sum)
		}
	}
	ways := make([]*big.Int, len(least)+1) // by ships sunk
	for i := range ways {
		ways[i] = new(big.Int)
	}
	ways[0].SetInt64(1)
	for hit := 1; hit <= sum; hit++ {
		for sunk := len(least); sunk > 0; sunk-- {
			if hit >= least[sunk-1] {
				ways[sunk].Add(ways[sunk], ways[sunk-1])
			}
			if hit == sum {
				ways[sunk-1].SetInt64(0) // the last hit sinks a ship
			}
		}
	}
	return ways[len(least)]
}
