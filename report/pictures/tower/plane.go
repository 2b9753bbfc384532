package tower

import (
	"iter"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/figure"
)

// Plane is what a map of towers of one kind lies on: a range of soldiers and one of towers, at most [figure.MaxMapSide]
// numbers each, from 1.
type Plane struct {
	HitsPerTower, KillsPerTower int64
	Soldiers, Towers            grid.Range
	Step                        int64 // from each number of soldiers to the next; 0 means 1
}

// Battles yields the battles of the cells, row by row from the fewest towers, the soldiers fastest.
func (p Plane) Battles() iter.Seq[game.Battle] {
	return func(yield func(game.Battle) bool) {
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			for n := p.Soldiers.First; n <= p.Soldiers.Last; n += max(p.Step, 1) {
				if !yield(game.Battle{
					Soldiers: n, HitsPerTower: p.HitsPerTower, KillsPerTower: p.KillsPerTower,
					Towers: t,
				}) {
					return
				}
			}
		}
	}
}

// axes are the axes of the map, and its numbers of columns and rows.
func (p Plane) axes() (x, y figure.Axis, w, h int) {
	step := max(p.Step, 1)
	x = figure.Cells("soldiers n", int(p.Soldiers.First/step), int(p.Soldiers.Last/step), 1/float64(step))
	y = figure.Cells("towers t", int(p.Towers.First), int(p.Towers.Last), 1)
	return x, y, int((p.Soldiers.Last-p.Soldiers.First)/step) + 1, int(p.Towers.Last-p.Towers.First) + 1
}

// Need is how many soldiers a strategy needs to win against so many towers of a plane.
type Need func(strategy game.Strategy, towers int64) int64

// Borders are the lines to the right of which the best play wins, and every play that wastes no shot.
func (p Plane) Borders(need Need) []figure.Curve {
	borders := make([]figure.Curve, 2)
	for i, strategy := range []game.Strategy{game.Greedy, game.Fewest} {
		borders[i] = figure.Curve{Label: strategy.String() + " wins to the right", Dashed: strategy == game.Fewest}
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			x := float64(need(strategy, t)) - 0.5 // the edge of a cell
			borders[i].Points = append(borders[i].Points, figure.Point{X: x, Y: float64(t) - 0.5},
				figure.Point{X: x, Y: float64(t) + 0.5})
		}
	}
	return borders
}

// Ratio is the line of so many soldiers for each tower.
func (p Plane) Ratio(label string, soldiers float64) figure.Curve {
	far := 2 * float64(p.Towers.Last)
	return figure.Curve{Label: label, Points: []figure.Point{{X: 0, Y: 0}, {X: soldiers * far, Y: far}}}
}
