package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	"github.com/siegebook/siegebook/report/figure"
)

// cannotWin is the class of battles with no winning line.
func cannotWin(side string) []figure.Class {
	return []figure.Class{{Value: 0, Label: side + " cannot win", Sign: "✗", Swatch: figure.Blocked}}
}

// PhaseMap returns the map of the fewest waves in which n soldiers can win, over a range of castle hits and one of
// defenders per wave, with the border d + s = (φ+1)n. Ranges are written as 1:60. It ends the cell if n or a range is not valid.
func PhaseMap(n int64, castleHits, defenders string) figure.PhaseMap {
	m := Map(n, castleHits, defenders, func(b game.Battle) int {
		return int(b.MinWaves())
	})
	m.Title = fmt.Sprintf("The fewest waves in which %d soldiers can win", n)
	m.Classes = cannotWin("the soldiers")
	m.Curves = border(n, defenders)
	return m
}

// CastleMap returns the map of the fewest waves in which the castle can win against n soldiers who waste no shot. See
// [PhaseMap] for the ranges.
func CastleMap(n int64, castleHits, defenders string) figure.PhaseMap {
	m := Map(n, castleHits, defenders, func(b game.Battle) int {
		return int(b.CastleMinWaves())
	})
	m.Title = fmt.Sprintf("The fewest waves in which the castle can win against %d soldiers", n)
	m.Classes = cannotWin("the castle")
	return m
}

// Map returns the map of a number of waves that a function finds for each battle of n soldiers. Give it a title, and
// classes for numbers that are no waves. See [PhaseMap] for the ranges.
func Map(n int64, castleHits, defenders string, waves func(game.Battle) int) figure.PhaseMap {
	s, d := axis.Range("castle hits", castleHits), axis.Range("defenders per wave", defenders)
	m := figure.PhaseMap{
		X:   figure.Cells("castle hits s", int(s.First), int(s.Last), 1),
		Y:   figure.Cells("defenders per wave d", int(d.First), int(d.Last), 1),
		W:   int(s.Last - s.First + 1),
		H:   int(d.Last - d.First + 1),
		One: "wave", Many: "waves",
	}
	for b := range Plane(n, castleHits, defenders) {
		m.Cells = append(m.Cells, waves(b))
	}
	return m
}

// Agreement returns the map of how a plan does against best play of n soldiers, with the border of [PhaseMap].
func Agreement(title string, n int64, castleHits, defenders string, plan game.Strategy) figure.AgreementMap {
	const (
		right = iota
		slow
		lost
	)
	m := Map(n, castleHits, defenders, func(b game.Battle) int {
		best := b.Solve()
		if best.Winner != game.Soldiers {
			return right
		}
		switch played := b.Play(plan); {
		case played.Winner != game.Soldiers:
			return lost
		case played.Waves > best.MinWaves:
			return slow
		}
		return right
	})
	return figure.AgreementMap{
		Title: title, X: m.X, Y: m.Y, W: m.W, H: m.H, Cells: m.Cells, Curves: border(n, defenders), Right: right,
		Classes: []figure.Class{
			{Value: right, Label: "as good as best play", Swatch: figure.Quiet},
			{Value: slow, Label: "too many waves", Sign: "…", Swatch: figure.Sky},
			{Value: lost, Label: "loses what can be won", Sign: "✗", Swatch: figure.Vermilion},
		},
	}
}

// border returns the part with d >= n of the line d + s = (φ+1)n, to the right of which the soldiers cannot win; none if
// the range of defenders ends below n.
func border(n int64, defenders string) []figure.Curve {
	d := axis.Range("defenders per wave", defenders)
	sum := (math.Phi + 1) * float64(n)
	low, high := max(float64(n), float64(d.First)), min(float64(d.Last), sum-float64(n))
	if low >= high {
		return nil
	}
	return []figure.Curve{{Label: "d + s = (φ+1) n", Points: []figure.Point{{X: sum - low, Y: low}, {X: sum - high, Y: high}}}}
}
