package tower

import (
	"context"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// confirmedFacts are statements of the post that hold.
func confirmedFacts() []chapter.Claim {
	return []chapter.Claim{
		{ID: "tower-best", Where: "the algorithm", Printed: `The algorithm destroys as many towers as possible in each round, and tells how fast the soldiers can win`, Proof: "sec:proofs-tower/theorem-1", Check: confirmBest},
		{ID: "tower-first-test", Where: "test 0", Printed: `13 soldiers against 8 towers of 2 hits and 3 kills, which are 16 and 24 in all, leave 7 soldiers and 2 towers (2 hits and 1) after round 1, and win in round 2`, Check: confirmFirstTest},
		{ID: "tower-no-tie", Where: "the rules", Printed: `No battle ends in a tie`, Proof: "sec:proofs-tower/1-the-game", Check: confirmNoTie},
		{ID: "tower-five", Where: "the example with 5 soldiers", Printed: `Spread 2 and 3, both towers stand and kill all five in round 1`, Check: confirmFive},
		{ID: "tower-equal", Where: "cases (a), (b)", Printed: `If $n \le t$ and $h > 1$, soldiers who spread their shots lose in round 1, and no play wins`, Proof: "sec:proofs-tower/theorem-4", Check: confirmEqual},
		{ID: "tower-round-more", Where: "case (a)", Printed: `2 soldiers, 2 towers of 2 hits and 1 kill: all the soldiers can do is last one round longer`, Check: confirmRoundMore},
		{ID: "tower-three-four", Where: "case (b)", Printed: `With $h = 1$ the soldiers may win though $n < t$: 3 against 4 towers with one kill, in round 2`, Check: confirmThreeFour},
		{ID: "tower-share", Where: "case (c)", Printed: `Spread over towers that all stand, $n = rt$ soldiers lose at least the share $1/r$ of their number in round 1, and more if $r > 1$, $k > 1$`, Check: confirmShare},
	}
}

func confirmBest(_ context.Context) (chapter.Finding, error) {
	worse, bad := wide.first(func(b game.Battle) bool {
		winner, rounds := published(b, whole)
		result := play(b, game.Greedy)
		if winner != result.Winner || rounds != result.Rounds {
			return true
		}
		for _, other := range game.Strategies() {
			r := play(b, other)
			if r.Winner == game.Soldiers && (winner != game.Soldiers || r.Rounds < rounds) {
				return true
			}
		}
		return false
	})
	return chapter.Finding{Checked: "proved for every battle; the post's code against greedy, " + wide.String(), Recompute: chapter.Together(
			recomputed(firstTest, weakestFirst), recomputed(game.Battle{Soldiers: 6, HitsPerTower: 3, KillsPerTower: 1, Towers: 4}, weakestFirst).best(),
		)},
		chapter.Expect("the post's algorithm is the best play", !bad, worse)
}

func confirmFirstTest(_ context.Context) (chapter.Finding, error) {
	first, result := afterRound(firstTest, game.Greedy, 1).State, play(firstTest, game.Greedy)
	holds := first.Soldiers == 7 && slices.Equal(first.Groups, []game.Group{{Towers: 1, Hits: 2}, {Towers: 1, Hits: 1}}) &&
		result.Winner == game.Soldiers && result.Rounds == 2 && result.SoldiersLeft == 7
	r := recomputed(firstTest, weakestFirst)
	return chapter.Finding{Checked: "round by round", Recompute: r}, chapter.Expect("the first test", holds && r.isLike(game.Greedy) && slices.Equal(r.Line.Hits[0], []int64{2, 2, 2, 2, 2, 2, 2, 2}) && r.Line.Kills[0] == 24, first, result)
}

func confirmNoTie(_ context.Context) (chapter.Finding, error) {
	tied, bad := wide.first(func(b game.Battle) bool {
		return slices.ContainsFunc(game.Strategies(), func(s game.Strategy) bool {
			r := play(b, s)
			return r.Winner == game.Undecided || (r.SoldiersLeft > 0) == (r.TowersLeft > 0)
		})
	})
	return chapter.Finding{Truth: "Each round costs soldiers or is the last, and towers that are gone shoot no more", Checked: "greedy, fewest and even, " + wide.String()}, chapter.Expect("no tie", !bad, tied)
}

func confirmFive(_ context.Context) (chapter.Finding, error) {
	r := play(twoTowers, game.Even)
	return chapter.Finding{Checked: "round by round", Recompute: recomputed(twoTowers, evenly)}, chapter.Expect("five soldiers spread", r.Winner == game.Towers && r.Rounds == 1 && r.TowersLeft == 2, r)
}

func confirmEqual(_ context.Context) (chapter.Finding, error) {
	equal := func(b game.Battle) bool { return b.Soldiers <= b.Towers && b.HitsPerTower > 1 }
	found, bad := wide.first(func(b game.Battle) bool {
		return equal(b) && (play(b, game.Even).Rounds != 1 || play(b, game.Greedy).Winner != game.Towers)
	})
	return chapter.Finding{Checked: fmt.Sprintf("proved for every battle; all %s with %s", chapter.Thousands(wide.count(equal)), wide), Recompute: everywhere("n <= t and h > 1", equal, "best == 0")},
		chapter.Expect("the towers win for n <= t and h > 1", !bad, found)
}

func confirmRoundMore(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 2, HitsPerTower: 2, KillsPerTower: 1, Towers: 2}
	greedy, even := play(b, game.Greedy), play(b, game.Even)
	return chapter.Finding{Checked: "round by round; no play lasts longer than greedy", Recompute: chapter.Together(recomputed(b, weakestFirst).best(), recomputed(b, evenly))},
		chapter.Expect("one round more", greedy.Winner == game.Towers && greedy.Rounds == 2 && even.Rounds == 1, greedy, even)
}

func confirmThreeFour(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 3, HitsPerTower: 1, KillsPerTower: 1, Towers: 4}
	r := play(b, game.Fewest)
	return chapter.Finding{Checked: "round by round; every play without waste wins", Recompute: recomputed(b, weakestFirst).best()}, chapter.Expect("three against four", r.Winner == game.Soldiers && r.Rounds == 2, r)
}

func confirmShare(_ context.Context) (chapter.Finding, error) {
	found, bad := wide.first(func(b game.Battle) bool {
		r, whole := ratio(b)
		if !whole || r >= b.HitsPerTower {
			return false
		}
		left := afterRound(b, game.Even, 1).State.Soldiers
		lost := (b.Soldiers - left) * r
		return lost < b.Soldiers || r > 1 && b.KillsPerTower > 1 && lost == b.Soldiers
	})
	return chapter.Finding{Checked: wide.String()}, chapter.Expect("the share that is killed", !bad, found)
}
