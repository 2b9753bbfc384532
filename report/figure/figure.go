package figure

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// Width is the width in CSS pixels at which figures are laid out. It stays readable from 320 to about 720 pixels. Only a
// [Tree] may be wider: it should scroll sideways where it would be shown at less than 0.6 of its width. A [Board] may be narrower.
const Width = 560

// Theme is the page a picture is made for.
type Theme int

// The two themes. Both have the same geometry and transparent SVG grounds; contrast is computed against a white page
// and against #14161a.
const (
	Light Theme = iota
	Dark
)

// Figure is a finished figure. Its exported fields are plain data and can be stored; a stored and restored figure has
// everything except PNG.
type Figure struct {
	// Title says in a few words what is shown. It is the SVG's title and is not drawn.
	Title string
	// Light and Dark are complete SVG documents without an XML declaration, so that they can be a file or stand in HTML,
	// once per page: their ids derive from their content.
	Light, Dark []byte
	// Width and Height are the natural size of both pictures in CSS pixels.
	Width, Height int
	// Alt describes the data in sentences: ranges, classes with counts, borders, extremes. It is the SVG's desc too.
	Alt string
	// Legend explains areas and bars in their order, and lines that found no room for their label. It is empty for
	// charts whose lines are named at their ends.
	Legend []LegendEntry
	// Data holds the numbers behind the picture.
	Data Table
	// Summary tells in a few rows what Data, the grid itself, tells of a map: for each area its size, its extent, and where it begins
	// from below. SummaryNote says what x and y are. Both are empty for other figures, whose Data can be read.
	Summary     Table
	SummaryNote string

	paint func(*stage)
}

// LegendEntry explains one area, bar or line.
type LegendEntry struct {
	// Label names the class or series; Count is how often it occurs, with thousands separators and the share of all,
	// or empty where counting makes no sense.
	Label, Count string
	// Light and Dark are the colours as #rrggbb.
	Light, Dark string
	// Pattern names what tells it apart without colour: "solid", "rising", "falling", "cross", "horizontal", "vertical"
	// or "dots" for areas; "solid" or "dash" for lines.
	Pattern string
	// Sign is the short text drawn inside the class's regions, if any.
	Sign string
	// LightIcon and DarkIcon are decorative SVG documents of 28 by 18 CSS pixels that show colour, pattern and marker.
	LightIcon, DarkIcon []byte
}

// Table holds a figure's numbers as text; every row has as many cells as Header.
type Table struct {
	Header []string
	Rows   [][]string
}

// SVG returns the picture for the theme as an SVG document.
func (f *Figure) SVG(t Theme) []byte {
	if t == Dark {
		return f.Dark
	}
	return f.Light
}

// PNG draws the figure with two dots per CSS pixel on the theme's ground. It fails only for a figure that did not come
// from a Figure method of this package.
func (f *Figure) PNG(t Theme) ([]byte, error) {
	if f.paint == nil {
		return nil, fmt.Errorf("figure: %q was not drawn in this process, so it has no PNG; draw it again or use its SVG", f.Title)
	}
	return renderPNG(f.Width, f.Height, t, f.paint)
}

// CSV returns Data as comma-separated values: UTF-8, a header line, LF line ends.
func (f *Figure) CSV() []byte {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	// A bytes.Buffer never fails, and no other error can occur with the default comma.
	_ = w.Write(f.Data.Header)
	_ = w.WriteAll(f.Data.Rows)
	return buf.Bytes()
}

// finish renders both themes of a laid-out figure.
func (f *Figure) finish(width, height float64, paint func(*stage)) Figure {
	f.Width, f.Height = int(width+0.5), int(height+0.5)
	f.paint = paint
	f.Light = renderSVG(f, Light, paint)
	f.Dark = renderSVG(f, Dark, paint)
	return *f
}
