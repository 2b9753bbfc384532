package engine_test

import (
	"math/rand/v2"
	"slices"
)

func init() {
	samples["ants.rules"] = func(*rand.Rand) []int64 { return nil }
	samples["ants.battle"] = boardSample
	samples["ants.ant"] = func(r *rand.Rand) []int64 {
		board := boardSample(r)
		return slices.Insert(board, 4, r.Int64N(7), r.Int64N(7))
	}
	samples["ants.random"] = func(r *rand.Rand) []int64 {
		return []int64{1 + r.Int64N(17), 1 + r.Int64N(17), r.Int64N(28), size(r)}
	}
}

// boardSample is a small board; now and then one of its numbers is wrong.
func boardSample(r *rand.Rand) []int64 {
	rows, columns := 1+r.Int64N(6), 1+r.Int64N(7)
	numbers := []int64{rows, columns, r.Int64N(2), 1 + r.Int64N(20)}
	if r.IntN(40) == 0 {
		numbers[r.IntN(4)] = size(r) - 2
	}
	return append(numbers, cellSample(r, rows*columns)...)
}

// cellSample is cells of up to four armies, a third of them with an ant; now and then one is wrong, or there are too
// few.
func cellSample(r *rand.Rand, count int64) []int64 {
	cells := make([]int64, min(max(count, 0), 400))
	armies := 1 + r.Int64N(4)
	for i := range cells {
		if r.IntN(3) == 0 {
			cells[i] = 'A' + r.Int64N(armies)
		}
	}
	if r.IntN(40) == 0 && len(cells) > 0 {
		cells[r.IntN(len(cells))] = size(r)
	}
	if r.IntN(40) == 0 && len(cells) > 0 {
		cells = cells[1:]
	}
	return cells
}
