package figure

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// layered is a plotter of a layer, as package layer returns it.
type layered struct{ *Layer }

func (l layered) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	l.Paint(c, x, y)
}

func mustLayer(l *Layer, err error) plot.Plotter { return layered{must.Get(l, err)} }

// samplePlot returns a plot with a line with points, a scatter, a function, a grid, a legend and rotated text.
func samplePlot() Plot {
	p := plot.New()
	p.Title.Text = "Ratios & φ"
	p.X.Label.Text, p.Y.Label.Text = "wave", "ratio F(k+1)/F(k)"
	p.Legend.Top, p.Legend.Padding = true, 2
	p.Add(plotter.NewGrid())
	ratios, noise := plotter.XYs{}, plotter.XYs{}
	for k, a, b := 1, 1.0, 1.0; k <= 8; k, a, b = k+1, b, a+b {
		ratios = append(ratios, plotter.XY{X: float64(k), Y: b / a})
		noise = append(noise, plotter.XY{X: float64(k) + 0.25, Y: -0.5 + float64(k*k%7)/3})
	}
	if err := plotutil.AddLinePoints(p, "ratio", ratios); err != nil {
		panic(err)
	}
	scatter := must.Get(plotter.NewScatter(noise))
	scatter.GlyphStyle = draw.GlyphStyle{Color: color.NRGBA{B: 0xff, A: 0x80}, Radius: 4, Shape: draw.CircleGlyph{}}
	limit := plotter.NewFunction(func(float64) float64 { return math.Phi })
	limit.Color, limit.Dashes = color.Gray{0x60}, []vg.Length{4, 3}
	p.Add(scatter, limit)
	p.Legend.Add("limit φ", limit)
	labels := must.Get(plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: 5, Y: 0.5}}, Labels: []string{"a < b"}}))
	labels.TextStyle[0].Rotation = 0.4
	p.Add(labels)
	return Plot{Plot: p, Alt: "The ratios approach the golden ratio."}
}

// sampleLayered returns a plot with a map and an author's line on top of it.
func sampleLayered() Plot {
	p := plot.New()
	p.Title.Text = "A map in a plot"
	p.X.Label.Text, p.Y.Label.Text = "s/n", "d/n"
	line := must.Get(plotter.NewLine(plotter.XYs{{X: 0.5, Y: 0.5}, {X: 3, Y: 2}}))
	line.Width = 2
	p.Add(mustLayer(samplePhase().Layer()), line)
	return Plot{Plot: p, Height: 400}
}

// TestPlotKeepsPlot checks that drawing does not change the plot, so that it can be drawn again, saved or changed.
func TestPlotKeepsPlot(t *testing.T) {
	sample := samplePlot()
	p := sample.Plot.(*plot.Plot)
	before := must.Get(p.WriterTo(300, 200, "svg"))
	var want, got strings.Builder
	must.Get(before.WriteTo(&want))
	f := must.Get(sample.Figure())
	must.Get(must.Get(p.WriterTo(300, 200, "svg")).WriteTo(&got))
	if want.String() != got.String() {
		t.Error("the plot is another one after it was drawn")
	}
	if again := must.Get(sample.Figure()); !bytes.Equal(f.Light, again.Light) {
		t.Error("the second drawing differs from the first")
	}
}

