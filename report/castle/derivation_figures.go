package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// The two hunts that the text shows as points in a plane: one defender sets them apart.
var (
	nearBattle = game.Battle{Soldiers: 40, CastleHits: 60, DefendersPerWave: 44}
	farBattle  = game.Battle{Soldiers: 40, CastleHits: 60, DefendersPerWave: 45}
)

// firstHunted is the wave of the fall of a battle with d >= n.
func firstHunted(b game.Battle) pictures.HuntWave {
	return pictures.HuntWave{Soldiers: b.Soldiers, Left: leftAt(b, 1)}
}

// The staircase that is drawn.
const (
	stairSoldiers  = 100
	stairDefenders = 95
	stairWaves     = 8
	stairHits      = 150 // of the castle that a reader begins with
)

// stairNumbers are what the text says about the staircase.
func stairNumbers() (numbers, error) {
	const n, gain = stairSoldiers, stairSoldiers - stairDefenders
	reach := map[int]int64{1: 0}
	m := numbers{"n": n, "d": stairDefenders, "gain": gain}
	for w := 2; w <= stairWaves; w++ {
		reach[w] = gain + max(reach[w-1], mostLeft(n, w-2))
		m[fmt.Sprintf("A%d", w)], m[fmt.Sprintf("T%d", w-2)] = reach[w], mostLeft(n, w-2)
	}
	m["last"] = n + reach[stairWaves]
	hunts := m["T1"] > reach[2] && m["T2"] > reach[3] && m["T3"] < reach[4]
	return m, chapter.Expect("the staircase's first stairs end with a hunt, the others with waiting", hunts, m)
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
