package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Cells of a map that are no number of waves.
const (
	cannotWin = -1 - iota
	tied
	canWin
)

// phases returns the map of a number of waves for each battle of the plane, or of the value of a class.
func (p Plane) phases(title string, cell func(game.Battle) int, classes ...figure.Class) figure.PhaseMap {
	m := figure.PhaseMap{Title: title, Cells: p.cells(cell), One: "wave", Many: "waves", Classes: classes}
	m.X, m.Y, m.W, m.H = p.axes()
	return m
}

// tieClass is the class of battles that tie, which may be a thin row.
func tieClass(label string) figure.Class {
	class := pictures.Tied.Class(tied, label)
	class.Short = "tie"
	return class
}

// FewestWaves returns the map of the soldiers' fewest waves, which a function finds: 0 where they cannot win.
func FewestWaves(p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	var all []int64
	for b := range p.Battles() {
		all = append(all, waves(b))
	}
	return fewestWaves(p, all)
}

// fewestWaves is the same, of the waves themselves. Whether soldiers who cannot win can hold for ever depends on the
// defenders alone: the strongest castle of a row stands for all others.
func fewestWaves(p Plane, waves []int64) figure.PhaseMap {
	columns, rows := p.size()
	_, up := p.steps()
	cells := make([]int, len(waves))
	for row := range rows {
		b := game.Battle{
			Soldiers: p.Soldiers, CastleHits: math.MaxInt64, DefendersPerWave: p.Defenders.First + int64(row)*up,
		}
		lost := 0 // not known yet
		for i := row * columns; i < (row+1)*columns; i++ {
			switch {
			case waves[i] > 0:
				cells[i] = int(min(waves[i], math.MaxInt32))
			case lost != 0:
				cells[i] = lost
			case b.Solve().Winner == game.Tie:
				lost, cells[i] = tied, tied
			default:
				lost, cells[i] = cannotWin, cannotWin
			}
		}
	}
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Fewest waves of a soldiers' win, n = %d", p.Soldiers), Cells: cells, One: "wave",
		Many: "waves", Classes: []figure.Class{
			pictures.Cannot.Class(cannotWin, "cannot win"), tieClass("tie: cannot win, but hold for ever"),
		},
		Curves: p.Borders(),
	}
	m.X, m.Y, m.W, m.H = p.axes()
	return m
}

// CastleWaves returns the map of the castle's fewest waves, which a function finds: 0 where it cannot win.
func CastleWaves(p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	m := p.phases(fmt.Sprintf("Fewest waves of a castle's win, n = %d", p.Soldiers), func(b game.Battle) int {
		if n := waves(b); n > 0 {
			return int(n)
		}
		return cannotWin
	}, pictures.Cannot.Class(cannotWin, "cannot win"))
	m.Curves = p.CastleBorders()
	return m
}

// Resistances returns the map of how long soldiers who cannot win hold out.
func Resistances(p Plane) figure.PhaseMap {
	return p.phases(fmt.Sprintf("How many waves soldiers who cannot win hold out, n = %d", p.Soldiers),
		func(b game.Battle) int {
			switch r := b.LongestResistance(); r.Winner {
			case game.Castle:
				return int(min(r.Waves, math.MaxInt32))
			case game.Tie:
				return tied
			default:
				return canWin
			}
		}, pictures.Sure.Class(canWin, "the soldiers can win"), tieClass("for ever: a tie"))
}

// Savings returns the map of the waves that one plan saves against another, of which a function finds the number.
func Savings(title string, p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	return p.phases(title, func(b game.Battle) int { return int(waves(b)) },
		pictures.Nothing.Class(0, "nothing to gain"))
}

// Agreement returns the map of the verdicts on an algorithm's answers. Its legend has the verdicts that occur, and
// Right.
func Agreement(p Plane, a game.Algorithm, verdict func(game.Battle) game.Verdict) figure.AgreementMap {
	title := fmt.Sprintf("%s against the exact answer, n = %d", content.Capital(a.Title), p.Soldiers)
	m := figure.AgreementMap{Title: title, Right: int(game.Right), Curves: p.Borders()}
	m.X, m.Y, m.W, m.H = p.axes()
	occurs := map[game.Verdict]bool{game.Right: true}
	m.Cells = p.cells(func(b game.Battle) int {
		v := verdict(b)
		occurs[v] = true
		return int(v)
	})
	for _, class := range verdictClasses {
		if occurs[game.Verdict(class.Value)] {
			m.Classes = append(m.Classes, class)
		}
	}
	return m
}
