package figure

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// drawing is a kind of figure.
type drawing interface {
	Figure() (content.Figure, error)
}

// refuses expects that a spoiled sample is refused in one line, which says what is wanted.
func refuses[D drawing](t *testing.T, sample func() D, faults map[string]func(*D)) {
	t.Helper()
	for want, spoil := range faults {
		d := sample()
		spoil(&d)
		_, err := d.Figure()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		} else if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "figure: ") {
			t.Errorf("error %q is not one line that names the package", err)
		}
	}
}

// TestErrors: bad input is one line that names kind, value, rule and fix.
func TestErrors(t *testing.T) {
	refuses(t, samplePhases, map[string]func(*PhaseMaps){
		"figure: PhaseMaps: Panels has 0 maps; give 1 to 24": func(m *PhaseMaps) { m.Panels = nil },
		`Panels[2].Name "bold" occurs twice`:                 func(m *PhaseMaps) { m.Panels[2].Name = "bold" },
		`W*H = 12*6 = 72; give one value per cell (map "bold")`: func(m *PhaseMaps) {
			m.Panels[1].Cells = m.Panels[1].Cells[:7]
		},
	})
	refuses(t, sampleShares, map[string]func(*ShareMap){
		"Cells has 7 values, but W*H = 6*2 = 12":      func(m *ShareMap) { m.Shares = m.Shares[:7] },
		"Shares[2] is 1.5; give a number from 0 to 1": func(m *ShareMap) { m.Shares[2] = 1.5 },
		"Shares[2] is NaN; give a number from 0 to 1": func(m *ShareMap) { m.Shares[2] = math.NaN() },
	})
	refuses(t, samplePhase, map[string]func(*PhaseMap){
		"Cells has 7 values, but W*H = 6*4 = 24; give one value per cell": func(m *PhaseMap) {
			m.Cells = m.Cells[:7]
		},
		"W is 0; give 1 to 4096 columns":           func(m *PhaseMap) { m.W = 0 },
		"H is -1; give 1 to 4096 rows":             func(m *PhaseMap) { m.H = -1 },
		"more than 4194304 cells":                  func(m *PhaseMap) { m.W, m.H = 4096, 4096 },
		"Cells[3] is -9223372036854775808, beyond": func(m *PhaseMap) { m.Cells[3] = math.MinInt },
		"X.Min is NaN; give a finite number":       func(m *PhaseMap) { m.X.Min = math.NaN() },
		"Y.Max is +Inf; give a finite number":      func(m *PhaseMap) { m.Y.Max = math.Inf(1) },
		"its Max must be greater than its Min":     func(m *PhaseMap) { m.X.Max = m.X.Min },
		"too narrow to label":                      func(m *PhaseMap) { m.X = Axis{"x", 1e12, 1e12 + 1} },
		"give a finite number":                     func(m *PhaseMap) { m.X = Cells("x", 1, 6, 0) },
		"Curves[0].Points[0].Y is NaN":             func(m *PhaseMap) { m.Curves[0].Points[0].Y = math.NaN() },
		"a line needs two": func(m *PhaseMap) {
			m.Curves[0].Points = m.Curves[0].Points[:1]
		},
		"Classes[1].Value -1 is listed twice":           func(m *PhaseMap) { m.Classes[1].Value = -1 },
		`Classes[1].Label "cannot win" is listed twice`: func(m *PhaseMap) { m.Classes[1].Label = "cannot win" },
		"is taken": func(m *PhaseMap) { m.Classes[1].Swatch = Blocked },
		"Swatch is 99; use one of the named swatches": func(m *PhaseMap) { m.Classes[1].Swatch = 99 },
		"201 characters, more than 200":               func(m *PhaseMap) { m.Title = strings.Repeat("x", 201) },
	})
	refuses(t, sampleAgreement, map[string]func(*PhaseMap){
		"Right is 77, which Classes does not list": func(m *PhaseMap) { m.Agreement.Right = 77 },
		"Data: it has rows, but no header": func(m *PhaseMap) {
			m.Agreement.Data.Rows = [][]string{{"1"}}
		},
		"Cells[9] is 5, which Classes does not list; add": func(m *PhaseMap) { m.Cells[9] = 5 },
	})
	histogram := func() Histogram { return sampleHistogram(false, false) }
	refuses(t, histogram, map[string]func(*Histogram){
		"Keys is empty": func(h *Histogram) { h.Keys = nil },
		"Keys[1] is 3, not above the key before it": func(h *Histogram) { h.Keys[1] = 3 },
		"Keys span 998 values, more than 200":       func(h *Histogram) { h.Keys[4] = 1000 },
		"Series has 0 series; give one or two":      func(h *Histogram) { h.Series = nil },
		"Series[0].Counts[0] is negative":           func(h *Histogram) { h.Series[0].Counts[0] = big.NewInt(-1) },
		"Series[1].Counts has 0 counts for 5 keys":  func(h *Histogram) { h.Series[1].Counts = nil },
		"occurs twice":                     func(h *Histogram) { h.Series[1].Name = "soldiers" },
		"Mirrored needs two series, not 1": func(h *Histogram) { h.Series, h.Mirrored = h.Series[:1], true },
		"more than 10000 digits": func(h *Histogram) {
			h.Series[0].Counts[0] = new(big.Int).Lsh(big.NewInt(1), 40_000)
		},
	})
	points := func(points ...Point) func(*Cost) {
		return func(c *Cost) { c.Series[0].Points = points }
	}
	refuses(t, sampleCost, map[string]func(*Cost){
		"Series[0].Points has 0 points":                            points(),
		"Points[0] is (1, 0); logarithmic axes need both positive": points(Point{1, 0}),
		"Series[0].Points[1].X is 1 after 2; sort the points by x": points(Point{2, 1}, Point{1, 1}),
		"Series[0].Points[0].Y is +Inf":                            points(Point{1, math.Inf(1)}),
		"beyond 1e+150":                                            points(Point{1, 1e300}),
	})
	refuses(t, sampleTrace, map[string]func(*Trace){
		"Panels has 0 panels": func(tr *Trace) { tr.Panels = nil },
		"Series has 0 series": func(tr *Trace) { tr.Panels = []Panel{{}} },
		"the panels have 7 different series names, more than 6 looks": func(tr *Trace) {
			tr.Panels = []Panel{
				{"p", []Series{{"a", ys(1)}, {"b", ys(1)}, {"c", ys(1)}, {"d", ys(1)}}},
				{"q", []Series{{"e", ys(1)}, {"f", ys(1)}, {"g", ys(1)}}},
			}
		},
	})
}

