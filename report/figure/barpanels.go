package figure

import (
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/report/content"
)

// BarPanels shows many small histograms of exact counts side by side on common logarithmic axes: one series upwards,
// one downwards, and from the same base line a part of the second that is set apart.
type BarPanels struct {
	// Title says what is shown, XLabel names the key and YLabel the counted thing; required.
	Title, XLabel, YLabel string `rule:"name"`
	// Up, Down and Part name the two series and the part of the second; required, all different.
	Up, Down, Part string `rule:"name"`
	// Panels are drawn in reading order, three in a row; 1 to 36 of them.
	Panels []BarPanel `rule:"1-36 panels"`
}

// BarPanel is one of the histograms.
type BarPanel struct {
	// Name stands above it; required, and short enough for a third of the width.
	Name string `rule:"name"`
	// Bars are by key, strictly ascending, from 0 to 200; at least one.
	Bars []PanelBar
}

// PanelBar is what a panel has at a key. Counts are not negative, nil means 0; Part is at most Down.
type PanelBar struct {
	Key            int
	Up, Down, Part *big.Int
}

const maxBarKey = 200

// Figure draws the panels. It fails if a field breaks its rule above.
func (p BarPanels) Figure() (content.Figure, error) { return drawn(p, p) }

func (p BarPanels) figure() content.Figure {
	l := p.layout()
	f := content.Figure{Title: p.Title, Alt: p.describe(), Data: p.table()}
	for i, name := range []string{p.Up, p.Down, p.Part} {
		sum := new(big.Int)
		for _, panel := range p.Panels {
			sum.Add(sum, panel.total(i))
		}
		f.Legend = append(f.Legend, areaEntry(name, "", barPanelFills[i], bigText(sum)))
	}
	return finish(f, Width, l.height, func(s *stage) { p.paint(s, l) })
}

// counts are up, down and part of a bar.
func (b PanelBar) counts() [3]*big.Int {
	counts := [3]*big.Int{b.Up, b.Down, b.Part}
	for i := range counts {
		if counts[i] == nil {
			counts[i] = new(big.Int)
		}
	}
	return counts
}

// total adds up one of the three.
func (p BarPanel) total(i int) *big.Int {
	sum := new(big.Int)
	for _, b := range p.Bars {
		sum.Add(sum, b.counts()[i])
	}
	return sum
}

func (p BarPanels) check(c *checker) {
	c.require(p.Up != p.Down && p.Down != p.Part && p.Up != p.Part,
		"Up, Down and Part are %q, %q and %q; name them differently", p.Up, p.Down, p.Part)
	for i, panel := range p.Panels {
		name := fmt.Sprintf("Panels[%d]", i)
		c.require(textWidth(panel.Name) <= barPanelWidth, "%s.Name %q is too wide for its panel; shorten it", name,
			panel.Name)
		c.require(len(panel.Bars) > 0, "%s.Bars is empty; give at least one bar", name)
		last := -1
		for j, b := range panel.Bars {
			bar := fmt.Sprintf("%s.Bars[%d]", name, j)
			c.require(b.Key >= 0 && b.Key <= maxBarKey, "%s.Key is %d; give 0 to %d", bar, b.Key, maxBarKey)
			c.require(b.Key > last, "%s.Key is %d after %d; sort the bars", bar, b.Key, last)
			last = b.Key
			c.count(bar+".Up", b.Up)
			c.count(bar+".Down", b.Down)
			c.count(bar+".Part", b.Part)
			c.require(b.counts()[2].Cmp(b.counts()[1]) <= 0, "%s.Part is more than Down; it is a part of it", bar)
		}
	}
}

// table has a row per panel and key; counts are exact.
func (p BarPanels) table() content.Records {
	t := content.Records{Header: []string{"panel", p.XLabel, p.Up, p.Down, p.Part}}
	for _, panel := range p.Panels {
		for _, b := range panel.Bars {
			n := b.counts()
			t.Add(panel.Name, b.Key, n[0], n[1], n[2])
		}
	}
	return t
}

// describe is the alternative text: sum and range of keys of each panel.
func (p BarPanels) describe() string {
	text := fmt.Sprintf("%s of %s by %s, on common logarithmic scales.",
		content.Counted(len(p.Panels), "small bar chart", "small bar charts"), p.YLabel, p.XLabel)
	for _, panel := range p.Panels {
		text += " " + panel.Name + ":"
		for i, name := range []string{p.Up, p.Down, p.Part} {
			var keys []int
			for _, b := range panel.Bars {
				if b.counts()[i].Sign() > 0 {
					keys = append(keys, b.Key)
				}
			}
			where := ""
			switch last := len(keys) - 1; {
			case last < 0 && i == 2:
				continue
			case last == 0:
				where = fmt.Sprintf(" at %d", keys[0])
			case last > 0:
				where = fmt.Sprintf(" from %d to %d", keys[0], keys[last])
			}
			text += fmt.Sprintf(" %s %s%s,", name, bigText(panel.total(i)), where)
		}
		text = text[:len(text)-1] + "."
	}
	return text
}

const (
	barPanelsAcross = 3    // panels in a row
	barPanelGap     = 14.0 // between panels
	barPanelName    = 25.0 // height of a panel's name
	barPanelHeight  = 92.0 // of the data, both directions
	barPanelGutter  = 44.0 // for the labels of the rows' axes
)