// TestPlotData reads the data of every kind of plotter whose data we can get.
func TestPlotData(t *testing.T) {
	values := plotter.Values{3, 1, 2}
	bars := must.Get(plotter.NewBarChart(values, 10))
	bars.XMin = 5
	across := must.Get(plotter.NewBarChart(values, 10))
	stacked := must.Get(plotter.NewBarChart(plotter.Values{0.2, 0.2, -2}, 10))
	stacked.StackOn(bars)
	across.Horizontal = true
	bounded := plotter.NewFunction(func(x float64) float64 { return x * x })
	bounded.XMin, bounded.XMax, bounded.Samples = 1, 3, 3
	coloured := must.Get(plotter.NewScatter(plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 1}}))
	coloured.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: plotutil.Color(i), Radius: vg.Length(i + 2), Shape: draw.BoxGlyph{}}
	}
	stepped := must.Get(plotter.NewLine(plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 1}}))
	stepped.StepStyle, stepped.FillColor = plotter.MidStep, color.Gray{0x80}
	for name, test := range map[string]struct {
		plotter plot.Plotter
		want    string
	}{
		"bars":      {bars, "x,y\n5,3\n6,1\n7,2\n"},
		"histogram": {must.Get(plotter.NewHist(plotter.Values{0, 1, 1, 4}, 2)), "x,y\n1,3\n3,1\n"},
		"labels": {
			must.Get(plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: 1, Y: 2}}, Labels: []string{"top"}})),
			"x,y,label\n1,2,top\n",
		},
		"stacked":   {stacked, "x,y\n5,0.2\n6,0.2\n7,-2\n"},
		"across":    {across, "x,y\n0,3\n1,1\n2,2\n"},
		"bounded":   {bounded, "x,y\n1,1\n2,4\n3,9\n"},
		"scatter":   {coloured, "x,y\n1,2\n2,1\n"},
		"steps":     {stepped, "x,y\n1,2\n2,1\n"},
		"one point": {must.Get(plotter.NewLine(plotter.XYs{{X: 1, Y: 2}})), ""}, // nothing is drawn
		"box":       {must.Get(plotter.NewBoxPlot(20, 0, values)), ""},
		"grid":      {plotter.NewGrid(), ""},
		"own":       {own{}, "x,y\n1,2\n3,2\n"},
	} {
		p := plot.New()
		p.Add(test.plotter)
		f := must.Get(Plot{Plot: p}.Figure())
		if got := string(f.Data.CSV()); got != test.want {
			t.Errorf("%s: data\n%s, want\n%s", name, got, test.want)
		}
		if named := f.Named("plot"); named.Validate() != nil {
			t.Errorf("%s: %v", name, named.Validate())
		}
	}
}

// own is a plotter such as a reader may write. It draws a line that contains a point that no table can contain.
type own struct{}

func (own) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var line []vg.Point
	for _, at := range []float64{1, math.Inf(1), 3} {
		line = append(line, vg.Point{X: x(at), Y: y(2)})
	}
	c.StrokeLines(draw.LineStyle{Color: color.Black, Width: 1}, line)
}

