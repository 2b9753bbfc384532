package engine_test

import (
	"math/rand/v2"
	"slices"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/explore/engine"
)

func init() {
	samples["tower.words"] = func(*rand.Rand) []int64 { return nil }
	samples["tower.play"] = func(r *rand.Rand) []int64 { return mostly(r, playSample(r)) }
	samples["tower.aims"] = func(r *rand.Rand) []int64 {
		return mostly(r, append([]int64{r.Int64N(int64(len(tower.Strategies()))), 1 + r.Int64N(60)}, hitsSample(r, 12)...))
	}
	samples["tower.throw"] = func(r *rand.Rand) []int64 {
		return mostly(r, append([]int64{r.Int64N(int64(len(tower.Readings()))), r.Int64(), 1 + r.Int64N(60)}, hitsSample(r, 12)...))
	}
	samples["tower.chance"] = func(r *rand.Rand) []int64 {
		return mostly(r, append([]int64{r.Int64N(int64(len(tower.Readings()))), 1 + r.Int64N(3), 1 + r.Int64N(10)}, hitsSample(r, 3)...))
	}
	samples["tower.needs"] = func(r *rand.Rand) []int64 {
		args := []int64{1 + r.Int64N(20), 1 + r.Int64N(5), 1 + r.Int64N(8), 1 + r.Int64N(2)}
		if r.IntN(50) == 0 { // long work
			return mostly(r, args)
		}
		return args
	}
}

// mostly spoils every tenth list of arguments: one of them gets any size.
func mostly(r *rand.Rand, args []int64) []int64 {
	if r.IntN(10) == 0 {
		args[r.IntN(len(args))] = size(r)
	}
	return args
}

func hitsSample(r *rand.Rand, most int) []int64 {
	hits := make([]int64, 1+r.IntN(most))
	for i := range hits {
		hits[i] = r.Int64N(7)
	}
	return hits
}

// playSample is a battle, and some rounds of it in which one strategy or another aims, or a hand that wastes.
func playSample(r *rand.Rand) []int64 {
	args := []int64{1 + r.Int64N(40), 1 + r.Int64N(6), 1 + r.Int64N(4), 1 + r.Int64N(8)}
	t := int(args[3])
	for range r.IntN(6) {
		var last []int64
		if reply, err := engine.Call("tower.play", args); err == nil {
			last = reply.Ints[len(reply.Ints)-rowLength(t):]
		}
		if last == nil || last[0] != 0 {
			break
		}
		soldiers, hits := last[1], last[len(last)-t:]
		if r.IntN(3) > 0 {
			aims, err := engine.Call("tower.aims", slices.Concat([]int64{r.Int64N(3), soldiers}, hits))
			if err != nil {
				panic(err) // a field that the engine has played to
			}
			args = append(args, aims.Ints...)
			continue
		}
		shots := make([]int64, t)
		for soldiers > 0 {
			if i := r.IntN(t); hits[i] > 0 {
				shots[i]++
				soldiers--
			}
		}
		args = append(args, shots...)
	}
	return args
}

// rowLength is that of a row of tower.play, against t towers.
func rowLength(t int) int { return 6 + 3*len(tower.Strategies()) + t }
