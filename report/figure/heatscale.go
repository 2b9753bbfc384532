package figure

import (
	"fmt"
	"math"
)

// heatScale cuts the shares into steps of percent points. The lowest step begins at low, which may be below 0.
type heatScale struct{ low, step, steps int }

// scale returns the finest round steps of which at most heatSteps cover all shares but 0, and which chance does not
// blur. Where shares come of trials, the steps are shifted so that few cells are near a border.
func (m HeatMaps) scale() heatScale {
	var shares []float64 // in percent, without 0
	low, high := 100.0, 0.0
	for _, p := range m.Panels {
		for _, v := range p.Shares {
			if v > 0 {
				shares = append(shares, 100*v)
				low, high = min(low, 100*v), max(high, 100*v)
			}
		}
	}
	high = min(high, 100-1e-9)
	for _, step := range []int{1, 2, 5, 10, 20} {
		best, fewest := heatScale{}, math.MaxInt
		for shift := range step {
			if shift > 0 && m.Trials == 0 {
				break
			}
			first, last := floorTo(int(low)-shift, step), floorTo(int(high)-shift, step)
			h := heatScale{first + shift, step, max(1, (last-first)/step+1)}
			if doubtful := m.doubtful(h, shares); h.steps <= heatSteps && doubtful < fewest {
				best, fewest = h, doubtful
			}
		}
		if fewest < math.MaxInt && float64(step) >= m.blur(shares) {
			return best
		}
	}
	return heatScale{0, 20, 5} // covers all
}

// sigmas is how many standard errors count as what chance may do.
const sigmas = 2

// standardError is that of a share in percent.
func (m HeatMaps) standardError(share float64) float64 {
	if m.Trials == 0 {
		return 0
	}
	return math.Sqrt(max(0, share*(100-share)) / float64(m.Trials))
}

// blur is how wide a step must be, so that chance does not move a share from the middle of a step to another one.
func (m HeatMaps) blur(shares []float64) float64 {
	widest := 0.0
	for _, v := range shares {
		widest = max(widest, 2*sigmas*m.standardError(v))
	}
	return widest
}

// doubtful counts the shares that chance may have moved across a border between two steps.
func (m HeatMaps) doubtful(h heatScale, shares []float64) int {
	n := 0
	for _, v := range shares {
		for i := 1; i < h.steps; i++ {
			if math.Abs(v-float64(h.low+i*h.step)) < sigmas*m.standardError(v) {
				n++
			}
		}
	}
	return n
}

// index returns the step of a share above 0.
func (h heatScale) index(share float64) int {
	return max(0, min((int(100*share)-h.low)/h.step, h.steps-1))
}

func (h heatScale) bounds(i int) string {
	low := h.low + i*h.step
	return fmt.Sprintf("%d–%d %%", max(0, low), min(100, low+h.step))
}