// TestPlotNames checks that a series gets the name of the legend sample that looks like it. If the number of series
// that look alike differs from the number of samples, none of them gets a name.
func TestPlotNames(t *testing.T) {
	line := func(y float64, dashes ...vg.Length) *plotter.Line {
		l := must.Get(plotter.NewLine(plotter.XYs{{X: 1, Y: y}, {X: 2, Y: y + 1}}))
		l.Dashes = dashes
		return l
	}
	points := func(y float64, shape draw.GlyphDrawer) *plotter.Scatter {
		s := must.Get(plotter.NewScatter(plotter.XYs{{X: 1, Y: y}, {X: 2, Y: y}}))
		s.Shape = shape
		return s
	}
	type entry struct {
		name string
		of   plot.Thumbnailer
	}
	a, b, dashed := line(1), line(2), line(3, 4)
	ring, cross, plus := points(4, draw.RingGlyph{}), points(5, draw.CrossGlyph{}), points(6, draw.PlusGlyph{})
	for want, test := range map[string]struct {
		added  []plot.Plotter
		legend []entry
	}{
		"solid, dashed": {
			[]plot.Plotter{a, dashed}, []entry{{"dashed", dashed}, {"note", nil}, {"solid", a}},
		},
		"first, second":      {[]plot.Plotter{a, b}, []entry{{"first", a}, {"second", b}}},
		"series 1, series 2": {[]plot.Plotter{a, b}, []entry{{"second", b}}},
		"plus\nsign, series 2, ring": {
			[]plot.Plotter{plus, cross, ring}, []entry{{"ring", ring}, {"plus\nsign", plus}},
		},
		"series 1, series 2, series 3": {[]plot.Plotter{ring, cross, plus}, nil},
	} {
		p := plot.New()
		p.Add(test.added...)
		for _, e := range test.legend {
			if e.of == nil {
				p.Legend.Add(e.name)
			} else {
				p.Legend.Add(e.name, e.of)
			}
		}
		g := gonumPlot{reflect.ValueOf(p).Elem()}
		var got []string
		for _, s := range g.series(g.trace()) {
			got = append(got, s.name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("the names are %q, want %q", got, want)
		}
	}
}

// TestPlotRules checks that wrong input leads to a one-line error.
func TestPlotRules(t *testing.T) {
	binary := plot.New()
	binary.Title.Text = "\x00"
	for want, p := range map[string]Plot{
		"Plot is <nil>; give it a *plot.Plot of gonum.org/v1/plot, created with plot.New": {},
		"Plot is *figure.noPlot; give it a *plot.Plot":                                    {Plot: &noPlot{}},
		"Plot is *plot.Plot; give it a *plot.Plot":                                        {Plot: (*plot.Plot)(nil)},
		"Height is 20; give 150 to 2000 " +
			"pixels": {Plot: plot.New(), Height: 20},
		"Width is 561; give 150 to 560 " +
			"pixels": {Plot: plot.New(), Width: 561},
		"with the control character U+0000": {Plot: binary},
	} {
		_, err := p.Figure()
		must.ErrorContains(t, err, want)
	}
}

// samplePlots returns a grid of plots whose labels need different amounts of room. One place in the grid is empty.
func samplePlots() Plots {
	titled := func(title, y string, scale float64) *plot.Plot {
		p := plot.New()
		p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, "x", y
		if err := plotutil.AddLines(p, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: scale}, {X: 2, Y: scale / 2}}); err != nil {
			panic(err)
		}
		return p
	}
	return Plots{
		Rows: [][]Drawer{
			{titled("One", "y", 1), titled("Large", "y", 1e6)}, {titled("Third", "a label", 10), nil},
		},
		Alt: "Three lines.", Width: 500,
	}
}

