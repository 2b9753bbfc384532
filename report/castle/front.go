package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// frontOf draws the map of who wins and computes what the front page says about it.
func frontOf(s *survey) (chapter.Front, error) {
	var wins, losses, ties int
	slowest := 0
	for i, waves := range s.minWaves {
		switch {
		case waves > 0:
			wins++
			if waves > s.minWaves[slowest] {
				slowest = i
			}
		case s.tied[i]:
			ties++
		default:
			losses++
		}
	}
	one, err := pictures.Tolls(barelyWon, barelyLost).Figure()
	if err != nil {
		return chapter.Front{}, err
	}
	values := map[string]any{
		"n":       s.params.Soldiers,
		"battles": chapter.Thousands(len(s.minWaves)),
		"wins":    chapter.Thousands(wins), "losses": chapter.Thousands(losses), "ties": chapter.Thousands(ties),
		"win share": figure.Percent(wins, len(s.minWaves), 1),
		"slowest":   content.Markdown(""),
	}
	if wins > 0 {
		values["slowest"] = chapter.MD("The longest road to a win on this map takes %s, in the battle %v (soldiers, "+
			"hits, defenders a wave).", waves(s.minWaves[slowest]), s.battle(slowest))
	}
	addOneSoldier(values)
	if err := addResults(values); err != nil {
		return chapter.Front{}, err
	}
	start, err := walkStart(s)
	if err != nil {
		return chapter.Front{}, err
	}
	phase, err := pictures.Map.Figure(start)
	if err != nil {
		return chapter.Front{}, err
	}
	return chapter.Front{Figures: []content.Figure{phase.Named("phase"), one.Named("one-soldier")}, Values: values}, nil
}

// span writes a range for prose.
func span(first, last int64) string { return fmt.Sprintf("%d to %d", first, last) }

// The pair of battles with which Castle Defense III ends.
var (
	barelyWon  = game.Battle{Soldiers: 3820, CastleHits: 5000, DefendersPerWave: 5000}
	barelyLost = game.Battle{Soldiers: 3819, CastleHits: 5000, DefendersPerWave: 5000}
)

func addOneSoldier(values map[string]any) {
	won := barelyWon.Solve()
	values["won n"], values["lost n"] = barelyWon.Soldiers, barelyLost.Soldiers
	values["pair s"], values["pair d"] = barelyWon.CastleHits, barelyWon.DefendersPerWave
	values["won waves"] = won.MinWaves
	values["won left"] = barelyWon.Play(won.Strategy()).SoldiersLeft
	lost := barelyLost.LongestResistance()
	values["lost waves"] = lost.Waves
}

// addResults adds what the front page says of the chapter's results, beside the two battles that one soldier sets
// apart.
func addResults(values map[string]any) error {
	walked := posts()[countedTest].Battle // for five hours, by a browser
	counts, err := walked.Count(context.Background(), game.CountOptions{})
	if err != nil {
		return err
	}
	values["walked"], values["walked paths"] = triple(walked), chapter.BigThousands(allPaths(counts))
	values["walked cells"], values["walked steps"] = chapter.Thousands(counts.Cells), walked.Solve().Steps()
	values["walked waves"] = walked.MinWaves()

	total := wide.count(case2a)
	short := wide.count(func(b game.Battle) bool { return case2a(b) && exactPrinted(b) < soldierWaves(b) })
	values["short battles"], values["short box"] = chapter.Thousands(total), wide.String()
	if err := chapter.Expect("the printed formula is short on every battle of case 2a", total > 0 && short == total,
		short, total); err != nil {
		return err
	}
	n, s, d := barelyWon.Soldiers, barelyWon.CastleHits, barelyWon.DefendersPerWave
	return chapter.Expect(
		"one soldier decides",
		n == barelyLost.Soldiers+1 && s == barelyLost.CastleHits && d == barelyLost.DefendersPerWave &&
			barelyWon.MinWaves() > 0 && barelyLost.MinWaves() == 0,
		barelyWon,
		barelyLost,
	)
}
