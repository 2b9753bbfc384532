package figure

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"image/png"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var payload = regexp.MustCompile(`base64,[A-Za-z0-9+/=]+`)

// pixelHash replaces an embedded PNG by a hash of its pixels: the compressor's bytes are not ours to pin.
func pixelHash(t *testing.T, svg []byte) []byte {
	t.Helper()
	return payload.ReplaceAllFunc(svg, func(p []byte) []byte {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(p), "base64,"))
		if err != nil {
			t.Fatalf("embedded image: %v", err)
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("embedded image: %v", err)
		}
		h := sha256.New()
		b := img.Bounds()
		fmt.Fprintln(h, b)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				fmt.Fprintln(h, img.At(x, y))
			}
		}
		return fmt.Appendf(nil, "pixels,%x", h.Sum(nil)[:8])
	})
}

var ownID = regexp.MustCompile(`f[0-9a-f]{16}`)

// dataFile has the CSV, the legend and the summary of every sample.
var dataFile = filepath.Join("testdata", "data.txtar")

// TestGolden pins what every sample gives: the light SVG, which has the alternative text, the legend and the tables.
func TestGolden(t *testing.T) {
	data := new(txtar.Archive)
	check := func(t *testing.T, file string, got []byte) {
		if *update {
			must.Write(t, file, got)
		}
		want, err := os.ReadFile(file)
		must.Do(t, err)
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s differs (-want +got; go test -update rewrites):\n%s", file, diff)
		}
	}
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			f := must.Get(s.Figure())
			check(t, filepath.Join("testdata", s.name+".svg"), ownID.ReplaceAll(pixelHash(t, f.Light), []byte("ID")))
			add := func(part string, text []byte) {
				if len(text) > 0 {
					data.Files = append(data.Files, txtar.File{Name: s.name + part, Data: text})
				}
			}
			add(".csv", f.Data.CSV())
			var legend []byte
			for _, e := range f.Legend {
				legend = fmt.Appendln(legend, strings.TrimSpace(e.Label+"  "+e.Sign+"  "+e.Count))
			}
			add(" legend", legend)
			add(" summary, "+f.SummaryNote, f.Summary.CSV())
		})
	}
	check(t, dataFile, txtar.Format(data))
}

var colours = regexp.MustCompile(`#[0-9a-f]{6}"`)

// TestThemesShareGeometry: without colours, pixels and ids both themes are the same document.
func TestThemesShareGeometry(t *testing.T) {
	for _, s := range samples() {
		f := must.Get(s.Figure())
		bare := func(svg []byte) string {
			svg = payload.ReplaceAll(svg, nil)
			svg = ownID.ReplaceAll(svg, nil)
			return string(colours.ReplaceAll(svg, []byte(`"`)))
		}
		if diff := cmp.Diff(bare(f.Light), bare(f.Dark)); diff != "" {
			t.Errorf("%s: geometry differs between themes:\n%s", s.name, diff)
		}
		if bytes.Equal(f.Light, f.Dark) {
			t.Errorf("%s: both themes are the same bytes", s.name)
		}
	}
}

// samples are small inputs of every kind, in a fixed order.
func samples() []sample {
	return []sample{
		{"phasemap", samplePhase()},
		{"phasemap-binned", sampleBinned()},
		{"phasemaps", samplePhases()},
		{"agreement", sampleAgreement()},
		{"sharemap", sampleShares()},
		{"histogram", sampleHistogram(false, false)},
		{"histogram-log", sampleHistogram(true, false)},
		{"histogram-mirrored", sampleHistogram(true, true)},
		{"barpanels", sampleBarPanels()},
		{"histogram-joined", sampleJoined()},
		{"trace", sampleTrace()},
		{"tree", sampleTree()},
		{"graph", sampleGraph()},
		{"cost", sampleCost()},
		{"lines", sampleLines(false)},
		{"scatter", sampleLines(true)},
		{"lines-legend", sampleBundle()},
		{"heatmaps", sampleHeats()},
		{"masks", sampleMasks()},
		{"board", sampleBoard()},
		{"board-torus", sampleTorus()},
		{"ranks", sampleRanks()},
		{"walks", sampleWalks()},
		{"ladder", sampleLadder()},
		{"plot", samplePlot()},
		{"plot-map", sampleLayered()},
	}
}

