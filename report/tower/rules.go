package tower

import (
	"context"
	"errors"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
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
		"destroyed": firstTest.Towers - once.State.Towers(), "left towers": once.State.Towers(), "left": won.SoldiersLeft, "rounds": won.Rounds,
		"lost once": firstTest.Soldiers - once.State.Soldiers,
		"least":     fewer.Soldiers, "one less": fewer.Soldiers - 1, "least rounds": play(fewer, game.Greedy).Rounds,
		"two": quad(twoTowers), "two n": twoTowers.Soldiers, "two h": twoTowers.HitsPerTower, "two k": twoTowers.KillsPerTower, "two t": twoTowers.Towers,
		"focused left": afterRound(twoTowers, game.Greedy, 1).State.Soldiers,
		"two least":    need(game.Greedy, 4, 3, 2), "carried": quad(carried), "carried rounds": play(carried, game.Fewest).Rounds,
	}
	lost := fewer
	lost.Soldiers--
	if err := errors.Join(addCeiling(values), addRuleExercises(values)); err != nil {
		return site.Page{}, err
	}
	err := chapter.Expect("the battles by hand", won.Winner == game.Soldiers && !wins(lost, game.Greedy) && wins(carried, game.Fewest) &&
		spread.Winner == game.Towers && focused.Winner == game.Towers && spread.Rounds < focused.Rounds, won, spread, focused)
	page := site.Page{
		Values: values,
		Tables: []content.Table{
			roundTable("first", firstTest, game.Greedy.Aims),
			roundTable("two-fewest", twoTowers, game.Fewest.Aims),
			roundTable("two-greedy", twoTowers, game.Greedy.Aims),
			roundTable("carried", carried, game.Fewest.Aims),
		},
	}
	if err != nil {
		return site.Page{}, err
	}
	return page, drawAimed(&page, "by-hand", firstTest, "", aimedField("", firstTest, firstTest.Start()))
}
