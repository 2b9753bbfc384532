package engine_test

import (
	"math/rand/v2"
	"slices"

	"github.com/siegebook/siegebook/analysis/naval"
)

func init() {
	samples["naval.names"] = func(*rand.Rand) []int64 { return nil }
	samples["naval.place"] = func(r *rand.Rand) []int64 { return []int64{r.Int64N(12) - 2, r.Int64()} }
	samples["naval.fits"] = someShips
	samples["naval.room"] = func(r *rand.Rand) []int64 { return slices.Concat([]int64{r.Int64N(6), r.Int64N(2)}, someShips(r)) }
	samples["naval.game"] = func(r *rand.Rand) []int64 {
		shots := r.Perm(100)[:r.IntN(101)]
		args := []int64{r.Int64N(4), r.Int64N(5), quick(r), r.Int64(), r.Int64N(11) - 1, r.Int64(), 0, int64(len(shots))}
		if args[0] == 2 {
			args[6] = r.Int64N(110) - 2
		}
		for _, c := range shots {
			args = append(args, int64(c)+r.Int64N(200)/199)
		}
		return append(args, aFleet(r)...)
	}
	samples["naval.thoughts"] = func(r *rand.Rand) []int64 {
		return slices.Concat([]int64{r.Int64N(5), quick(r), r.Int64(), r.Int64N(103) - 2}, aFleet(r))
	}
	samples["naval.needs"] = func(r *rand.Rand) []int64 {
		return slices.Concat([]int64{r.Int64N(5), quick(r), r.Int64(), r.Int64N(5)}, aFleet(r))
	}
}

// quick is a targeting, one that there is not, or rarely Informed, which takes long.
func quick(r *rand.Rand) int64 {
	if r.IntN(2000) == 0 {
		return int64(naval.Informed)
	}
	return []int64{0, 1, 2, 3, 0, 1, 2, 3, 5, -1}[r.IntN(10)]
}

// aFleet is a fleet in any order, now and then with a fault.
func aFleet(r *rand.Rand) []int64 {
	f, _, err := naval.PlaceFleet(naval.Placements(), r.Uint64(), 0)
	if err != nil {
		panic(err)
	}
	var args []int64
	for _, i := range r.Perm(len(f)) {
		upright := int64(0)
		if f[i].Upright {
			upright = 1
		}
		args = append(args, int64(f[i].First), int64(f[i].Decks), upright)
	}
	if r.IntN(10) == 0 {
		args[r.IntN(len(args))] = r.Int64N(102) - 1
	}
	if r.IntN(40) == 0 {
		args[r.IntN(len(args))] = size(r)
	}
	return args
}

// someShips are the ships of a part of a fleet.
func someShips(r *rand.Rand) []int64 {
	args := aFleet(r)
	args = args[:3*r.IntN(len(args)/3+1)]
	if r.IntN(50) == 0 {
		args = append(args, r.Int64N(100))
	}
	return args
}
