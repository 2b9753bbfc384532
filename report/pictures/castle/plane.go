package castle

import (
	"iter"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/figure"
)

// Plane is what a map of one army lies on: a range of castle hits and one of defenders per wave, at most
// [figure.MaxMapSide] numbers each, from 1.
type Plane struct {
	Soldiers              int64
	CastleHits, Defenders grid.Range
	// PerSoldier writes the axes in castle hits and defenders for each soldier, so that maps of different armies look
	// alike.
	PerSoldier bool
}

// Battles yields the battles of the cells, row by row from the fewest defenders, the castle hits fastest.
func (p Plane) Battles() iter.Seq[game.Battle] {
	return func(yield func(game.Battle) bool) {
		for d := p.Defenders.First; d <= p.Defenders.Last; d++ {
			for s := p.CastleHits.First; s <= p.CastleHits.Last; s++ {
				if !yield(game.Battle{Soldiers: p.Soldiers, CastleHits: s, DefendersPerWave: d}) {
					return
				}
			}
		}
	}
}

// cells are the values of all battles.
func (p Plane) cells(value func(game.Battle) int) []int {
	var cells []int
	for b := range p.Battles() {
		cells = append(cells, value(b))
	}
	return cells
}

// unit is one soldier's worth on the axes.
func (p Plane) unit() float64 {
	if p.PerSoldier {
		return 1
	}
	return float64(p.Soldiers)
}

// axes are the axes of the map, and its numbers of columns and rows.
func (p Plane) axes() (x, y figure.Axis, w, h int) {
	across, up, scale := "castle hits s", "defenders per wave d", 1.0
	if p.PerSoldier {
		across, up, scale = "castle hits per soldier, s/n", "defenders per wave and soldier, d/n", float64(p.Soldiers)
	}
	x = figure.Cells(across, int(p.CastleHits.First), int(p.CastleHits.Last), scale)
	y = figure.Cells(up, int(p.Defenders.First), int(p.Defenders.Last), scale)
	return x, y, int(p.CastleHits.Last-p.CastleHits.First) + 1, int(p.Defenders.Last-p.Defenders.First) + 1
}

// segment is a line between two points that are given for each soldier.
func (p Plane) segment(x0, y0, x1, y1 float64) []figure.Point {
	n := p.unit()
	return []figure.Point{{X: x0 * n, Y: y0 * n}, {X: x1 * n, Y: y1 * n}}
}

// falling is the line y = sum - x between two values of x, all for each soldier.
func (p Plane) falling(sum, from, to float64) []figure.Point {
	n := p.unit()
	return figure.Sampled(func(x float64) float64 { return sum*n - x }, from*n, to*n)
}

// ends are the last castle hits and the first and the last defenders for each soldier.
func (p Plane) ends() (right, low, high float64) {
	x, y, _, _ := p.axes()
	n := p.unit()
	return x.Max / n, y.Min / n, y.Max / n
}

// Slope is the border d + s = (φ+1) n, to the right of which soldiers who face n defenders or more cannot win.
func (p Plane) Slope() figure.Curve {
	const sum = math.Phi + 1
	return figure.Curve{Label: "d + s = (φ+1) n", Points: p.falling(sum, 1, sum-1)}
}

// Borders are the lines on which the fewest waves of the soldiers change their form.
func (p Plane) Borders() []figure.Curve {
	right, low, high := p.ends()
	return []figure.Curve{
		p.Slope(),
		{Label: "s = n", Points: p.segment(1, low, 1, high), Dashed: true},
		{Label: "s = 2n", Points: p.segment(2, 1, 2, high), Dashed: true},
		{Label: "d = n", Points: p.segment(1, 1, right, 1), Dashed: true},
	}
}

// CastleBorders are the lines on which the castle's fewest waves change their form.
func (p Plane) CastleBorders() []figure.Curve {
	right, _, _ := p.ends()
	return []figure.Curve{
		{Label: "s + d = 3n", Points: p.falling(3, 1, 2)},
		{Label: "d = n", Points: p.segment(1, 1, right, 1), Dashed: true},
	}
}
