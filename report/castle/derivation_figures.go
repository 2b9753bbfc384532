package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/figure"
)

// ratioFigure draws defenders left per soldier, wave by wave, in the hunts of the two battles that one soldier sets
// apart.
func ratioFigure() figure.Lines {
	var series []figure.Series
	for _, b := range []game.Battle{barelyWon, barelyLost} {
		var points []figure.Point
		for i, pair := range huntPairs(b) {
			if pair.x < 0 || pair.x > pair.n {
				break // decided
			}
			points = append(points, figure.Point{X: float64(i + 2), Y: float64(pair.x) / float64(pair.n)})
		}
		series = append(series, figure.Series{Name: fmt.Sprintf("n = %d", b.Soldiers), Points: points})
	}
	return figure.Lines{
		Title:      "Defenders left per soldier in the hunt",
		X:          figure.Axis{Label: "wave"},
		Y:          figure.Axis{Label: "x / n", Min: 0, Max: 1},
		Series:     series,
		References: []figure.Reference{{Label: "1/φ", Y: 1 / math.Phi}},
	}
}

// strikeFigure draws the waves that a hunt takes against those of waiting once and hunting fewer defenders. The curves
// are before rounding up, the steps after.
func strikeFigure(b game.Battle) figure.Lines {
	n, gain := b.Soldiers, b.Soldiers-b.DefendersPerWave
	last := float64(phi.FloorDiv(uint64(n)))
	// A chart's points go to the right, so a step is drawn a hair's breadth off the vertical.
	const hair = 1e-6
	var steps []figure.Point
	for k, from := 1, 0.0; from < last; k++ {
		to := min(last, float64(n)*float64(fib(2*k))/float64(fib(2*k+1)))
		steps = append(steps, figure.Point{X: from + hair, Y: float64(k)}, figure.Point{X: to, Y: float64(k)})
		from = to
	}
	hunt := func(x float64) float64 {
		return math.Log((float64(n)+x/math.Phi)/(float64(n)-x*math.Phi)) / math.Log(math.Phi) / 4
	}
	limit := (math.Sqrt(float64(b.DefendersPerWave*b.DefendersPerWave+4*n*b.DefendersPerWave)) - float64(b.DefendersPerWave)) / 2
	return figure.Lines{
		Title: fmt.Sprintf("Strike or wait, n = %d, d = %d", n, b.DefendersPerWave),
		X:     figure.Axis{Label: "defenders left x", Min: 0, Max: last},
		Y:     figure.Axis{Label: "waves from here", Min: 0, Max: 3.5},
		Series: []figure.Series{
			{Name: "k(x)", Points: steps},
			{Name: "κ(x)", Points: figure.Sampled(hunt, 0, last)},
			{Name: fmt.Sprintf("1 + κ(x − %d)", gain), Points: figure.Sampled(func(x float64) float64 { return 1 + hunt(x-float64(gain)) }, 0, last)},
			{Name: "limit", Points: []figure.Point{{X: limit, Y: 0}, {X: limit + hair, Y: 3.5}}},
		},
	}
}
