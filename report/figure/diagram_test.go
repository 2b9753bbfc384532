package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawDiagram makes a random diagram.
func drawDiagram(t *rapid.T) Diagram {
	d := Diagram{Title: "Random", Towards: Direction(rapid.IntRange(0, int(directionEnd)-1).Draw(t, "towards"))}
	words := rapid.StringMatching(`[a-z]{1,12}( [a-z]{1,8})?`)
	for i := range rapid.IntRange(1, 14).Draw(t, "items") {
		d.Items = append(d.Items, Item{
			Name: fmt.Sprint("item", i), Form: Form(rapid.IntRange(0, int(formEnd)-1).Draw(t, "form")),
			Lines: rapid.SliceOfN(words, 1, 3).Draw(t, "lines"),
		})
	}
	if len(d.Items) == 1 {
		return d
	}
	for range rapid.IntRange(0, 20).Draw(t, "arrows") {
		from := rapid.IntRange(0, len(d.Items)-1).Draw(t, "from")
		to := (from + rapid.IntRange(1, len(d.Items)-1).Draw(t, "to")) % len(d.Items)
		a := Arrow{
			From: d.Items[from].Name, To: d.Items[to].Name, Plain: rapid.Bool().Draw(t, "plain"),
			Line: LineForm(rapid.IntRange(0, int(lineFormEnd)-1).Draw(t, "line")),
		}
		if rapid.IntRange(0, 2).Draw(t, "labelled") == 0 {
			a.Label = words.Draw(t, "label")
		}
		d.Arrows = append(d.Arrows, a)
	}
	return d
}

// TestDiagramLayout checks that items and labels are inside the drawing and do not overlap. Each arrow begins and ends
// at the outlines of its items, and passes through no other item or label.
func TestDiagramLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDiagram(t)
		if _, err := d.Figure(); err != nil {
			t.Fatal(err)
		}
		l := d.layout()
		drawing := box{0, 0, l.width, l.height}
		var boxes []box
		var whose []*station
		for _, layer := range l.layers {
			for _, s := range layer {
				if s.item != nil || s.label != "" {
					boxes, whose = append(boxes, l.box(s)), append(whose, s)
				}
			}
		}
		for i, b := range boxes {
			if !b.inside(drawing) {
				t.Errorf("%v is not in the drawing %v", b, drawing)
			}
			for _, other := range boxes[i+1:] {
				if b.grow(-0.1).overlaps(other) {
					t.Errorf("%v and %v overlap", b, other)
				}
			}
		}
		for _, r := range l.routes {
			own := []*station{r.stations[0], r.stations[len(r.stations)-1]}
			path := l.pieces(r)
			for i, p := range []pos{
				l.point(path[0].from[0], path[0].from[1]), l.point(path[len(path)-1].to[0], path[len(path)-1].to[1]),
			} {
				if edge := l.box(own[i]).grow(0.1); !edge.contains(p) {
					t.Errorf("the line of %v has an end at %v, outside of %v", *r.arrow, p, edge)
				}
			}
			for _, piece := range path {
				for k := range 21 {
					p := piece.on(float64(k) / 20)
					for i, b := range boxes {
						if !slices.Contains(own, whose[i]) && b.grow(-0.1).contains(l.point(p[0], p[1])) {
							t.Errorf("the line of %v passes through %v", *r.arrow, b)
						}
					}
				}
			}
		}
	})
}

// on returns a point of a piece, by Bézier's formula.
func (p piece) on(t float64) [2]float64 {
	half := (p.from[1] + p.to[1]) / 2
	u := 1 - t
	return [2]float64{
		p.from[0]*(u*u*u+3*u*u*t) + p.to[0]*(3*u*t*t+t*t*t),
		p.from[1]*u*u*u + half*3*(u*u*t+u*t*t) + p.to[1]*t*t*t,
	}
}

// TestDiagramLayers compares layers with the longest paths that a search finds. The diagram turns back at most one
// arrow for each cycle that the search closes.
func TestDiagramLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDiagram(t)
		l := d.layout()
		step := 1
		if slices.ContainsFunc(d.Arrows, func(a Arrow) bool { return a.Label != "" }) {
			step = 2
		}
		var longest func(s *station) int // returns the longest path that ends at an item
		longest = func(s *station) (n int) {
			for _, r := range l.routes {
				if r.stations[len(r.stations)-1] == s {
					n = max(n, longest(r.stations[0])+step)
				}
			}
			return n
		}
		for _, s := range l.items {
			if len(s.before) > 0 && s.layer < longest(s) || len(s.before) == 0 && s.layer < 0 {
				t.Errorf("%s is in layer %d, its longest path has %d", s.item.Name, s.layer, longest(s))
			}
		}
		for _, r := range l.routes {
			if r.back != (r.stations[0].item.Name == r.arrow.To) {
				t.Errorf("%v is turned round on one side only", *r.arrow)
			}
		}
	})
}

// TestDiagramTree checks that a tree has no crossings, no arrow leads back, and a parent is in the middle above its
// children.
func TestDiagramTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Diagram{Title: "Tree", Items: []Item{{Name: "0", Lines: []string{"0"}}}}
		for i := range rapid.IntRange(1, 20).Draw(t, "items") {
			name := fmt.Sprint(i + 1)
			d.Items = append(d.Items, Item{Name: name, Lines: []string{name}})
			d.Arrows = append(d.Arrows, Arrow{From: fmt.Sprint(rapid.IntRange(0, i).Draw(t, "parent")), To: name})
		}
		l := d.layout()
		if n := l.crossings(); n > 0 {
			t.Errorf("%d crossings", n)
		}
		for _, r := range l.routes {
			if r.back {
				t.Errorf("%v leads back", *r.arrow)
			}
		}
		if root := l.items[0]; len(root.after) > 0 {
			sum := 0.0
			for _, s := range root.after {
				sum += s.at
			}
			if mean := sum / float64(len(root.after)); math.Abs(mean-root.at) > 1 {
				t.Errorf("the root is at %v, the mean of its children at %v", root.at, mean)
			}
		}
	})
}

// TestDiagramOrder checks that usual diagrams that can have no crossings get none.
func TestDiagramOrder(t *testing.T) {
	for _, arrows := range []string{
		"a>x b>y c>z a>y", "a>y b>x", "a>z b>y c>x z>a2 y>b2 x>c2", "a>b a>c b>d c>d d>a",
	} {
		d := Diagram{Title: "Order"}
		for arrow := range strings.FieldsSeq(arrows) {
			from, to, _ := strings.Cut(arrow, ">")
			for _, name := range []string{from, to} {
				if !slices.ContainsFunc(d.Items, func(i Item) bool { return i.Name == name }) {
					d.Items = append(d.Items, Item{Name: name, Lines: []string{name}})
				}
			}
			d.Arrows = append(d.Arrows, Arrow{From: from, To: to})
		}
		if n := d.layout().crossings(); n > 0 {
			t.Errorf("%s: %d crossings", arrows, n)
		}
	}
}
