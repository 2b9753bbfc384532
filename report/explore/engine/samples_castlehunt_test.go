package engine_test

import "math/rand/v2"

func init() {
	samples["castle.hunt"] = func(r *rand.Rand) []int64 {
		n := size(r)
		return []int64{n, around(r, n)}
	}
	samples["castle.limits"] = func(r *rand.Rand) []int64 { return []int64{size(r)} }
	samples["castle.falls"] = func(r *rand.Rand) []int64 {
		n, s, d := near(r)
		return []int64{n, s, d, size(r), r.Int64N(30)}
	}
	samples["castle.stairs"] = func(r *rand.Rand) []int64 {
		n, s, d := near(r)
		return []int64{n, s, d}
	}
	samples["castle.count"] = func(r *rand.Rand) []int64 {
		if r.IntN(4) == 0 {
			return []int64{size(r), size(r), size(r), r.Int64N(4) - 1}
		}
		return []int64{1 + r.Int64N(12), 1 + r.Int64N(40), 1 + r.Int64N(20), r.Int64N(2)}
	}
}

// around is a number of about the same size, or any.
func around(r *rand.Rand, n int64) int64 {
	if n < 1 || r.IntN(8) == 0 {
		return size(r)
	}
	return r.Int64N(n)
}

// near are the numbers of a battle that is often close: there, falls and stairs have most to say.
func near(r *rand.Rand) (n, s, d int64) {
	n = size(r)
	d, s = around(r, n), around(r, n)
	if n > 0 && n < 1<<60 && r.IntN(4) > 0 {
		s += n
	}
	if n > 0 && n < 1<<60 && r.IntN(4) == 0 {
		d += n / 2
	}
	return n, s, d
}
