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
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

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

// TestSamples: the documents and icons of every sample are sound, no two documents share an id, labels have room, and
// without colours, pixels and ids both themes are the same document.
func TestSamples(t *testing.T) {
	ids := map[string]string{}
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			f := must.Get(s.Figure())
			lightOnes := checkDocument(t, &f, light)
			checkTexts(t, &f, lightOnes)
			for _, e := range append(lightOnes, checkDocument(t, &f, dark)...) {
				if id := e.attrs["id"]; id != "" {
					if other, dup := ids[id]; dup {
						t.Errorf("shares the id %s with %s", id, other)
					}
					ids[id] = s.name
				}
			}
			for _, l := range f.Legend {
				for _, icon := range [][]byte{l.Icon, l.DarkIcon} {
					if _, err := parseSVG(icon); err != nil {
						t.Errorf("icon of %q: %v", l.Label, err)
					}
				}
			}
			bare := func(svg []byte) string {
				svg = ownID.ReplaceAll(payload.ReplaceAll(svg, nil), nil)
				return string(colours.ReplaceAll(svg, []byte(`"`)))
			}
			if diff := cmp.Diff(bare(f.Light), bare(f.Dark)); diff != "" {
				t.Errorf("geometry differs between themes:\n%s", diff)
			}
			if bytes.Equal(f.Light, f.Dark) {
				t.Error("both themes are the same bytes")
			}
		})
	}
}

// samples are small inputs of every kind, in a fixed order.
func samples() []sample {
	return []sample{
		{"phasemap", samplePhase()},
		{"phasemap-binned", sampleBinned()},
		{"phasemaps", samplePhases()},
		{"agreement", sampleOf[PhaseMap]("agreement")},
		{"sharemap", sampleOf[ShareMap]("sharemap")},
		{"histogram", sampleOf[Histogram]("histogram")},
		{"histogram-log", sampleOf[Histogram]("histogram-log")},
		{"histogram-mirrored", sampleOf[Histogram]("histogram-mirrored")},
		{"barpanels", sampleBarPanels()},
		{"histogram-joined", sampleJoined()},
		{"trace", sampleOf[Trace]("trace")},
		{"tree", sampleOf[Tree]("tree")},
		{"graph", sampleOf[Graph]("graph")},
		{"cost", sampleCost()},
		{"lines", sampleLines(false)},
		{"scatter", sampleLines(true)},
		{"lines-legend", sampleBundle()},
		{"heatmaps", sampleOf[HeatMaps]("heatmaps")},
		{"masks", sampleOf[Masks]("masks")},
		{"board", sampleOf[Board]("board")},
		{"board-torus", sampleOf[Board]("board-torus")},
		{"ranks", sampleOf[Ranks]("ranks")},
		{"walks", sampleWalks()},
		{"ladder", sampleOf[Ladder]("ladder")},
		{"plot", samplePlot()},
		{"plot-map", sampleLayered()},
	}
}

type sample struct {
	name string
	drawing
}

var sampleNodes = sync.OnceValue(func() (nodes map[string]yaml.Node) {
	if err := yaml.Unmarshal(must.Get(os.ReadFile("testdata/samples.yaml")), &nodes); err != nil {
		panic(err)
	}
	return nodes
})

// sampleOf reads a sample of testdata/samples.yaml.
func sampleOf[D drawing](name string) (d D) {
	node := sampleNodes()[name]
	if err := node.Decode(&d); err != nil {
		panic(err)
	}
	return d
}

// UnmarshalYAML reads a point of a sample: [x, y].
func (p *Point) UnmarshalYAML(node *yaml.Node) error {
	var xy [2]float64
	err := node.Decode(&xy)
	*p = Point{xy[0], xy[1]}
	return err
}

// samplePhase has three ordered values, two classes and two lines on 6 by 4 cells.
func samplePhase() PhaseMap {
	m := sampleOf[PhaseMap]("phasemap")
	m.Curves[0].Points = Sampled(func(x float64) float64 { return math.Phi + 1 - x }, 0, 4)
	return m
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
