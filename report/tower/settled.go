package tower

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// settledClaims are about the worst play of all and the price of a win, which our pages had left open.
func settledClaims() []chapter.Claim {
	const worst, price = "sec:tower-strategies/worst", "sec:tower-strategies/price"
	return []chapter.Claim{
		{
			ID: "tower-fewest-falls", Where: "the page on aim, until lately", Ours: true, Ref: worst, Stands: chapter.Refuted,
			Convention: chapter.AnyShots, Printed: `If shots may be wasted, no play does more harm than one that destroys the fewest towers in every round`,
			Check: func(context.Context) (chapter.Finding, error) {
				return worse(tooSparing, winsHoweverSparing(tooSparing), "Sometimes it does more harm to sacrifice a tower that could be spared", func(r *recompute) *recompute { return r.sparing() })
			},
		},
		{
			ID: "tower-levelled", Where: "the page on aim, until lately", Ours: true, Ref: worst, Stands: chapter.Refuted,
			Convention: chapter.AnyShots, Printed: `No play does more harm than Waste, which levels the towers and fires all shots at one of them where one must fall`,
			Check: func(context.Context) (chapter.Finding, error) {
				won := recomputed(levelled, levelling)
				return worse(levelled, winsBy(levelled, wasting) && won.Line.Winner == "soldiers", "It does more harm to wear towers down one after the other, to their last hits", func(r *recompute) *recompute { return r }, won)
			},
		},
		{
			ID: "tower-any-shots", Where: "worst play", Ours: true, Ref: worst, Convention: chapter.AnyShots,
			Printed: `Two soldiers can lose in round 1 against two towers of one hit that kill two: if both fire at the same one`,
			Check: func(context.Context) (chapter.Finding, error) {
				b := game.Battle{Soldiers: 2, HitsPerTower: 1, KillsPerTower: 2, Towers: 2}
				lost, won := recomputed(b, atOne), recomputed(b, evenly)
				return fought(lost.Line.Winner == "towers" && won.Line.Winner == "soldiers",
					"both lines played: if each fires at a tower of his own, they win", lost.lost())
			},
		},
		{
			ID: "tower-pairs", Where: "worst play", Ours: true, Ref: worst, Proof: "sec:proofs-tower/theorem-11",
			Convention: chapter.AnyShots, Printed: `Up to $\tfrac12 k\,t(t - 1)$ soldiers lose by some play that wastes shots`,
			Check: func(context.Context) (chapter.Finding, error) {
				among := func(b game.Battle) bool { return 2*b.Soldiers <= b.KillsPerTower*b.Towers*(b.Towers-1) }
				for b := range wide.each {
					if winner, _, err := b.Worst(0); err != nil || among(b) && winner != game.Towers {
						return chapter.Finding{}, chapter.HoldsAt(false, "%v: %v", b, err)
					}
				}
				return chapter.Finding{Checked: "proved; computed for " + wide.String(), Recompute: everywhere("2 * n <= k * t * (t - 1)", among, "lost > 0")}, nil
			},
		},
		{
			ID: "tower-one-hit-worst", Where: "worst play", Ours: true, Ref: worst, Proof: "sec:proofs-tower/theorem-12",
			Convention: chapter.AnyShots, Printed: `Against towers of one hit, soldiers win however they aim exactly if they are more than $\tfrac12 k\,t(t - 1)$`,
			Check: oneHit("(lost > 0) == (2 * n <= k * t * (t - 1))", func(b game.Battle) bool {
				winner, _, err := b.Worst(0)
				return err == nil && (winner == game.Towers) == (2*b.Soldiers <= b.KillsPerTower*b.Towers*(b.Towers-1))
			}),
		},
		{
			ID: "tower-one-hit-price", Where: "price", Ours: true, Ref: price, Proof: "sec:proofs-tower/theorem-9",
			Printed: `Against towers of one hit, soldiers can win exactly if $n\,(n + kt) > k\,t^2$`,
			Check: oneHit("(best > 0) == (n * (n + k * t) > k * t * t)", func(b game.Battle) bool {
				n, k, t := b.Soldiers, b.KillsPerTower, b.Towers
				return (play(b, game.Greedy).Winner == game.Soldiers) == (n*(n+k*t) > k*t*t)
			}),
		},
	}
}

