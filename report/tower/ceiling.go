package tower

import (
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// towersFor is how many towers it takes to hold so many hits, as the post computes it: a quotient rounded up, by a
// division that rounds down.
func towersFor(hits, perTower int64) int64 { return (hits + perTower - 1) / perTower }

// addCeiling sets the values of the post's two examples, and compares the quotient with the towers that stand in every
// round of the box.
func addCeiling(values map[string]any) error {
	large, small, per := int64(11), int64(4), int64(5)
	for name, hits := range map[string]int64{"ceiling large": large, "ceiling small": small} {
		values[name], values[name+" towers"] = hits, towersFor(hits, per)
	}
	values["ceiling per"], values["ceiling less"] = per, per-1
	values["ceiling quotient"], values["ceiling floor"], values["ceiling raised"] = figure.Ratio(large, per,
		1), small/per, figure.Ratio(small+per-1, per, 1)
	different, bad := wide.first(func(b game.Battle) bool {
		for round := range b.Rounds(game.Greedy) {
			hits, _ := round.State.HitsLeft().Int64() // the hits of these battles are few
			if round.State.Towers() != towersFor(hits, b.HitsPerTower) {
				return true
			}
		}
		return false
	})
	return chapter.Expect("the towers that stand are the hits left by those of a tower, rounded up", !bad, different)
}

// addRuleExercises computes the answers to the exercises on the rules.
func addRuleExercises(values map[string]any) error {
	sudden := game.Battle{Soldiers: 4, HitsPerTower: 2, KillsPerTower: 2, Towers: 2}
	values["ex sudden"] = quad(sudden)
	// Soldiers who win in round 1 have a shot for each hit; so kt >= n >= ht.
	first, found := wide.first(func(b game.Battle) bool {
		atOnce := play(b, game.Greedy).Rounds == 1 && wins(b, game.Greedy)
		return atOnce != (b.Soldiers >= b.HitsPerTower*b.Towers)
	})
	holds := !found && play(sudden, game.Greedy).Rounds == 1 &&
		wins(sudden, game.Greedy) &&
		sudden.KillsPerTower*sudden.Towers >= sudden.Soldiers
	return chapter.Expect("the exercises on the rules", holds, first)
}
