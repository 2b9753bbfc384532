package castle

import (
	"fmt"
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// HuntWave is a wave from the fall of the castle on: the soldiers at its start and the defenders whom it leaves. A
// negative number left means soldiers to spare.
type HuntWave struct{ Soldiers, Left int64 }

// Hunt follows the hunt of a battle whose castle falls in a wave, with all soldiers alive, up to the wave that decides
// it. The defenders left by the fall must be fewer than the soldiers.
func Hunt(soldiers, left int64) []HuntWave {
	waves := []HuntWave{{soldiers, left}}
	for 0 < left && left < soldiers {
		soldiers -= left
		left -= soldiers
		waves = append(waves, HuntWave{soldiers, left})
	}
	return waves
}

// toll is the share of the soldiers whom a wave kills: none where no defender is left, all where as many are.
func (w HuntWave) toll() float64 {
	return float64(max(0, min(w.Left, w.Soldiers))) / float64(w.Soldiers)
}

// Tolls returns the drawing of the share of the soldiers whom each wave of a hunt kills, for battles in which the
// castle falls in wave 2: they part at 1/φ, where the share would stay for ever. There are six battles at most, which
// differ in their soldiers; those that are won should come first.
func Tolls(battles ...game.Battle) figure.Walks {
	w := figure.Walks{
		Title: "The share of the soldiers whom each wave kills",
		Y:     figure.Axis{Label: "killed in the wave, % of the soldiers", Min: -8, Max: 108},
	}
	last := 0
	for _, b := range battles {
		hunt := Hunt(b.Soldiers, b.CastleHits+b.DefendersPerWave-2*b.Soldiers)
		walk := figure.Walk{Name: fmt.Sprintf("n = %d: %s", b.Soldiers, End(outcome(hunt)))}
		for i, wave := range hunt {
			walk.Points = append(walk.Points, figure.Point{X: float64(i + 2), Y: 100 * wave.toll()})
			walk.Notes = append(walk.Notes, tollNote(wave))
		}
		walk.Below = hunt[len(hunt)-1].Left <= 0
		last = max(last, len(hunt)+1)
		w.Walks = append(w.Walks, walk)
	}
	w.X = figure.Axis{Label: "wave", Min: 1.6, Max: float64(last) + 0.4}
	golden := 100 / math.Phi
	w.Curves = []figure.Curve{{Label: "1/φ", Dashed: true, Points: []figure.Point{
		{X: w.X.Min, Y: golden},
		{X: w.X.Max, Y: golden},
	}}}
	return w
}

// outcome is the end of a hunt after a fall in wave 2.
func outcome(hunt []HuntWave) game.Result {
	end := hunt[len(hunt)-1]
	if end.Left <= 0 {
		return game.Result{Winner: game.Soldiers, Waves: int64(len(hunt) + 1), SoldiersLeft: end.Soldiers}
	}
	return game.Result{Winner: game.Castle, Waves: int64(len(hunt) + 1)}
}

// tollNote is the share in percent, or what the wave decides.
func tollNote(w HuntWave) string {
	switch {
	case w.Left <= 0:
		return "none: won"
	case w.Left >= w.Soldiers:
		return "all: lost"
	}
	return figure.Percent(w.Left, w.Soldiers, 1) + " %"
}

// Hyperbola returns the drawing of hunts as points of soldiers at the start of a wave and defenders left at its end:
// each hunt keeps to a hyperbola beside the line x = N/φ. There are six hunts at most, given by their first waves. A
// fall that leaves more defenders than soldiers stands at the upper edge.
func Hyperbola(hunts ...HuntWave) figure.Walks {
	most, least, highest := int64(0), int64(0), int64(0)
	for _, first := range hunts {
		for _, wave := range Hunt(first.Soldiers, first.Left) {
			most, least = max(most, wave.Soldiers), min(least, wave.Left)
			highest = max(highest, min(wave.Left, first.Soldiers))
		}
	}
	right, low := 1.12*float64(most), float64(least)-0.12*float64(most)
	top := min(right, max(0.75*right, 1.05*float64(highest)))
	w := figure.Walks{
		Title: "Hunts along their hyperbolas",
		X:     figure.Axis{Label: "soldiers at the start of the wave N", Min: 0, Max: right},
		Y:     figure.Axis{Label: "defenders left x", Min: low, Max: top},
		Patches: []figure.Patch{
			{Class: pictures.Won.Class(1, "no defender is left"), Corners: []figure.Point{
				{X: 0, Y: 0},
				{X: right, Y: 0},
				{X: right, Y: low},
				{X: 0, Y: low},
			}},
			{Class: pictures.Lost.Class(2, "no soldier is left"), Corners: []figure.Point{
				{X: 0, Y: 0},
				{X: top, Y: top},
				{X: 0, Y: top},
			}},
		},
		Curves: []figure.Curve{{Label: "x = N/φ", Dashed: true, Points: []figure.Point{
			{X: 0, Y: 0},
			{X: right, Y: right / math.Phi},
		}}},
	}
	for _, first := range hunts {
		form := first.form()
		walk := figure.Walk{Below: form.Sign() > 0, Name: fmt.Sprintf("N² − Nx − x² = %s: ",
			pictures.Commas(form.String()))}
		for _, wave := range Hunt(first.Soldiers, first.Left) {
			note := numbersOf(wave)
			if float64(wave.Left) > top {
				note = "↑ " + note
			}
			walk.Points = append(walk.Points, figure.Point{X: float64(wave.Soldiers), Y: min(float64(wave.Left), top)})
			walk.Notes = append(walk.Notes, note)
		}
		outcome := "won"
		if form.Sign() < 0 {
			outcome = "lost"
		}
		walk.Name += outcome
		w.Walks = append(w.Walks, walk)
		w.Curves = append(w.Curves, figure.Curve{Points: first.orbit(right)})
	}
	return w
}

// form is N² - Nx - x².
func (w HuntWave) form() *big.Int { return phi.Form(big.NewInt(w.Soldiers), big.NewInt(w.Left)) }

// orbit is the hyperbola through a wave, N² - Nx - x² as it is there, for the soldiers for whom it has an x, up to a
// number of them.
func (w HuntWave) orbit(right float64) []figure.Point {
	form, _ := new(big.Float).SetInt(w.form()).Float64()
	left := func(soldiers float64) float64 { return (math.Sqrt(max(0, 5*soldiers*soldiers-4*form)) - soldiers) / 2 }
	return figure.Sampled(left, 2*math.Sqrt(max(0, form)/5), right)
}

// signed writes a number with a true minus.
func signed(v int64) string { return figure.Thousands(fmt.Sprint(v)) }

// Successors returns the drawing of a hunt as one line of numbers, in which each is the one before the last less the
// last. The soldiers are those at the start of the wave of the fall, wave 2.
func Successors(soldiers, left int64) figure.Ladder {
	l := figure.Ladder{
		Title:   fmt.Sprintf("The line of successors of n = %d, x = %d", soldiers, left),
		Columns: [2]string{"soldiers", "defenders left"},
		Kept:    "from this number", Less: "take this one away",
	}
	before, at := int64(1), int64(0) // F(2i-1) and F(2i) after i waves
	for i, wave := range Hunt(soldiers, left) {
		after := before + at
		l.Rungs = append(l.Rungs,
			figure.Rung{Value: signed(wave.Soldiers), Formula: less(before, "n", at, "x"), Group: fmt.Sprintf("wave %d",
				i+2)},
			figure.Rung{Value: signed(wave.Left), Formula: less(after, "x", at, "n")})
		before, at = after, after+at
	}
	return l
}

// less writes a difference of multiples, such as 5n − 8x.
func less(a int64, of string, b int64, from string) string {
	times := func(k int64, name string) string {
		if k == 1 {
			return name
		}
		return fmt.Sprint(k) + name
	}
	if b == 0 {
		return times(a, of)
	}
	return times(a, of) + " − " + times(b, from)
}
