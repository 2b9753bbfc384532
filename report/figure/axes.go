package figure

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Axis describes one axis of a figure.
type Axis struct {
	// Label names the quantity with its unit, such as "tank litres per pump, s/n".
	Label string
	// Min and Max are the ends of the axis. A map requires them: they are the outer edges of its first and its last
	// cell. On a chart, Min = Max = 0 means the range of the data.
	Min, Max float64
}

// scale returns the scale of an axis whose ends are given.
func (a Axis) scale() scale { return scale{min: a.Min, max: a.Max} }

// Cells returns the axis of a map whose columns (or rows) are the integers first to last, divided by per: cell k is
// centred at k/per. Unless last >= first and per > 0, the map's validation fails.
func Cells(label string, first, last int, per float64) Axis {
	return Axis{Label: label, Min: (float64(first) - 0.5) / per, Max: (float64(last) + 0.5) / per}
}

// frame is the layout of one set of axes: the box of the data, scales, ticks and titles.
type frame struct {
	data           box
	x, y           scale
	xTicks, yTicks []tick
	xLabel, yLabel string
	title          string // the title of a panel, above the title of the vertical axis
	grid           bool
}

// These are the distances around the data area.
const (
	tickLength = 4.0
	tickGap    = 4.0
	outerGap   = 4.0
	footGap    = 7.0 // between ticks and labels; keeps the two labels at the corner from touching
)

// yGutter returns the width that the tick labels need to the left of the data.
func yGutter(ticks []tick) float64 {
	w := 0.0
	for _, t := range ticks {
		w = max(w, textWidth(t.label))
	}
	return math.Ceil(w + tickLength + tickGap + outerGap)
}

// These are the heights above and below the data.
const (
	// headRoom is the room for the title of the vertical axis, which is horizontal and above the axis.
	headRoom = 31.0
	footRoom = 50.0 // the room for tick labels and for the title of the horizontal axis
)

// position returns the position of a data point in pixels.
func (f *frame) position(x, y float64) pos { return pos{f.x.px(f.data, x), f.y.py(f.data, y)} }

// draw draws the grid, the ticks and the titles. The caller draws the data on top.
func (f *frame) draw(s *stage) {
	d, axis := f.data, solidLine(s.muted, 1)
	if f.grid {
		for _, t := range f.yTicks {
			y := f.y.py(d, t.value)
			s.line(solidLine(s.grid, 1), pos{d.x0, y}, pos{d.x1, y})
		}
	}
	for _, t := range f.yTicks {
		y := f.y.py(d, t.value)
		s.line(axis, pos{d.x0 - tickLength, y}, pos{d.x0, y})
	}
	for _, t := range f.xTicks {
		x := f.x.px(d, t.value)
		s.line(axis, pos{x, d.y1}, pos{x, d.y1 + tickLength})
	}
	s.line(axis, pos{d.x0, d.y1}, pos{d.x1, d.y1})
	for _, t := range f.yTicks {
		s.label(pos{d.x0 - tickLength - tickGap, f.y.py(d, t.value)}, t.label, end, s.muted)
	}
	foot := d.y1 + tickLength + footGap
	for _, t := range f.xTicks {
		s.text(pos{f.x.px(d, t.value), foot}, t.label, textStyle{colour: s.muted, anchor: middle, shift: hang})
	}
	y := d.y0 - 11
	if f.yLabel != "" {
		s.text(pos{outerGap, y}, f.yLabel, textStyle{colour: s.muted, shift: sit})
		y -= lineHeight
	}
	s.text(pos{outerGap, y}, f.title, textStyle{colour: s.ink, shift: sit})
	s.text(pos{d.x1, foot + lineHeight + 1}, f.xLabel, textStyle{colour: s.muted, anchor: end, shift: hang})
}

// scale maps the values on an axis to 0..1.
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

// px and py return the horizontal and the vertical pixel position of a value in a box.
func (s scale) px(b box, v float64) float64 { return b.x0 + s.norm(v)*b.w() }
func (s scale) py(b box, v float64) float64 { return b.y1 - s.norm(v)*b.h() }

// include extends the range to include a value.
func (s *scale) include(v float64) { s.min, s.max = min(s.min, v), max(s.max, v) }

// withEnds returns the scale with the ends of an axis, or unchanged if the axis has none.
func (s scale) withEnds(a Axis) scale {
	if a.Min < a.Max {
		s.min, s.max = a.Min, a.Max
	}
	return s
}

// opened widens a range that is a single point or too narrow for float64.
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

// pad widens the range at both ends, so that markers fit.
func (s scale) pad() scale {
	s = s.opened()
	air := (s.max - s.min) * 0.025
	s.min, s.max = s.min-air, s.max+air
	return s
}

// round widens the range to whole tick steps.
func (s scale) round() scale {
	s = s.opened()
	step := niceStep((s.max - s.min) / yTickCount)
	s.min, s.max = math.Floor(s.min/step+1e-9)*step, math.Ceil(s.max/step-1e-9)*step
	return s
}

// padLog widens a logarithmic range at both ends, and to at least one decade.
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

// tick is a labelled value of an axis.
type tick struct {
	value float64
	label string
}

// ticks returns about n labelled values within the scale, and at least one value if a round one is in the range.
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

