package castle

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// Cells of a map that are no number of waves.
const (
	cannotWin = -1
	tie       = -2
)

var mapClasses = []figure.Class{
	{Value: cannotWin, Label: "cannot win", Sign: "✗", Swatch: figure.Blocked},
	{Value: tie, Label: "tie: cannot win, but hold for ever", Sign: "=", Swatch: figure.Purple},
}

// axes returns the scaled axes of the maps, s/n and d/n.
func (s *survey) axes() (x, y figure.Axis) {
	n := float64(s.params.Soldiers)
	return figure.Cells("castle hits per soldier, s/n", int(s.params.Castle.First), int(s.params.Castle.Last), n),
		figure.Cells("defenders per wave and soldier, d/n", int(s.params.Defenders.First), int(s.params.Defenders.Last), n)
}

// borders are the lines on which the answer changes its form.
func borders(x, y figure.Axis) []figure.Curve {
	return []figure.Curve{
		{Label: "d + s = (φ+1) n", Points: figure.Sampled(func(x float64) float64 { return goldenEdge - x }, 1, goldenEdge-1)},
		{Label: "s = n", Points: []figure.Point{{X: 1, Y: y.Min}, {X: 1, Y: y.Max}}, Dashed: true},
		{Label: "s = 2n", Points: []figure.Point{{X: 2, Y: 1}, {X: 2, Y: y.Max}}, Dashed: true},
		{Label: "d = n", Points: []figure.Point{{X: 1, Y: 1}, {X: x.Max, Y: 1}}, Dashed: true},
	}
}

// frontOf draws the map of who wins and computes what the front page says about it.
func frontOf(s *survey) (chapter.Front, error) {
	cells := make([]int, len(s.minWaves))
	var wins, losses, ties int
	slowest := 0
	for i, waves := range s.minWaves {
		cells[i] = int(waves)
		switch {
		case waves > 0:
			wins++
			if waves > s.minWaves[slowest] {
				slowest = i
			}
		case s.tied[i]:
			cells[i] = tie
			ties++
		default:
			cells[i] = cannotWin
			losses++
		}
	}
	x, y := s.axes()
	phase, err := figure.PhaseMap{
		Title: fmt.Sprintf("Fewest waves of a soldiers' win, n = %d", s.params.Soldiers),
		X:     x, Y: y, W: s.width, H: s.height, Cells: cells,
		One: "wave", Many: "waves", Classes: mapClasses, Curves: borders(x, y),
	}.Figure()
	if err != nil {
		return chapter.Front{}, err
	}
	one, err := oneSoldierFigure()
	if err != nil {
		return chapter.Front{}, err
	}
	values := map[string]any{
		"n":       s.params.Soldiers,
		"battles": chapter.Thousands(len(cells)),
		"wins":    chapter.Thousands(wins), "losses": chapter.Thousands(losses), "ties": chapter.Thousands(ties),
		"win share": figure.Percent(wins, len(cells), 1),
		"slowest":   content.Markdown(""),
	}
	if wins > 0 {
		values["slowest"] = md("The longest road to a win on this map takes %s, in the battle %v (soldiers, hits, defenders a wave).", waves(s.minWaves[slowest]), s.battle(slowest))
	}
	addOneSoldier(values)
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
	won := game.Solve(barelyWon)
	values["won n"], values["lost n"] = barelyWon.Soldiers, barelyLost.Soldiers
	values["pair s"], values["pair d"] = barelyWon.CastleHits, barelyWon.DefendersPerWave
	values["won waves"] = won.MinWaves
	values["won left"] = barelyWon.Play(won.Strategy()).SoldiersLeft
	lost := game.LongestResistance(barelyLost)
	values["lost waves"] = lost.Waves
}

// oneSoldierFigure draws soldiers and defenders wave by wave for the two battles: the Fibonacci staircase.
func oneSoldierFigure() (content.Figure, error) {
	var panels []figure.Panel
	for _, b := range []game.Battle{barelyWon, barelyLost} {
		solution := game.Solve(b)
		var soldiers, defenders []figure.Point
		for wave := range b.Waves(solution.Strategy()) {
			x := float64(wave.Number)
			soldiers = append(soldiers, figure.Point{X: x, Y: float64(wave.State.Soldiers)})
			defenders = append(defenders, figure.Point{X: x, Y: float64(wave.State.Defenders)})
		}
		panels = append(panels, figure.Panel{
			Title:  fmt.Sprintf("n = %d: %s", b.Soldiers, panelEnd(solution)),
			Series: []figure.Series{{Name: "soldiers", Points: soldiers}, {Name: "defenders", Points: defenders}},
		})
	}
	return figure.Trace{
		Title:  "Soldiers and defenders at the end of each wave",
		XLabel: "wave", YLabel: "number left", Panels: panels, Steps: true,
	}.Figure()
}

func panelEnd(s game.Solution) string {
	if s.Winner == game.Soldiers {
		return fmt.Sprintf("the soldiers win in wave %d", s.MinWaves)
	}
	return fmt.Sprintf("the castle wins in wave %d", game.LongestResistance(s.Battle).Waves)
}
