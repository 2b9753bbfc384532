package tower

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
)

// questions are what the post left open. The pages that they refer to compute and check what the answers state.
func questions() []chapter.Question {
	return []chapter.Question{
		{
			ID: "tower-ratio", Title: "Soldiers and towers in no whole ratio?", Where: "Tower Defense, case (c)",
			Asked: "Who wins if the soldiers destroy as few towers as possible, and $n/t$ is not whole? Left to the " +
				"reader.", Answer: "With $r$ the least whole number for which $r + (r - k) + (r - 2k) + \\dots$ " +
				"reaches $h$, bad aim wins from $rt$ soldiers on and loses up to $(r - 1)\\,t$. " +
				"In between, the play that destroys the fewest towers in each round is the worst of all without " +
				"waste. Its exact border is 1 more than the integer part of $t\\rho$, for a number $\\rho$ that " +
				"depends on $h$ and $k$ alone.",
			Ref: "sec:tower-strategies/ratios",
		}, {
			ID: "tower-greedy", Title: "Is greed best?", Where: "Tower Defense, the algorithm",
			Asked: "Do soldiers who destroy as many towers as possible in each round win fastest? The post asks its " +
				"readers to convince themselves.",
			Answer: "Yes. After every round they have the most soldiers, and face the fewest towers and hits, of all " +
				"plays.", Ref: "sec:tower-strategies/greedy",
		}, {
			ID: "tower-price", Title: "When can the soldiers win at all?", Where: "Tower Defense, the introduction",
			Asked: "For which numbers can the soldiers destroy all towers?",
			Answer: "The algorithm tells for each battle. There is also a simple condition, which is necessary, and " +
				"for many towers all but sufficient: $n\\,(n + kt) > kh\\,t^2$. " +
				"For towers of one hit and one kill it says $n > t/\\varphi$, with the golden ratio.",
			Ref: "sec:tower-strategies/price",
		}, {
			ID: "tower-chance", Title: "And if they shoot at random?", Where: "Tower Defense, the rules",
			Asked: "Each soldier hits a random tower, say the rules. How often do the soldiers win then?",
			Answer: "With a probability that is computed exactly. Between the borders of the best and the worst aim " +
				"it climbs from 0 to nearly 1 within a few soldiers.",
			Ref: "page:tower-random",
		}, {
			ID: "tower-nearest", Title: "And if they shoot at the nearest tower?",
			Where: "Tower Defense, on its graphical game",
			Asked: "In the graphical game the same battle ends sometimes one way and sometimes the other, because " +
				"several towers may be equally near. How often?",
			Answer: "Only the number of towers in each range matters, so the probability is counted exactly. With " +
				"just enough soldiers for the best aim, they win in few of the random fields.",
			Ref: "sec:tower-random/nearest",
		}, {
			ID: "tower-worst", Title: "What is the worst play of all?", Where: "our page on aim, until lately",
			Asked: "If shots may be wasted: does a play that destroys the fewest towers in every round always do the " +
				"most harm? A search of small battles found no exception.",
			Answer: "No. Sometimes it does more harm to sacrifice a tower that could be spared, and to spare more " +
				"often later. The worst play of all needs two orders, to spare or to sacrifice, " +
				"and trying both in each round finds it.",
			Ref: "sec:tower-strategies/worst",
		}, {
			ID: "tower-price-exact", Title: "How far is the price from the truth?",
			Where: "our page on aim, until lately",
			Asked: "$n\\,(n + kt) > kh\\,t^2$ is necessary. How many more soldiers may it take than that?",
			Answer: "A number that depends on $h$ and $k$ alone, however many towers there are. For towers of one " +
				"hit it is none: the condition is exact.", Ref: "sec:tower-strategies/price",
		},
	}
}

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
				if err := chapter.Expect("the borders are within their bounds", least <= n && n <= most, h, k, t,
					n); err != nil {
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
				"Against $2(h - 1)/k + 1$ towers or more they are $\\tfrac12 k\\,t(t - 1)$ and a number that depends "+
					"on $h$ and $k$ alone. Against fewer, their number lies between $\\tfrac12 k\\,t(t - 1) + 1$ "+
					"and $k\\,t\\,r$ more, where $r$ is the greatest whole number with $r + k\\,r(r - 1)/2 \\le "+
					"t(h - 1)$. For %s it is at most %d "+"above the lower bound, and up to %d below the upper.",
				box, above, gap,
			),
			How: chapter.MD(
				"All this is proved (theorems 11 and 12 of the page on the tower game's proofs). Two orders are "+
					"enough for the worst play, so the number itself is found by trying both in each round; the "+
					"build does it for these %s kinds of towers.",
				chapter.Thousands(battles),
			),
			Settles: "A rule that says from soldiers, towers and spare hits which of the two orders is the worse, " +
				"with a proof; or a proof that the number depends on all that lies between.",
			Ref: "sec:tower-strategies/worst",
			Recompute: everywhere("lost == 0", func(b game.Battle) bool {
				winner, _, err := b.Worst(0)
				return err == nil && winner == game.Soldiers
			}, "2 * n > k * t * (t - 1)"),
		},
	}, nil
}
