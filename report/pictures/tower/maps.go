package tower

import (
	"fmt"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// kind says what the towers of a plane can take and do.
func (p Plane) kind() string {
	return fmt.Sprintf("%s and %s", content.Counted(p.HitsPerTower, "hit", "hits"), content.Counted(p.KillsPerTower,
		"kill", "kills"))
}

// Rounds returns the map of the rounds in which soldiers win by a strategy, whose battles a function plays. No play
// wins the battles that Greedy loses.
func Rounds(p Plane, strategy game.Strategy, play func(game.Battle, game.Strategy) game.Result) figure.PhaseMap {
	const lost = -1
	class := pictures.Lost.Class(lost, "the towers win")
	if strategy == game.Greedy {
		class = pictures.Cannot.Class(lost, "cannot win")
	}
	return p.phases(fmt.Sprintf("Rounds in which the soldiers win by %v, towers of %s", strategy, p.kind()),
		func(b game.Battle) int {
			if r := play(b, strategy); r.Winner == game.Soldiers {
				return int(r.Rounds)
			}
			return lost
		}, class)
}

// phases returns the map of a number of rounds for each battle of the plane, or of the value of a class.
func (p Plane) phases(title string, cell func(game.Battle) int, classes ...figure.Class) figure.PhaseMap {
	m := figure.PhaseMap{Title: title, One: "round", Many: "rounds", Classes: classes}
	m.X, m.Y, m.W, m.H = p.axes()
	for b := range p.Battles() {
		m.Cells = append(m.Cells, cell(b))
	}
	return m
}

// Aim is what the aim decides of a battle.
type Aim int

// The effect of the aim: none, because the soldiers cannot win; it decides who wins; none, because every play without
// waste wins.
const (
	Hopeless Aim = -1 - iota
	Decides
	Safe
)

// Aims returns the map of where the aim decides who wins.
func Aims(p Plane, aim func(game.Battle) Aim) figure.PhaseMap {
	return p.phases("Where the aim decides, towers of "+p.kind(), func(b game.Battle) int { return int(aim(b)) },
		pictures.Sure.Class(int(Safe), "every play without waste wins"),
		pictures.Open.Class(int(Decides), "the aim decides"),
		pictures.Cannot.Class(int(Hopeless), "cannot win"))
}

// Chances returns the map of the probability that soldiers win who shoot at random towers, by one of the readings. A
// function finds it as [Share] does.
func Chances(p Plane, reading game.Reading, share func(game.Battle) float64) figure.ShareMap {
	m := figure.ShareMap{
		Title: fmt.Sprintf("Probability of a win for soldiers who shoot at random (%v), towers of %s", reading,
			p.kind()),
		Noun: "probability", None: "no play wins", All: "every play wins",
	}
	m.X, m.Y, m.W, m.H = p.axes()
	for b := range p.Battles() {
		m.Shares = append(m.Shares, share(b))
	}
	return m
}

// Share is the probability of a win as a share of a map. A float may be rounded to 1 or from it; a win is certain if no
// outcome is one of the towers, and the outcomes were not merely met in a simulation.
func Share(d game.Distribution) float64 {
	towers := func(o game.Outcome) bool { return o.Winner == game.Towers }
	if d.Method != game.MonteCarlo && !slices.ContainsFunc(d.Outcomes, towers) {
		return 1
	}
	return min(d.Win.Float, math.Nextafter(1, 0))
}

// Needs returns the drawing of the soldiers that each strategy needs to win, by the number of towers of the plane.
func Needs(p Plane, need Need, strategies ...game.Strategy) figure.Lines {
	lines := figure.Lines{
		Title: "Fewest soldiers who win against t towers of " + p.kind(),
		X:     figure.Axis{Label: "towers t"}, Y: figure.Axis{Label: "soldiers"},
	}
	for _, strategy := range strategies {
		series := figure.Series{Name: strategy.String()}
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			series.Points = append(series.Points, figure.Point{X: float64(t), Y: float64(need(strategy, t))})
		}
		lines.Series = append(lines.Series, series)
	}
	return lines
}
