package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Front has the map of who wins, and numbers about the battles of a grid.
type Front struct {
	*Survey
	Map                content.Figure
	Wins, Losses, Ties int
	Slowest            content.Markdown // a sentence on the longest win
}

// NewFront computes the data of the front page.
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
	n := f.Params.Soldiers
	at := Battle(n, pictures.BarelyTaken(n), n)
	view := pictures.View(at, f.Params.Castle, f.Params.Defenders)
	drawn, err := pictures.Pointed().Figure(pictures.Settings(at, "view", view)...)
	f.Map = drawn.Named("phase")
	return f, err
}

// WinShare returns the share of battles that the soldiers can win, in percent.
func (f Front) WinShare() string { return figure.Percent(f.Wins, len(f.MinWaves), 1) }

// Short returns the number of battles in the box for which the printed formula is one wave short.
func Short() int { return Wide.Count(case2a) }

// Steps returns a number of steps as text.
func Steps(n int64) string { return content.Counted(n, "step", "steps") }

// span returns a range as text for prose.
func span(first, last int64) string { return fmt.Sprintf("%d to %d", first, last) }

// Castle Defense III ends with these two battles.
var (
	BarelyWon  = Battle(3820, 5000, 5000)
	BarelyLost = Battle(3819, 5000, 5000)
)

// Walks returns settings for a map that offers three kinds of battles: a pair that differs by one decisive soldier, a
// tie of the given army, and a very long battle.
func Walks(soldiers int64) []any {
	tie := Battle(soldiers, pictures.BarelyTaken(soldiers)+1, soldiers)
	chapter.Assert(chapter.HoldsAt(tie.Solve().Winner == game.Tie, "%v is a tie", tie))
	chapter.Assert(chapter.HoldsAt(verySlow.MinWaves() > math.MaxInt64/4, "%v takes long", verySlow))
	numbers := func(b game.Battle) string {
		return fmt.Sprintf("%d,%d,%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
	}
	pair := fmt.Sprintf("%d,%d,%d,%d", BarelyWon.Soldiers, BarelyLost.Soldiers, BarelyWon.CastleHits,
		BarelyWon.DefendersPerWave)
	return []any{"pair", pair, "tie", numbers(tie), "long", numbers(verySlow)}
}

// In the battle verySlow, the castle loses one hit per wave.
var verySlow = Battle(1000, math.MaxInt64/2, 999)
