package figure

import (
	"math"
	"strconv"
	"strings"
)

// tick is a labelled value of an axis.
type tick struct {
	value float64
	label string
}

// ticks returns about n labelled values within the scale, at least one where a round value fits.
func (s scale) ticks(n int) []tick {
	if s.log {
		return logTicks(s.min, s.max, n)
	}
	step := niceStep((s.max - s.min) / float64(max(n, 1)))
	lo, hi := math.Ceil(s.min/step-1e-9), math.Floor(s.max/step+1e-9)
	var out []tick
	for k := lo; k <= hi && len(out) < 100; k++ {
		out = append(out, tick{k * step, number(k*step, step)})
	}
	return out
}

// integerTicks is ticks for a quantity that only has integer values.
func (s scale) integerTicks(n int) []tick {
	if s.max-s.min >= float64(n) {
		return s.ticks(n)
	}
	var out []tick
	for k := math.Ceil(s.min); k <= s.max; k++ {
		out = append(out, tick{k, number(k, 1)})
	}
	return out
}

// niceStep is the least of 1, 2, 5 times a power of ten that is at least x > 0.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks is powerTicks for a scale of values.
func logTicks(lo, hi float64, n int) []tick {
	ticks := powerTicks(math.Log10(lo), math.Log10(hi), n)
	for i := range ticks {
		ticks[i].value = math.Pow(10, ticks[i].value)
	}
	return ticks
}

// powerTicks labels the powers of ten between two exponents, every second, fifth... if there are many, with 2 and 5
// between them if there are few. The values of the ticks are exponents, so that they never overflow.
func powerTicks(lo, hi float64, n int) []tick {
	first, last := int(math.Ceil(lo-1e-9)), int(math.Floor(hi+1e-9))
	every := 1
	for _, e := range []int{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		every = e
		if (last-first)/e <= n {
			break
		}
	}
	mantissas := []int{1}
	if last-first < 2 {
		mantissas = []int{1, 2, 5}
	}
	var out []tick
	for k := first - 1; k <= last; k++ {
		for _, m := range mantissas {
			v := float64(k) + math.Log10(float64(m))
			if k%every == 0 && v >= lo-1e-9 && v <= hi+1e-9 {
				out = append(out, tick{v, powerLabel(m, k, last)})
			}
		}
	}
	return out
}

// powerLabel writes m times ten to the k: in full if the axis ends by 10,000, and as a power beyond.
func powerLabel(m, k, last int) string {
	power := math.Pow(10, float64(k))
	switch {
	case k == 0 || k >= -3 && last <= 4:
		return number(float64(m)*power, min(power, 1))
	case k == 1 && m == 1:
		return "10"
	case m == 1:
		return "10" + superscript(k)
	}
	return strconv.Itoa(m) + "×10" + superscript(k)
}

// superscript writes an integer in Unicode superscripts.
func superscript(k int) string { return raised.Replace(strconv.Itoa(k)) }

var raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7",
	"⁷", "8", "⁸", "9", "⁹")

// spread drops every second tick until the labels of neighbours keep apart in the given width.
func spread(ticks []tick, x scale, width float64) []tick {
	crowded := func(a, b tick) bool {
		return (x.norm(b.value)-x.norm(a.value))*width < (textWidth(a.label)+textWidth(b.label))/2+8
	}
	for i := 1; i < len(ticks) && len(ticks) > 2; i++ {
		if crowded(ticks[i-1], ticks[i]) {
			var kept []tick
			for j := 0; j < len(ticks); j += 2 {
				kept = append(kept, ticks[j])
			}
			ticks, i = kept, 0
		}
	}
	return ticks
}