// FuzzLabels: whatever a label holds, the figure is refused or its documents are well-formed and keep the text.
func FuzzLabels(f *testing.F) {
	for _, s := range []string{
		"plain", "<script>", `a&b"c'd`, "]]>", "d + s = (φ+1) n", "⌈x⌉₂", "a\x00b", "\xff",
		"\ufffe", "\u202eabc", "--><!--", "\u0085",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := samplePhase()
		m.Title, m.X.Label, m.One, m.Classes[0].Label, m.Curves[0].Label = s, s, s, s, s
		check := func(fig content.Figure, err error) {
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error of several lines: %q", err)
				}
				return
			}
			checkDocument(t, &fig, light)
			checkDocument(t, &fig, dark)
			for _, e := range fig.Legend {
				if _, err := parseSVG(e.Icon); err != nil {
					t.Error(err)
				}
			}
		}
		check(m.Figure())
		check(Tree{Title: s, Root: &Node{
			Lines:    []string{s},
			Children: []*Node{{Lines: []string{s}, Edge: s}},
		}}.Figure())
		check(Trace{
			Title: s, XLabel: s, YLabel: s,
			Panels: []Panel{{Title: s, Series: []Series{{s, ys(1, 2)}}}},
		}.Figure())
	})
}

// TestNamesAtOnce: a drawing without names is refused with all those that it needs in one message.
func TestNamesAtOnce(t *testing.T) {
	for want, d := range map[string]drawing{
		"PhaseMap: Title, X.Label and Y.Label are empty; name them":                  PhaseMap{},
		"PhaseMaps: Title, X.Label and Y.Label are empty; name them":                 PhaseMaps{},
		"ShareMap: Title, X.Label, Y.Label, Noun, None and All are empty; name them": ShareMap{},
		"Histogram: Title, XLabel and YLabel are empty; name them":                   Histogram{},
		"BarPanels: Title, XLabel, YLabel, Up, Down and Part are empty; name them":   BarPanels{},
		"Trace: Title, X's label and Y's label are empty; name them":                 Trace{},
		"Tree: Title is empty; name it":                                              Tree{},
		"Graph: Title, One and Many are empty; name them":                            Graph{},
		"Cost: Title, X's label and Y's label are empty; name them":                  Cost{},
		"Lines: Title, X's label and Y's label are empty; name them":                 Lines{},
		"HeatMaps: Title and Noun are empty; name them":                              HeatMaps{},
		"Masks: Title is empty; name it":                                             Masks{},
		"Board: Title is empty; name it":                                             Board{},
		"Walks: Title, X.Label and Y.Label are empty; name them":                     Walks{},
		"Ladder: Title, Columns[0], Columns[1], Less and Kept are empty; name them":  Ladder{},
		"Ranks: Title is empty; name it":                                             Ranks{},
	} {
		if _, err := d.Figure(); err == nil || err.Error() != "figure: "+want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, test := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{-1234, "−1234"},
		{1. / 3, "0.333333"},
		{999_999.4, "999,999"},
		{1_000_040.5, "1,000,040"},
		{-1_234_567.5, "−1,234,568"},
		{999_999_999_999_999, "999,999,999,999,999"},
		{1e15, "1e+15"},
		{-2.5e-9, "−2.5e-09"},
	} {
		if got := Decimal(test.v); got != test.want {
			t.Errorf("%v is written %s, want %s", test.v, got, test.want)
		}
	}
}

