package figure

import "math"

// scale maps data to 0..1 along an axis.
type scale struct {
	min, max float64
	log      bool
}

func (s scale) norm(v float64) float64 {
	if s.log {
		return (math.Log(v) - math.Log(s.min)) / (math.Log(s.max) - math.Log(s.min))
	}
	return (v - s.min) / (s.max - s.min)
}

// px and py place a value in a box.
func (s scale) px(b box, v float64) float64 { return b.x0 + s.norm(v)*b.w() }
func (s scale) py(b box, v float64) float64 { return b.y1 - s.norm(v)*b.h() }

// include widens the range to a value.
func (s *scale) include(v float64) { s.min, s.max = min(s.min, v), max(s.max, v) }

// within is the scale with the ends that an axis gives, if it does.
func (s scale) within(a Axis) scale {
	if a.Min < a.Max {
		s.min, s.max = a.Min, a.Max
	}
	return s
}

// opened widens a range that is a point, or too narrow to compute with.
func (s scale) opened() scale {
	if size := max(math.Abs(s.min), math.Abs(s.max)); s.max-s.min <= 1e-9*size {
		by := max(size/2, math.SmallestNonzeroFloat64)
		if size == 0 {
			by = 1
		}
		s.min, s.max = s.min-by, s.max+by
	}
	return s
}

// pad leaves air for the markers at both ends.
func (s scale) pad() scale {
	s = s.opened()
	air := (s.max - s.min) * 0.025
	s.min, s.max = s.min-air, s.max+air
	return s
}

// round widens the range to whole steps of its ticks.
func (s scale) round() scale {
	s = s.opened()
	step := niceStep((s.max - s.min) / yTickCount)
	s.min, s.max = math.Floor(s.min/step+1e-9)*step, math.Ceil(s.max/step-1e-9)*step
	return s
}

// padLog leaves air on a logarithmic scale, and makes it span a decade at least.
func (s scale) padLog() scale {
	lo, hi := math.Log10(s.min), math.Log10(s.max)
	if hi-lo < 1 {
		mid := (lo + hi) / 2
		lo, hi = mid-0.5, mid+0.5
	}
	air := (hi - lo) * 0.04
	s.min, s.max = math.Pow(10, lo-air), math.Pow(10, hi+air)
	return s
}
