package tower

import (
	"context"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// claims are what the post prints and is not so.
func claims() []chapter.Claim {
	return []chapter.Claim{
		{ID: "tower-carried", Title: "Damage is carried over", Where: "case (c), whole ratio", Printed: `Spread evenly, $n = rt$ soldiers lose if $r < h$: each round leads to the case $r - 1$, and in the end to $r = 2$`, Verdict: chapter.Wrong, Check: checkCarried},
		{ID: "tower-even", Title: "Spread is not least", Where: "minimising, the intuition", Printed: `To destroy the fewest towers, the shots are spread through all towers or as many as possible`, Verdict: chapter.Wrong, Check: checkEven},
		{ID: "tower-two-left", Title: "Two soldiers, not one", Where: "the example with 5 soldiers", Printed: `The tower that stands kills 3 of the 5 soldiers in round 1, and the one soldier left in round 2`, Verdict: chapter.Slip, Check: checkTwoLeft},
		{
			ID: "tower-waste", Title: "Waste is not excluded", Where: "case (c)", Convention: chapter.NoWaste,
			Printed: `Soldiers who want to destroy few towers still win right away if $h = 1$, or if $n/t$ is whole and at least $h$`,
			Verdict: chapter.Gap, Stands: chapter.Verified, Check: checkWaste,
		},
		{
			ID: "tower-maximal", Title: "As many towers as possible", Where: "the graphical game", Verdict: chapter.Gap, Check: checkMaximal,
			Printed: `Soldiers who destroy as many towers as possible in each round win where soldiers can win`,
		},
		{ID: "tower-halves", Title: "A proof by halves", Where: "case (a), the proof", Printed: `In the first round $n/h$ towers are destroyed and $n(h - 1)/h$ stand, so that with $h = 2$, $k = 1$ both sides are halved each round`, Verdict: chapter.Gap, Check: checkHalves},
		{ID: "tower-division", Title: "A division that changed its meaning", Where: "the code", Printed: `The number of standing towers is the hits left plus $h - 1$, divided by $h$ with the operator /`, Verdict: chapter.Hazard, Stands: chapter.Verified, Check: checkDivision},
	}
}

func checkCarried(_ context.Context) (chapter.Finding, error) {
	b := carried
	below := func(b game.Battle) bool {
		r, whole := ratio(b)
		return whole && r > 1 && r < b.HitsPerTower && b.Towers > 1
	}
	exception := func(b game.Battle) bool { return below(b) && wins(b, game.Even) }
	wrongSum, bad := wide.first(func(b game.Battle) bool {
		r, _ := ratio(b)
		return below(b) && wins(b, game.Even) != (evenShots(r, b.KillsPerTower) >= b.HitsPerTower)
	})
	total, won := wide.count(below), wide.count(exception)
	first, _ := wide.first(exception)
	f := chapter.Finding{
		Truth: `The towers that enter the next round are damaged, so it is not the case $r - 1$ of fresh ones. The soldiers win exactly if the positive terms of $r + (r - k) + (r - 2k) + \dots$ add up to $h$ or more; for $k = 1$, if $h \le r(r+1)/2$`,
		Example: chapter.MD("%v: two shots at each tower, two soldiers left, one more shot at each: won in round %d. In the post's other words, half of the soldiers are killed in the first round, which is true, and the rest win",
			b, play(b, game.Even).Rounds),
		Checked:   fmt.Sprintf("%s of the %s such battles with t > 1 and %s are won", chapter.Thousands(won), chapter.Thousands(total), wide),
		Recompute: recomputed(b, evenly).best(),
	}
	return f, chapter.Expect("damage is carried over", !bad && first == b && play(b, game.Even).Rounds == 2, wrongSum, first)
}

// excess returns how many more towers than the fewest a strategy destroys in the round that begins at a state.
func excess(b game.Battle, strategy game.Strategy, s game.State) int64 {
	next, _, _ := b.Step(s, strategy.Aims(s))
	return s.Towers() - next.Towers() - s.FewestDestroyed()
}

func checkEven(_ context.Context) (chapter.Finding, error) {
	more := func(b game.Battle) bool {
		before := b.Start()
		for round := range b.Rounds(game.Even) {
			if round.Number > 0 && before.Towers()-round.State.Towers() > before.FewestDestroyed() {
				return true
			}
			before = round.State
		}
		return false
	}
	found, ok := wide.first(func(b game.Battle) bool { return b.Towers > 1 && more(b) })
	count := wide.count(more)
	b := evenDiffers
	second := afterRound(b, game.Even, 1).State
	spare := game.Battle{Soldiers: 4, HitsPerTower: 2, KillsPerTower: 1, Towers: 2}
	f := chapter.Finding{
		Truth: `Towers that were hit before must be spared: the soldiers left over have to fire at the least damaged towers. And where shots may be wasted, all that are too many should go to a single tower`,
		Example: chapter.MD("%v: spread 2 and 1, then the last soldier fires at the first tower again and destroys it, though the other could have taken the shot. With waste, %v: spread, both towers fall; all at one, one falls",
			b, spare),
		Recompute: chapter.Together(recomputed(b, evenly), recomputed(spare, evenly), recomputed(spare, atOne)),
		Checked:   fmt.Sprintf("in %s battles with %s an even round destroys more than the fewest that are possible without waste; the first is %s", chapter.Thousands(count), wide, quad(found)),
	}
	holds := ok && excess(b, game.Even, second) == 1 && afterRound(spare, game.Even, 1).State.Towers() == 0 && spare.Start().FewestDestroyedWasting() == 1
	return f, chapter.Expect("even spreading destroys too many", holds, found, second)
}

func checkTwoLeft(_ context.Context) (chapter.Finding, error) {
	first, end := afterRound(twoTowers, game.Greedy, 1), play(twoTowers, game.Greedy)
	f := chapter.Finding{
		Truth:     chapter.MD("%d soldiers remain after round 1. The towers win in round %d, as printed", first.State.Soldiers, end.Rounds),
		Example:   chapter.MD("%v: %d soldiers, of whom %d are killed", twoTowers, twoTowers.Soldiers, twoTowers.Soldiers-first.State.Soldiers),
		Checked:   "round by round",
		Recompute: recomputed(twoTowers, weakestFirst).best(),
	}
	return f, chapter.Expect("two soldiers remain", first.State.Soldiers == 2 && first.State.Towers() == 1 && end.Winner == game.Towers && end.Rounds == 2, first, end)
}

// losesByWaste says whether the soldiers lose in round 1 if all of them fire at one tower.
func losesByWaste(b game.Battle) bool {
	aims := []game.Aim{{Towers: 1, Hits: b.HitsPerTower, Shots: b.Soldiers}}
	_, _, winner := b.Step(b.Start(), aims)
	return winner == game.Towers
}

func checkWaste(_ context.Context) (chapter.Finding, error) {
	right := func(b game.Battle) bool {
		r, whole := ratio(b)
		return b.Soldiers > b.Towers && (b.HitsPerTower == 1 || whole && r >= b.HitsPerTower)
	}
	first, ok := wide.first(func(b game.Battle) bool { return right(b) && losesByWaste(b) })
	count, total := wide.count(func(b game.Battle) bool { return right(b) && losesByWaste(b) }), wide.count(right)
	without, bad := wide.first(func(b game.Battle) bool { return right(b) && play(b, game.Fewest).Rounds != 1 })
	f := chapter.Finding{
		Truth: `True if no shot is wasted. But the rules allow that many soldiers hit the same tower, and the post does ` +
			`not say that they may not waste shots; if they may, all of them can fire at one tower, and the others stand`,
		Example:   chapter.MD("%v: all %d fire at the same tower; the other one kills them all", first, first.Soldiers),
		Recompute: chapter.Together(recomputed(first, atOne).best(), recomputed(first, evenly)),
		Checked:   fmt.Sprintf("%s of the %s such battles with %s are lost at once in this way; without waste all are won at once", chapter.Thousands(count), chapter.Thousands(total), wide),
	}
	return f, chapter.Expect("waste can lose what the post says is won", ok && !bad, first, without)
}

// scattered destroys as many towers as possible, and fires the shots that are left one by one at the strongest.
func scattered(soldiers int64, hits []int64) []int64 {
	shots := weakestFirst(soldiers, hits)
	for i := range shots {
		if shots[i] == hits[i] {
			soldiers -= shots[i]
		} else {
			shots[i] = 0
		}
	}
	for ; soldiers > 0; soldiers-- {
		strongest := 0
		for i := range hits {
			if hits[i]-shots[i] > hits[strongest]-shots[strongest] {
				strongest = i
			}
		}
		shots[strongest]++
	}
	return shots
}

func checkMaximal(context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 11, HitsPerTower: 4, KillsPerTower: 2, Towers: 5}
	lost, won := recomputed(b, scattered), recomputed(b, weakestFirst)
	most, soldiers := true, b.Soldiers
	for i, hits := range lost.Line.Hits[1:] {
		left := slices.Clone(lost.Line.Hits[i])
		for j, shots := range weakestFirst(soldiers, left) {
			left[j] = max(0, left[j]-shots)
		}
		most, soldiers = most && upright(hits) == upright(left), lost.Line.Soldiers[i]
	}
	return chapter.Finding{
		Truth: "It matters as well where the shots go that destroy nothing. Greedy fires them at one tower, which then falls the sooner",
		Example: chapter.MD("%v: in each round as many towers fall as can, and the shots that are left are spread over the others: the towers win in round %d. Greedy wins in round %d",
			b, len(lost.Line.Soldiers), len(won.Line.Soldiers)),
		Checked:   "both lines, round by round",
		Recompute: chapter.Together(lost, won.best()),
	}, chapter.Expect("as many as possible is not enough", most && lost.Line.Winner == "towers" && won.Line.Winner == "soldiers", lost.Line, won.Line)
}