// TestLargeCoordinates: an alternative text names the cells of a map far from the origin in full, and so does its
// table.
func TestLargeCoordinates(t *testing.T) {
	for first, want := range map[int]string{999_990: "1,000,001", 1_234_567_890: "1,234,567,901"} {
		m := PhaseMap{
			Title: "Far away", X: Cells("x", first, first+40, 1), Y: Cells("y", 1, 2, 1), W: 41, H: 2, One: "wave",
			Many:    "waves",
			Classes: []Class{{Value: 0, Label: "none"}},
		}
		for i := range 2 * 41 {
			m.Cells = append(m.Cells, i%41/11)
		}
		f, err := m.Figure()
		must.Do(t, err)
		text := f.Alt
		for _, row := range append([][]string{f.Data.Header}, f.Data.Rows...) {
			text += " " + strings.Join(row, " ")
		}
		if strings.Contains(text, "e+") {
			t.Errorf("digits are lost in %.400s", text)
		}
		if !strings.Contains(f.Alt, want) {
			t.Errorf("no %s in %s", want, f.Alt)
		}
	}
}

// TestPercent: fractions are rounded themselves, halves up, and not the floats nearest to them.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole, decimals int
		want                  string
	}{
		{60, 80_000, 2, "0.08"},
		{1, 8, 0, "13"},
		{1, 8, 1, "12.5"},
		{0, 7, 1, "0.0"},
		{7, 7, 1, "100.0"},
		{1, 3, 2, "33.33"},
		{2, 3, 2, "66.67"},
		{1_005, 1_000_000, 2, "0.10"},
		{1005, 100_000, 2, "1.01"},
	} {
		if got := Percent(c.part, c.whole, c.decimals); got != c.want {
			t.Errorf("%d of %d: %s %%, want %s", c.part, c.whole, got, c.want)
		}
	}
	for _, c := range []struct {
		v        float64
		decimals int
		fixed    string
		share    string
	}{
		{0.285, 2, "0.29", "28.50"},
		{1.005, 2, "1.01", "100.50"},
		{0.0005, 1, "0.0", "0.1"},
		{0.00075, 2, "0.00", "0.08"},
		{0.1415, 1, "0.1", "14.2"},
		{-0.125, 2, "-0.13", "-12.50"},
		{0, 1, "0.0", "0.0"},
		{1, 0, "1", "100"},
		{1.0 / 3, 3, "0.333", "33.333"},
		{1e-9, 3, "0.000", "0.000"},
	} {
		if fixed, share := Fixed(c.v, c.decimals), Percentage(c.v, c.decimals); fixed != c.fixed || share != c.share {
			t.Errorf("%v is %s and %s %%, want %s and %s", c.v, fixed, share, c.fixed, c.share)
		}
	}
	if got := Ratio(9, 16, 3); got != "0.563" {
		t.Errorf("9/16: %s", got)
	}
	if got := Ratio(int64(-1), 8, 2); got != "-0.13" {
		t.Errorf("-1/8: %s", got)
	}
	for part, want := range map[int]string{
		0: "0 %", 1: "under 0.1 %", 10: "0.1 %", 15: "0.2 %", 9990: "99.9 %",
		9991: "over 99.9 %", 10_000: "100 %",
	} {
		if got := share(part, 10_000); got != want {
			t.Errorf("%d of 10,000: %s, want %s", part, got, want)
		}
	}
}
