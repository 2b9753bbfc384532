package castle

import (
	"context"
	"math/big"
)

func init() {
	register(Algorithm{
		Name: "search", Title: "search", Kind: Check, Question: SoldiersFewest,
		Source: "Castle Defense II: every legal path, one after the other",
		Answer: answerBySearch, Affordable: smallBattle,
		Cost: Cost{
			Each: "path by path", Law: "grows faster than any power of n and s",
			OfPaths: func(counts Counts) *big.Int { return counts.Prefixes },
		},
	})
	register(Algorithm{
		Name: "counting", Title: "counting", Kind: Check, Question: CountsWays,
		Source: "our own: in how many ways each state is reached, wave by wave",
		Answer: answerByCounting, Affordable: smallBattle,
		Cost: Cost{
			Each: "cell by cell", Law: "O(n²s) a wave",
			OfPaths: func(counts Counts) *big.Int { return big.NewInt(counts.Cells) },
		},
	})
}

// smallBattle is the box of battles about which a survey asks search and counting. A search looks at no more than 2^15
// moves of any of them, and at some millions of all together, which takes a tenth of a second; with each soldier more
// it would be twice as many.
func smallBattle(b Battle) bool {
	return b.Soldiers <= 12 && b.CastleHits <= 36 && b.DefendersPerWave <= 24
}

// answerBySearch walks all paths, and uses nothing but the rules.
func answerBySearch(ctx context.Context, b Battle, effort Effort) (Answer, error) {
	best := int64(0)
	for path, err := range b.Paths(ctx, PathOptions{MaxMoves: effort.Steps, MemoryLimit: effort.Memory}) {
		if err != nil {
			return Answer{}, err
		}
		if path.Winner == Soldiers && (best == 0 || path.Waves() < best) {
			best = path.Waves()
		}
	}
	return fewest(Soldiers, Castle, best), nil
}

// answerByCounting finds the first wave in which there is a way for the soldiers to win.
func answerByCounting(ctx context.Context, b Battle, effort Effort) (Answer, error) {
	counts, err := b.Count(ctx, CountOptions{MemoryLimit: effort.Memory})
	if err != nil {
		return Answer{}, err
	}
	if len(counts.Soldiers) == 0 {
		return fewest(Soldiers, Castle, 0), nil
	}
	return fewest(Soldiers, Castle, counts.Soldiers[0].Wave), nil
}