func checkHalves(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 3, HitsPerTower: 2, KillsPerTower: 1, Towers: 3}
	equal := func(b game.Battle) bool { return b.Soldiers <= b.Towers && b.HitsPerTower > 1 }
	lost, bad := wide.first(func(b game.Battle) bool { return equal(b) && wins(b, game.Greedy) })
	satisfied, worse := wide.first(func(b game.Battle) bool {
		return equal(b) && exceeds(b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers)
	})
	next := afterRound(b, game.Greedy, 1).State
	f := chapter.Finding{
		Truth: `The claim holds, for $n < t$ too, but the proof covers only whole ratios and leaves out the damage of towers that stand. A proof for all: every winner needs $n(n + kt) > kh\,t^2$, but $n \le t$ makes the left side at most $(1 + k)\,t^2$, and $h \ge 2$ makes the right side no less than that`,
		Example: chapter.MD("%v: $n/h = %g$ towers should fall; one does, and of the %d that stand one is damaged (%s)",
			b, float64(b.Soldiers)/float64(b.HitsPerTower), next.Towers(), standing(next.Groups)),
		Checked:   fmt.Sprintf("all %s battles with n ≤ t, h > 1 and %s; proved for all", chapter.Thousands(wide.count(equal)), wide),
		Recompute: chapter.Together[any](recomputed(b, weakestFirst).best(), everywhere("n <= t and h > 1", equal, "best == 0")),
	}
	holds := !bad && !worse && next.Towers() == 2 && len(next.Groups) == 2
	return f, chapter.Expect("the towers win where the soldiers are no more", holds, lost, satisfied, next)
}
