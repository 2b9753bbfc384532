package tower

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
)

// The towers whose borders the open questions look at.
const (
	openHits   = 20
	openKills  = 5
	openTowers = 12
)

// openQuestions are those that the pages leave open.
func openQuestions(ctx context.Context) ([]chapter.OpenQuestion, error) {
	above, gap := int64(0), int64(0) // how far any aim needs more than the lower bound, and less than the upper
	battles := 0
	for h := int64(1); h <= openHits && ctx.Err() == nil; h++ {
		for k := int64(1); k <= openKills; k++ {
			for t := int64(1); t <= openTowers; t++ {
				battles++
				n := needAnyPlay(h, k, t)
				least, most := anyPlayBounds(h, k, t)
				above, gap = max(above, n-least), max(gap, most-n)
				if err := chapter.Expect("the borders are within their bounds", least <= n && n <= most, h, k, t, n); err != nil {
					return nil, err
				}
			}
		}
	}
	if ctx.Err() != nil {
		return nil, canceled.Cause(ctx)
	}
	box := chapter.MD("$h \\le %d$, $k \\le %d$ and $t \\le %d$", openHits, openKills, openTowers)
	return []chapter.OpenQuestion{
		{
			Convention: chapter.AnyShots,
			ID:         "tower-any-aim", Title: "Is there a formula for the soldiers who win however they aim at few " +
				"towers?", Where: "our page on aim",
			Known: chapter.MD(
				"Against $2(h - 1)/k + 1$ towers or more they are $\\tfrac12 k\\,t(t - 1)$ and a number that depends on $h$ "+
					"and $k$ alone. Against fewer, their number lies between $\\tfrac12 k\\,t(t - 1) + 1$ and $k\\,t\\,r$ more, "+
					"where $r$ is the greatest whole number with $r + k\\,r(r - 1)/2 \\le t(h - 1)$. For %s it is at most %d "+
					"above the lower bound, and up to %d below the upper.",
				box, above, gap,
			),
			How: chapter.MD(
				"All this is proved (theorems 11 and 12 of the page on the tower game's proofs). Two orders are enough for "+
					"the worst play, so the number itself is found by trying both in each round; the build does it for these %s "+
					"kinds of towers.",
				chapter.Thousands(battles),
			),
			Settles: "A rule that says from soldiers, towers and spare hits which of the two orders is the worse, with a " +
				"proof; or a proof that the number depends on all that lies between.",
			Ref: "sec:tower-strategies/worst",
			Recompute: everywhere("lost == 0", func(b game.Battle) bool {
				winner, _, err := b.Worst(0)
				return err == nil && winner == game.Soldiers
			}, "2 * n > k * t * (t - 1)"),
		},
	}, nil
}
