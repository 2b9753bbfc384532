package figure

import (
	"math"
	"math/big"
)

// barFills are the looks of the two series.
var barFills = [2]fill{
	{both(0x0067a3, 0x56b4e9), solid, both(0x0067a3, 0x56b4e9)},
	{both(0xe69f00, 0xe69f00), rising, both(0x6b4a00, 0x5c3f00)},
}

// barLayout is a histogram's geometry: bars as boxes in pixels, per series.
type barLayout struct {
	frame
	base  float64 // the zero line
	bars  [2][]box
	zeros [2][]box // where a logarithmic axis shows a zero: the bar's width, no height
}

// Logarithmic bars start below 1, so that a count of 1 has a bar.
const logBase = -0.35

// layout finds the scale and places every bar.
func (h Histogram) layout() *barLayout {
	up := h.upward()
	l := &barLayout{frame: frame{
		xLabel: h.XLabel, yLabel: h.YLabel, grid: true, y: scale{min: up.min, max: up.max},
		yTicks: up.ticks,
	}}
	if h.Mirrored {
		l.yLabel += " (" + h.Series[0].Name + " up, " + h.Series[1].Name + " down)"
		l.y.min = up.min - (up.max - up.min)
		for _, t := range up.ticks {
			if t.value > 0 { // the tick of zero, or of one on a logarithmic axis, serves both directions
				l.yTicks = append(l.yTicks, tick{2*up.min - t.value, t.label})
			}
		}
	}
	l.x = scale{min: float64(h.Keys[0]) - 0.5, max: float64(h.Keys[len(h.Keys)-1]) + 0.5}
	left, right := yGutter(l.yTicks), Width-16.0
	l.xTicks = spread(l.x.integerTicks(12), l.x, right-left)
	l.data = box{left, headRoom, right, headRoom + 270}
	l.base = l.y.py(l.data, up.min)
	for i, s := range h.Series {
		for j, n := range s.Counts {
			switch {
			case n == nil:
			case n.Sign() == 0:
				l.zeros[i] = append(l.zeros[i], h.bar(l, i, h.Keys[j], l.base))
			default:
				l.bars[i] = append(l.bars[i], h.bar(l, i, h.Keys[j], l.y.py(l.data, up.at(n))))
			}
		}
	}
	return l
}

// upward is the vertical scale of one direction, in counts, in units of a power of ten, or in logarithms.
type upward struct {
	min, max float64
	ticks    []tick
	at       func(n *big.Int) float64
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

// upward chooses the range so that the greatest count fits, and its ticks. Counts beyond float64's integers are shown
// in units of a power of ten.
func (h Histogram) upward() upward {
	most, n := h.most(), yTickCount
	if h.Mirrored {
		n = 3
	}
	if h.Log {
		top := max(1, log10(most)*1.03)
		return upward{min: logBase, max: top, ticks: powerTicks(0, top, n+1), at: log10}
	}
	top, exponent := scientific(most)
	step, unit := niceStep(top/float64(n)), "×10"+superscript(exponent)
	if exponent < 6 {
		top, unit = float64(most.Int64()), ""
		step = max(niceStep(top/float64(n)), 1)
	}
	up := upward{max: math.Ceil(top/step-1e-9) * step, at: func(n *big.Int) float64 { return ratio(n, most) * top }}
	up.ticks = []tick{{0, "0"}}
	for k := 1.0; k*step <= up.max*(1+1e-9); k++ {
		up.ticks = append(up.ticks, tick{k * step, number(k*step, step) + unit})
	}
	return up
}

// bar is the box of a bar that ends at a height; in the second of mirrored series it goes down as far as others go up.
func (h Histogram) bar(l *barLayout, series, key int, end float64) box {
	slot := l.data.w() / (l.x.max - l.x.min)
	x := l.x.px(l.data, float64(key))
	half := min(0.4*slot, 36)
	if h.joined(l) {
		half = slot / 2
	}
	b := box{x - half, end, x + half, l.base}
	beside := len(h.Series) == 2 && !h.Mirrored
	switch {
	case beside && series == 0:
		b.x1 = x
	case beside:
		b.x0 = x
	case series == 1:
		b.y0, b.y1 = l.base, 2*l.base-end
	}
	return b
}

// joined says whether bars are so narrow that they are drawn as one area. Two series need a side each for that.
func (h Histogram) joined(l *barLayout) bool {
	return (len(h.Series) == 1 || h.Mirrored) && l.data.w()/(l.x.max-l.x.min) < narrowBar
}

// paint draws grid, bars and zeros.
func (h Histogram) paint(s *stage, l *barLayout) {
	l.draw(s)
	for i := range h.Series {
		if h.joined(l) {
			s.coverSkyline(l.bars[i], l.base, barFills[i])
		} else {
			for _, b := range l.bars[i] {
				s.fill(barFills[i].ground[s.theme], b.corners()...)
			}
			for _, b := range l.bars[i] {
				s.hatch(barFills[i], hatch(barFills[i].pattern, b, anywhere))
			}
		}
		if h.Log {
			h.paintZeros(s, l, i)
		}
	}
	s.line(solidLine(s.muted, 1), pos{l.data.x0, l.base}, pos{l.data.x1, l.base})
}

// paintZeros marks zeros on a logarithmic axis, where no bar can: as a digit, or as a ring where bars are too narrow.
func (h Histogram) paintZeros(s *stage, l *barLayout, series int) {
	away := -9.0
	if h.Mirrored && series == 1 {
		away = 9
	}
	for _, b := range l.zeros[series] {
		x := b.middle()[0]
		if b.w() >= textWidth("0")-1 {
			s.label(pos{x, l.base + away}, "0", middle, s.muted)
			continue
		}
		s.marker(pos{x, l.base + away/2}, ring, s.muted, 2)
	}
}
