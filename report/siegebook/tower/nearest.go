package tower

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// FieldSide is the side of the square of cells where the towers of the graphical game stand. The soldiers come in at the
// corner of row 0 and column 0, where no tower stands.
const FieldSide = 6

// Graphical is the kind of battle that the fields are for: towers that fall slowly, so that it matters to finish them.
var Graphical = game.Battle{HitsPerTower: 8, KillsPerTower: 2, Towers: 6}

// ringOf is the range of a cell: its distance from the corner in cells, rounded down. Towers of one range are equally
// near.
func ringOf(cell int) int {
	row, col := cell/FieldSide, cell%FieldSide
	ring := 0
	for (ring+1)*(ring+1) <= row*row+col*col {
		ring++
	}
	return ring
}

// rings counts the cells of the field by their range.
func rings() []int64 {
	var counts []int64
	for cell := 1; cell < FieldSide*FieldSide; cell++ {
		for len(counts) <= ringOf(cell) {
			counts = append(counts, 0)
		}
		counts[ringOf(cell)]++
	}
	return counts
}

// nearest plays the battle in which each range has so many of the towers, the nearest first: the soldiers shoot at the
// nearest range with a tower, evenly, and go on to the next when all of its towers are down. It returns the hits left
// of each tower after each round, range by range.
func nearest(b game.Battle, ranges []int64) (winner game.Winner, rounds [][][]int64) {
	state := make([][]int64, len(ranges))
	for i, towers := range ranges {
		state[i] = slices.Repeat([]int64{b.HitsPerTower}, int(towers))
	}
	for soldiers := b.Soldiers; ; {
		fireAtNearest(state, soldiers)
		snapshot := make([][]int64, len(state))
		towers := int64(0)
		for i, hits := range state {
			snapshot[i] = slices.Clone(hits)
			towers += upright(hits)
		}
		rounds = append(rounds, snapshot)
		if soldiers -= b.KillsPerTower * towers; towers == 0 {
			return game.Soldiers, rounds
		} else if soldiers <= 0 {
			return game.Towers, rounds
		}
	}
}

// upright counts the towers that have hits left.
func upright(hits []int64) int64 {
	towers := int64(0)
	for _, left := range hits {
		if left > 0 {
			towers++
		}
	}
	return towers
}

// fireAtNearest fires one round.
func fireAtNearest(state [][]int64, shots int64) {
	for _, hits := range state {
		for shots > 0 && slices.Max(hits) > 0 {
			// The strongest tower of the range is next, so that the shots are even.
			strongest := slices.Index(hits, slices.Max(hits))
			hits[strongest]--
			shots--
		}
	}
}

// splits calls visit with every way to split so many towers among ranges, each of which gets one or more, and in how
// many ways they can stand in the rings so.
func splits(towers int64, visit func(ranges []int64, ways *big.Int)) {
	counts := rings()
	var split func(left int64, ranges []int64)
	split = func(left int64, ranges []int64) {
		if left == 0 {
			visit(ranges, standings(counts, ranges))
			return
		}
		for next := int64(1); next <= left; next++ {
			split(left-next, append(slices.Clone(ranges), next))
		}
	}
	split(towers, nil)
}

// standings counts the ways to choose a ring for each range, in their order, and cells in it for its towers.
func standings(rings, ranges []int64) *big.Int {
	ways := make([]*big.Int, len(ranges)+1) // ways[i]: for the first i ranges, in the rings so far
	for i := range ways {
		ways[i] = new(big.Int)
	}
	ways[0].SetInt64(1)
	for _, cells := range rings {
		for i := len(ranges); i > 0; i-- {
			here := new(big.Int).Binomial(cells, ranges[i-1])
			ways[i].Add(ways[i], here.Mul(here, ways[i-1]))
		}
	}
	return ways[len(ranges)]
}

// NearestWins returns the exact probability that soldiers who shoot at the nearest tower win, if the towers stand in
// random cells.
func NearestWins(b game.Battle) *big.Rat {
	won, all := new(big.Int), new(big.Int)
	splits(b.Towers, func(ranges []int64, ways *big.Int) {
		all.Add(all, ways)
		if winner, _ := nearest(b, ranges); winner == game.Soldiers {
			won.Add(won, ways)
		}
	})
	return new(big.Rat).SetFrac(won, all)
}

// placeTowers places towers at random, and sorts the cells by range.
func placeTowers(rng *rand.Rand, towers int64) []int {
	cells := rng.Perm(FieldSide*FieldSide - 1)[:towers]
	for i := range cells {
		cells[i]++ // the corner is the soldiers'
	}
	slices.SortFunc(cells, func(a, b int) int {
		if d := ringOf(a) - ringOf(b); d != 0 {
			return d
		}
		return a - b
	})
	return cells
}

// rangesOf counts sorted cells by their range.
func rangesOf(cells []int) []int64 {
	var ranges []int64
	for i, cell := range cells {
		if i == 0 || ringOf(cell) != ringOf(cells[i-1]) {
			ranges = append(ranges, 0)
		}
		ranges[len(ranges)-1]++
	}
	return ranges
}

// TwoFields draws the first random field on which the soldiers win, and the first on which they lose with more towers
// left after the first round. It counts the towers that stand then, by the winner.
func TwoFields(b game.Battle) (board figure.Board, stand map[game.Winner]int64) {
	rng := rand.New(rand.NewPCG(Seed, 0))
	least := TowersFor(b.HitsPerTower*b.Towers-b.Soldiers, b.HitsPerTower)
	found := map[game.Winner]figure.Grid{}
	stand = map[game.Winner]int64{}
	for tries := 0; len(found) < 2; tries++ {
		chapter.Expect("both kinds of fields are common", tries < 10_000, b)
		cells := placeTowers(rng, b.Towers)
		winner, rounds := nearest(b, rangesOf(cells))
		hits := slices.Concat(rounds[0]...)
		left := upright(hits)
		if _, ok := found[winner]; !ok && (winner == game.Soldiers) == (left == least) {
			name := fmt.Sprintf("%v win in round %d", winner, len(rounds))
			found[winner], stand[winner] = pictures.Field(name, FieldSide, cells, b.HitsPerTower, hits), left
		}
	}
	return pictures.Fields("The graphical game after the first round, on two fields", found[game.Soldiers],
		found[game.Towers]), stand
}
