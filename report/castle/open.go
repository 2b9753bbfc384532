package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
)

// openSoldiers is the largest army for which the border of the castle's wins is looked for.
const openSoldiers = 60

// openQuestions are those that the pages leave open.
func openQuestions(ctx context.Context) ([]chapter.OpenQuestion, error) {
	highest, pairs, beyond := game.Battle{}, 0, 0
	for n := int64(2); n <= openSoldiers; n++ {
		for d := int64(1); d < n; d++ {
			if ctx.Err() != nil {
				return nil, canceled.Cause(ctx)
			}
			b, border := game.Battle{Soldiers: n, DefendersPerWave: d}, smallestWin(n, d)
			for b.CastleHits = n + 1; b.CastleHits <= border+2*n; b.CastleHits++ {
				waves := b.CastleMinWaves()
				holds := (waves > 0) == (b.CastleHits >= border) && (waves == 0 || waves > 2 && b.CastleHits+d > 2*n)
				err := chapter.Expect(
					"the border of the castle's wins for d < n, s + d > 2n, and three waves or more", holds, b, border,
				)
				if err != nil {
					return nil, err
				}
			}
			pairs++
			b.CastleHits = border
			if b.CastleHits*highest.Soldiers > highest.CastleHits*n || pairs == 1 {
				highest = b
			}
			if b.CastleHits+d > 3*n {
				beyond++
			}
		}
	}
	return []chapter.OpenQuestion{
		{
			Convention: chapter.NoWaste,
			ID:         "castle-border", Title: "Is there a proof of the border of the castle's wins?", Where: "our page on the castle's side, for d < n",
			Known: chapter.MD(
				"For $d \\ge n$ everything is proved. For $d < n$ it is proved that the castle cannot win if $s + d \\le "+
					"2n$, and never in two waves. "+
					"A formula for the smallest castle that can win stands at the end of [section 7 of the "+
					"proofs](proofs-castle-side.html#7-small-cases-with-d-n). "+
					"It agrees with all battles that were tried, and is not proved. The border may lie high: for $n \\le %d$ "+
					"the highest one, in proportion to $n$, "+
					"is that of %s. In %s of the %s pairs of $n$ and $d$ it has $s + d > 3n$.",
				openSoldiers,
				triple(highest),
				chapter.Thousands(beyond),
				chapter.Thousands(pairs),
			),
			How: "One line of play decides each battle, which is proved. The build walks through it for these pairs, with " +
				"every castle up to $2n$ hits above the border.",
			Settles: "A proof that the greedy line starts to keep the castle's last hit in the wave that the formula names, " +
				"and that a castle with more hits can win where one with fewer can.",
			Ref: "page:castle-side",
			Recompute: small.every(
				"d < n and castle > 0",
				"s + d > 2 * n and castle > 2",
				small.count(func(b game.Battle) bool {
					return b.DefendersPerWave < b.Soldiers && b.CastleMinWaves() > 0
				}),
			),
		},
	}, nil
}

// smallestWin is the formula of section 7 of docs/derivations/castle-side.md for the fewest hits with which the castle
// can win, d < n.
func smallestWin(n, d int64) int64 {
	u := int64(1)
	for thriftLater(n, d, u) {
		u++
	}
	soldiers, defenders := n-d*u*(u-1)/2, u*d // in wave u + 1
	fall := int64(1)
	switch {
	case d == 1:
		fall += int64(phi.FloorDiv(uint64(soldiers)))
	case soldiers >= d:
		fall += 1 + int64(phi.FloorDiv(uint64(soldiers-d)))
	}
	return max(1, soldiers-defenders+fall) + u*n - d*u*(u-1)*(u-2)/6
}

// thriftLater reports whether dv² + √5 (dv - 1) <= 2(n - d) + 1; for d = 1 whether v² + √5 v <= 2n.
func thriftLater(n, d, v int64) bool {
	times, rest := d*v-1, 2*(n-d)+1-d*v*v // √5 times <= rest
	if d == 1 {
		times, rest = v, 2*n-v*v
	}
	return rest >= 0 && 5*times*times <= rest*rest
}
