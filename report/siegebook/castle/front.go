package castle

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// frontOf draws the map of who wins and computes what the front page says about it.
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
	n := s.Params.Soldiers
	at := Battle(n, pictures.BarelyTaken(n), n)
	view := pictures.View(at, s.Params.Castle, s.Params.Defenders)
	phase := chapter.Get(pictures.Pointed().Figure(pictures.Settings(at, "view", view)...))
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

// The pair of battles with which Castle Defense III ends.
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

// addResults adds what the front page says of the chapter's results, beside the two battles that one soldier sets
// apart.
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

// Walks returns settings for a map that offers battles to go to: the pair that one soldier sets apart, a tie of an
// army, and a very long one.
func Walks(soldiers int64) []any {
	tie := Battle(soldiers, pictures.BarelyTaken(soldiers)+1, soldiers)
	chapter.HoldsAt(tie.Solve().Winner == game.Tie, "%v is a tie", tie)
	chapter.HoldsAt(verySlow.MinWaves() > math.MaxInt64/4, "%v takes long", verySlow)
	numbers := func(b game.Battle) string {
		return fmt.Sprintf("%d,%d,%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
	}
	pair := fmt.Sprintf("%d,%d,%d,%d", BarelyWon.Soldiers, BarelyLost.Soldiers, BarelyWon.CastleHits,
		BarelyWon.DefendersPerWave)
	return []any{"pair", pair, "tie", numbers(tie), "long", numbers(verySlow)}
}

// verySlow is a battle whose castle loses a hit in each wave.
var verySlow = Battle(1000, math.MaxInt64/2, 999)
