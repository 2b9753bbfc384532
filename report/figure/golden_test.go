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

// pixelHash replaces an embedded PNG by a hash of its pixels, because the bytes of the compressor may change.
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

// dataFile is the file with the CSV, the legend and the summary of every sample.
var dataFile = filepath.Join("testdata", "data.txtar")

// TestGolden compares the results of every sample with recorded ones: the light SVG, which has the alternative text,
// the legend and the tables.
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

// TestSamples checks that the documents and icons of every sample are sound, no two documents share an id, labels have
// room, and without colours, pixels and ids both themes are the same document.
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

// samples returns small inputs of every kind, in a fixed order.
func samples() []sample {
	return []sample{
		{"phasemap", samplePhase()},
		{"phasemap-binned", sampleBinned()},
		{"phasemaps", sampleOf[PhaseMaps]("phasemaps")},
		{"agreement", sampleOf[PhaseMap]("agreement")},
		{"sharemap", sampleOf[ShareMap]("sharemap")},
		{"histogram", sampleOf[Histogram]("histogram")},
		{"histogram-log", sampleOf[Histogram]("histogram-log")},
		{"histogram-mirrored", sampleOf[Histogram]("histogram-mirrored")},
		{"histograms", sampleHistograms()},
		{"histogram-joined", sampleJoined()},
		{"trace", sampleOf[Trace]("trace")},
		{"tree", sampleOf[Tree]("tree")},
		{"graph", sampleOf[Graph]("graph")},
		{"diagram", sampleOf[Diagram]("diagram")},
		{"cost", sampleOf[Cost]("cost")},
		{"lines", sampleOf[Lines]("lines")},
		{"scatter", sampleOf[Lines]("scatter")},
		{"lines-together", sampleOf[Lines]("lines-together")},
		{"heatmaps", sampleOf[HeatMaps]("heatmaps")},
		{"masks", sampleOf[HeatMaps]("masks")},
		{"board", sampleOf[Board]("board")},
		{"board-torus", sampleOf[Board]("board-torus")},
		{"ranks", sampleOf[Ranks]("ranks")},
		{"walks", sampleWalks()},
		{"ladder", sampleOf[Ladder]("ladder")},
		{"plot", samplePlot()},
		{"plot-map", sampleLayered()},
		{"plots", samplePlots()},
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

// sampleOf reads a sample from testdata/samples.yaml.
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

// samplePhase returns a map of 6 by 4 cells with three ordered values, two classes and two lines.
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

// sampleHistograms returns one panel more than fit in two rows. The panels have gaps, a series that is a part of
// another, and sides without bars.
func sampleHistograms() Histograms {
	all := Histograms{Title: "Ways to win"}
	for i := range 7 {
		p := Histogram{
			Title: fmt.Sprintf("%d: (10, 50, %d)", i, i), XLabel: "wave", YLabel: "ways, log scale", Log: true,
			Mirrored: true, Series: []BarSeries{{Name: "pumps"}, {Name: "tank"}, {Name: "left out"}},
		}
		for k := 2; k <= 3+6*i; k++ {
			if k == 9 {
				continue // a gap
			}
			counts := [3]int{0, k * k * k * i, 0}
			if k > 3 {
				counts = [3]int{k, k * k * k * i, k * i}
			}
			p.Keys = append(p.Keys, k)
			for j, n := range counts {
				p.Series[j].Counts = append(p.Series[j].Counts, big.NewInt(int64(n)))
			}
		}
		all.Panels = append(all.Panels, p)
	}
	return all
}

// sampleJoined returns a histogram whose many bars are drawn as areas.
func sampleJoined() Histogram {
	h := Histogram{
		Title: "Long games", XLabel: "wave", YLabel: "ways to win", Log: true, Mirrored: true,
		Series: []BarSeries{{Name: "pumps"}, {Name: "tank"}},
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
