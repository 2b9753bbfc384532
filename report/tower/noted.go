package tower

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// notedClaims are what the post says and what holds, beside what the page of the errata lists; and what we say of
// random targets.
func notedClaims() []chapter.Claim {
	const rules, strategies, random = "page:tower-rules", "page:tower-strategies", "page:tower-random"
	return append(settledClaims(), []chapter.Claim{
		{ID: "tower-under-counts", Where: "the code", Ref: rules, Printed: `Hits divided by $h$ in whole numbers are one tower too few if there is a rest, and hits plus $h - 1$ are right: 11 hits and 4 hits with $h = 5$ are 3 towers and 1`, Check: checkUnderCounts},
		{ID: "tower-one-stands", Where: "the example with 5 soldiers", Ref: rules, Printed: `Greedy destroys one of the two towers in round 1, and one stands with 3 hits`, Check: func(context.Context) (chapter.Finding, error) {
			r := recomputed(twoTowers, weakestFirst)
			return fought(r.isLike(game.Greedy) && r.Line.Hits[1][0] == 0 && r.Line.Hits[1][1] == 3, "round by round", r)
		}},
		{ID: "tower-spent", Where: "the rules and the code", Ref: rules, Printed: `Towers keep kills only in the last round of a battle that they win`, Check: checkSpent},
		{ID: "tower-at-once", Where: "cases (a) and (c)", Ref: strategies, Printed: `With $h = 1$ and at least as many soldiers as towers, the soldiers win right away if each tower is shot at`, Check: func(context.Context) (chapter.Finding, error) {
			among := func(b game.Battle) bool { return b.HitsPerTower == 1 && b.Soldiers >= b.Towers }
			for b := range wide.each {
				if among(b) && play(b, game.Even).Rounds != 1 {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
				}
			}
			return chapter.Finding{Checked: wide.String(), Recompute: everywhere("h == 1 and n >= t", among, "best == 1")}, nil
		}},
		{ID: "tower-prolong", Where: "case (a)", Ref: strategies, Proof: "sec:proofs-tower/theorem-1", Printed: `Where the soldiers cannot win, the best they can do is to last longer, and no play lasts longer than greedy`, Check: func(context.Context) (chapter.Finding, error) {
			r := recomputed(game.Battle{Soldiers: 2, HitsPerTower: 2, KillsPerTower: 1, Towers: 2}, weakestFirst).best()
			return fought(r.isLike(game.Greedy) && *r.Best == 0, "proved for every battle; one played", r)
		}},
		{ID: "tower-half", Where: "case (a), the proof", Ref: strategies, Printed: `For $n = t$, $h > 1$ at most half of the soldiers are left after round 1`, Check: checkHalf},
		{ID: "tower-powers", Where: "case (a), the proof", Ref: strategies, Printed: `$2^m$ soldiers and as many towers of two hits and one kill are halved each round; in round $m + 1$ one soldier meets one tower, and dies`, Check: checkPowers},
		{ID: "tower-ratio-two", Where: "case (c)", Ref: strategies, Printed: `For $n = 2t$, $h > 2$, spread evenly, no more soldiers than towers begin round 2`, Check: checkRatioTwo},
		{ID: "tower-test-11", Where: "the graphical game", Ref: "sec:tower-random/nearest", Stands: chapter.Open, Printed: `In test 11 the result is not always the same: mostly the towers win, sometimes the soldiers`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "the numbers of the test are not in the text; that the places of towers can decide a battle is shown with numbers of ours"}, nil
		}},
		{ID: "tower-places", Where: "the graphical game", Ref: "sec:tower-random/nearest", Printed: `Where the towers stand can decide who wins: if several are equally near, soldiers who shoot at the nearest spread their shots, and a tower more can survive; if none are, they play as greedy does`, Check: checkPlaces},
		{ID: "tower-times", Where: "the code", Ref: "sec:tower-errata/left-out", Stands: chapter.Open, Printed: `All 19 examples take 3 or 4 minutes in a browser`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "a time of the author's computer of 2015, and the text has the numbers of one example only"}, nil
		}},
		{ID: "tower-ten", Where: "case (c)", Ref: strategies, Printed: `For $n = 10t$ the ninth round is the case $n = 2t$`, Stands: chapter.Refuted, Check: checkTen},
		{
			ID: "tower-simultaneous", Where: "random targets", Ref: random, Ours: true, Check: checkChance(game.Simultaneous),
			Printed: saysChance(game.Simultaneous, "all at once, at towers that stood when the round began"),
		},
		{
			ID: "tower-sequential", Where: "random targets", Ref: random, Ours: true, Check: checkChance(game.Sequential),
			Printed: saysChance(game.Sequential, "one after the other, at towers that still stand"),
		},
	}...)
}

func checkUnderCounts(context.Context) (chapter.Finding, error) {
	for hits := int64(1); hits <= 1000; hits++ {
		for h := int64(1); h <= 50; h++ {
			towers := int64(0)
			for left := hits; left > 0; left -= h {
				towers++
			}
			under := int64(0)
			if hits%h > 0 {
				under = 1
			}
			if towers != (hits+h-1)/h || hits/h != towers-under {
				return chapter.Finding{}, chapter.HoldsAt(false, "%d hits, h = %d", hits, h)
			}
		}
	}
	return chapter.Finding{Checked: "up to 1000 hits left, h ≤ 50"}, nil
}

