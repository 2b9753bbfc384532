//go:build !wasip1

package figure

import (
	"cmp"
	"reflect"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/siegebook/siegebook/report/content"
)

// Drawer is what a *plot.Plot can do. This package does not import gonum.org/v1/plot, so a program without such plots
// does not link it.
type Drawer interface{ Draw(draw.Canvas) }

// Plot is a plot of gonum.org/v1/plot, drawn like the other figures: its text stays text, its colours fit a light and a
// dark page, and it has a description and its numbers as a table. The page shows the title, so the drawing does not.
type Plot struct {
	// Plot is a *plot.Plot.
	Plot Drawer
	// Alt says in words what the plot shows. The ranges of its data are added. It may be empty.
	Alt string
	// Height is the height of the picture in CSS pixels, 150 to 2000; 0 means 350.
	Height int
}

// plotScale is the number of CSS pixels of a point of a plot. Its default text of 10 points is as large as ours.
const plotScale = 1.5

// margin is the air around a plot, in points: its lines reach to its edge.
const margin = 3

// Figure draws the plot. It fails if there is none, and panics where Draw of the plot does.
func (p Plot) Figure() (content.Figure, error) {
	c := checker{kind: "Plot"}
	height := cmp.Or(p.Height, 350)
	c.between("Height", height, 150, 2000, "pixels")
	v := reflect.Indirect(reflect.ValueOf(p.Plot))
	if v.Kind() != reflect.Struct || !v.CanAddr() || v.FieldByName("plotters").Kind() != reflect.Slice {
		c.failf("Plot is %T; give it a *plot.Plot of gonum.org/v1/plot, made by plot.New", p.Plot)
	}
	if c.err != nil {
		return content.Figure{}, c.err
	}
	g := gonumPlot{v}
	title := strings.Join(strings.Fields(g.text("Title")), " ")
	c.text("Title", title)
	c.text("X.Label", g.text("X", "Label"))
	c.text("Y.Label", g.text("Y", "Label"))
	if c.err != nil {
		return content.Figure{}, c.err
	}
	series := g.series()
	f := content.Figure{Title: cmp.Or(title, "Plot"), Data: g.table(series)}
	f.Alt = strings.TrimSpace(p.Alt + " " + g.describe(series))
	for _, l := range g.layers() {
		f.Alt += " " + l.of.Alt
		f.Legend = append(f.Legend, l.of.Legend...)
		if len(f.Data.Rows) == 0 {
			f.Data = l.of.Data
		}
		if len(f.Summary.Rows) == 0 {
			f.Summary, f.SummaryNote = l.of.Summary, l.of.SummaryNote
		}
	}
	defer g.dress()()
	return finish(f, Width, float64(height), func(s *stage) {
		page := draw.NewCanvas(newPlotCanvas(s), Width/plotScale, vg.Length(height)/plotScale)
		p.Plot.Draw(draw.Crop(page, margin, -margin, margin, -margin))
	}), nil
}

// gonumPlot is a *plot.Plot by its fields.
type gonumPlot struct{ v reflect.Value }

// text is the Text of a title or a label.
func (g gonumPlot) text(path ...string) string {
	v := g.v
	for _, name := range append(path, "Text") {
		v = v.FieldByName(name)
	}
	return v.String()
}

// dress takes out of the plot what the page shows in its place, the title and a white ground, and gives text in the
// plot's default font the shape of the page's. It returns the function that undoes that.
func (g gonumPlot) dress() (undo func()) {
	before := reflect.New(g.v.Type()).Elem()
	before.Set(g.v)
	fonts := map[*draw.TextStyle]font.Font{}
	for _, root := range append([]reflect.Value{g.v}, g.plotters()...) {
		forEachStyle(root, func(s *draw.TextStyle) {
			fonts[s] = s.Font
			if s.Font.Typeface == "Liberation" && s.Font.Variant == "Serif" {
				s.Font.Variant = "Sans"
			}
		})
	}
	g.v.FieldByName("Title").FieldByName("Text").SetString("")
	if ground := g.v.FieldByName("BackgroundColor"); isWhite(ground.Interface()) {
		ground.SetZero()
	}
	return func() {
		for style, font := range fonts {
			style.Font = font
		}
		for _, name := range []string{"Title", "BackgroundColor"} {
			g.v.FieldByName(name).Set(before.FieldByName(name))
		}
	}
}

// forEachStyle visits the styles of text in the exported fields of a plot or a plotter.
func forEachStyle(v reflect.Value, visit func(*draw.TextStyle)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			forEachStyle(v.Elem(), visit)
		}
	case reflect.Slice:
		if v.Type().Elem() == reflect.TypeFor[draw.TextStyle]() {
			for i := range v.Len() {
				forEachStyle(v.Index(i), visit)
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[draw.TextStyle]() {
			if v.CanAddr() {
				visit(v.Addr().Interface().(*draw.TextStyle))
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				forEachStyle(v.Field(i), visit)
			}
		}
	}
}

// plotters returns what is added to the plot. The field is not exported, and nothing else gives access to it.
func (g gonumPlot) plotters() []reflect.Value {
	return valuesOf(exposed(g.v.FieldByName("plotters")))
}

// exposed is a field that is not exported as one that is.
func exposed(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// valuesOf lists what the interfaces of a slice hold.
func valuesOf(list reflect.Value) (values []reflect.Value) {
	for i := range list.Len() {
		if v := list.Index(i).Elem(); v.IsValid() {
			values = append(values, v)
		}
	}
	return values
}

// layers returns what figures have laid into the plot.
func (g gonumPlot) layers() (layers []*Layer) {
	for _, v := range g.plotters() {
		if l, ok := v.Interface().(interface{ FigureLayer() *Layer }); ok {
			layers = append(layers, l.FigureLayer())
		}
	}
	return layers
}

// Paint draws the layer on the canvas of a plot, whose axes place the data. On the canvas of a [Plot] it has the
// colours of the page, on others those for a light page.
func (l *Layer) Paint(c draw.Canvas, x, y func(float64) vg.Length) {
	s := &stage{svg: newSVGCanvas(0), page: c, inks: themeInks[light]}
	pixel := func(p vg.Point) vg.Point { return p }
	if own, ok := innermost(c).(*plotCanvas); ok {
		s, pixel = own.stage, own.now.to.apply
	}
	l.paint(s, func(p Point) pos {
		at := pixel(vg.Point{X: x(p.X), Y: y(p.Y)})
		return pos{float64(at.X), s.svg.height - float64(at.Y)}
	})
}

// innermost is the canvas of which a plot has cropped its own.
func innermost(c vg.Canvas) vg.Canvas {
	for {
		cropped, ok := c.(draw.Canvas)
		if !ok {
			return c
		}
		c = cropped.Canvas
	}
}
