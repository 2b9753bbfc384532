package castle

import (
	"fmt"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Front has the map of who wins, and numbers of battles of a grid.
type Front struct {
	*Survey
	Map                content.Figure
	Wins, Losses, Ties int
	Slowest            content.Markdown // a sentence on the longest win
}

// NewFront computes what the front page shows.
func NewFront(grid string) (f Front, err error) {
	if f.Survey, err = SurveyOf(grid, "grid", ""); err != nil {
		return f, err
	}
	slowest := 0
	for i, waves := range f.MinWaves {
		switch {
		case waves > 0:
			f.Wins++
			if waves > f.MinWaves[slowest] {
				slowest = i
			}
		case f.tied(i):
			f.Ties++
		default:
			f.Losses++
		}
	}
	f.Slowest = say("longest win", map[string]any{"Waves": f.MinWaves[slowest], "Battle": f.battle(slowest)})
	drawn, err := pictures.Map().Figure(walkStart(f.Survey)...)
	f.Map = drawn.Named("phase")
	return f, err
}

// WinShare returns the share of battles that the soldiers can win, in percent.
func (f Front) WinShare() string { return figure.Percent(f.Wins, len(f.MinWaves), 1) }

// Short returns the number of battles of the box in which the printed formula is one wave short.
func Short() int { return Wide.Count(case2a) }

// Steps writes a number of steps.
func Steps(n int64) string { return content.Counted(n, "step", "steps") }

// span writes a range for prose.
func span(first, last int64) string { return fmt.Sprintf("%d to %d", first, last) }

// The two battles with which Castle Defense III ends.
var (
	BarelyWon  = Battle(3820, 5000, 5000)
	BarelyLost = Battle(3819, 5000, 5000)
)

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
	chapter.Assert(chapter.HoldsAt(verySlow.MinWaves() > math.MaxInt64/4, "%v takes long", verySlow))
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
