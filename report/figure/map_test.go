package figure

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// TestCurveInLegend checks that a curve without room for its label is in the legend, with the look of its line and
// without a marker.
func TestCurveInLegend(t *testing.T) {
	m := samplePhase()
	m.Curves = m.Curves[:1]
	m.Curves[0].Label = strings.Repeat("a label beyond the width of the map ", 4)
	legend := must.Get(m.Figure()).Legend
	last := legend[len(legend)-1]
	if last.Label != m.Curves[0].Label || bytes.Contains(last.Icon, []byte("fill=\"#")) ||
		!bytes.Contains(last.Icon, []byte("stroke=")) {
		t.Errorf("the last entry is %q with\n%s", last.Label, last.Icon)
	}
}

// TestMapSize checks that a 500 by 500 map stays under 60 KB, ordered or noisy.
func TestMapSize(t *testing.T) {
	smooth := PhaseMap{
		Title: "smooth", X: Axis{"x", 0, 3}, Y: Axis{"y", 0, 3}, W: 500, H: 500, One: "wave", Many: "waves",
		Classes: []Class{{Value: -1, Label: "cannot win", Swatch: Blocked}},
	}
	noisy := smooth
	noisy.Title = "noisy"
	seed := uint32(1)
	for y := range 500 {
		for x := range 500 {
			v := 1 + int(math.Hypot(float64(x), float64(y))/40)
			if x+2*y > 1000 {
				v = -1
			}
			smooth.Cells = append(smooth.Cells, v)
			seed = seed*1664525 + 1013904223
			noisy.Cells = append(noisy.Cells, min(1, int(seed>>24)%2+v/18))
		}
	}
	for _, m := range []PhaseMap{smooth, noisy} {
		f := must.Get(m.Figure())
		limit := 60_000
		if m.Title == "noisy" {
			limit = 250_000 // random bits cannot be compressed; borders and patterns must not increase the size further
		}
		for _, svg := range [][]byte{f.Light, f.Dark} {
			if n := len(svg); n > limit {
				t.Errorf("%s map has %d bytes, more than %d", m.Title, n, limit)
			}
		}
	}
}

// TestBorders checks that the traced lines cover exactly the edges between unequal cells, each of them once.
func TestBorders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 8).Draw(t, "w"), rapid.IntRange(1, 8).Draw(t, "h")
		index := rapid.SliceOfN(rapid.Uint8Range(0, 2), w*h, w*h).Draw(t, "cells")
		differ := func(a, b uint8) bool { return a != b }
		want := map[[4]int]int{}
		for y := range h {
			for x := range w {
				if x+1 < w && index[y*w+x] != index[y*w+x+1] {
					want[[4]int{x + 1, y, x + 1, y + 1}]++
				}
				if y+1 < h && index[y*w+x] != index[(y+1)*w+x] {
					want[[4]int{x, y + 1, x + 1, y + 1}]++
				}
			}
		}
		got := map[[4]int]int{}
		for _, line := range borders(index, w, h, differ).trace() {
			for i := 1; i < len(line); i++ {
				a, b := line[i-1], line[i]
				if a[0] > b[0] || a[1] > b[1] {
					a, b = b, a
				}
				for a != b {
					c := a
					if a[0] < b[0] {
						c[0]++
					} else {
						c[1]++
					}
					got[[4]int{a[0], a[1], c[0], c[1]}]++
					a = c
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSimplify checks that every dropped point is within the tolerance of the remaining line.
func TestSimplify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		pts := make([][2]float64, n)
		for i := range pts {
			pts[i] = [2]float64{rapid.Float64Range(0, 50).Draw(t, "x"), rapid.Float64Range(0, 50).Draw(t, "y")}
		}
		const tolerance = 3
		out := simplify(slices.Clone(pts), tolerance)
		if out[0] != pts[0] || out[len(out)-1] != pts[n-1] {
			t.Fatalf("ends moved: %v", out)
		}
		for _, p := range pts {
			near := math.Inf(1)
			for i := 1; i < len(out); i++ {
				near = min(near, distance(p, out[i-1], out[i]))
			}
			if near > tolerance+1e-9 {
				t.Fatalf("%v is %v away from %v", p, near, out)
			}
		}
	})
}

