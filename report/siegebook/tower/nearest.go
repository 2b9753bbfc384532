package tower

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// FieldSide is the side of the square field of the graphical game. The soldiers enter at the corner in row 0 and column
// 0, which has no tower.
const FieldSide = 6

// Graphical is a battle on such a field. The towers fall slowly, so the order in which they fall matters.
var Graphical = game.Battle{HitsPerTower: 8, KillsPerTower: 2, Towers: 6}

// ringOf returns the range of a cell: its distance from the corner in cells, rounded down. Towers with the same range
// are equally near.
func ringOf(cell int) int {
	row, col := cell/FieldSide, cell%FieldSide
	return int(math.Sqrt(float64(row*row + col*col)))
}

// rings counts the cells of the field by their range.
func rings() []int64 {
	counts := make([]int64, ringOf(FieldSide*FieldSide-1)+1)
	for cell := 1; cell < FieldSide*FieldSide; cell++ {
		counts[ringOf(cell)]++
	}
	return counts
}

// nearest plays a battle in which ranges[i] towers are in range i. The soldiers shoot evenly at the towers of the
// nearest range, and at the next range after all these towers have fallen. It returns the hits left of each tower after
// each round, range by range.
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

// fireAtNearest fires the shots of one round.
func fireAtNearest(state [][]int64, shots int64) {
	for _, hits := range state {
		for shots > 0 && slices.Max(hits) > 0 {
			// Each shot hits the strongest tower of the range, so the shots are spread evenly.
			strongest := slices.Index(hits, slices.Max(hits))
			hits[strongest]--
			shots--
		}
	}
}

// NearestWins returns the exact probability that soldiers who shoot at the nearest tower win if the towers are in
// random cells. It sums over all distributions of the towers among the ranges, and counts the choices of cells for
// each.
func NearestWins(b game.Battle) *big.Rat {
	rings, won := rings(), new(big.Int)
	var share func(ring int, left int64, ranges []int64, ways *big.Int)
	share = func(ring int, left int64, ranges []int64, ways *big.Int) {
		if left == 0 {
			if winner, _ := nearest(b, ranges); winner == game.Soldiers {
				won.Add(won, ways)
			}
			return
		}
		for ; ring < len(rings); ring++ {
			for towers := int64(1); towers <= left; towers++ {
				here := new(big.Int).Binomial(rings[ring], towers)
				share(ring+1, left-towers, append(slices.Clone(ranges), towers), here.Mul(here, ways))
			}
		}
	}
	share(0, b.Towers, nil, big.NewInt(1))
	return new(big.Rat).SetFrac(won, new(big.Int).Binomial(FieldSide*FieldSide-1, b.Towers))
}

// placeTowers places towers at random, and returns the cells sorted by range.
func placeTowers(rng *rand.Rand, towers int64) []int {
	cells := rng.Perm(FieldSide*FieldSide - 1)[:towers]
	for i := range cells {
		cells[i]++ // the soldiers have the corner
	}
	slices.Sort(cells)
	slices.SortStableFunc(cells, func(a, b int) int { return ringOf(a) - ringOf(b) })
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

// TwoFields draws two random fields with the towers left after the first round: the first field on which the soldiers
// win, and the first losing field with more towers left. stand has the number of towers left, by the winner.
func TwoFields(b game.Battle) (board figure.Board, stand map[game.Winner]int64) {
	rng := rand.New(rand.NewPCG(Seed, 0))
	least := TowersFor(b.HitsPerTower*b.Towers-b.Soldiers, b.HitsPerTower)
	found := map[game.Winner]figure.Grid{}
	stand = map[game.Winner]int64{}
	for tries := 0; len(found) < 2; tries++ {
		chapter.Assert(chapter.Expect("both kinds of fields are common", tries < 10_000, b))
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