// TestPlotsAreInLine checks that the data areas in a grid have the same size and are aligned. It also checks the texts
// in the grid.
func TestPlotsAreInLine(t *testing.T) {
	grid := samplePlots()
	var all [][]gonumPlot
	for _, row := range grid.Rows {
		var places []gonumPlot
		for _, p := range row {
			if p == nil {
				places = append(places, gonumPlot{})
			} else {
				places = append(places, gonumPlot{reflect.ValueOf(p).Elem()})
			}
		}
		all = append(all, places)
	}
	s := &stage{svg: &svgCanvas{height: 400}, theme: light, inks: themeInks[light]}
	page := draw.NewCanvas(newPlotCanvas(s, &plotColours{found: true}), 400, 300)
	var areas []vg.Rectangle
	for i, row := range aligned(all, page) {
		for j, place := range row {
			if place.Min.X < page.Min.X-1e-9 || place.Max.Y > page.Max.Y+1e-9 || place.Max.X > page.Max.X+1e-9 ||
				place.Min.Y < page.Min.Y-1e-9 {
				t.Errorf("row %d, column %d: %v leaves the page", i, j, place.Rectangle)
			}
			if all[i][j].v.IsValid() {
				all[i][j].drawOnPage(true, func(of drawable) { areas = append(areas, of.DataCanvas(place).Rectangle) })
			}
		}
	}
	near := func(what string, a, b vg.Length) {
		if math.Abs(float64(a-b)) > 1 {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	for _, area := range areas[1:] {
		near("width", area.Size().X, areas[0].Size().X)
		near("height", area.Size().Y, areas[0].Size().Y)
	}
	near("row", areas[0].Min.Y, areas[1].Min.Y)
	near("column", areas[0].Min.X, areas[2].Min.X)
	f := must.Get(grid.Figure())
	if f.Width != 500 || f.Height != 500 || f.Title != "One; Large; Third" || len(f.Data.Rows) != 9 ||
		!strings.HasPrefix(f.Alt, "Three lines. One: Plot of y against x.") || f.Data.Rows[3][0] != "Large" {
		t.Errorf("%d × %d, %q, %q, %q", f.Width, f.Height, f.Title, f.Alt, f.Data)
	}
	if _, err := (Plots{Rows: [][]Drawer{{nil}}, Height: 300}).Figure(); err == nil {
		t.Error("a grid without a plot is drawn")
	}
}

// TestOneColour checks that an image of one colour is small, even if its data cover a large range.
func TestOneColour(t *testing.T) {
	large := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	draw := func(img image.Image) int {
		p := plot.New()
		p.Add(plotter.NewImage(img, 100, 100, 3000, 3000))
		return len(must.Get(Plot{Plot: p}.Figure()).Light)
	}
	uniform := draw(image.NewUniform(color.RGBA{90, 155, 212, 255}))
	plain := draw(large)
	large.Set(99, 99, color.White)
	if other := draw(large); uniform > 10_000 || plain > 10_000 || other <= plain {
		t.Errorf("%d, %d and %d bytes", uniform, plain, other)
	}
}

type noPlot struct{}

func (*noPlot) Draw(draw.Canvas) {}

// TestFittedColours checks that lines and text are visible on both light and dark pages, that on a light page, areas
// keep the author's colours, and that greys keep their contrast.
func TestFittedColours(t *testing.T) {
	solid := func(c color.Color) color.RGBA { return color.RGBAModel.Convert(c).(color.RGBA) }
	white := hex(0xffffff)
	for _, theme := range []theme{light, dark} {
		s := &stage{theme: theme, inks: themeInks[theme]}
		pure := []color.Color{hex(0xffff00), hex(0x0000ff)}
		for _, c := range slices.Concat(plotutil.SoftColors, plotutil.DarkColors, pure) {
			if theme == light && solid(s.fitted(c, 1)) != solid(c) {
				t.Errorf("the area %v becomes %v", c, s.fitted(c, 1))
			}
			for _, least := range []float64{lineContrast, textContrast} {
				got := solid(s.fitted(c, least))
				if contrast(got, s.ground) < least-0.01 {
					t.Errorf("theme %d: %v becomes %v, of contrast %.2f", theme, c, got, contrast(got, s.ground))
				}
			}
		}
		for _, grey := range []uint32{0x606060, 0x808080, 0xd0d0d0, 0xffffff} {
			want, got := contrast(hex(grey), white), contrast(solid(s.fitted(hex(grey), 1)), s.ground)
			if math.Abs(want-got) > 0.3 {
				t.Errorf("theme %d: the grey %x of contrast %.2f gets one of %.2f", theme, grey, want, got)
			}
		}
		if got := solid(s.fitted(nil, 1)); got != s.ink {
			t.Errorf("theme %d: black becomes %v", theme, got)
		}
	}
}

// glyphs is a plotter that fills a square with each of its colours, and draws a rotated image in it.
type glyphs struct {
	colours []color.Color
	image   image.Image
}

func (g glyphs) Plot(c draw.Canvas, _ *plot.Plot) {
	for i, colour := range g.colours {
		low := c.Min.Add(vg.Point{X: vg.Length(10 * i)})
		c.FillPolygon(colour, []vg.Point{low, {X: low.X + 9, Y: low.Y}, {X: low.X + 9, Y: low.Y + 9}})
		c.Push()
		c.Translate(low)
		c.Rotate(float64(i))
		c.DrawImage(vg.Rectangle{Max: vg.Point{X: 4, Y: 8}}, g.image)
		c.Pop()
	}
}

// TestPlotColours draws plots with more and more colours. Up to eight colours are adapted to the page; if there are
// more, they stay unchanged. If one of those cannot be seen on a dark page, the figure must have no drawing for dark
// pages. Each image must be written only once.
func TestPlotColours(t *testing.T) {
	pale, deep := color.RGBA{0xff, 0xff, 0xaa, 0xff}, color.RGBA{0x10, 0x10, 0x30, 0xff}
	draw := func(n int, first color.Color) content.Figure {
		g := glyphs{[]color.Color{first}, image.NewNRGBA(image.Rect(0, 0, 2, 3))}
		g.image.(*image.NRGBA).SetNRGBA(0, 0, color.NRGBA{1, 2, 3, 255})
		for i := range n - 1 {
			g.colours = append(g.colours, color.RGBA{0xff, uint8(10 * i), 0x20, 0xff})
		}
		p := plot.New()
		p.X.Max, p.Y.Max = 1, 1
		p.Add(g)
		return must.Get(Plot{Plot: p}.Figure())
	}
	for _, test := range []struct {
		n     int
		first color.Color
		// light and dark are the expected colours on a light and a dark page; "" means that there is no drawing.
		light, dark string
	}{
		{8, deep, "#101030", "#"},
		{9, deep, "#101030", ""},
		{9, pale, "#ffffaa", "#ffffaa"},
		{8, color.RGBA{127, 188, 165, 1}, "#7fbca5", "#7fbca5"},
	} {
		f := draw(test.n, test.first)
		if want := `fill="` + test.light; !strings.Contains(string(f.Light), want) {
			t.Errorf("%d colours: the drawing for light pages has no %s", test.n, want)
		}
		want := `fill="` + test.dark
		if len(f.Dark) > 0 != (test.dark != "") || test.dark != "" && !strings.Contains(string(f.Dark), want) {
			t.Errorf("%d colours: the drawing for dark pages has %d bytes, and no %s", test.n, len(f.Dark), want)
		}
		images, uses := strings.Count(string(f.Light), "<image"), strings.Count(string(f.Light), "<use")
		if images != 1 || uses != test.n-1 {
			t.Errorf("%d glyphs: %d images, %d uses", test.n, images, uses)
		}
	}
	if dark := string(draw(8, deep).Dark); strings.Contains(dark, "#101030") {
		t.Error("a dark colour is not fitted to a dark page")
	}
}

// TestPlotCanvas checks transforms: a path that the canvas translates, rotates and scales must have the same position
// as a path to which the test applies the transform.
func TestPlotCanvas(t *testing.T) {
	draw := func(paint func(c *plotCanvas)) string {
		s := &stage{svg: &svgCanvas{height: 100}, theme: light, inks: themeInks[light]}
		c := newPlotCanvas(s, &plotColours{found: true})
		c.Scale(1/plotScale, 1/plotScale)
		paint(c)
		s.svg.flush()
		return s.svg.out.String()
	}
	var line, moved vg.Path
	line.Move(vg.Point{X: 1, Y: 0})
	line.Line(vg.Point{X: 2, Y: 0})
	moved.Move(vg.Point{X: 10, Y: 22})
	moved.Line(vg.Point{X: 10, Y: 24})
	got := draw(func(c *plotCanvas) {
		c.Push()
		c.Translate(vg.Point{X: 10, Y: 20})
		c.Rotate(math.Pi / 2)
		c.Scale(2, 2)
		c.SetLineWidth(3) // Scale does not affect the width
		c.Stroke(line)
		c.Pop()
		c.SetLineWidth(3)
		c.Stroke(moved)
	})
	want := draw(func(c *plotCanvas) {
		c.SetLineWidth(3)
		c.Stroke(moved)
		c.Stroke(moved)
	})
	if got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
