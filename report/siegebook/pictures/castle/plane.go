package castle

import (
	"iter"
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Plane is the plane of a map for one army: a range of castle hits and a range of defenders per wave. Each range
// contains at most [figure.MaxMapSide] positive numbers.
type Plane struct {
	Soldiers              int64
	CastleHits, Defenders grid.Range
	// HitStep and DefenderStep are the distances between the numbers of a range; 0 means 1.
	HitStep, DefenderStep int64
	// PerSoldier labels the axes with castle hits and defenders per soldier, so that maps for different armies look
	// alike.
	PerSoldier bool
}

// steps returns the distances between columns and between rows.
func (p Plane) steps() (across, up int64) { return max(p.HitStep, 1), max(p.DefenderStep, 1) }

// size returns the numbers of columns and of rows.
func (p Plane) size() (columns, rows int) {
	across, up := p.steps()
	return int((p.CastleHits.Last-p.CastleHits.First)/across) + 1, int((p.Defenders.Last-p.Defenders.First)/up) + 1
}

// thinned returns the plane with only every second column and row, repeated until it has at most the given number of
// cells.
func (p Plane) thinned(most int) Plane {
	for columns, rows := p.size(); columns*rows > most; columns, rows = p.size() {
		across, up := p.steps()
		p.HitStep, p.DefenderStep = 2*across, 2*up
	}
	return p
}

// Battles yields the battles of the cells, row by row. The first row has the fewest defenders. Within a row, the castle
// hits change.
func (p Plane) Battles() iter.Seq[game.Battle] {
	across, up := p.steps()
	columns, rows := p.size()
	return func(yield func(game.Battle) bool) {
		for row := range int64(rows) {
			for column := range int64(columns) {
				if !yield(battle(p.Soldiers, p.CastleHits.First+column*across, p.Defenders.First+row*up)) {
					return
				}
			}
		}
	}
}

// fewest returns the soldiers' fewest waves in each of the battles.
func (p Plane) fewest() []int64 {
	across, up := p.steps()
	columns, rows := p.size()
	all := make([]int64, columns*rows)
	var line [figure.MaxMapSide]int64 // a row with step 1, which is computed in one call
	for row := range rows {
		part := all[row*columns : (row+1)*columns]
		b := battle(p.Soldiers, p.CastleHits.First, p.Defenders.First+int64(row)*up)
		if span := int64(columns-1)*across + 1; span <= figure.MaxMapSide {
			b.FillMinWaves(line[:span])
			for column := range part {
				part[column] = line[int64(column)*across]
			}
			continue
		}
		for column := range part {
			part[column] = b.MinWaves()
			b.CastleHits += across * min(1, int64(columns-1-column)) // no step after the last column
		}
	}
	return all
}

// cells returns the values for all of the battles.
func (p Plane) cells(value func(game.Battle) int) []int {
	columns, rows := p.size()
	cells := make([]int, 0, columns*rows)
	for b := range p.Battles() {
		cells = append(cells, value(b))
	}
	return cells
}

// unit returns the length of one soldier on the axes.
func (p Plane) unit() float64 {
	if p.PerSoldier {
		return 1
	}
	return float64(p.Soldiers)
}

// axes returns the axes of the map, and the numbers of its columns and rows.
func (p Plane) axes() (x, y figure.Axis, w, h int) {
	w, h = p.size()
	if p.PerSoldier {
		n := float64(p.Soldiers)
		x = figure.Cells("castle hits per soldier, s/n", int(p.CastleHits.First), int(p.CastleHits.Last), n)
		y = figure.Cells("defenders per wave and soldier, d/n", int(p.Defenders.First), int(p.Defenders.Last), n)
		return x, y, w, h
	}
	across, up := p.steps()
	s0, d0 := p.origin()
	x = cellAxis("castle hits s", p.CastleHits, across, s0)
	y = cellAxis("defenders per wave d", p.Defenders, up, d0)
	return x, y, w, h
}

// cellAxis returns an axis of cells with the given step; its numbers are relative to the origin.
func cellAxis(label string, r grid.Range, step, origin int64) figure.Axis {
	if origin > 0 {
		label += " − " + pictures.People(origin)
	}
	last := r.First + (r.Last-r.First)/step*step
	half := float64(step) / 2
	return figure.Axis{Label: label, Min: float64(r.First-origin) - half, Max: float64(last-origin) + half}
}

// origin returns the numbers to which the axes are relative: the first numbers if the numbers are long and close
// together, and 0 otherwise.
func (p Plane) origin() (s, d int64) {
	if p.PerSoldier {
		return 0, 0
	}
	return farOrigin(p.CastleHits.First, p.CastleHits.Last), farOrigin(p.Defenders.First, p.Defenders.Last)
}

// farOrigin returns first if the numbers are so long and so close together that ticks must be relative to first, and 0
// otherwise.
func farOrigin(first, last int64) int64 {
	if first >= 1e6 && last-first < first/100 {
		return first
	}
	return 0
}

// segment returns a line between two points whose coordinates are per soldier.
func (p Plane) segment(x0, y0, x1, y1 float64) []figure.Point {
	n := p.unit()
	s0, d0 := p.origin()
	if s0 == 0 && d0 == 0 {
		return through(x0*n, y0*n, x1*n, y1*n)
	}
	return through(p.less(x0, s0), p.less(y0, d0), p.less(x1, s0), p.less(y1, d0))
}

// through returns the points with the given coordinates, in the order x, y, x, y, ...
func through(xy ...float64) (points []figure.Point) {
	for i := 0; i < len(xy); i += 2 {
		points = append(points, figure.Point{X: xy[i], Y: xy[i+1]})
	}
	return points
}

// less returns the number of soldiers multiplied by armies, minus the origin of the axis.
func (p Plane) less(armies float64, origin int64) float64 {
	exact := new(big.Float).SetPrec(128).SetFloat64(armies)
	exact.Mul(exact, new(big.Float).SetInt64(p.Soldiers))
	if armies != math.Trunc(armies) {
		exact.SetFloat64(armies * float64(p.Soldiers)) // an end of the map, as computed by ends
	}
	value, _ := exact.Sub(exact, new(big.Float).SetInt64(origin)).Float64()
	return value
}

// falling returns the line y = sum - x between two values of x. All of them are per soldier.
func (p Plane) falling(sum, from, to float64) []figure.Point {
	n := p.unit()
	s0, d0 := p.origin()
	if s0 == 0 && d0 == 0 {
		return figure.Sampled(func(x float64) float64 { return sum*n - x }, from*n, to*n)
	}
	total := new(big.Int).SetUint64(phi.FloorDiv(uint64(p.Soldiers)))
	if sum == math.Trunc(sum) {
		total.SetInt64(p.Soldiers)
	}
	total.Add(total, new(big.Int).Lsh(big.NewInt(p.Soldiers), 1))
	total.Sub(total, big.NewInt(s0))
	rest, _ := new(big.Float).SetInt(total.Sub(total, big.NewInt(d0))).Float64()
	x, _, _, _ := p.axes()
	left, right := max(p.less(from, s0), x.Min), min(to*n-float64(s0), x.Max)
	if left >= right {
		left, right = x.Max+1, x.Max+2 // the line is outside the map
	}
	return through(left, rest-left, right, rest-right)
}

// ends returns the last castle hits and the first and last defenders, per soldier.
func (p Plane) ends() (right, low, high float64) {
	x, y, _, _ := p.axes()
	n := p.unit()
	s0, d0 := p.origin()
	return (x.Max + float64(s0)) / n, (y.Min + float64(d0)) / n, (y.Max + float64(d0)) / n
}

// Slope returns the border d + s = (φ+1) n. To the right of it, soldiers against n or more defenders per wave cannot
// win.
func (p Plane) Slope() figure.Curve {
	const sum = math.Phi + 1
	return figure.Curve{Label: "d + s = (φ+1) n", Points: p.falling(sum, 1, sum-1)}
}

// Borders returns the lines on which the formula of the soldiers' fewest waves changes.
func (p Plane) Borders() []figure.Curve {
	right, low, high := p.ends()
	return []figure.Curve{
		p.Slope(),
		{Label: "s = n", Points: p.segment(1, low, 1, high), Dashed: true},
		{Label: "s = 2n", Points: p.segment(2, 1, 2, high), Dashed: true},
		{Label: "d = n", Points: p.segment(1, 1, right, 1), Dashed: true},
	}
}

// CastleBorders returns the lines on which the formula of the castle's fewest waves changes.
func (p Plane) CastleBorders() []figure.Curve {
	right, _, _ := p.ends()
	return []figure.Curve{
		{Label: "s + d = 3n", Points: p.falling(3, 1, 2)},
		{Label: "d = n", Points: p.segment(1, 1, right, 1), Dashed: true},
	}
}
