package figure

import (
	"math"
	"math/big"

	"gonum.org/v1/plot/vg/draw"
)

// barFills are the looks of the two series.
var barFills = [2]fill{
	{both(0x0067a3, 0x56b4e9), solid, both(0x0067a3, 0x56b4e9)},
	{both(0xe69f00, 0xe69f00), rising, both(0x6b4a00, 0x5c3f00)},
}

// barLayout is a histogram's geometry: bars as boxes in pixels, per series.
type barLayout struct {
	frame frame
	base  float64 // the zero line
	bars  [2][]box
	zeros [2][]box // where a logarithmic axis shows a zero: the bar's width, no height
}

// Logarithmic bars start below 1, so that a count of 1 has a bar.
const logBase = -0.35

// layout finds the scale and places every bar.
func (h Histogram) layout() *barLayout {
	up, ticks := h.scale()
	fr := frame{xLabel: h.XLabel, yLabel: h.YLabel, grid: true, y: scale{min: up.min, max: up.max}, yTicks: ticks}
	if h.Mirrored {
		fr.yLabel += " (" + h.Series[0].Name + " up, " + h.Series[1].Name + " down)"
		fr.y.min = up.min - (up.max - up.min)
		for _, t := range ticks {
			if t.value > 0 { // the tick of zero, or of one on a logarithmic axis, serves both directions
				fr.yTicks = append(fr.yTicks, tick{2*up.min - t.value, t.label})
			}
		}
	}
	fr.x = scale{min: float64(h.Keys[0]) - 0.5, max: float64(h.Keys[len(h.Keys)-1]) + 0.5}
	left, right := yGutter(fr.yTicks), 16.0
	fr.xTicks = spread(fr.x.integerTicks(12), fr.x, Width-left-right)
	fr.data = box{left, headRoom, Width - right, headRoom + 270}
	l := &barLayout{frame: fr, base: fr.y.py(fr.data, up.min)}
	for i, s := range h.Series {
		for j, n := range s.Counts {
			if n == nil {
				continue
			}
			b := h.bar(l, i, h.Keys[j])
			if n.Sign() == 0 {
				l.zeros[i] = append(l.zeros[i], b)
				continue
			}
			end := fr.y.py(fr.data, h.at(up, n))
			if h.Mirrored && i == 1 {
				end = 2*l.base - end
			}
			b.y0, b.y1 = min(end, l.base), max(end, l.base)
			l.bars[i] = append(l.bars[i], b)
		}
	}
	return l
}

// upward is the vertical scale of one direction: in units of 10^exponent, or logarithms.
type upward struct {
	min, max float64
	exponent int
}

// most is the greatest count of all series, at least 1.
func (h Histogram) most() *big.Int {
	most := big.NewInt(1)
	for _, s := range h.Series {
		for _, n := range s.Counts {
			if n != nil && n.Cmp(most) > 0 {
				most = n
			}
		}
	}
	return most
}

// scale chooses the range so that the greatest count fits, and its ticks. Counts beyond float64's integers are shown
// in units of a power of ten.
func (h Histogram) scale() (upward, []tick) {
	most := h.most()
	n := yTickCount
	if h.Mirrored {
		n = 3
	}
	if h.Log {
		up := upward{min: logBase, max: max(1, log10(most)*1.03)}
		return up, powerTicks(0, up.max, n+1)
	}
	up := upward{}
	if m, e := scientific(most); e >= 6 {
		up.exponent, up.max = e, m
	} else {
		up.max = float64(most.Int64())
	}
	s := scale{min: 0, max: up.max}
	step := niceStep(s.max / float64(n))
	if up.exponent == 0 {
		step = max(step, 1)
	}
	up.max = math.Ceil(s.max/step-1e-9) * step
	var ticks []tick
	for k := 0.0; k*step <= up.max*(1+1e-9); k++ {
		label := number(k*step, step)
		switch {
		case k == 0:
			label = "0"
		case up.exponent > 0:
			label += "×10" + superscript(up.exponent)
		}
		ticks = append(ticks, tick{k * step, label})
	}
	return up, ticks
}

// at is the position of a count on the scale.
func (h Histogram) at(up upward, n *big.Int) float64 {
	if h.Log {
		return log10(n)
	}
	most := h.most()
	if up.exponent == 0 {
		return ratio(n, most) * float64(most.Int64())
	}
	m, _ := scientific(most)
	return ratio(n, most) * m
}

// bar is the horizontal extent of a bar; its height is still to be set.
func (h Histogram) bar(l *barLayout, series, key int) box {
	slot := l.frame.data.w() / (l.frame.x.max - l.frame.x.min)
	x := l.frame.x.px(l.frame.data, float64(key))
	half := min(0.4*slot, 36)
	b := box{x - half, l.base, x + half, l.base}
	if len(h.Series) == 2 && !h.Mirrored {
		if series == 0 {
			b.x1 = x
		} else {
			b.x0 = x
		}
	}
	return b
}

// paint draws grid, bars and zeros.
func (h Histogram) paint(s *stage, l *barLayout) {
	l.frame.draw(s)
	for i := range h.Series {
		for _, b := range l.bars[i] {
			s.rect(b, barFills[i].ground[s.theme])
		}
		for _, b := range l.bars[i] {
			for _, seg := range hatch(barFills[i].pattern, b, func(_, _ float64) bool { return true }) {
				s.line(hatchStyle(barFills[i], s.theme), seg[0], seg[1])
			}
		}
		h.paintZeros(s, l, i)
	}
	s.line(draw.LineStyle{Color: s.muted, Width: 1}, [2]float64{l.frame.data.x0, l.base}, [2]float64{l.frame.data.x1, l.base})
}

// paintZeros marks zeros on a logarithmic axis, where no bar can: as a digit, or as a ring where bars are too narrow.
func (h Histogram) paintZeros(s *stage, l *barLayout, series int) {
	if !h.Log {
		return
	}
	away := -9.0
	if h.Mirrored && series == 1 {
		away = 9
	}
	c := s.area(l.frame.data)
	for _, b := range l.zeros[series] {
		x := (b.x0 + b.x1) / 2
		if b.w() >= textWidth("0")-1 {
			s.label(x, l.base+away, "0", middle, s.muted)
			continue
		}
		glyph{ring, s.ground}.DrawGlyph(&c, draw.GlyphStyle{Color: s.muted, Radius: 2}, s.at(x, l.base+away/2))
	}
}
