package tower

import (
	"fmt"
	"iter"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	"github.com/siegebook/siegebook/report/figure"
)

// Battles yields all battles with 1..n soldiers and towers of 1..h hits, 1..k kills, 1..t of them, in this order, the
// towers fastest.
func Battles(n, h, k, t int64) iter.Seq[game.Battle] {
	return func(yield func(game.Battle) bool) {
		for i := int64(1); i <= n; i++ {
			for j := int64(1); j <= h; j++ {
				for l := int64(1); l <= k; l++ {
					for m := int64(1); m <= t; m++ {
						if !yield(game.Battle{Soldiers: i, HitsPerTower: j, KillsPerTower: l, Towers: m}) {
							return
						}
					}
				}
			}
		}
	}
}

// Plane yields the battles of a map, row by row from the fewest towers, the soldiers fastest. Ranges are written as 1:60, of at
// most 4096 numbers. It ends the cell if h, k or a range is not valid.
func Plane(h, k int64, soldiers, towers string) iter.Seq[game.Battle] {
	if h < 1 || k < 1 {
		show.Fail("%d hits and %d kills: a tower needs at least 1 of each", h, k)
	}
	n, t := axis.Range("soldiers", soldiers), axis.Range("towers", towers)
	return func(yield func(game.Battle) bool) {
		for y := t.First; y <= t.Last; y++ {
			for x := n.First; x <= n.Last; x++ {
				if !yield(game.Battle{Soldiers: x, HitsPerTower: h, KillsPerTower: k, Towers: y}) {
					return
				}
			}
		}
	}
}

// Rounds returns the map of the rounds in which soldiers win by a strategy, over a range of soldiers and one of towers. See
// [Plane] for the ranges.
func Rounds(strategy game.Strategy, h, k int64, soldiers, towers string) figure.PhaseMap {
	const lost = -1
	n, t := axis.Range("soldiers", soldiers), axis.Range("towers", towers)
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Rounds in which the soldiers win by %v, towers of h = %d, k = %d", strategy, h, k),
		X:     figure.Cells("soldiers n", int(n.First), int(n.Last), 1), Y: figure.Cells("towers t", int(t.First), int(t.Last), 1),
		W: int(n.Last - n.First + 1), H: int(t.Last - t.First + 1), One: "round", Many: "rounds",
		Classes: []figure.Class{{Value: lost, Label: "the towers win", Sign: "✗", Swatch: figure.Blocked}},
	}
	for b := range Plane(h, k, soldiers, towers) {
		cell := lost
		if r := play(b, strategy); r.Winner == game.Soldiers {
			cell = int(r.Rounds)
		}
		m.Cells = append(m.Cells, cell)
	}
	return m
}

// Chances returns the map of the soldiers' probability to win, which a function finds for each battle. See [Plane] for the ranges.
func Chances(title string, h, k int64, soldiers, towers string, find func(game.Battle) game.Distribution) figure.ShareMap {
	n, t := axis.Range("soldiers", soldiers), axis.Range("towers", towers)
	m := figure.ShareMap{
		Title: title, Noun: "probability", None: "impossible", All: "certain",
		X: figure.Cells("soldiers n", int(n.First), int(n.Last), 1), Y: figure.Cells("towers t", int(t.First), int(t.Last), 1),
		W: int(n.Last - n.First + 1), H: int(t.Last - t.First + 1),
	}
	for b := range Plane(h, k, soldiers, towers) {
		m.Shares = append(m.Shares, share(find(b)))
	}
	return m
}

// share is the probability of a win as a share of a map. A float may be rounded to 1 or from it; a win is certain if no outcome is one of the towers, and
// the outcomes were not merely met in a simulation.
func share(d game.Distribution) float64 {
	towers := func(o game.Outcome) bool { return o.Winner == game.Towers }
	if d.Method != game.MonteCarlo && !slices.ContainsFunc(d.Outcomes, towers) {
		return 1
	}
	return min(d.Win.Float, math.Nextafter(1, 0))
}
