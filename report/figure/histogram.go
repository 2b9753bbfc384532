package figure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// maxBins is how many steps of the ordered palette the eye still tells apart.
const maxBins = 12

// maxValue bounds ordered values; up to it float64 is exact, and an int of 32 bits has room for differences.
const maxValue = min(1_000_000_000_000_000, math.MaxInt/2)

// bin is a range of ordered values, both ends included; they are the least and the greatest value that occur in it.
type bin struct{ lo, hi int }

func (b bin) short() string {
	if b.lo == b.hi {
		return count(b.lo)
	}
	return count(b.lo) + "–" + count(b.hi)
}

// bins groups ascending distinct values into at most limit >= 12 ranges: each by itself if they are few enough, else by
// round upper ends. Values that start near zero keep single bins at the start, where a step matters most.
func bins(values []int, limit int) []bin {
	if len(values) <= limit {
		out := make([]bin, len(values))
		for i, v := range values {
			out[i] = bin{v, v}
		}
		return out
	}
	return group(values, upperEnds(values[0], values[len(values)-1], limit))
}

// upperEnds returns ascending ends of at most limit-1 ranges; what is above the last is one more.
func upperEnds(lo, hi, limit int) []int {
	var ends []int
	switch {
	case lo == 0: // there is one value more than places, so 7 shares its bin with 8
		ends = []int{0, 1, 2, 3, 4, 5, 6, 8, 12, 20, 50}
	case lo == 1 || lo == 2:
		ends = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 50}[lo-1:]
	case lo > 0 && hi/lo >= 50:
		for power := 1; power <= hi; power *= 10 {
			for _, m := range []int{1, 2, 5} {
				if e := m * power; e >= lo {
					ends = append(ends, e)
				}
			}
		}
	default:
		step := max(1, int(niceStep((float64(hi)-float64(lo))/float64(limit-2))))
		for e := floorTo(lo, step) + step - 1; e < hi; e += step {
			ends = append(ends, e)
		}
	}
	return ends[:min(len(ends), limit-1)]
}

// floorTo is the greatest multiple of step that is at most v.
func floorTo(v, step int) int {
	r := v % step
	if r < 0 {
		r += step
	}
	return v - r
}

// group cuts the values after the upper ends and leaves out what is empty.
func group(values, ends []int) []bin {
	var out []bin
	last := -1
	for _, v := range values {
		at := sort.SearchInts(ends, v)
		if at == last {
			out[len(out)-1].hi = v
			continue
		}
		out, last = append(out, bin{v, v}), at
	}
	return out
}

// Histogram shows exact counts by an integer key, such as ways to win by wave, for one or two series side by side or
// mirrored at the axis.
type Histogram struct {
	// Title says what is shown; XLabel names the key, YLabel the counted thing; all required.
	Title, XLabel, YLabel string `rule:"name"`
	// Keys are the integers on the horizontal axis, strictly ascending, spanning at most 200.
	Keys []int
	// Series are the one or two series.
	Series []BarSeries
	// Log makes the vertical axis logarithmic. A count of zero has no bar there, but a "0" on the axis.
	Log bool
	// Mirrored draws the second of two series downwards instead of beside the first.
	Mirrored bool
}

// BarSeries is one series of a histogram.
type BarSeries struct {
	// Name names the series; required.
	Name string `rule:"name"`
	// Counts has one count per key, not negative, of at most 10,000 digits; nil means that there is none to show.
	Counts []*big.Int
}

// Limits of a histogram.
const (
	maxSpan   = 200
	maxDigits = 10_000
)

// Figure draws the histogram. It fails if a field breaks its rule above.
func (h Histogram) Figure() (content.Figure, error) { return drawn(h, h) }

func (h Histogram) figure() content.Figure {
	l := h.layout()
	f := content.Figure{Title: h.Title, Alt: h.describe(), Data: h.table()}
	for i, s := range h.Series {
		f.Legend = append(f.Legend, areaEntry(s.Name, "", barFills[i], bigText(total(s.Counts))))
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { h.paint(s, l) })
}

func (h Histogram) check(c *checker) {
	c.require(len(h.Keys) > 0, "Keys is empty; give at least one key")
	for i, k := range h.Keys {
		c.require(k >= -maxValue && k <= maxValue, "Keys[%d] is %d, beyond %d; subtract an offset", i, k, maxValue)
		c.require(i == 0 || h.Keys[max(i, 1)-1] < k, "Keys[%d] is %d, not above the key before it; sort the keys", i, k)
	}
	if c.err == nil {
		span := h.Keys[len(h.Keys)-1] - h.Keys[0] + 1
		c.require(span <= maxSpan, "Keys span %d values, more than %d; show a part", span, maxSpan)
	}
	c.require(len(h.Series) == 1 || len(h.Series) == 2, "Series has %d series; give one or two", len(h.Series))
	c.require(!h.Mirrored || len(h.Series) == 2, "Mirrored needs two series, not %d", len(h.Series))
	for i, s := range h.Series {
		name := fmt.Sprintf("Series[%d]", i)
		c.require(i == 0 || s.Name != h.Series[0].Name, "%s.Name %q occurs twice; name every series differently", name,
			s.Name)
		c.require(len(s.Counts) == len(h.Keys), "%s.Counts has %s for %s; give one per key", name,
			plural.Count(len(s.Counts), "count"), plural.Count(len(h.Keys), "key"))
		for j, n := range s.Counts {
			c.count(fmt.Sprintf("%s.Counts[%d]", name, j), n)
		}
	}
}

