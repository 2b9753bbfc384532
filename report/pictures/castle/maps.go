package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Cells of a map that are no number of waves.
const (
	cannotWin = -1 - iota
	tied
	canWin
)

// waveMap is the map of a number of waves for each cell, in the order of the plane's cells.
func (p Plane) waveMap(title string, cells []int, curves []figure.Curve, classes ...figure.Class) figure.PhaseMap {
	x, y := p.axes()
	w, h := p.Size()
	return figure.PhaseMap{
		Title: title, X: x, Y: y, W: w, H: h, Cells: cells, One: "wave", Many: "waves", Classes: classes, Curves: curves,
	}
}

// FewestWaves returns the map of the soldiers' fewest waves, one number for each cell of the plane and 0 where they cannot win.
func FewestWaves(p Plane, waves []int64) figure.PhaseMap {
	cells := make([]int, len(waves))
	for i, n := range waves {
		switch {
		case n > 0:
			cells[i] = int(n)
		case p.Battle(i).Solve().Winner == game.Tie:
			cells[i] = tied
		default:
			cells[i] = cannotWin
		}
	}
	return p.waveMap(fmt.Sprintf("Fewest waves of a soldiers' win, n = %d", p.Soldiers), cells, p.Borders(),
		pictures.Cannot.Class(cannotWin, "cannot win"), pictures.Tied.Class(tied, "tie: cannot win, but hold for ever"))
}

// CastleWaves returns the map of the castle's fewest waves, one number for each cell of the plane and 0 where it cannot win.
func CastleWaves(p Plane, waves []int64) figure.PhaseMap {
	cells := make([]int, len(waves))
	for i, n := range waves {
		if cells[i] = int(n); n == 0 {
			cells[i] = cannotWin
		}
	}
	return p.waveMap(fmt.Sprintf("Fewest waves of a castle's win, n = %d", p.Soldiers), cells, p.CastleBorders(), pictures.Cannot.Class(cannotWin, "cannot win"))
}

// Resistances returns the map of how long soldiers who cannot win hold out, one for each cell of the plane.
func Resistances(p Plane, longest []game.Resistance) figure.PhaseMap {
	cells := make([]int, len(longest))
	for i, r := range longest {
		switch r.Winner {
		case game.Castle:
			cells[i] = int(min(r.Waves, math.MaxInt32))
		case game.Tie:
			cells[i] = tied
		default:
			cells[i] = canWin
		}
	}
	return p.waveMap(fmt.Sprintf("How many waves soldiers who cannot win hold out, n = %d", p.Soldiers), cells, nil,
		pictures.Sure.Class(canWin, "the soldiers can win"), pictures.Tied.Class(tied, "for ever: a tie"))
}

// Agreement returns the map of an algorithm's verdicts, one for each cell of the plane. Its legend has the verdicts that occur, and Right.
func Agreement(title string, p Plane, verdicts []game.Verdict) figure.AgreementMap {
	cells, occurs := make([]int, len(verdicts)), map[game.Verdict]bool{game.Right: true}
	for i, v := range verdicts {
		cells[i], occurs[v] = int(v), true
	}
	x, y := p.axes()
	w, h := p.Size()
	m := figure.AgreementMap{Title: title, X: x, Y: y, W: w, H: h, Cells: cells, Right: int(game.Right), Curves: p.Borders()}
	for _, class := range verdictClasses {
		if occurs[game.Verdict(class.Value)] {
			m.Classes = append(m.Classes, class)
		}
	}
	return m
}
