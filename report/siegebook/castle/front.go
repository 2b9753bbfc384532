package castle

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// frontOf draws the map of the winners and computes the sentences of the front page about it.
func frontOf(ctx context.Context, settings chapter.Settings) chapter.Front {
	s := newSurvey(ctx, chapter.Get(ReadParams(settings.Of(gridParameter))))
	var wins, losses, ties int
	slowest := 0
	for i, waves := range s.MinWaves {
		switch {
		case waves > 0:
			wins++
			if waves > s.MinWaves[slowest] {
				slowest = i
			}
		case s.tied(i):
			ties++
		default:
			losses++
		}
	}
	golden := barely()
	duel := chapter.Get(pictures.Duel().Figure())
	values := map[string]any{
		"n":       s.Params.Soldiers,
		"battles": chapter.Thousands(len(s.MinWaves)),
		"wins":    chapter.Thousands(wins), "losses": chapter.Thousands(losses), "ties": chapter.Thousands(ties),
		"win share": figure.Percent(wins, len(s.MinWaves), 1),
		"slowest": say("longest win", map[string]any{
			"Waves": s.MinWaves[slowest], "Battle": s.battle(slowest),
		}),
	}
	addOneSoldier(values)
	addGolden(values, golden)
	addResults(ctx, values)
	phase := chapter.Get(pictures.Map().Figure(walkStart(s)...))
	radii := chapter.Get(pictures.Radii(golden).Figure())
	figures := []content.Figure{duel.Named("duel"), radii.Named("radii"), phase.Named("phase")}
	return chapter.Front{Figures: figures, Values: values}
}

// barely returns a battle of neighbouring Fibonacci numbers that soldiers barely win. Against a castle of one hit more
// they do not win.
func barely() game.Battle {
	b := Battle(goldenSoldiers, goldenHits, goldenSoldiers)
	chapter.HoldsAt(b.MinWaves() > 0 && Battle(b.Soldiers, b.CastleHits+1, b.DefendersPerWave).MinWaves() == 0,
		"%v is barely won", b)
	return b
}

// The numbers of that battle.
const goldenSoldiers, goldenHits = 89, 144

// addGolden adds the values of a castle at the golden border.
func addGolden(values map[string]any, b game.Battle) {
	all := b.CastleHits + b.DefendersPerWave
	values["golden n"], values["golden s"], values["golden d"] = b.Soldiers, b.CastleHits, b.DefendersPerWave
	values["golden radius"] = fmt.Sprintf("%.3f", math.Sqrt(float64(all)/float64(b.Soldiers)))
	values["golden area"] = fmt.Sprintf("%.3f", float64(all)/float64(b.Soldiers))
	var gaps []string
	for i := range 6 { // of the duel, from the start on; before the second wave, both armies are whole
		gaps = append(gaps, fmt.Sprint(pictures.DuelGap(i)))
	}
	values["gaps"] = strings.Join(gaps, ", ")
}

// span writes a range for prose.
func span(first, last int64) string { return fmt.Sprintf("%d to %d", first, last) }

// The two battles with which Castle Defense III ends.
var (
	BarelyWon  = Battle(3820, 5000, 5000)
	BarelyLost = Battle(3819, 5000, 5000)
)

func addOneSoldier(values map[string]any) {
	won := BarelyWon.Solve()
	maps.Copy(values, map[string]any{
		"won n": BarelyWon.Soldiers, "lost n": BarelyLost.Soldiers, "pair s": BarelyWon.CastleHits,
		"pair d": BarelyWon.DefendersPerWave, "won waves": won.MinWaves,
		"won left": BarelyWon.Play(won.Strategy()).SoldiersLeft,
	})
}

// addResults adds the front page's values on the chapter's results, next to the two battles that differ by one soldier.
func addResults(ctx context.Context, values map[string]any) {
	walked := PostTests()[CountedTest].Battle // for five hours, by a browser
	counts := chapter.Get(walked.Count(ctx, game.CountOptions{}))
	maps.Copy(values, map[string]any{
		"walked": Triple(walked), "walked paths": chapter.BigThousands(AllPaths(counts)),
		"walked cells": chapter.Thousands(counts.Cells), "walked steps": walked.Solve().Steps(),
		"walked waves": walked.MinWaves(), "short battles": chapter.Thousands(Wide.Count(case2a)),
		"short box": Wide.String(),
	})
}

// walkStart returns the first battle on the front page's map, and the battles that it offers: the two that differ by
// one soldier, one on the golden border, a tie, one on which all the posts are wrong, and a very long one.
func walkStart(s *Survey) []content.Setting {
	n := s.Params.Soldiers
	first := Battle(n, n+min(n/2, math.MaxInt64-n), n)
	pair := fmt.Sprintf("%d,%d,%d,%d", BarelyWon.Soldiers, BarelyLost.Soldiers, BarelyWon.CastleHits,
		BarelyWon.DefendersPerWave)
	start := pictures.Settings(first, "view", pictures.View(first, s.Params.Castle, s.Params.Defenders), "pair", pair)
	offer := func(name string, b game.Battle) {
		numbers := fmt.Sprintf("%d,%d,%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
		start = append(start, content.Setting{Name: name, Value: numbers})
	}
	if b := s.atBorder(); b.Soldiers > 0 {
		offer("golden", b)
	}
	for cell := range s.MinWaves {
		if s.tied(cell) {
			offer("tie", s.battle(cell))
			break
		}
	}
	if cell := s.allWrong(); cell >= 0 {
		offer("wrong", s.battle(cell))
	}
	offer("long", verySlow)
	chapter.HoldsAt(verySlow.MinWaves() > math.MaxInt64/4, "%v takes long", verySlow)
	return start
}

// verySlow is a battle whose castle loses one hit in each wave.
var verySlow = Battle(1000, math.MaxInt64/2, 999)

// atBorder returns the battle in the middle of the golden border: it can be won, against at least as many defenders as
// soldiers, but not against one more defender. It has no soldiers if the maps do not show that border.
func (s *Survey) atBorder() game.Battle {
	var all []game.Battle
	for cell, waves := range s.MinWaves {
		b := s.battle(cell)
		b.DefendersPerWave++
		if waves > 0 && b.DefendersPerWave > b.Soldiers && b.CastleHits > b.Soldiers && b.MinWaves() == 0 {
			all = append(all, s.battle(cell))
		}
	}
	if len(all) == 0 {
		return game.Battle{}
	}
	slices.SortFunc(all, func(a, b game.Battle) int { return int(a.CastleHits - b.CastleHits) })
	return all[len(all)/2]
}

// allWrong returns the first cell of the maps on which every algorithm of the posts is wrong, or -1 if there is none.
func (s *Survey) allWrong() int {
	for cell := range s.MinWaves {
		if !slices.ContainsFunc(s.algorithms, func(a algorithmMap) bool { return a.verdicts[cell] == game.Right }) {
			return cell
		}
	}
	return -1
}