// count checks a number of things, which may be nil.
func (c *checker) count(field string, n *big.Int) {
	if n == nil {
		return
	}
	c.require(n.Sign() >= 0, "%s is negative; counts are 0 or more", field)
	digits := float64(n.BitLen()) * math.Log10(2)
	c.require(digits <= maxDigits, "%s has more than %d digits; show its logarithm", field, maxDigits)
}

// table has a row per key; counts are exact.
func (h Histogram) table() content.Records {
	t := content.Records{Header: []string{h.XLabel}}
	for _, s := range h.Series {
		t.Header = append(t.Header, s.Name)
	}
	for i, k := range h.Keys {
		row := []string{fmt.Sprint(k)}
		for _, s := range h.Series {
			cell := ""
			if s.Counts[i] != nil {
				cell = s.Counts[i].String()
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// describe is the alternative text: range, sum, first and last non-zero key, and the greatest count of each series.
func (h Histogram) describe() string {
	what, scale := h.YLabel, ""
	if h.Log {
		what, scale = strings.TrimSuffix(what, " (log scale)"), ", on a logarithmic scale"
	}
	text := fmt.Sprintf("Bar chart of %s by %s, %s to %s%s.", what, h.XLabel, count(h.Keys[0]),
		count(h.Keys[len(h.Keys)-1]), scale)
	for _, s := range h.Series {
		text += " " + h.describeSeries(s)
	}
	return text
}

func (h Histogram) describeSeries(s BarSeries) string {
	var bars []int
	for i, n := range s.Counts {
		if n != nil && n.Sign() > 0 {
			bars = append(bars, i)
		}
	}
	if len(bars) == 0 {
		return fmt.Sprintf("%s: none.", content.Capital(s.Name))
	}
	sum, first, last := bigText(total(s.Counts)), bars[0], bars[len(bars)-1]
	if first == last {
		return fmt.Sprintf("%s: %s, all at %s.", content.Capital(s.Name), sum, h.keyName(first))
	}
	most := slices.MaxFunc(bars, func(i, j int) int { return s.Counts[i].Cmp(s.Counts[j]) })
	return fmt.Sprintf("%s: %s in all, from %s at %s to %s at %s; most %s at %s.", content.Capital(s.Name), sum,
		bigText(s.Counts[first]), h.keyName(first), bigText(s.Counts[last]), count(h.Keys[last]),
		bigText(s.Counts[most]), count(h.Keys[most]))
}

// keyName names a key in a sentence: "wave 8" if the label is one noun, also one that a clause explains ("wave in which
// the tank is dry"), else only the number, since a longer label does not read as a name.
func (h Histogram) keyName(i int) string {
	noun, _, _ := strings.Cut(h.XLabel, " in which ")
	if strings.Contains(noun, " ") {
		return count(h.Keys[i])
	}
	return noun + " " + count(h.Keys[i])
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

// skyline is what neighbouring bars look like from afar: an area with their tops as its edge. Bars of a few pixels are
// drawn so, because gaps and patterns of single bars would flicker.

// narrowBar is the width in pixels below which bars are joined.
const narrowBar = 6.0

// skylines joins bars that touch, which come from left to right and end at a common base.
func skylines(bars []box) [][]box {
	var runs [][]box
	for i, b := range bars {
		if i == 0 || b.x0 > bars[i-1].x1+1e-6 {
			runs = append(runs, nil)
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], b)
	}
	return runs
}

// corners goes around a run of bars that touch, whose other ends are at the base.
func skylineCorners(run []box, base float64) []pos {
	last := run[len(run)-1]
	at := []pos{{last.x1, base}, {run[0].x0, base}}
	for _, b := range run {
		top := b.y0
		if b.y1 > base+1e-6 { // it hangs down
			top = b.y1
		}
		at = append(at, pos{b.x0, top}, pos{b.x1, top})
	}
	return at
}

// coverSkyline fills bars that touch, with one pattern for all of them.
func (s *stage) coverSkyline(bars []box, base float64, f fill) {
	for _, run := range skylines(bars) {
		corners := skylineCorners(run, base)
		s.fill(f.ground[s.theme], corners...)
		s.hatch(f, hatch(f.pattern, hull(corners), func(p pos) bool {
			for _, b := range run {
				if p[0] >= b.x0 && p[0] <= b.x1 {
					return p[1] >= b.y0 && p[1] <= b.y1
				}
			}
			return false
		}))
	}
}

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
