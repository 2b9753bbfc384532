package figure

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// maxBins is the maximum number of colours of the ordered palette that the eye can distinguish.
const maxBins = 12

// maxValue bounds ordered values. Up to this bound, float64 is exact, and differences do not overflow an int, even of
// 32 bits.
const maxValue = min(1_000_000_000_000_000, math.MaxInt/2)

// bin is a range of ordered values. lo and hi are the least and the greatest value that occur in the range.
type bin struct{ lo, hi int }

func (b bin) short() string {
	if b.lo == b.hi {
		return count(b.lo)
	}
	return count(b.lo) + "–" + count(b.hi)
}

// bins groups ascending distinct values into at most limit >= 12 ranges. If there are few enough values, each has its
// own range; otherwise the ranges have round upper ends. If the values begin near zero, the first few still have their
// own ranges, because steps matter most there.
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

// upperEnds returns the ascending upper ends of at most limit-1 ranges; the values above the last end form another
// range.
func upperEnds(lo, hi, limit int) []int {
	var ends []int
	switch {
	case lo == 0: // with one value too many, 7 and 8 share a bin
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

// floorTo returns the greatest multiple of step that is at most v.
func floorTo(v, step int) int {
	r := v % step
	if r < 0 {
		r += step
	}
	return v - r
}

// group groups ascending values by upper ends, and omits empty ranges.
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

// Histogram shows exact counts by an integer key, such as the number of ways to win by wave. It has one or two series,
// side by side or mirrored at the axis.
type Histogram struct {
	// Title describes what the histogram shows; XLabel names the key, and YLabel names what is counted. All three are
	// required.
	Title, XLabel, YLabel string `rule:"name"`
	// Keys are the integers on the horizontal axis, in strictly ascending order; their range is at most 200.
	Keys []int
	// Series contains one or two series, or three if Mirrored is true. The third series is a part of the second one.
	Series []BarSeries
	// Log makes the vertical axis logarithmic. In that case, a count of zero has a "0" on the axis instead of a bar.
	Log bool
	// Mirrored draws the second of two series downwards instead of next to the first.
	Mirrored bool
}

// BarSeries is one series of a histogram.
type BarSeries struct {
	// Name is the name of the series; required.
	Name string `rule:"name"`
	// Counts contains a count for each key. A count must not be negative, and must have at most 10,000 digits; nil
	// means that there is no count.
	Counts []*big.Int
}

// These are the limits for a histogram.
const (
	maxSpan   = 200
	maxDigits = 10_000
)

// Figure draws the histogram. It fails if a field breaks its rule above.
func (h Histogram) Figure() (content.Figure, error) { return drawn(h, h) }

func (h Histogram) figure() content.Figure {
	l := h.layout()
	f := content.Figure{Title: h.Title, Alt: h.describe(), Data: h.table(), Box: l.data.content()}
	labels, named := h.labels(l)
	if !named {
		f.Legend = h.legend()
	}
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) {
		h.paint(s, l)
		s.labels(labels)
	})
}

// labels returns the names of the series with their totals, each next to a bar. It reports whether there is room for
// all names; if not, it returns no labels. The name of a single series is the title of the vertical axis.
func (h Histogram) labels(l *barLayout) (labels []placedLabel, named bool) {
	room := &placer{within: l.data}
	for i := range h.Series {
		room.taken = slices.Concat(room.taken, l.bars[i], l.zeros[i])
	}
	room.addLine(0, []pos{{l.data.x0, l.base}, {l.data.x1, l.base}})
	for i, s := range h.Series {
		higher := func(a, b box) int { return cmp.Compare(b.h(), a.h()) }
		bars := slices.SortedStableFunc(slices.Values(l.bars[i]), higher)
		if len(bars) == 0 {
			return nil, false
		}
		var targets []target
		for _, b := range bars {
			end, beside := b.y0, min(b.y0+labelHeight/2, b.y1)
			if h.Mirrored && i > 0 {
				end, beside = b.y1, max(b.y1-labelHeight/2, b.y0)
			}
			targets = append(targets, target{at: pos{b.middle()[0], end}}, target{at: pos{b.x0, beside}},
				target{at: pos{b.x1, beside}})
		}
		if !room.nameNext(&labels, targets, s.Name+": "+bigText(total(s.Counts)), ink) {
			return nil, false
		}
	}
	return labels, true
}

