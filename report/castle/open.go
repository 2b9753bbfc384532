package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
)

// openSoldiers is the largest army for which the border of the castle's wins is looked for.
const openSoldiers = 24

// openQuestions are those that the pages leave open.
func openQuestions(ctx context.Context, _ *survey) ([]chapter.OpenQuestion, error) {
	highest, battles, beyond := game.Battle{}, 0, 0
	for n := int64(2); n <= openSoldiers; n++ {
		for d := int64(1); d < n; d++ {
			if ctx.Err() != nil {
				return nil, canceled.Cause(ctx)
			}
			b := game.Battle{Soldiers: n, CastleHits: n + 1, DefendersPerWave: d}
			for b.CastleMinWaves() == 0 {
				b.CastleHits++
			}
			battles++
			if b.CastleHits*highest.Soldiers > highest.CastleHits*n || battles == 1 {
				highest = b
			}
			if b.CastleHits+d > 3*n {
				beyond++
			}
			if err := chapter.Expect("a castle that can win has s + d > 2n, and needs three waves or more for d < n", b.CastleHits+d > 2*n && b.CastleMinWaves() > 2, b); err != nil {
				return nil, err
			}
		}
	}
	return []chapter.OpenQuestion{
		{
			Convention: chapter.NoWaste,
			ID:         "castle-border", Title: "A formula for the smallest castle that can win?", Where: "our page on the castle's side, for d < n",
			Known: chapter.MD("For $d \\ge n$ everything is known. For $d < n$ the castle cannot win if $s + d \\le 2n$, and never in two waves. The smallest castle that can win may be much larger: for $n \\le %d$ the largest one, in proportion to $n$, is that of %s. In %d of the %d pairs of $n$ and $d$ it has $s + d > 3n$.",
				openSoldiers, triple(highest), beyond, battles),
			How:     "One line of play decides each battle, which is proved, and the build walks through it for larger and larger castles.",
			Settles: "The fewest hits as a function of $n$ and $d$ that can be evaluated without walking through the line, with a proof.",
			Ref:     "page:castle-side",
			Recompute: recomputeEvery{
				Game: "castle", Kind: "every", N: small.n, S: small.s, D: small.d, Battles: small.n * small.s * small.d,
				If: "d < n and castle > 0", Then: "s + d > 2 * n and castle > 2",
				Cases: small.count(func(b game.Battle) bool { return b.DefendersPerWave < b.Soldiers && b.CastleMinWaves() > 0 }),
			},
		},
	}, nil
}
