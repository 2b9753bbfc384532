package tower

import (
	"context"
	"errors"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
	"github.com/siegebook/siegebook/report/site"
)

// Battles that the post plays: its first test, and the example of how much the targets matter.
var (
	firstTest = game.Battle{Soldiers: 13, HitsPerTower: 2, KillsPerTower: 3, Towers: 8}
	twoTowers = game.Battle{Soldiers: 5, HitsPerTower: 4, KillsPerTower: 3, Towers: 2}
	// carried is the smallest battle that soldiers win because towers do not recover.
	carried = game.Battle{Soldiers: 4, HitsPerTower: 3, KillsPerTower: 1, Towers: 2}
)

func rulesPage(context.Context) (site.Page, error) {
	won, once := play(firstTest, game.Greedy), afterRound(firstTest, game.Greedy, 1)
	fewer := game.Battle{Soldiers: need(game.Greedy, 2, 3, 8), HitsPerTower: 2, KillsPerTower: 3, Towers: 8}
	spread, focused := play(twoTowers, game.Fewest), play(twoTowers, game.Greedy)
	values := map[string]any{
		"n": firstTest.Soldiers, "h": firstTest.HitsPerTower, "k": firstTest.KillsPerTower, "t": firstTest.Towers,
		"kills": firstTest.KillsPerTower * firstTest.Towers, "battle": quad(firstTest),
		"destroyed": firstTest.Towers - once.State.Towers(), "left towers": once.State.Towers(),
		"left": won.SoldiersLeft, "rounds": won.Rounds,
		"lost once": firstTest.Soldiers - once.State.Soldiers,
		"least":     fewer.Soldiers, "one less": fewer.Soldiers - 1, "least rounds": play(fewer, game.Greedy).Rounds,
		"two": quad(
			twoTowers,
		), "two n": twoTowers.Soldiers, "two h": twoTowers.HitsPerTower, "two k": twoTowers.KillsPerTower,
		"two t":        twoTowers.Towers,
		"focused left": afterRound(twoTowers, game.Greedy, 1).State.Soldiers,
		"two least": need(
			game.Greedy, 4, 3, 2,
		), "carried": quad(carried), "carried rounds": play(carried, game.Fewest).Rounds,
	}
	lost := fewer
	lost.Soldiers--
	chapter.Do(errors.Join(addCeiling(values), addRuleExercises(values)))
	err := chapter.Expect(
		"the battles by hand",
		won.Winner == game.Soldiers && !wins(lost, game.Greedy) && wins(carried, game.Fewest) &&
			spread.Winner == game.Towers && focused.Winner == game.Towers && spread.Rounds < focused.Rounds,
		won,
		spread,
		focused,
	)
	page := site.Page{
		Values: values,
		Tables: []content.Table{
			roundTable("first", firstTest, game.Greedy.Aims), roundTable("two-fewest", twoTowers, game.Fewest.Aims),
			roundTable("two-greedy", twoTowers, game.Greedy.Aims), roundTable("carried", carried, game.Fewest.Aims),
		},
	}
	if err != nil {
		return site.Page{}, err
	}
	return page, errors.Join(
		chapter.Pose(&page, "round", pictures.AskRound, ""), chapter.Pose(&page, "need", pictures.AskNeed, ""),
		drawAimed(&page, "by-hand", firstTest, "", aimedField("", firstTest, firstTest.Start())),
	)
}

// quad writes a battle for prose and tables, unbroken: (13, 2, 3, 8).
func quad(b game.Battle) string { return chapter.NoBreak(b.String()) }

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
