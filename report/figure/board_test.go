package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/report/content"
)

var kinds = []Class{
	{Value: 1, Label: "army A", Sign: "A", Swatch: Blue},
	{Value: 2, Label: "army B", Sign: "B", Swatch: Orange},
}

// drawBoard makes a random board within the limits.
func drawBoard(t *rapid.T) Board {
	b := Board{
		Title: "t", Classes: kinds, Note: "n", Mark: "m", Arrow: "a", Shade: "s",
		Numbered: rapid.Bool().Draw(t, "numbered"),
	}
	for range rapid.IntRange(1, 6).Draw(t, "grids") {
		g := Grid{
			Name: rapid.SampledFrom([]string{"", "focus", "a long name of a grid"}).Draw(t, "name"),
			Rows: rapid.IntRange(1, 5).Draw(t, "rows"), Cols: rapid.IntRange(1, 7).Draw(t, "cols"),
		}
		if rapid.Bool().Draw(t, "torus") {
			g.Wrap = rapid.IntRange(0, min(g.Rows, g.Cols, 2)).Draw(t, "wrap")
		}
		for _, cell := range rapid.SliceOfNDistinct(rapid.IntRange(0, g.Rows*g.Cols-1), 0, 9, rapid.ID[int]).Draw(t,
			"cells") {
			class := rapid.IntRange(0, 2).Draw(t, "class")
			g.Pieces = append(g.Pieces, Piece{
				Row: cell / g.Cols, Col: cell % g.Cols, Class: class,
				Note:   rapid.SampledFrom([]string{"", "1", "WW"}).Draw(t, "note"),
				Marked: class > 0 && rapid.Bool().Draw(t, "marked"),
			})
		}
		if n := len(g.Pieces); n > 1 && g.Wrap == 0 {
			for range rapid.IntRange(0, 4).Draw(t, "arrows") {
				from := rapid.IntRange(0, n-1).Draw(t, "from")
				g.Arrows = append(g.Arrows, [2]int{from, (from + rapid.IntRange(1, n-1).Draw(t, "to")) % n})
			}
		}
		b.Grids = append(b.Grids, g)
	}
	return b
}

// TestBoardLayout checks that grids do not overlap, grids and texts stay in the picture, the document is sound, and the
// data has every piece.
func TestBoardLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t)
		f, err := b.Figure()
		must.Do(t, err)
		l, pieces := b.layout(), 0
		var outers []box
		var names []string
		for _, g := range l.grids {
			pieces += len(g.Pieces)
			outers, names = append(outers, g.outer), append(names, g.Name)
			if !g.cells.grow(float64(g.Wrap) * l.cell).inside(g.outer.grow(0.01)) {
				t.Fatalf("grid %v, its cells %v", g.outer, g.cells)
			}
		}
		checkApart(t, box{0, 0, l.width, l.height}, outers, names)
		if len(f.Data.Rows) != pieces || l.width > Width {
			t.Fatalf("%d rows of data for %d pieces, %v wide", len(f.Data.Rows), pieces, l.width)
		}
		for _, th := range []theme{light, dark} {
			checkDocument(t, &f, th)
		}
	})
}

// TestArrows checks that an arrow leads from disc to disc, avoids the discs of other pieces, and has the same path as
// the arrow back.
func TestArrows(t *testing.T) {
	b := sampleOf[Board]("board")
	l := b.layout()
	g := l.grids[0]
	for from := range g.Pieces {
		for to := range g.Pieces {
			if from == to {
				continue
			}
			there, back := l.path(g, from, to), l.path(g, to, from)
			for i, p := range there {
				if p != back[len(back)-1-i] {
					t.Errorf("arrow %d to %d is not the way back", from, to)
				}
				for other := range g.Pieces {
					c := l.centre(g, other)
					if d := math.Hypot(p[0]-c[0], p[1]-c[1]); d < pieceRadius {
						t.Errorf("arrow %d to %d passes %v from the centre of %d", from, to, d, other)
					}
				}
			}
			c := l.centre(g, to)
			end := there[len(there)-1]
			if d := math.Hypot(end[0]-c[0], end[1]-c[1]); d > pieceRadius+26 {
				t.Errorf("arrow %d to %d ends %v from its target", from, to, d)
			}
		}
	}
}

