package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Cells of a map of waves lost that are no number of waves.
const (
	noneLost  = 0 // waves
	wrongSide = -1 - iota
	tooFew
	tieAtBest
	lostAnyway
	notAsked
)

// WavesLost returns maps side by side of how many waves too many each of some algorithms takes, whose answers a
// function gives, if it has one. The answers are judged as by [game.Answer.SoldiersVerdict].
func WavesLost(p Plane, algorithms []game.Algorithm, answer func(game.Algorithm, game.Battle) (found game.Answer,
	ok bool),
) figure.PhaseMaps {
	m := figure.PhaseMaps{
		Title: fmt.Sprintf("Waves lost by each algorithm, n = %d", p.Soldiers), One: "wave lost", Many: "waves lost",
		Curves: []figure.Curve{p.Slope()}, Classes: lostClasses(),
	}
	m.X, m.Y, m.W, m.H = p.axes()
	for _, a := range algorithms {
		cells := p.cells(func(b game.Battle) int {
			found, ok := answer(a, b)
			if !ok {
				return notAsked
			}
			return waveLost(b, found)
		})
		m.Panels = append(m.Panels, figure.PhasePanel{Name: content.Capital(a.Title), Cells: cells})
	}
	return m
}

// lostClasses are what a cell of such a map can be besides a number of waves.
func lostClasses() []figure.Class {
	return []figure.Class{
		pictures.Right.Class(noneLost, "right: none lost"),
		pictures.Wrong.Class(wrongSide, "the wrong side"),
		pictures.TooFew.Class(tooFew, "too few waves: not possible"),
		pictures.Tied.Class(tieAtBest, "right: a tie at best"),
		pictures.Cannot.Class(lostAnyway, "right: cannot be won"),
		pictures.NoAnswer.Class(notAsked, "not asked"),
	}
}

// waveLost is the cell of a battle and an answer.
func waveLost(b game.Battle, answer game.Answer) int {
	fewest := b.MinWaves()
	switch answer.SoldiersVerdict(fewest) {
	case game.WrongSide:
		return wrongSide
	case game.TooFew:
		return tooFew
	case game.TooMany:
		return int(min(answer.ExtraWaves(fewest), math.MaxInt32))
	}
	switch {
	case fewest > 0:
		return noneLost
	case b.Solve().Winner == game.Tie:
		return tieAtBest
	default:
		return lostAnyway
	}
}