type sample struct {
	name string
	drawing
}

// sampleRanks is a group of each form: blocks that go, discs that have gone and come, too many to be drawn one by one.
func sampleRanks() Ranks {
	return Ranks{Title: "Three groups", Rows: []Rank{
		{Label: "Hits", Swatch: Blocked, Whole: 20, Count: 9, Part: 4, Going: true, Lost: 3, Note: "4 hit, 5 left"},
		{
			Label: "Defenders", Swatch: Vermilion, Round: true, Whole: 20, Count: 12, Part: 8, Going: true, Lost: 2,
			Came: 5, Note: "8 shot, 4 left", Shots: []Shots{{At: 2, Count: 7, Late: true}},
		},
		{
			Label: "Soldiers", Swatch: Sky, Whole: 1 << 63, Count: 1 << 62, Part: 1 << 60, Lost: 7,
			Note:  "1,152,921,504,606,846,976 at defenders, 3,458,764,513,820,540,928 at the castle",
			Shots: []Shots{{At: 0, Count: 3}, {At: 1, Count: 1 << 61}},
		},
	}}
}

// samplePhase has three ordered values, two classes and two lines on 6 by 4 cells.
func samplePhase() PhaseMap {
	return PhaseMap{
		Title: "Fewest steps", X: Cells("s/n", 1, 6, 2), Y: Cells("d/n", 1, 4, 2), W: 6, H: 4,
		Cells: []int{
			1, 1, 2, 2, 3, 3,
			1, 1, 2, 3, 3, -1,
			1, 1, 3, -1, -1, -1,
			1, 1, -1, -1, -1, -9,
		},
		One: "step", Many: "steps",
		Classes: []Class{
			{Value: -1, Label: "cannot win", Sign: "✗", Swatch: Blocked},
			{Value: -9, Label: "not computed", Swatch: Missing},
			{Value: -2, Label: "tie", Sign: "=", Swatch: Purple},
		},
		Curves: []Curve{
			{Label: "d + s = (φ+1) n", Points: Sampled(func(x float64) float64 { return math.Phi + 1 - x }, 0, 4)},
			{Label: "s = 2n", Points: []Point{{2, -1}, {2, 9}}, Dashed: true},
		},
	}
}

func sampleBinned() PhaseMap {
	m := PhaseMap{
		Title: "Many values", X: Axis{"x", 0, 1}, Y: Axis{"y", 0, 1}, W: 40, H: 30, One: "wave",
		Many: "waves",
	}
	for y := range m.H {
		for x := range m.W {
			m.Cells = append(m.Cells, 1+x*(y+1)/8)
		}
	}
	return m
}

// samplePhases has three maps with a class and bins of their own, and one that is empty of both.
func samplePhases() PhaseMaps {
	m := PhaseMaps{Map: PhaseMap{
		Title: "Steps lost", X: Cells("s/n", 1, 12, 3), Y: Cells("d/n", 1, 6, 3), W: 12, H: 6, One: "step lost",
		Many: "steps lost",
		Classes: []Class{
			{Value: 0, Label: "none lost", Swatch: Quiet},
			{Value: -1, Label: "wrong side", Sign: "✗", Swatch: Vermilion},
			{Value: -2, Label: "tie", Sign: "=", Swatch: Purple},
		},
		Curves: []Curve{{Label: "s = 2n", Points: []Point{{2, -1}, {2, 9}}, Dashed: true}},
	}}
	for _, p := range []struct {
		name  string
		value func(x, y int) int
	}{
		{"best play", func(int, int) int { return 0 }},
		{"bold", func(x, y int) int { return max(0, (x-4)/2) }},
		{"rash", func(x, y int) int {
			switch {
			case y > 3 && x > 5:
				return -1
			case y == 3:
				return -2
			}
			return x / 6
		}},
	} {
		panel := PhasePanel{Name: p.name}
		for y := range m.Map.H {
			for x := range m.Map.W {
				panel.Cells = append(panel.Cells, p.value(x, y))
			}
		}
		m.Panels = append(m.Panels, panel)
	}
	return m
}

