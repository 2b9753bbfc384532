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
		return fmt.Sprintf("%s: none.", capital(s.Name))
	}
	sum, first, last := bigText(total(s.Counts)), bars[0], bars[len(bars)-1]
	if first == last {
		return fmt.Sprintf("%s: %s, all at %s.", capital(s.Name), sum, h.keyName(first))
	}
	most := slices.MaxFunc(bars, func(i, j int) int { return s.Counts[i].Cmp(s.Counts[j]) })
	return fmt.Sprintf("%s: %s in all, from %s at %s to %s at %s; most %s at %s.", capital(s.Name), sum,
		bigText(s.Counts[first]), h.keyName(first), bigText(s.Counts[last]), count(h.Keys[last]),
		bigText(s.Counts[most]), count(h.Keys[most]))
}

// keyName names a key in a sentence: "wave 8" if the label is one noun, also one that a clause explains ("wave in which
// the battle is won"), else only the number, since a longer label does not read as a name.
func (h Histogram) keyName(i int) string {
	noun, _, _ := strings.Cut(h.XLabel, " in which ")
	if strings.Contains(noun, " ") {
		return count(h.Keys[i])
	}
	return noun + " " + count(h.Keys[i])
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
