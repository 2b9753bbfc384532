package figure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// TestStairs checks that a staircase goes level and then straight up, a series next to it slopes, and markers stay on
// the points.
func TestStairs(t *testing.T) {
	l := Lines{
		Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Stairs: []string{"jumps"},
		Series: []Series{{"jumps", ys(0, 0, 1)}, {"slopes", ys(0, 0.5, 1)}},
	}
	ch := chart{Lines: l, panels: []Panel{{Series: l.Series}}}
	lines := ch.layout(true, 0)[0].lines
	if len(lines[0]) != 5 || lines[0][3][0] != lines[0][4][0] || lines[0][3][1] != lines[0][2][1] ||
		len(lines[1]) != 3 {
		t.Errorf("corners %v", lines)
	}
	if must.Get(l.Figure()).Data.CSV() == nil {
		t.Error("no data")
	}
}

// TestSharedEnds checks that names of lines that end at the same place are in the order in which the lines were before,
// with their markers. Names without room for all of them are in the legend.
func TestSharedEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		heights := rapid.Permutation([]float64{2, 4, 6, 8}).Draw(t, "heights")
		l := Lines{Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, References: []Reference{{"zero", 0}}}
		for i, h := range heights {
			l.Series = append(l.Series, Series{strconv.Itoa(i), []Point{{0, 0}, {1, h}, {2, h}, {3, 0}}})
		}
		ch := chart{Lines: l, panels: []Panel{{Series: l.Series}}}
		panels, named := ch.labelled()
		if !named || len(must.Get(l.Figure()).Legend) > 0 {
			t.Fatal("the lines have a legend")
		}
		labels := panels[0].labels
		for i, h := range heights {
			if !labels[i].shared || labels[i].y >= labels[len(heights)].y {
				t.Fatalf("label %d is %+v", i, labels[i])
			}
			for j, other := range heights {
				if h > other && labels[i].y >= labels[j].y {
					t.Fatalf("heights %v: name %d is at %v, name %d at %v", heights, i, labels[i].y, j, labels[j].y)
				}
			}
		}
	})
	long := Trace{Title: "t", XLabel: "x", YLabel: "y"}
	for range 2 {
		p := Panel{Title: "p" + strconv.Itoa(len(long.Panels))}
		for i := range MaxSeries {
			p.Series = append(p.Series, Series{strings.Repeat("a long name ", 2) + strconv.Itoa(i), ys(0, 1, 0)})
		}
		long.Panels = append(long.Panels, p)
	}
	if f := must.Get(long.Figure()); len(f.Legend) != MaxSeries {
		t.Errorf("%d entries in the legend", len(f.Legend))
	}
	long.Panels = long.Panels[:1] // a panel on its own is taller
	if f := must.Get(long.Figure()); len(f.Legend) != 0 {
		t.Errorf("%d entries in the legend of one panel", len(f.Legend))
	}
}

// TestBarHeights checks that on both scales, a bar's height agrees with big-number arithmetic.
func TestBarHeights(t *testing.T) {
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(5000), nil)
	for _, most := range []*big.Int{
		big.NewInt(1), big.NewInt(7), big.NewInt(999_999), big.NewInt(1_000_000), big.NewInt(math.MaxInt64), huge,
	} {
		half := new(big.Int).Div(most, big.NewInt(2))
		h := Histogram{
			Title: "t", XLabel: "x", YLabel: "y", Keys: []int{1, 2},
			Series: []BarSeries{{"a", []*big.Int{most, half}}},
		}
		must.Do(t, checked(h, h))
		l := h.layout()
		bars := l.bars[0]
		if bars[0].y0 < l.frame.data.y0-1e-6 || bars[0].h() < 0.5*l.frame.data.h() {
			t.Errorf("most %s: the greatest bar is %v in %v", bigText(most), bars[0], l.frame.data)
		}
		if half.Sign() > 0 {
			want, _ := new(big.Rat).SetFrac(half, most).Float64()
			if got := bars[1].h() / bars[0].h(); math.Abs(got-want) > 1e-9 {
				t.Errorf("most %s: bars are %v, counts %v", bigText(most), got, want)
			}
		}
		h.Log = true
		l = h.layout()
		if l.bars[0][0].y0 < l.frame.data.y0-1e-6 || l.bars[0][0].h() <= 2 {
			t.Errorf("log, most %s: the greatest bar is %v in %v", bigText(most), l.bars[0][0], l.frame.data)
		}
	}
}

// TestTicks checks that labels parse to their values, are in range and have enough distance.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		s := scale{min: lo, max: lo + rapid.Float64Range(1e-2, 1e6).Draw(t, "span")}
		ticks := s.ticks(5)
		if len(ticks) < 1 || len(ticks) > 7 {
			t.Fatalf("%d ticks on %v", len(ticks), s)
		}
		for i, k := range ticks {
			if k.value < s.min-1e-6*(s.max-s.min) || k.value > s.max+1e-6*(s.max-s.min) {
				t.Fatalf("tick %v outside %v", k, s)
			}
			if i > 0 && k.label == ticks[i-1].label {
				t.Fatalf("two ticks %q on %v", k.label, s)
			}
		}
	})
}

