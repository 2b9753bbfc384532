package castle

import (
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// fivePaths is an exercise: a battle with a handful of paths.
var fivePaths = game.Battle{Soldiers: 4, CastleHits: 6, DefendersPerWave: 4}

// strongestForTwo is the strongest castle for which the paths of two soldiers are counted.
const strongestForTwo = 60

// answerCounts computes the answers of the exercises.
func answerCounts(tests []postTest, values map[string]any) error {
	counts, err := waysOf(fivePaths)
	if err != nil {
		return err
	}
	values["five battle"], values["five paths"] = triple(fivePaths), allPaths(counts)
	values["five soldiers"], values["five castle"], values["five ties"] = counts.Soldiers.Total(), counts.Castle.Total(), counts.Ties
	for _, number := range []int{2, 24} {
		b := tests[number].Battle
		holds := b.Soldiers == 2 && b.DefendersPerWave == 1 && b.CastleHits <= strongestForTwo
		if err := chapter.Expect("tests 2 and 24 are two soldiers against one defender", holds, b); err != nil {
			return err
		}
	}
	values["two paths"], values["two more paths"] = 2*(tests[2].Battle.CastleHits-3), 2*(tests[24].Battle.CastleHits-3)
	values["two hits"] = strongestForTwo
	two := big.NewInt(2)
	for s := int64(4); s <= strongestForTwo; s++ {
		counts, err := waysOf(game.Battle{Soldiers: 2, CastleHits: s, DefendersPerWave: 1})
		if err != nil {
			return err
		}
		holds := len(counts.Soldiers) == 1 && counts.Soldiers[0].Wave == s-1 && counts.Soldiers[0].Ways.Cmp(two) == 0 && int64(len(counts.Castle)) == s-4
		for i, c := range counts.Castle {
			holds = holds && c.Wave == int64(i+3) && c.Ways.Cmp(two) == 0
		}
		if err := chapter.HoldsAt(holds, "two soldiers, %d hits: %v", s, counts); err != nil {
			return err
		}
	}
	return nil
}