// TestRoomiest checks that the box that roomiest finds is completely inside the area, and that it finds a box exactly
// if a scan of all boxes finds one.
func TestRoomiest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "h")
		index := rapid.SliceOfN(rapid.Uint8Range(0, 1), w*h, w*h).Draw(t, "cells")
		kw, kh := rapid.IntRange(1, 4).Draw(t, "kw"), rapid.IntRange(1, 4).Draw(t, "kh")
		g := &gridMap{PhaseMap: PhaseMap{W: w, H: h, Cells: make([]int, w*h)}, index: index}
		data := box{0, 0, float64(w), float64(h)}
		full := func(col, row int) bool {
			for y := row; y < row+kh; y++ {
				for x := col; x < col+kw; x++ {
					if x >= w || y >= h || index[y*w+x] != 1 {
						return false
					}
				}
			}
			return true
		}
		want := false
		for row := range h {
			for col := range w {
				want = want || full(col, row)
			}
		}
		o := g.occupancy(data, &placer{within: data})
		at, ok := o.roomiest(o.sums(1), float64(kw), float64(kh))
		if ok != want {
			t.Fatalf("found %v, want %v", ok, want)
		}
		if ok && index[int(float64(h)-at[1])*w+int(at[0])] != 1 && kw%2 == 1 && kh%2 == 1 {
			t.Fatalf("the middle %v is outside the area", at)
		}
	})
}

// TestBins checks that every value is in exactly one bin, that bins are in ascending order, and that their number is
// within the limit.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.OneOf(rapid.IntRange(0, 60), rapid.IntRange(-maxValue, maxValue)), 1, 80,
			rapid.ID[int]).Draw(t, "values")
		slices.Sort(values)
		bs := bins(values, maxBins)
		if len(bs) > maxBins {
			t.Fatalf("%d bins", len(bs))
		}
		for i, b := range bs {
			if b.lo > b.hi || i > 0 && bs[i-1].hi >= b.lo {
				t.Fatalf("bins %v do not ascend", bs)
			}
		}
		for _, v := range values {
			if n := len(slices.DeleteFunc(slices.Clone(bs), func(b bin) bool { return v < b.lo || v > b.hi })); n != 1 {
				t.Fatalf("%d is in %d bins of %v", v, n, bs)
			}
		}
	})
}

// TestHatchStaysInside checks that no piece of a pattern extends beyond its area by more than hatchStep.
func TestHatchStaysInside(t *testing.T) {
	b := box{10, 20, 210, 160}
	inside := func(p pos) bool { return math.Hypot(p[0]-100, p[1]-90) < 60 }
	for p := rising; p <= dots; p++ {
		segs := hatch(p, b, inside)
		if len(segs) < 5 {
			t.Errorf("%d: only %d pieces", p, len(segs))
		}
		for _, s := range segs {
			for _, q := range s {
				if d := math.Hypot(q[0]-100, q[1]-90); d > 60+dotSize {
					t.Errorf("%d: piece %v ends %v from the middle of a disc of 60", p, s, d)
				}
			}
		}
	}
	if got := hatch(solid, b, inside); len(got) != 0 {
		t.Errorf("solid has %d pieces", len(got))
	}
}

// thinRow returns a map with a class in a single row of cells, or in a single column if turned, under a curve that runs
// along it.
func thinRow(turned bool) PhaseMap {
	const side = 200
	m := PhaseMap{
		Title: "A thin class", X: Cells("x", 1, side, 1), Y: Cells("y", 1, side, 1), W: side, H: side, One: "step",
		Many:    "steps",
		Classes: []Class{{Value: -1, Label: "tie: neither wins", Short: "tie", Sign: "=", Swatch: Purple}},
		Curves:  []Curve{{Label: "y = 80", Points: []Point{{1, 80}, {side, 80}}, Dashed: true}},
	}
	for row := range side {
		for col := range side {
			value := 1 + row/100
			if !turned && row == 79 && col >= 100 || turned && col == 79 && row >= 100 {
				value = -1
			}
			m.Cells = append(m.Cells, value)
		}
	}
	return m
}

// stripStroke is the stroke of a strip of the class.
const stripStroke = `stroke="#cc79a7" stroke-width="3.5"`