// integerTicks returns about n ticks for a quantity that has only integer values.
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

// niceStep returns the smallest number that is at least x > 0 and is 1, 2 or 5 times a power of ten.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks returns the ticks of powerTicks for a range of values, at values instead of exponents.
func logTicks(lo, hi float64, n int) []tick {
	ticks := powerTicks(math.Log10(lo), math.Log10(hi), n)
	for i := range ticks {
		ticks[i].value = math.Pow(10, ticks[i].value)
	}
	return ticks
}

// powerTicks returns ticks at the powers of ten between two exponents. If there are many powers, it labels only every
// second, third, fifth and so on; if there are few, it adds 2 and 5 times each power. The values of the ticks are
// exponents, so they never overflow.
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

// powerLabel writes m·10^k: in full if the axis ends at 10,000 or below, and otherwise as a power.
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

// spread drops every second tick until neighbouring labels have enough room in the given width.
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

// total returns the sum of the counts that are not nil.
func total(counts []*big.Int) *big.Int {
	sum := new(big.Int)
	for _, n := range counts {
		if n != nil {
			sum.Add(sum, n)
		}
	}
	return sum
}

// bigText writes a count with all digits if it has up to 15, and otherwise with three significant digits.
func bigText(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return Thousands(s)
	}
	mantissa, exponent, _ := strings.Cut(new(big.Float).SetInt(n).Text('e', 2), "e+")
	return "about " + mantissa + "×10" + raised.Replace(exponent)
}

// scientific splits n > 0 into m·10^e with 1 <= m < 10, m to 17 digits.
func scientific(n *big.Int) (m float64, e int) {
	s := n.String()
	e = len(s) - 1
	digits := s[:min(len(s), 17)]
	m, err := strconv.ParseFloat(digits[:1]+"."+digits[1:]+"0", 64)
	if err != nil {
		panic("figure: the digits of an integer do not parse: " + err.Error())
	}
	return m, e
}

// log10 returns the decimal logarithm of n > 0.
func log10(n *big.Int) float64 {
	m, e := scientific(n)
	return math.Log10(m) + float64(e)
}

// ratio returns a/b for 0 <= a <= b and b > 0. The numbers may be of any size.
func ratio(a, b *big.Int) float64 {
	f, _ := new(big.Float).Quo(new(big.Float).SetInt(a), new(big.Float).SetInt(b)).Float64()
	return f
}

// number formats v with commas between thousands, and with as many decimals as multiples of step require.
func number(v, step float64) string {
	if math.Abs(v) < step/1e6 {
		v = 0
	}
	if a := math.Abs(v); a >= 1e15 || (step < 1e-9 && a > 0) {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	decimals := 0
	for s := step; decimals < 9 && math.Abs(s-math.Round(s)) > 1e-6*s; decimals++ {
		s *= 10
	}
	return Thousands(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Decimal formats a number for people, with commas between thousands. Integers below 10^15 have all digits. Other
// numbers have six significant digits, but their whole part is never rounded. Numbers below 0.0001 and numbers with
// more than 15 digits before the point become powers of ten.
func Decimal(v float64) string { return Thousands(content.Float(v, 6).Text) }

// count formats an integer with thousands separators.
func count(n int) string { return Thousands(strconv.Itoa(n)) }

// Thousands calls content.Thousands.
func Thousands(s string) string { return content.Thousands(s) }

func share(part, whole int) string { return Share(int64(part), int64(whole)) }

// Share formats part of whole as a percentage such as "33.3 %". The result is 0 or 100 only if the share is exactly 0
// or 1.
func Share(part, whole int64) string {
	switch {
	case part == 0 || part == whole:
		return Percent(part, whole, 0) + " %"
	case 1000*part < whole:
		return "under 0.1 %"
	case 1000*(whole-part) < whole:
		return "over 99.9 %"
	}
	return Percent(part, whole, 1) + " %"
}

// Ratio formats a fraction with the given number of decimals. It rounds the exact fraction to the nearest, and halves
// away from zero: with two decimals, 3/40 becomes 0.08, although the nearest float is slightly less and would become
// 0.07. The denominator must not be 0.
func Ratio[T int | int64](numerator, denominator T, decimals int) string {
	return big.NewRat(int64(numerator), int64(denominator)).FloatString(decimals)
}

// Percent formats part of whole as a percentage with the given number of decimals, and rounds as Ratio does. The part
// must be at most 10^16.
func Percent[T int | int64](part, whole T, decimals int) string {
	return Ratio(100*part, whole, decimals)
}

// Fixed formats v, which must be finite, with the given number of decimals. It rounds the shortest decimal that parses
// to v, as Ratio does: with two decimals, 0.285 becomes 0.29, although the float is slightly less.
func Fixed(v float64, decimals int) string { return shortest(v).FloatString(decimals) }

// Percentage formats a share from 0 to 1 as a percentage with the given number of decimals, and rounds as Fixed does.
func Percentage(v float64, decimals int) string {
	return new(big.Rat).Mul(shortest(v), big.NewRat(100, 1)).FloatString(decimals)
}

// shortest returns the decimal number with the fewest digits that parses to v.
func shortest(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		panic("figure: " + strconv.FormatFloat(v, 'g', -1, 64) + " is not a finite number")
	}
	return r
}