// worse shows a battle that a play loses, which the orders of its worst play name, though plays win that were thought
// to be the worst.
func worse(b game.Battle, wins bool, truth string, more func(*recompute) *recompute, others ...*recompute) (chapter.Finding, error) {
	lost := more(recomputed(b, ordered(worstOrders(b))).lost())
	battles := append([]*recompute{lost}, others...)
	all := make([]any, len(battles))
	for i, r := range battles {
		all[i] = r
	}
	return chapter.Finding{
		Truth:     chapter.MD("%s. Two orders for a round, to spare and to sacrifice, are enough for the worst play ([Theorem 10](proofs-tower.html#theorem-10))", truth),
		Example:   chapter.MD("%v is lost in round %d", b, len(lost.Line.Soldiers)),
		Checked:   "both plays, round by round",
		Recompute: chapter.Together(all...),
	}, chapter.Expect("another play does more harm", wins && lost.Line.Winner == "towers", b)
}

// oneHit is a check of all battles against towers of one hit.
func oneHit(says string, holds func(game.Battle) bool) func(context.Context) (chapter.Finding, error) {
	return func(context.Context) (chapter.Finding, error) {
		among := func(b game.Battle) bool { return b.HitsPerTower == 1 }
		for b := range wide.each {
			if among(b) && !holds(b) {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
			}
		}
		return chapter.Finding{Checked: "proved; computed for " + wide.String() + " with $h = 1$", Recompute: everywhere("h == 1", among, says)}, nil
	}
}

// ordered is the play of orders, tower by tower: to spare wears the weakest towers down first, each to its last hit; to
// sacrifice fires all shots at the weakest.
func ordered(orders []game.Order) targeting {
	return func(soldiers int64, hits []int64) []int64 {
		order := orders[0]
		orders = orders[1:]
		shots := make([]int64, len(hits))
		byHits := make([]int, 0, len(hits))
		for i, h := range hits {
			if h > 0 {
				byHits = append(byHits, i)
			}
		}
		slices.SortStableFunc(byHits, func(a, b int) int { return int(hits[a] - hits[b]) })
		if order == game.Sacrifice {
			shots[byHits[0]] = soldiers
			return shots
		}
		for _, i := range byHits {
			shots[i] = min(soldiers, hits[i]-1)
			soldiers -= shots[i]
		}
		return shots
	}
}

// levelling spreads the shots evenly where no tower must fall, and else fires all of them at the weakest.
func levelling(soldiers int64, hits []int64) []int64 {
	spare, weakest := int64(0), -1
	for i, h := range hits {
		if h > 0 {
			spare += h - 1
			if weakest < 0 || h < hits[weakest] {
				weakest = i
			}
		}
	}
	if soldiers <= spare {
		return evenly(soldiers, hits)
	}
	shots := make([]int64, len(hits))
	shots[weakest] = soldiers
	return shots
}

// lost adds the fewest rounds in which a play can lose. Theorem 10 says that the two orders are enough to find it.
func (r *recompute) lost() *recompute {
	rounds := quickestLoss(r.battle(), r.N, r.T, r.T*(r.H-1))
	r.Lost = &rounds
	return r
}

// quickestLoss is the fewest rounds in which the two orders lose from a moment of a battle, 0 if they do not: with
// so many soldiers and towers, and so many hits that can fall before the last ones.
func quickestLoss(b game.Battle, soldiers, towers, spare int64) int64 {
	if soldiers <= 0 {
		return 0
	}
	best := int64(0)
	try := func(left, standing, spared int64) {
		rounds := int64(1)
		if left > 0 {
			if rounds = quickestLoss(b, left, standing, spared); rounds == 0 {
				return
			}
			rounds++
		}
		if best == 0 || rounds < best {
			best = rounds
		}
	}
	if soldiers <= spare {
		try(soldiers-b.KillsPerTower*towers, towers, spare-soldiers)
	}
	if after := min(spare, (towers-1)*(b.HitsPerTower-1)); towers > 1 && soldiers > spare-after {
		try(soldiers-b.KillsPerTower*(towers-1), towers-1, after)
	}
	return best
}

// sparing adds that no play loses that destroys the fewest towers in every round.
func (r *recompute) sparing() *recompute {
	none := int64(0)
	r.Sparing = &none
	return r
}