// TestStrips checks that a class in one row of cells is drawn on top of the curve that covers it, that it is wide
// enough to be seen, and that its name is shown.
func TestStrips(t *testing.T) {
	for _, turned := range []bool{false, true} {
		f := must.Get(thinRow(turned).Figure())
		drawing := string(f.Light)
		curve := strings.LastIndex(drawing, "stroke-dasharray=")
		band := strings.LastIndex(drawing, stripStroke)
		if curve < 0 || band < curve || !strings.Contains(drawing, ">= tie: neither wins</text>") {
			t.Errorf("turned %v: the curve is at %d, the strip at %d of the drawing", turned, curve, band)
		}
	}
}

// TestNoStrips checks that a class that is visible anyway, or whose cells do not form a line, is drawn as cells.
func TestNoStrips(t *testing.T) {
	for name, change := range map[string]func(*PhaseMap){
		"large cells": func(m *PhaseMap) {
			m.W, m.H, m.Cells = 20, 10, make([]int, 200)
			for col := range 20 {
				m.Cells[4*20+col] = -1
			}
		},
		"two rows": func(m *PhaseMap) { copy(m.Cells[80*200:81*200], m.Cells[79*200:80*200]) },
		"a gap":    func(m *PhaseMap) { m.Cells[79*200+150] = 1 },
		"a speck": func(m *PhaseMap) {
			for i := range m.Cells {
				if i != 79*200+150 && i != 79*200+151 {
					m.Cells[i] = 1
				}
			}
		},
	} {
		m := thinRow(false)
		change(&m)
		if f := must.Get(m.Figure()); strings.Contains(string(f.Light), stripStroke) {
			t.Errorf("%s: a strip is drawn", name)
		}
	}
}

// TestNamed checks that a map has no legend if it has few areas and there is room for their names, in the areas or next
// to them, or if its author wants no legend.
func TestNamed(t *testing.T) {
	halves := func(thin int) PhaseMap {
		const n = 100
		m := PhaseMap{
			Title: "Land and sea", X: Cells("x", 1, n, 1), Y: Cells("y", 1, n, 1), W: n, H: n, One: "mile",
			Many: "miles", Classes: []Class{{Value: -1, Label: "the sea", Swatch: Blocked}},
		}
		for i := range n * n {
			value := -1
			if i%n < 50 {
				value = 7
			}
			if i%n == 99 && i/n < thin {
				value = 8
			}
			m.Cells = append(m.Cells, value)
		}
		return m
	}
	for _, c := range []struct {
		thin  int
		named bool
		more  int // the number of further areas
		want  int
	}{{0, false, 0, 0}, {9, false, 0, 0}, {9, false, 3, 0}, {9, false, 4, 7}, {9, true, 4, 0}} {
		m := halves(c.thin)
		m.Named = c.named
		for i := range c.more {
			m.Cells[100*(20+20*i)+10] = 9 + i
		}
		f := must.Get(m.Figure())
		if len(f.Legend) != c.want || !strings.Contains(string(f.Light), ">the sea<") {
			t.Errorf("%+v: a legend of %d", c, len(f.Legend))
		}
		if whole := strings.Contains(string(f.Light), ">7 miles<"); whole != (c.want == 0) {
			t.Errorf("%+v: the whole name is written: %v", c, whole)
		}
	}
}

// TestScattered checks that a map has a legend if one of its areas has only cells that are too small to find at the end
// of a leader, and that a name next to an area covers no border.
func TestScattered(t *testing.T) {
	scattered := func(side int) PhaseMap {
		const n = 300
		m := PhaseMap{
			Title: "Islands", X: Cells("x", 1, n, 1), Y: Cells("y", 1, n, 1), W: n, H: n, One: "mile", Many: "miles",
			Classes: []Class{{Value: -1, Label: "the sea", Swatch: Blocked}},
		}
		for i := range n * n {
			value := -1
			if x, y := i%n%60, i/n%60; x < side && y < side {
				value = 7
			}
			m.Cells = append(m.Cells, value)
		}
		return m
	}
	for side, want := range map[int]int{1: 2, 2: 2, 8: 0} {
		if f := must.Get(scattered(side).Figure()); len(f.Legend) != want {
			t.Errorf("islands of %d cells: a legend of %d, want %d", side, len(f.Legend), want)
		}
	}
	g := scattered(8).grid()
	l, _, named := g.labelled()
	if !named || len(l.labels) != 2 {
		t.Fatalf("named: %v, with %d names", named, len(l.labels))
	}
	for _, label := range l.labels {
		if b := boxAt(label.at, textWidth(label.text), labelHeight); !g.oneArea(l.data, b) {
			t.Errorf("%q covers a border", label.text)
		}
	}
}