func sampleAgreement() PhaseMap {
	m := PhaseMap{
		Title: "Agreement", X: Cells("castle hits s", 1, 8, 1), Y: Cells("defenders d", 1, 5, 1), W: 8, H: 5,
		Agreement: &Agreement{},
		Classes: []Class{
			{Value: 0, Label: "right", Swatch: Quiet},
			{Value: 1, Label: "wrong side", Sign: "✗", Swatch: Vermilion},
			{Value: 2, Label: "too many waves", Sign: "+", Swatch: Sky},
			{Value: 3, Label: "no answer", Swatch: Missing},
		},
	}
	m.Cells = make([]int, m.W*m.H)
	m.Cells[3*8+2], m.Cells[4*8+2], m.Cells[4*8+7], m.Cells[0*8+5] = 1, 2, 1, 2
	return m
}

// sampleShares has both ends and every tenth.
func sampleShares() ShareMap {
	return ShareMap{
		Title: "Chances", X: Cells("soldiers n", 1, 6, 1), Y: Cells("towers t", 1, 2, 1), W: 6, H: 2, Noun: "chance",
		None: "cannot win", All: "certain",
		Shares: []float64{
			0.25, 0.5, 0.75, 1 - 1e-12, 1, 1,
			0, 1e-12, 0.1, 0.35, 0.6, 0.8,
		},
		Curves: []Curve{{Label: "n = 3t", Points: []Point{{1.5, 0.5}, {6.5, 13.0 / 6}}}},
	}
}

func bigs(decimal ...string) []*big.Int {
	out := make([]*big.Int, len(decimal))
	for i, s := range decimal {
		if s == "" {
			continue
		}
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			panic("not a decimal number: " + s)
		}
		out[i] = n
	}
	return out
}

func sampleHistogram(log, mirrored bool) Histogram {
	return Histogram{
		Title: "Ways to win", XLabel: "wave", YLabel: "ways to win", Keys: []int{3, 4, 5, 7, 8}, Log: log,
		Mirrored: mirrored, Series: []BarSeries{
			{Name: "soldiers", Counts: bigs("", "0", "1", "1200", "340282366920938463463374607431768211456")},
			{Name: "castle", Counts: bigs("104", "5", "1000000", "0", "18446744073709551616")},
		},
	}
}

