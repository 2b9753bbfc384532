package castle

import (
	"context"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// thriftExample is a battle that the castle wins by keeping its last hit for most of the time.
var thriftExample = game.Battle{Soldiers: 41, CastleHits: 107, DefendersPerWave: 10}

func castleSidePage(_ context.Context, s *survey) (site.Page, error) {
	wins, slowest := 0, 0
	for i, waves := range s.castleWaves {
		if waves == 0 {
			continue
		}
		wins++
		if waves > s.castleWaves[slowest] {
			slowest = i
		}
	}
	longest, anyLost := longestOf(s)
	lastHits, err := checkLastHit()
	if err != nil {
		return site.Page{}, err
	}
	win := thriftExample.FastestCastleWin()
	values := map[string]any{
		"battles": chapter.Thousands(len(s.castleWaves)), "wins": chapter.Thousands(wins),
		"wins share":    figure.Percent(wins, len(s.castleWaves), 1),
		"slowest":       content.Markdown(""),
		"thrift battle": triple(thriftExample), "thrift waves": win.Waves,
		"lost": triple(barelyLost), "lost waves": barelyLost.LongestResistance().Waves,
		"longest":   content.Markdown(""),
		"last hits": chapter.Thousands(lastHits), "last hits n": lastHitSoldiers,
		"defenders-first": barelyLost.Play(game.DefendersFirst).Waves,
	}
	if wins > 0 {
		values["slowest"] = chapter.MD("The slowest of these wins takes %s, in the battle %v.", waves(s.castleWaves[slowest]), s.battle(slowest))
	}
	if longest.Waves > 0 {
		values["longest"] = chapter.MD("On this grid the longest that lost soldiers can hold out is %s, in the battle %v.", waves(longest.Waves), longest.Battle)
	}
	battles, err := checkListings("side")
	if err != nil {
		return site.Page{}, err
	}
	values["listing battles"] = chapter.Thousands(battles)
	page := site.Page{
		Values: values,
		Tables: []content.Table{lineTable("thrift", thriftExample, win.Strategy())},
	}
	for _, table := range []func(map[string]any) (content.Table, error){greedTable, daysTable, recapTable} {
		t, err := table(values)
		if err != nil {
			return page, err
		}
		page.Tables = append(page.Tables, t)
	}
	third := stateAfter(barelyLost, game.DefendersFirst, 2)
	values["three S"], values["three D"] = third.Soldiers, third.Defenders
	values["won"], values["won castle"] = triple(barelyWon), barelyWon.CastleMinWaves()
	holds := barelyLost.CastleMinWaves() == 3 && third.Defenders >= 2*uint64(third.Soldiers) && barelyWon.CastleMinWaves() == 3 && barelyWon.MinWaves() > 0
	if err := chapter.Expect("the post's pair of battles: the castle can win both in wave 3", holds, third); err != nil {
		return page, err
	}
	if err := answerCastleSide(values); err != nil {
		return page, err
	}
	err = chapter.Draw(&page, "castle-waves", pictures.CastleWaves(s.plane(), found(s, s.castleWaves)))
	if err == nil && anyLost {
		err = chapter.Draw(&page, "resistance", pictures.Resistances(s.plane()))
	}
	return page, err
}

// lastHitSoldiers is the largest army with which checkLastHit plays.
const lastHitSoldiers = 30

// checkLastHit plays what the text says of soldiers who cannot win, for s + d < 3n: in wave 2 the castle keeps its last
// hit, and in wave 3, by the rules, some order lets the castle win exactly if 2n + 2 - d <= 3x. It returns the number
// of battles.
func checkLastHit() (int, error) {
	count := 0
	for n := int64(1); n <= lastHitSoldiers; n++ {
		for s := n + 1; s < 2*n; s++ {
			for d := n; s+d < 3*n; d++ {
				b, x := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}, s+d-2*n
				if x < 1 {
					continue
				}
				state, _ := b.Step(b.Start(), 0)
				state, _ = b.Step(state, state.Soldiers-(state.CastleHits-1))
				wins := false
				for low, high := state.Moves(); low <= high && !wins; low++ {
					_, winner := b.Step(state, low)
					wins = winner == game.Castle
				}
				want := game.State{Soldiers: n - x + 1, Defenders: uint64(d + x - 1), CastleHits: 1}
				if state != want || wins != (2*n+2-d <= 3*x) {
					return 0, chapter.HoldsAt(false, "%v: wave 3 starts with %v, the castle can win: %v", b, state, wins)
				}
				count++
			}
		}
	}
	return count, nil
}

// longestOf returns the longest that soldiers hold out who cannot win, and whether the grid has a battle of such.
func longestOf(s *survey) (longest game.Resistance, anyLost bool) {
	for i, waves := range s.minWaves {
		if waves > 0 {
			continue
		}
		anyLost = true
		if r := s.battle(i).LongestResistance(); r.Winner == game.Castle && r.Waves > longest.Waves {
			longest = r
		}
	}
	return longest, anyLost
}