func checkSpent(context.Context) (chapter.Finding, error) {
	for b := range wide.each {
		for round := range b.Rounds(game.Greedy) {
			kept := round.KillsLeft.Big().Sign() > 0
			if kept && round.Number > 0 && round.Winner != game.Towers {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v, round %d", b, round.Number)
			}
		}
	}
	return chapter.Finding{Checked: wide.String(), Recompute: chapter.Together(recomputed(twoTowers, evenly), recomputed(firstTest, weakestFirst))}, nil
}

func checkHalf(context.Context) (chapter.Finding, error) {
	for b := range wide.each {
		if b.Soldiers == b.Towers && b.HitsPerTower > 1 && 2*afterRound(b, game.Greedy, 1).State.Soldiers > b.Soldiers {
			return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
		}
	}
	among := func(b game.Battle) bool { return b.Soldiers == b.Towers && b.HitsPerTower > 1 }
	return chapter.Finding{
		Checked:   wide.String() + ", greedy, which keeps the most",
		Recompute: everywhere("n == t and h > 1", among, "2 * kept <= n"),
	}, nil
}

func checkRatioTwo(context.Context) (chapter.Finding, error) {
	for b := range wide.each {
		if b.Soldiers == 2*b.Towers && b.HitsPerTower > 2 {
			if after := afterRound(b, game.Even, 1).State; after.Soldiers > after.Towers() {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
			}
		}
	}
	among := func(b game.Battle) bool { return b.Soldiers == 2*b.Towers && b.HitsPerTower > 2 }
	return chapter.Finding{
		Checked:   wide.String(),
		Recompute: everywhere("n == 2 * t and h > 2", among, "even_left <= even_towers"),
	}, nil
}

// checkPowers plays equal numbers down to one against one.
func checkPowers(context.Context) (chapter.Finding, error) {
	const most = 10
	for m := int64(0); m <= most; m++ {
		b := game.Battle{Soldiers: 1 << m, HitsPerTower: 2, KillsPerTower: 1, Towers: 1 << m}
		for round := range b.Rounds(game.Greedy) {
			left := b.Soldiers >> round.Number
			halved := round.State.Soldiers == left && round.State.Towers() == left
			if last := round.Number == m+1; last != (round.Winner == game.Towers) || !last && !halved {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v, round %d", b, round.Number)
			}
		}
	}
	r := recomputed(game.Battle{Soldiers: 8, HitsPerTower: 2, KillsPerTower: 1, Towers: 8}, weakestFirst)
	return fought(r.isLike(game.Greedy) && len(r.Line.Soldiers) == 4, fmt.Sprintf("m ≤ %d, greedy", most), r)
}

// checkPlaces puts two towers one behind the other, and side by side.
func checkPlaces(context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 4, HitsPerTower: 3, KillsPerTower: 2, Towers: 2}
	behind, inDepth := nearest(b, []int64{1, 1})
	beside, abreast := nearest(b, []int64{2})
	holds := behind == game.Soldiers && upright(slices.Concat(inDepth[0]...)) == 1 && beside == game.Towers && upright(slices.Concat(abreast[0]...)) == 2
	deep, wideFront := recomputed(b, weakestFirst), recomputed(b, evenly)
	holds = holds && deep.Line.Winner == behind.String() && wideFront.Line.Winner == beside.String() && slices.Equal(wideFront.Line.Hits[1], abreast[0][0])
	for n := int64(1); n <= 60; n++ {
		b := graphical
		b.Soldiers = n
		winner, _ := nearest(b, slices.Repeat([]int64{1}, int(b.Towers)))
		holds = holds && winner == play(b, game.Greedy).Winner
	}
	return fought(holds, "two towers one behind the other, and side by side; towers of the graphical game at six distances, up to 60 soldiers", deep, wideFront)
}

// checkTen plays ten soldiers for each tower: with few hits the battle is over long before round 9.
func checkTen(context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 20, HitsPerTower: 11, KillsPerTower: 1, Towers: 2}
	r := recomputed(b, evenly)
	return chapter.Finding{
		Truth:     `The towers are damaged, so the battle can be won long before. Only the number of soldiers falls as the post says`,
		Example:   chapter.MD("%v: won in round %d", b, len(r.Line.Soldiers)),
		Checked:   "round by round",
		Recompute: r.best(),
	}, chapter.Expect("won before round 9", r.isLike(game.Even) && r.Line.Winner == "soldiers" && len(r.Line.Soldiers) == 2)
}

// saysChance is the chance of the first test's soldiers, if they aim at random, as a sentence.
func saysChance(reading game.Reading, aim content.Markdown) content.Markdown {
	b := firstTest
	r, err := recomputed(b, weakestFirst).chance(context.Background(), reading)
	if err != nil {
		panic("report/tower: " + err.Error()) // the battle is small, and the context does not end
	}
	return chapter.MD("If %d soldiers aim at random, %s, they win against %d towers of %d hits and %d kills with the chance $%s$",
		b.Soldiers, aim, b.Towers, b.HitsPerTower, b.KillsPerTower, new(big.Rat).SetFrac(r.Chance[0], r.Chance[1]).RatString())
}

func checkChance(reading game.Reading) func(context.Context) (chapter.Finding, error) {
	return func(ctx context.Context) (chapter.Finding, error) {
		r, err := recomputed(firstTest, weakestFirst).chance(ctx, reading)
		return chapter.Finding{Checked: "all ways to aim added up, in fractions", Recompute: r}, err
	}
}