func (h Histogram) legend() (legend []content.LegendEntry) {
	for i, s := range h.Series {
		legend = append(legend, areaEntry(s.Name, "", barFills[i], bigText(total(s.Counts))))
	}
	return legend
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
	c.require(len(h.Series) == 1 || len(h.Series) == 2 || len(h.Series) == 3 && h.Mirrored,
		"Series has %d series; give one or two", len(h.Series))
	c.require(!h.Mirrored || len(h.Series) >= 2, "Mirrored needs two series, not %d", len(h.Series))
	for i, s := range h.Series {
		name := fmt.Sprintf("Series[%d]", i)
		for _, other := range h.Series[:i] {
			c.require(s.Name != other.Name, "%s.Name %q occurs twice; name every series differently", name, s.Name)
		}
		c.require(len(s.Counts) == len(h.Keys), "%s.Counts has %s for %s; give one per key", name,
			plural.Count(len(s.Counts), "count"), plural.Count(len(h.Keys), "key"))
		for j, n := range s.Counts {
			c.count(fmt.Sprintf("%s.Counts[%d]", name, j), n)
			if i == 2 && c.err == nil && n != nil {
				whole := h.Series[1].Counts[j]
				c.require(whole != nil && n.Cmp(whole) <= 0,
					"%s.Counts[%d] is more than the second series has; it must be a part of it", name, j)
			}
		}
	}
}

// count checks a count, which may be nil.
func (c *checker) count(field string, n *big.Int) {
	if n == nil {
		return
	}
	c.require(n.Sign() >= 0, "%s is negative; counts are 0 or more", field)
	digits := float64(n.BitLen()) * math.Log10(2)
	c.require(digits <= maxDigits, "%s has more than %d digits; show its logarithm", field, maxDigits)
}

// table returns a table with a row for each key, with exact counts.
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

// describe returns the alternative text: the range of the keys and, for each series, its sum, its first and last
// non-zero keys and its greatest count.
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
	return fmt.Sprintf("%s: the total is %s. The counts go from %s at %s to %s at %s; the maximum is %s, at "+
		"%s.", content.Capital(s.Name), sum,
		bigText(s.Counts[first]), h.keyName(first), bigText(s.Counts[last]), count(h.Keys[last]),
		bigText(s.Counts[most]), count(h.Keys[most]))
}

// keyName returns the name of a key in a sentence: "wave 8" if the label is a noun, or a noun followed by a clause,
// such as "wave in which the tank is dry". For other labels it returns only the number, because they do not read well
// as a name.
func (h Histogram) keyName(i int) string {
	noun, _, _ := strings.Cut(h.XLabel, " in which ")
	if strings.Contains(noun, " ") {
		return count(h.Keys[i])
	}
	return noun + " " + count(h.Keys[i])
}

// barFills contains the looks of the series.
var barFills = [3]fill{
	{both(0x0067a3, 0x56b4e9), solid, both(0x0067a3, 0x56b4e9)},
	{both(0xe69f00, 0xe69f00), rising, both(0x6b4a00, 0x5c3f00)},
	{both(0x5a3400, 0xf6e2b0), solid, both(0x5a3400, 0xf6e2b0)},
}

// barLayout is the geometry of a histogram: for each series, the boxes of its bars in pixels.
type barLayout struct {
	frame
	base  float64 // the zero line
	bars  [3][]box
	zeros [3][]box // the zeros on a logarithmic axis, as bars without height
}

// logBase is the start of logarithmic bars. It is below 1, so that a count of 1 has a bar.
const logBase = -0.35

// layout determines the scale, and the box of every bar.
func (h Histogram) layout() *barLayout {
	n := yTickCount
	if h.Mirrored {
		n = 3
	}
	up := h.upward(n)
	f := h.axes(up)
	left, right := yGutter(f.yTicks), Width-16.0
	f.xTicks = spread(f.x.integerTicks(12), f.x, right-left)
	f.data = box{left, headRoom, right, headRoom + 270}
	return h.place(f, up)
}

// axes returns a frame with scales and ticks, but without the box for the data.
func (h Histogram) axes(up upward) frame {
	f := frame{
		xLabel: h.XLabel, yLabel: h.YLabel, grid: true, y: scale{min: up.min, max: up.max}, yTicks: up.ticks,
		x: scale{min: float64(slices.Min(h.Keys)) - 0.5, max: float64(slices.Max(h.Keys)) + 0.5},
	}
	if h.Mirrored {
		f.yLabel += " (" + h.Series[0].Name + " up, " + h.Series[1].Name + " down)"
		f.y.min = up.min - (up.max - up.min)
		for _, t := range up.ticks {
			if t.value > 0 { // both directions share the tick at zero, or at one on a logarithmic axis
				f.yTicks = append(f.yTicks, tick{2*up.min - t.value, t.label})
			}
		}
	}
	return f
}

// place returns the layout with a box for every bar.
func (h Histogram) place(f frame, up upward) *barLayout {
	l := &barLayout{frame: f}
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

// upward is the vertical scale in one direction. It maps counts, counts in units of a power of ten, or logarithms.
type upward struct {
	min, max float64
	ticks    []tick
	at       func(n *big.Int) float64
}

// greatest returns the greatest count, ignoring nil, or 1 if all counts are smaller.
func greatest(counts []*big.Int) *big.Int {
	most := big.NewInt(1)
	for _, n := range counts {
		if n != nil && n.Cmp(most) > 0 {
			most = n
		}
	}
	return most
}

// upward returns a scale that has room for the greatest count, with about n ticks. Counts that are too large for an
// exact float64 are shown in units of a power of ten.
func (h Histogram) upward(n int) upward {
	var counts []*big.Int
	for _, s := range h.Series {
		counts = append(counts, s.Counts...)
	}
	most := greatest(counts)
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

// bar returns the box of a bar with the given height. Bars of mirrored series, except for the first series, extend
// downwards by that height.
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
	case series > 0:
		b.y0, b.y1 = l.base, 2*l.base-end
	}
	return b
}