// barPanelWidth is the width of a panel with what its name may take.
var barPanelWidth = math.Floor((Width - barPanelGutter - outerGap - (barPanelsAcross-1)*barPanelGap) / barPanelsAcross)

// barPanelFills are the looks of up, down and part.
var barPanelFills = [3]fill{barFills[0], barFills[1], {both(0x6b3f00, 0xf6e2b0), solid, both(0x6b3f00, 0xf6e2b0)}}

// barPanelLayout is where everything of the panels is.
type barPanelLayout struct {
	height float64
	x      scale
	top    float64 // of the axis, a logarithm
	panels []box
	xTicks []tick
	yTicks []tick // of one direction
}

func (p BarPanels) layout() *barPanelLayout {
	l := &barPanelLayout{}
	low, high := maxBarKey, 0
	var counts []*big.Int
	for _, panel := range p.Panels {
		low, high = min(low, panel.Bars[0].Key), max(high, panel.Bars[len(panel.Bars)-1].Key)
		for _, b := range panel.Bars {
			counts = append(counts, b.Up, b.Down, b.Part)
		}
	}
	l.x = scale{min: float64(low) - 0.5, max: float64(high) + 0.5}
	l.top = max(1, log10(greatest(counts))*1.03)
	l.xTicks = spread(l.x.integerTicks(5), l.x, barPanelWidth)
	step := max(1, int(math.Ceil(l.top/3)))
	for e := step; float64(e) <= l.top; e += step {
		l.yTicks = append(l.yTicks, tick{value: float64(e)})
	}
	last := step * len(l.yTicks)
	l.yTicks[len(l.yTicks)-1].label = powerLabel(1, last, 99) // there is room for one
	for i := range p.Panels {
		x := barPanelGutter + float64(i%barPanelsAcross)*(barPanelWidth+barPanelGap)
		y := headRoom + float64(i/barPanelsAcross)*(barPanelName+barPanelHeight+barPanelGap/2) + barPanelName
		l.panels = append(l.panels, box{x, y, x + barPanelWidth, y + barPanelHeight})
	}
	l.height = l.panels[len(l.panels)-1].y1 + footRoom
	return l
}

// level is the height of a logarithm above the base line of a panel, in pixels.
func (l *barPanelLayout) level(log float64) float64 {
	return (log - logBase) / (l.top - logBase) * barPanelHeight / 2
}

// bars are the boxes of one of the three series in a panel.
func (l *barPanelLayout) bars(panel BarPanel, in box, series int) []box {
	var bars []box
	base := in.middle()[1]
	for _, b := range panel.Bars {
		n := b.counts()[series]
		if n.Sign() == 0 {
			continue
		}
		bar := box{l.x.px(in, float64(b.Key)-0.5), base, l.x.px(in, float64(b.Key)+0.5), base}
		if series == 0 {
			bar.y0 -= l.level(log10(n))
		} else {
			bar.y1 += l.level(log10(n))
		}
		bars = append(bars, bar)
	}
	return bars
}

func (p BarPanels) paint(s *stage, l *barPanelLayout) {
	s.text(pos{outerGap, headRoom - 11}, p.YLabel+" ("+p.Up+" up, "+p.Down+" down)",
		textStyle{colour: s.muted, shift: sit})
	for i, panel := range p.Panels {
		in := l.panels[i]
		base := in.middle()[1]
		for _, t := range l.yTicks {
			for _, y := range []float64{base - l.level(t.value), base + l.level(t.value)} {
				s.line(solidLine(s.grid, 1), pos{in.x0, y}, pos{in.x1, y})
				if i%barPanelsAcross == 0 {
					s.label(pos{in.x0 - tickGap, y}, t.label, end, s.muted)
				}
			}
		}
		for series, f := range barPanelFills {
			s.coverSkyline(l.bars(panel, in, series), base, f)
		}
		s.line(solidLine(s.muted, 1), pos{in.x0, base}, pos{in.x1, base})
		s.text(pos{in.x0, in.y0 - barPanelName/2 + 1}, panel.Name, textStyle{colour: s.ink, shift: centre})
		below := i+barPanelsAcross >= len(p.Panels)
		for _, t := range l.xTicks {
			x := l.x.px(in, t.value)
			s.line(solidLine(s.muted, 1), pos{x, base}, pos{x, base + tickLength})
			if below {
				s.text(pos{x, in.y1 + tickLength}, t.label, textStyle{colour: s.muted, anchor: middle, shift: hang})
			}
		}
	}
	s.text(pos{Width - outerGap, l.height - lineHeight - outerGap}, p.XLabel,
		textStyle{colour: s.muted, anchor: end, shift: hang})
}

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

// greatest is the greatest of the counts that there are, at least 1.
func greatest(counts []*big.Int) *big.Int {
	most := big.NewInt(1)
	for _, n := range counts {
		if n != nil && n.Cmp(most) > 0 {
			most = n
		}
	}
	return most
}

// upward chooses the range so that the greatest count fits, and its ticks. Counts beyond float64's integers are shown
// in units of a power of ten.
func (h Histogram) upward() upward {
	var counts []*big.Int
	for _, s := range h.Series {
		counts = append(counts, s.Counts...)
	}
	most, n := greatest(counts), yTickCount
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
