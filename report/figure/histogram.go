package figure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Histogram shows exact counts by an integer key, such as ways to win by wave, for one or two series side by side or
// mirrored at the axis.
type Histogram struct {
	// Title says what is shown; XLabel names the key, YLabel the counted thing; all required.
	Title, XLabel, YLabel string
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
	Name string
	// Counts has one count per key, not negative, of at most 10,000 digits; nil means that there is none to show.
	Counts []*big.Int
}

// Limits of a histogram.
const (
	maxSpan   = 200
	maxDigits = 10_000
)

// Figure draws the histogram. It fails if a field breaks its rule above.
func (h Histogram) Figure() (content.Figure, error) {
	if err := h.check(); err != nil {
		return content.Figure{}, err
	}
	l := h.layout()
	f := content.Figure{Title: h.Title, Alt: h.describe(), Data: h.table()}
	for i, s := range h.Series {
		f.Legend = append(f.Legend, areaEntry(s.Name, "", barFills[i], bigText(total(s.Counts))))
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { h.paint(s, l) }), nil
}

func (h Histogram) check() error {
	c := checker{kind: "Histogram"}
	c.name("Title", h.Title)
	c.name("XLabel", h.XLabel)
	c.name("YLabel", h.YLabel)
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
		c.name(name+".Name", s.Name)
		c.require(i == 0 || s.Name != h.Series[0].Name, "%s.Name %q occurs twice; name every series differently", name,
			s.Name)
		c.require(len(s.Counts) == len(h.Keys), "%s.Counts has %s for %s; give one per key", name,
			plural.Count(len(s.Counts), "count"), plural.Count(len(h.Keys), "key"))
		for j, n := range s.Counts {
			if n == nil {
				continue
			}
			c.require(n.Sign() >= 0, "%s.Counts[%d] is negative; counts are 0 or more", name, j)
			digits := float64(n.BitLen()) * math.Log10(2)
			c.require(digits <= maxDigits, "%s.Counts[%d] has more than %d digits; show its logarithm", name, j, maxDigits)
		}
	}
	return c.err
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
		bigText(s.Counts[first]), h.keyName(first), bigText(s.Counts[last]), count(h.Keys[last]), bigText(s.Counts[most]),
		count(h.Keys[most]))
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
