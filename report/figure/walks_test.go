package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// sampleWalks has all that a plane of walks can have.
func sampleWalks() Walks {
	return Walks{
		Title: "Two walks", X: Axis{"steps", 0, 10}, Y: Axis{"height", -2, 8},
		Patches: []Patch{
			{Class{Value: 1, Label: "below ground", Sign: "✗", Swatch: Vermilion}, []Point{{0, -2}, {10, -2}, {10, 0}, {0, 0}}},
			{Class{Value: 2, Label: "corner", Sign: "✓", Swatch: Blue}, []Point{{9, 8}, {10, 8}, {10, 7}}},
		},
		Curves: []Curve{
			{Label: "half the way", Dashed: true, Points: []Point{{0, 0}, {10, 5}}},
			{Points: Sampled(func(x float64) float64 { return x * x / 12 }, 0, 12)},
		},
		Walks: []Walk{
			{Name: "up and back", Points: []Point{{1, 1}, {4, 6}, {2, 7}}, Notes: []string{"start", "", "end"}},
			{Name: "down", Points: []Point{{1, 1}, {6, 2}, {9, 0}}, Notes: []string{"start", "(6, 2)", "none"}, Below: true},
			{Name: "marks", Points: []Point{{3, 3}, {5, 3}, {5, 4}}, Loose: true},
			{Name: "stairs", Points: []Point{{4, 1}, {7, 1}, {7, 4}, {10, 4}}, Plain: true},
		},
	}
}

func TestWalksLimits(t *testing.T) {
	for want, change := range map[string]func(*Walks){
		"Title is empty":                   func(w *Walks) { w.Title = "" },
		"its Max must be greater":          func(w *Walks) { w.Y.Max = w.Y.Min },
		"Patches has 5 areas":              func(w *Walks) { w.Patches = make([]Patch, 5) },
		"Corners has 2 corners":            func(w *Walks) { w.Patches[0].Corners = w.Patches[0].Corners[:2] },
		"Corners[0] is (11, 0)":            func(w *Walks) { w.Patches[0].Corners[0] = Point{11, 0} },
		"Value 2 is listed twice":          func(w *Walks) { w.Patches[0].Class.Value = 2 },
		"a line needs two":                 func(w *Walks) { w.Curves[0].Points = w.Curves[0].Points[:1] },
		"Walks has 0 walks":                func(w *Walks) { w.Walks = nil },
		"Walks[0].Name is empty":           func(w *Walks) { w.Walks[0].Name = "" },
		"\"down\" occurs twice":            func(w *Walks) { w.Walks[0].Name = "down" },
		"has 2 notes for 3 points":         func(w *Walks) { w.Walks[0].Notes = w.Walks[0].Notes[:2] },
		"Points[1] is (4, 9), beyond":      func(w *Walks) { w.Walks[0].Points[1] = Point{4, 9} },
		"both Loose and Plain":             func(w *Walks) { w.Walks[2].Plain = true },
		"Points[0].X is NaN":               func(w *Walks) { w.Walks[0].Points[0].X = math.NaN() },
		"control character U+000A; a text": func(w *Walks) { w.Walks[1].Notes[1] = "a\nb" },
	} {
		w := sampleWalks()
		change(&w)
		_, err := w.Figure()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
}

// TestWalksSay: the legend and the alternative text have every walk and every area, the data every point.
func TestWalksSay(t *testing.T) {
	f := mustBuild(sampleWalks().Figure)
	var legend []string
	for _, e := range f.Legend {
		legend = append(legend, e.Label)
	}
	for _, name := range []string{"up and back", "down", "marks", "stairs", "below ground", "corner"} {
		if !slices.Contains(legend, name) || !strings.Contains(f.Alt, name) {
			t.Errorf("no %q in legend %q or in %q", name, legend, f.Alt)
		}
	}
	if !strings.Contains(f.Alt, "(6, 2) (6, 2), (9, 0) none") || !strings.Contains(f.Alt, "half the way") ||
		len(f.Data.Rows) != 13 || f.Data.Rows[1][3] != "" || f.Data.Rows[8][3] != "" {
		t.Errorf("%q, data %q", f.Alt, f.Data.Rows)
	}
	long := sampleWalks()
	long.Walks[0].Notes = nil
	for range 40 {
		long.Walks[0].Points = append(long.Walks[0].Points, Point{5, 5})
	}
	if f := mustBuild(long.Figure); !strings.Contains(f.Alt, "43 points from (1, 1) to (5, 5)") {
		t.Errorf("%q", f.Alt)
	}
}

// TestWalksTextsApart: no two texts overlap, and none leaves the axes.
func TestWalksTextsApart(t *testing.T) {
	l := sampleWalks().layout()
	var boxes []box
	for _, text := range l.labels {
		b := boxAt(text.at, textWidth(text.text), labelHeight-2)
		if !b.inside(l.data) {
			t.Errorf("%q leaves the axes", text.text)
		}
		if slices.ContainsFunc(boxes, b.overlaps) {
			t.Errorf("%q overlaps another text", text.text)
		}
		boxes = append(boxes, b)
	}
	if len(boxes) < 6 {
		t.Errorf("%d texts", len(boxes))
	}
}

func TestConvex(t *testing.T) {
	triangle := []pos{{0, 0}, {4, 0}, {0, 4}}
	for _, turned := range [][]pos{triangle, {triangle[0], triangle[2], triangle[1]}} {
		if !inConvex(turned, pos{1, 1}) || inConvex(turned, pos{3, 3}) || inConvex(turned, pos{-1, 1}) {
			t.Errorf("%v", turned)
		}
		if c := centroid(turned); math.Hypot(c[0]-4.0/3, c[1]-4.0/3) > 1e-9 {
			t.Errorf("the middle of %v is %v", turned, c)
		}
	}
	if c := centroid([]pos{{0, 0}, {2, 2}, {4, 4}}); c != (pos{2, 2}) {
		t.Errorf("the middle of a line is %v", c)
	}
}
