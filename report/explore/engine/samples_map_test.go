package engine_test

import (
	"math/rand/v2"

	"github.com/siegebook/siegebook/analysis/castle"
)

func init() {
	samples["castle.map"] = planes
	samples["castle.line"] = func(r *rand.Rand) []int64 { return append(hits(r), anAlgorithm(r)) }
	samples["castle.judged"] = hits
	samples["castle.compared"] = func(r *rand.Rand) []int64 { return append(planes(r), anAlgorithm(r), anAlgorithm(r)) }
}

// hits is a battle, often one in which soldiers, hits and defenders are of one size.
func hits(r *rand.Rand) []int64 {
	if r.IntN(3) == 0 {
		return []int64{size(r), size(r), size(r)}
	}
	n := max(1, size(r)/8)
	return []int64{n, n + r.Int64N(3*n), 1 + r.Int64N(2*n)}
}

// planes is a map, now and then in steps that are too large for it.
func planes(r *rand.Rand) []int64 {
	b := hits(r)
	steps := [2]int64{1, 1}
	for i := range steps {
		if r.IntN(2) == 0 {
			steps[i] = size(r)
		}
	}
	return []int64{b[0], b[1], steps[0], 1 + r.Int64N(40), b[2], steps[1], 1 + r.Int64N(10)}
}

// anAlgorithm is one of the table's, and rarely none.
func anAlgorithm(r *rand.Rand) int64 {
	return r.Int64N(int64(len(castle.Algorithms())+1)) - r.Int64N(2)*r.Int64N(2)
}
