package tower

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// Battles that the post plays: its first test, and the example of how much the targets matter.
var (
	firstTest = battle(13, 2, 3, 8)
	twoTowers = battle(5, 4, 3, 2)
	// carried is the smallest battle that soldiers win because towers do not recover.
	carried = battle(4, 3, 1, 2)
)

func rulesPage(context.Context) site.Page {
	won, once := play(firstTest, game.Greedy), afterRound(firstTest, game.Greedy, 1)
	fewer := battle(need(game.Greedy, 2, 3, 8), 2, 3, 8)
	spread, focused := play(twoTowers, game.Fewest), play(twoTowers, game.Greedy)
	values := map[string]any{
		"n": firstTest.Soldiers, "h": firstTest.HitsPerTower, "k": firstTest.KillsPerTower, "t": firstTest.Towers,
		"kills": firstTest.KillsPerTower * firstTest.Towers, "battle": quad(firstTest),
		"destroyed": firstTest.Towers - once.State.Towers(), "left towers": once.State.Towers(),
		"left": won.SoldiersLeft, "rounds": won.Rounds, "lost once": firstTest.Soldiers - once.State.Soldiers,
		"least": fewer.Soldiers, "one less": fewer.Soldiers - 1, "least rounds": play(fewer, game.Greedy).Rounds,
		"focused left": afterRound(twoTowers, game.Greedy, 1).State.Soldiers, "two least": need(game.Greedy, 4, 3, 2),
		"carried": quad(carried), "carried rounds": play(carried, game.Fewest).Rounds,
	}
	setBattle(values, "two", twoTowers, "nhkt")
	lost := fewer
	lost.Soldiers--
	addCeiling(values)
	addRuleExercises(values)
	chapter.Expect("the battles by hand", won.Winner == game.Soldiers && !wins(lost, game.Greedy) &&
		wins(carried, game.Fewest) && spread.Winner == game.Towers && focused.Winner == game.Towers &&
		spread.Rounds < focused.Rounds, won, spread, focused)
	page := site.Page{
		Values: values,
		Tables: []content.Table{
			roundTable("first", firstTest, game.Greedy.Aims), roundTable("two-fewest", twoTowers, game.Fewest.Aims),
			roundTable("two-greedy", twoTowers, game.Greedy.Aims), roundTable("carried", carried, game.Fewest.Aims),
		},
	}
	chapter.Pose(&page, "round", pictures.AskRound)
	chapter.Pose(&page, "need", pictures.AskNeed)
	drawAimed(&page, "by-hand", firstTest, "", aimedField("", firstTest, firstTest.Start()))
	return page
}

// quad writes a battle for prose and tables, unbroken: (13, 2, 3, 8).
func quad(b game.Battle) string { return chapter.NoBreak(b.String()) }

// setBattle sets a value for a battle, and more for those of its numbers that a text shows: "duel", "duel n", "duel h".
func setBattle(values map[string]any, name string, b game.Battle, letters string) {
	values[name] = quad(b)
	numbers := map[rune]int64{'n': b.Soldiers, 'h': b.HitsPerTower, 'k': b.KillsPerTower, 't': b.Towers}
	for _, letter := range letters {
		values[name+" "+string(letter)] = numbers[letter]
	}
}

// standing writes the towers by the hits they can take: "1 × 2, 1 × 1".
func standing(groups []game.Group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, times(g.Towers, g.Hits))
	}
	if len(parts) == 0 {
		return "–"
	}
	return strings.Join(parts, ", ")
}

// shots writes how many towers get how many shots, equal ones together: "6 × 2, 1 × 1".
func shots(aims []game.Aim) string {
	var merged []game.Aim
	for _, a := range aims {
		if last := len(merged) - 1; last >= 0 && merged[last].Shots == a.Shots {
			merged[last].Towers += a.Towers
			continue
		}
		merged = append(merged, a)
	}
	var parts []string
	for _, a := range merged {
		if a.Shots > 0 {
			parts = append(parts, times(a.Towers, a.Shots))
		}
	}
	return strings.Join(parts, ", ")
}

func times(towers, each int64) string { return fmt.Sprintf("%d\u00a0×\u00a0%d", towers, each) }

// ending says how a battle ends: "soldiers in round 2".
func ending(r game.Result) string { return fmt.Sprintf("%v in round\u00a0%d", r.Winner, r.Rounds) }

// perTower is a number of soldiers for each tower, to three places.
func perTower(soldiers, towers int64) string {
	return figure.Ratio(soldiers, towers, 3)
}

// percent writes a probability for prose.
func percent(p float64) string { return figure.Percentage(p, 1) + "\u00a0%" }

// towersFor is how many towers it takes to hold so many hits, as the post computes it: a quotient rounded up, by a
// division that rounds down.
func towersFor(hits, perTower int64) int64 { return (hits + perTower - 1) / perTower }

// addCeiling sets the values of the post's two examples, and compares the quotient with the towers that stand in every
// round of the box.
func addCeiling(values map[string]any) {
	large, small, per := int64(11), int64(4), int64(5)
	for name, hits := range map[string]int64{"ceiling large": large, "ceiling small": small} {
		values[name], values[name+" towers"] = hits, towersFor(hits, per)
	}
	chapter.Set(values, "ceiling per", per, "ceiling less", per-1, "ceiling quotient", figure.Ratio(large, per, 1),
		"ceiling floor", small/per, "ceiling raised", figure.Ratio(small+per-1, per, 1))
	different, bad := wide.First(func(b game.Battle) bool {
		for round := range b.Rounds(game.Greedy) {
			hits, _ := round.State.HitsLeft().Int64() // the hits of these battles are few
			if round.State.Towers() != towersFor(hits, b.HitsPerTower) {
				return true
			}
		}
		return false
	})
	chapter.Expect("the towers that stand are the hits left by those of a tower, rounded up", !bad, different)
}

// addRuleExercises computes the answers to the exercises on the rules.
func addRuleExercises(values map[string]any) {
	sudden := battle(4, 2, 2, 2)
	values["ex sudden"] = quad(sudden)
	// Soldiers who win in round 1 have a shot for each hit; so kt >= n >= ht.
	first, found := wide.First(func(b game.Battle) bool {
		atOnce := play(b, game.Greedy).Rounds == 1 && wins(b, game.Greedy)
		return atOnce != (b.Soldiers >= b.HitsPerTower*b.Towers)
	})
	holds := !found && play(sudden, game.Greedy).Rounds == 1 &&
		wins(sudden, game.Greedy) &&
		sudden.KillsPerTower*sudden.Towers >= sudden.Soldiers
	chapter.Expect("the exercises on the rules", holds, first)
}