// TestRelax checks that labels keep their order, do not overlap, and stay in range if there is room for all.
func TestRelax(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		labels := make([]endLabel, n)
		wanted := make([]float64, n)
		for i := range labels {
			wanted[i] = rapid.Float64Range(0, 300).Draw(t, "y")
			labels[i] = endLabel{y: wanted[i], lines: make([]string, rapid.IntRange(1, 2).Draw(t, "lines"))}
		}
		relax(labels, 0, 300)
		for i, a := range labels {
			if a.y-a.height()/2 < -1e-6 || a.y+a.height()/2 > 300+1e-6 {
				t.Fatalf("label %d at %v leaves 0..300", i, a.y)
			}
			for j, b := range labels[:i] {
				if math.Abs(a.y-b.y) < (a.height()+b.height())/2-1e-6 {
					t.Fatalf("labels %d and %d overlap: %v, %v", i, j, a.y, b.y)
				}
				if (wanted[i]-wanted[j])*(a.y-b.y) < 0 {
					t.Fatalf("labels %d and %d changed order", i, j)
				}
			}
		}
	})
}

func TestSlope(t *testing.T) {
	var pts []Point
	for n := 1.0; n <= 1024; n *= 2 {
		pts = append(pts, Point{n, 7 * math.Pow(n, 2.5)})
	}
	if k, ok := slope(pts); !ok || math.Abs(k-2.5) > 1e-12 {
		t.Errorf("slope of 7 n^2.5 = %v, %v", k, ok)
	}
	if _, ok := slope(pts[:2]); ok {
		t.Error("two points have a slope")
	}
}

// TestJoined checks that bars of a few pixels touch each other, so that gaps between them do not flicker; wider bars do
// not touch.
func TestJoined(t *testing.T) {
	if narrow := sampleJoined(); !narrow.joined(narrow.layout()) {
		t.Error("narrow bars are not joined")
	}
	if wide := sampleOf[Histogram]("histogram-mirrored"); wide.joined(wide.layout()) {
		t.Error("wide bars are joined")
	}
	beside := sampleJoined()
	if beside.Mirrored = false; beside.joined(beside.layout()) {
		t.Error("bars side by side are joined")
	}
}

// TestHeatScale checks that every share above 0 is within the bounds of its step, and there are few steps.
func TestHeatScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.SliceOfN(rapid.Float64Range(0, 1), 4, 4).Draw(t, "shares")
		trials := rapid.SampledFrom([]int{0, 1, 30, 1000}).Draw(t, "trials")
		m := HeatMaps{
			Title: "t", Noun: "n", Cols: 2, Rows: 2, Panels: []HeatPanel{{Name: "p", Shares: shares}}, Trials: trials,
		}
		scale := m.scale()
		if scale.steps > heatSteps {
			t.Fatalf("%d steps", scale.steps)
		}
		for _, v := range shares {
			if v == 0 {
				continue
			}
			low := float64(scale.low + scale.index(v)*scale.step)
			if 100*v < low-1e-9 || 100*v > low+float64(scale.step)+1e-9 {
				t.Fatalf("%g is in step %d of %+v", v, scale.index(v), scale)
			}
		}
		if _, err := m.Figure(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestHeatNoise checks that equal shares look the same in all cells, for any value and with random errors. A real
// difference is visible.
func TestHeatNoise(t *testing.T) {
	const trials = 1000
	rng := rand.New(rand.NewPCG(7, 7))
	toss := func(p float64) float64 {
		n := 0
		for range trials {
			if rng.Float64() < p {
				n++
			}
		}
		return float64(n) / trials
	}
	for _, p := range []float64{0.05, 0.2, 0.25, 0.3, 0.5, 0.6, 0.9} {
		m := HeatMaps{Title: "t", Noun: "n", Cols: 10, Rows: 10, Panels: []HeatPanel{{Name: "flat"}}, Trials: trials}
		for range 100 {
			m.Panels[0].Shares = append(m.Panels[0].Shares, toss(p))
		}
		steps := map[int]int{}
		for _, v := range m.Panels[0].Shares {
			steps[m.scale().index(v)]++
		}
		if len(steps) > 1 {
			t.Errorf("a share of %g falls into steps %v of %+v", p, steps, m.scale())
		}
		m.Panels[0].Shares[7] = toss(p + 0.1)
		scale := m.scale()
		if scale.index(m.Panels[0].Shares[7]) == scale.index(p) {
			t.Errorf("%g and %g look alike in %+v", p, m.Panels[0].Shares[7], scale)
		}
	}
	if scale := (HeatMaps{Panels: []HeatPanel{{Name: "p", Shares: []float64{0.2, 0.21}}}}).scale(); scale.step != 1 ||
		scale.low != 20 {
		t.Errorf("exact shares have the scale %+v", scale)
	}
}
