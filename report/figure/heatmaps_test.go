package figure

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestHeatScale: every share above 0 lies within the bounds of its step, and steps are few.
func TestHeatScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.SliceOfN(rapid.Float64Range(0, 1), 4, 4).Draw(t, "shares")
		trials := rapid.SampledFrom([]int{0, 1, 30, 1000}).Draw(t, "trials")
		m := HeatMaps{Title: "t", Noun: "n", Cols: 2, Rows: 2, Panels: []HeatPanel{{"p", shares}}, Trials: trials}
		scale := m.scale()
		if scale.steps > heatSteps {
			t.Fatalf("%d steps", scale.steps)
		}
		for _, v := range shares {
			if v == 0 {
				continue
			}
			low := float64(scale.low + scale.index(v)*scale.step)
			if 100*v < low-1e-9 || 100*v > low+float64(scale.step)+1e-9 {
				t.Fatalf("%g is in step %d of %+v", v, scale.index(v), scale)
			}
		}
		if _, err := m.Figure(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestHeatNoise: a share that is the same in all cells looks the same in all of them, whatever chance has made of it,
// wherever it lies; and a real difference is seen.
func TestHeatNoise(t *testing.T) {
	const trials = 1000
	rng := rand.New(rand.NewPCG(7, 7))
	toss := func(p float64) float64 {
		n := 0
		for range trials {
			if rng.Float64() < p {
				n++
			}
		}
		return float64(n) / trials
	}
	for _, p := range []float64{0.05, 0.2, 0.25, 0.3, 0.5, 0.6, 0.9} {
		m := HeatMaps{Title: "t", Noun: "n", Cols: 10, Rows: 10, Panels: []HeatPanel{{"flat", nil}}, Trials: trials}
		for range 100 {
			m.Panels[0].Shares = append(m.Panels[0].Shares, toss(p))
		}
		steps := map[int]int{}
		for _, v := range m.Panels[0].Shares {
			steps[m.scale().index(v)]++
		}
		if len(steps) > 1 {
			t.Errorf("a share of %g falls into steps %v of %+v", p, steps, m.scale())
		}
		m.Panels[0].Shares[7] = toss(p + 0.1)
		scale := m.scale()
		if scale.index(m.Panels[0].Shares[7]) == scale.index(p) {
			t.Errorf("%g and %g look alike in %+v", p, m.Panels[0].Shares[7], scale)
		}
	}
	if scale := (HeatMaps{Panels: []HeatPanel{{"p", []float64{0.2, 0.21}}}}).scale(); scale.step != 1 ||
		scale.low != 20 {
		t.Errorf("exact shares have the scale %+v", scale)
	}
}