// drawGraph makes a random graph.
func drawGraph(t *rapid.T) Graph {
	g := Graph{Title: "Random", One: "box", Many: "boxes"}
	var names []string
	for i := range rapid.IntRange(1, 6).Draw(t, "groups") {
		group := Group{Name: fmt.Sprintf("group %d", i)}
		for range rapid.IntRange(1, 5).Draw(t, "boxes") {
			b := Box{Name: fmt.Sprint("b", len(names)), Target: "#x"}
			for range rapid.IntRange(1, 3).Draw(t, "lines") {
				b.Lines = append(b.Lines, strings.Repeat("W", rapid.IntRange(1, 24).Draw(t, "width")))
			}
			for range rapid.IntRange(0, min(3, len(names))).Draw(t, "needs") {
				b.Needs = append(b.Needs, rapid.SampledFrom(names).Draw(t, "need"))
			}
			names, group.Boxes = append(names, b.Name), append(group.Boxes, b)
		}
		g.Groups = append(g.Groups, group)
	}
	return g
}

// TestGraphLayout checks that boxes are in their frames and frames in the drawing, without overlap. No line goes
// through a box or a frame's name. Each line that is drawn ends at its box, and labels fit.
func TestGraphLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		nodes := g.nodes()
		reduce(nodes)
		l := g.layout(nodes)
		checkApart(t, box{0, 0, l.width, l.height}, l.frames, l.names)
		for i, frame := range l.frames {
			if textWidth(l.names[i]) > frame.w()-2*graphPad {
				t.Fatalf("frame %v, with %q", frame, l.names[i])
			}
		}
		ends := map[pos]int{}
		for _, w := range l.wires {
			for _, part := range w.segments {
				way := box{
					min(part[0][0], part[1][0]), min(part[0][1], part[1][1]), max(part[0][0], part[1][0]),
					max(part[0][1], part[1][1]),
				}
				if !way.inside(box{0, 0, l.width, l.height}) || way.w() > 0 && way.h() > 0 {
					t.Fatalf("a line goes along %v, of %v x %v", way, l.width, l.height)
				}
				for _, n := range nodes {
					if way.overlaps(n.box) {
						t.Fatalf("the line %v goes through %s, %v", way, n.Name, n.box)
					}
				}
			}
			for _, end := range w.ends {
				ends[end.at]++
			}
		}
		needed := 0
		var boxes []box
		var names []string
		for _, n := range nodes {
			if !n.box.inside(l.frames[n.group]) || widest(n.Lines)+2*nodePadX > n.box.w()+1e-9 ||
				float64(len(n.Lines))*lineHeight > n.box.h() {
				t.Fatalf("%s: %v in %v", n.Name, n.box, l.frames[n.group])
			}
			boxes, names = append(boxes, n.box), append(names, n.Name)
			met := 0
			for at, times := range ends {
				if (at[0] == n.box.x0 || at[0] == n.box.x1) && at[1] > n.box.y0 && at[1] < n.box.y1 {
					met += times
				}
			}
			if met != len(n.needs) {
				t.Fatalf("%d lines end at %s, which needs %d", met, n.Name, len(n.needs))
			}
			needed += len(n.needs)
		}
		checkApart(t, box{0, 0, l.width, l.height}, boxes, names)
		f, err := g.Figure()
		if err != nil || len(f.Links) != len(nodes) ||
			!strings.Contains(f.Alt, content.Counted(needed, "line", "lines")) {
			t.Fatalf("%d links, %q, %v", len(f.Links), f.Alt, err)
		}
	})
}

// TestGraphReduced checks that the graph omits only needs that follow from other needs, so each box reaches the same
// boxes as before.
func TestGraphReduced(t *testing.T) {
	reach := func(nodes []*graphNode, n *graphNode) []int {
		found := make([]bool, len(nodes))
		var follow func(n *graphNode)
		follow = func(n *graphNode) {
			for _, need := range n.needs {
				found[need.id] = true
				follow(need)
			}
		}
		follow(n)
		var all []int
		for i, is := range found {
			if is {
				all = append(all, i)
			}
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		whole, reduced := g.nodes(), g.nodes()
		reduce(reduced)
		for i, n := range reduced {
			if all := reach(reduced, n); !slices.Equal(all, reach(whole, whole[i])) {
				t.Fatalf("%s reaches %v, not %v", n.Name, all, reach(whole, whole[i]))
			}
			for _, need := range n.needs {
				for _, other := range n.needs {
					if other != need && slices.Contains(reach(reduced, other), need.id) {
						t.Fatalf("%s needs %s and %s, which leans on it", n.Name, need.Name, other.Name)
					}
				}
			}
		}
	})
}

func TestGraphSize(t *testing.T) {
	g := sampleOf[Graph]("graph")
	for i := range maxBoxes {
		g.Groups[0].Boxes = append(g.Groups[0].Boxes, Box{Name: fmt.Sprint(i), Lines: []string{"b"}})
	}
	_, err := g.Figure()
	must.ErrorContains(t, err, "160 boxes, more than 150")
}