// joined reports whether the bars are so narrow that they are drawn as one area. Two series are joined only if they are
// mirrored.
func (h Histogram) joined(l *barLayout) bool {
	return (len(h.Series) == 1 || h.Mirrored) && l.data.w()/(l.x.max-l.x.min) < narrowBar
}

// paint draws the grid, the bars and the zeros.
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

// paintZeros marks zeros, which have no bar on a logarithmic axis, with a digit or, if bars are too narrow, with a
// ring.
func (h Histogram) paintZeros(s *stage, l *barLayout, series int) {
	away := -9.0
	if h.Mirrored && series > 0 {
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

// A skyline is an area that replaces adjacent bars. Its upper edge follows the tops of the bars. Bars that are only a
// few pixels wide become skylines, because the gaps between them and their patterns would flicker.

// narrowBar is the width in pixels below which bars are joined.
const narrowBar = 6.0

// skylines groups bars that touch. The bars are ordered from left to right and share a base.
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

// skylineCorners returns the corners around a run of bars that touch and share a base.
func skylineCorners(run []box, base float64) []pos {
	last := run[len(run)-1]
	at := []pos{{last.x1, base}, {run[0].x0, base}}
	for _, b := range run {
		top := b.y0
		if b.y1 > base+1e-6 { // the bar hangs down
			top = b.y1
		}
		at = append(at, pos{b.x0, top}, pos{b.x1, top})
	}
	return at
}

// coverSkyline fills bars that touch with a single pattern.
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

// Histograms shows several histograms on common axes, three in a row.
type Histograms struct {
	// Title describes what the histograms show; required.
	Title string `rule:"name"`
	// Panels are drawn in reading order, each below its title; 1 to 36 panels. Histograms may differ only in their
	// titles, keys and counts.
	Panels []Histogram `rule:"1-36 panels"`
}

// Figure draws the histograms. It fails if a field breaks its rule above.
func (h Histograms) Figure() (content.Figure, error) { return drawn(h, h) }

func (h Histograms) check(c *checker) {
	for _, p := range h.Panels {
		if p.check(c); c.err != nil {
			c.err = fmt.Errorf("%w (panel %q)", c.err, p.Title)
			return
		}
		alike := p.Log == h.Panels[0].Log && p.Mirrored == h.Panels[0].Mirrored &&
			slices.EqualFunc(p.Series, h.Panels[0].Series, func(a, b BarSeries) bool { return a.Name == b.Name })
		c.require(alike, "panel %q has different series or axes from the first panel; give all panels the same",
			p.Title)
		c.require(textWidth(p.Title) <= (Width-60)/panelsInRow, "the title %q is too wide for its panel; shorten it",
			p.Title)
	}
}

// panelsInRow is the number of histograms side by side.
const panelsInRow = 3

func (h Histograms) figure() content.Figure {
	all := h.Panels[0]
	all.Keys, all.Series = nil, slices.Clone(all.Series)
	for i := range all.Series {
		all.Series[i].Counts = nil
	}
	data := content.Records{Header: append([]string{"panel"}, h.Panels[0].table().Header...)}
	alt := fmt.Sprintf("%s of %s by %s, on common axes.", content.Counted(len(h.Panels), "small bar chart",
		"small bar charts"), all.YLabel, all.XLabel)
	for _, p := range h.Panels {
		all.Keys = append(all.Keys, p.Keys...)
		alt += fmt.Sprintf(" %s:", p.Title)
		for i, s := range p.Series {
			all.Series[i].Counts = append(all.Series[i].Counts, s.Counts...)
			alt += " " + p.describeSeries(s)
		}
		for _, row := range p.table().Rows {
			data.Rows = append(data.Rows, append([]string{p.Title}, row...))
		}
	}
	up := all.upward(1)
	proto := all.axes(up)
	proto.xTicks = proto.x.integerTicks(5)
	frames, height := facets(proto, len(h.Panels), panelsInRow, func(float64) float64 { return 110 })
	f := content.Figure{Title: h.Title, Alt: alt, Data: data, Legend: all.legend()}
	return finish(f, Width, height, func(s *stage) {
		s.text(pos{outerGap, headRoom - 11}, proto.yLabel, textStyle{colour: s.muted, shift: sit})
		for i, p := range h.Panels {
			l := p.place(frames[i], up)
			clear(l.zeros[:]) // there is no room for a sign at each zero
			p.paint(s, l)
			s.text(pos{l.data.x0, l.data.y0 - 7}, p.Title, textStyle{colour: s.ink, shift: sit})
		}
	})
}