// sampleBarPanels has a panel more than two rows, gaps, a part, and sides without bars.
func sampleBarPanels() BarPanels {
	p := BarPanels{
		Title: "Ways to win", XLabel: "wave", YLabel: "ways, log scale", Up: "soldiers", Down: "castle",
		Part: "left out",
	}
	for i := range 7 {
		panel := BarPanel{Name: fmt.Sprintf("%d: (10, 50, %d)", i, i)}
		for k := 2; k <= 3+6*i; k++ {
			if k == 9 {
				continue // a gap
			}
			bar := PanelBar{Key: k, Down: big.NewInt(int64(k * k * k * i))}
			if k > 3 {
				bar.Up, bar.Part = big.NewInt(int64(k)), big.NewInt(int64(k*i))
			}
			panel.Bars = append(panel.Bars, bar)
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

// sampleJoined has so many bars that they are drawn as areas.
func sampleJoined() Histogram {
	h := Histogram{
		Title: "Long battles", XLabel: "wave", YLabel: "ways to win", Log: true, Mirrored: true,
		Series: []BarSeries{{Name: "soldiers"}, {Name: "castle"}},
	}
	for k := 2; k <= 150; k++ {
		h.Keys = append(h.Keys, k)
		up := big.NewInt(int64(k * (150 - k)))
		if k == 60 {
			up = nil // a gap
		}
		h.Series[0].Counts = append(h.Series[0].Counts, up)
		h.Series[1].Counts = append(h.Series[1].Counts, new(big.Int).Exp(big.NewInt(int64(k)), big.NewInt(3), nil))
	}
	return h
}

func ys(values ...float64) []Point {
	out := make([]Point, len(values))
	for i, y := range values {
		out[i] = Point{float64(i), y}
	}
	return out
}

func sampleTrace() Trace {
	return Trace{
		Title: "Two battles", XLabel: "day", YLabel: "units", Steps: true,
		Panels: []Panel{
			{"castle first", []Series{{"soldiers", ys(10, 10, 7, 5, 4, 3, 3)}, {"defenders", ys(0, 5, 8, 9, 3, 1, 0)}}},
			{"defenders first", []Series{
				{"soldiers", ys(10, 10, 10, 10, 10, 9, 8, 6, 4, 2)},
				{"defenders", ys(0, 7, 7, 7, 7, 6, 5, 3, 2, 0)},
			}},
		},
	}
}

// sampleGraph has a line within a group, to the next column and over two, a need that is left out, and a group by
// itself.
func sampleGraph() Graph {
	box := func(name string, needs ...string) Box {
		return Box{Name: name, Lines: []string{name}, Needs: needs, Target: "#" + name}
	}
	long := Box{Name: "a name that is long", Lines: []string{"a name", "that is long"}, Needs: []string{"one", "two"}}
	return Graph{Title: "What leans on what", One: "box", Many: "boxes", Groups: []Group{
		{"Sums", []Box{box("one"), box("two", "one"), long}},
		{"Products", []Box{box("three", "two", "one"), box("four", "one")}},
		{"Late", []Box{box("late")}},
		{"Powers", []Box{box("five", "three", "one"), box("six", "four", "two", "late"), box("seven")}},
		{"Alone", []Box{box("eight")}},
	}}
}

func sampleTree() Tree {
	leaf := func(edge string, class int) *Node {
		return &Node{Lines: []string{"S=3 D=0", "C=0"}, Edge: edge, Class: class}
	}
	return Tree{
		Title: "Paths of (3, 5, 2)",
		Root: &Node{Lines: []string{"S=3 D=0", "C=5"}, Children: []*Node{
			{Lines: []string{"S=3 D=2", "C=2"}, Edge: "i=0", Children: []*Node{leaf("i=1", 1), leaf("i=2", 2)}},
			leaf("i=3", 2),
		}},
		Classes: []Class{
			{Value: 1, Label: "soldiers win", Sign: "✓", Swatch: Green},
			{Value: 2, Label: "the castle wins", Sign: "✗", Swatch: Vermilion},
			{Value: 3, Label: "tie", Sign: "="},
		},
	}
}

func sampleCost() Cost {
	series := func(name string, limit float64, f func(n float64) float64) Series {
		s := Series{Name: name}
		for n := 4.0; n <= limit; n *= 2 {
			s.Points = append(s.Points, Point{n, f(n)})
		}
		return s
	}
	return Cost{
		Title: "Cost", XLabel: "soldiers n", YLabel: "counted operations", Slopes: true,
		Series: []Series{
			series("exhaustive search", 32, func(n float64) float64 { return math.Exp2(n) }),
			series("counting", 512, func(n float64) float64 { return n * n * n }),
			series("castle's fastest win", 512, func(n float64) float64 { return 5 * n * n }),
			series("exact closed form", 512, func(float64) float64 { return 12 }),
		},
	}
}

func sampleLines(scatter bool) Lines {
	l := Lines{
		Title: "Ratios of Fibonacci numbers", X: Axis{Label: "k"}, Y: Axis{Label: "F(k+1) / F(k)"}, Scatter: scatter,
		References: []Reference{{"φ", math.Phi}}, Series: []Series{{Name: "ratio"}},
	}
	a, b := 1.0, 1.0
	for k := 1; k <= 10; k++ {
		l.Series[0].Points = append(l.Series[0].Points, Point{float64(k), b / a})
		a, b = b, a+b
	}
	return l
}

// sampleBundle has lines that end so close together that a legend names them.
func sampleBundle() Lines {
	l := Lines{Title: "Shares left after each step", X: Axis{Label: "steps"}, Y: Axis{Label: "left"}, Legend: true}
	for _, s := range []struct {
		name string
		base float64
	}{{"half", 0.5}, {"third", 1.0 / 3}, {"quarter", 0.25}} {
		series := Series{Name: s.name}
		for k := range 6 {
			series.Points = append(series.Points, Point{float64(k), math.Pow(s.base, float64(k))})
		}
		l.Series = append(l.Series, series)
	}
	return l
}
