package figure

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// TestCallout checks that a name covers no line, no earlier box and no earlier name, that it is inside the drawing, and
// that a name that is not next to its target has a leader from the target to the name.
func TestCallout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &placer{within: box{0, 0, 400, 300}}
		at := rapid.Custom(func(t *rapid.T) pos {
			return pos{rapid.Float64Range(20, 380).Draw(t, "x"), rapid.Float64Range(20, 280).Draw(t, "y")}
		})
		p.addLine(0, rapid.SliceOfN(at, 0, 3).Draw(t, "line"))
		for _, a := range rapid.SliceOfN(at, 0, 8).Draw(t, "boxes") {
			p.taken = append(p.taken, boxAt(a, 30, 30))
		}
		for range 3 {
			goal := target{at.Draw(t, "target"), rapid.Float64Range(0, 15).Draw(t, "radius")}
			before, drawn := slices.Clone(p.taken), placer{lines: slices.Clone(p.lines)}
			b, leader, ok := p.callout([]target{goal}, rapid.Float64Range(20, 120).Draw(t, "width"))
			if !ok {
				if len(p.taken) != len(before) {
					t.Fatal("a name without a place has reserved one")
				}
				continue
			}
			if !b.inside(p.within) || slices.ContainsFunc(before, b.overlaps) || drawn.covers(b) {
				t.Fatalf("%v covers something or is outside", b)
			}
			if end := len(leader) - 1; end > 0 && !p.covers(boxAt(leader[end], 1, 1)) {
				t.Fatalf("later names may cover the leader %v", leader)
			}
			if distance := boxDistance(b, goal.at) - goal.radius; leader == nil && distance > 12 {
				t.Fatalf("%v is %v away from %v and has no leader", b, distance, goal)
			}
			if n := len(leader); n > 0 && (boxDistance(b, leader[n-1]) > 1e-6 ||
				boxDistance(box{leader[0][0], leader[0][1], leader[0][0], leader[0][1]}, goal.at) > goal.radius+1.01) {
				t.Fatalf("the leader %v does not join %v and %v", leader, goal, b)
			}
		}
	})
}

// TestRoomForNames checks that a chart has no legend if there is room for the names of all its classes next to what
// they name, and that otherwise the legend contains all of them.
func TestRoomForNames(t *testing.T) {
	long := strings.Repeat("a long name ", 5)
	classes := func(first string) []Class {
		return []Class{{Value: 1, Label: first, Sign: "a"}, {Value: 2, Label: "other", Sign: "b"}}
	}
	board := func(first string, pieces int) drawing {
		g := Grid{Rows: 3, Cols: 6}
		for i := range pieces {
			g.Pieces = append(g.Pieces, Piece{Row: i / 6, Col: i % 6, Class: 1 + i%2})
		}
		return Board{Title: "t", Classes: classes(first), Grids: []Grid{g}}
	}
	maps := func(first string) HeatMaps {
		m := HeatMaps{Title: "t", Cols: 10, Rows: 10, Classes: classes(first)}
		p := HeatPanel{Name: "p", Cells: make([]int, 100)}
		p.Cells[33], p.Cells[66] = 1, 2
		m.Panels = append(m.Panels, p)
		return m
	}
	tree := func(first string) drawing {
		root := &Node{Lines: []string{"start"}}
		root.Children = []*Node{{Lines: []string{"x"}, Class: 1}, {Lines: []string{"y"}, Class: 2}}
		return Tree{Title: "t", Root: root, Classes: classes(first)}
	}
	bars := func(first string) drawing {
		counts := []*big.Int{big.NewInt(2), big.NewInt(5), big.NewInt(1)}
		return Histogram{
			Title: "t", XLabel: "x", YLabel: "y", Keys: []int{1, 2, 3},
			Series: []BarSeries{{first, counts}, {"other", counts}},
		}
	}
	ladder := func(kept string) drawing {
		return Ladder{
			Title: "t", Columns: [2]string{"a", "b"}, Kept: kept, Less: "other",
			Rungs: []Rung{{Value: "8"}, {Value: "5"}, {Value: "3"}},
		}
	}
	for name, c := range map[string]struct {
		drawing drawing
		legend  int
	}{
		"board": {board("one", 4), 0}, "full board": {board("one", 18), 0}, "long name on a board": {board(long, 4), 2},
		"maps": {maps("one"), 0}, "long name on maps": {maps(long), 2}, "maps of a film": {maps("one").Keyed(), 2},
		"tree": {tree("one"), 0}, "long name on a tree": {tree(long + long), 2},
		"bars": {bars("one"), 0}, "long name on bars": {bars(long + long), 2},
		"ladder": {ladder("one"), 0}, "long name on a ladder": {ladder(long), 2},
	} {
		f := must.Get(c.drawing.Figure())
		if len(f.Legend) != c.legend {
			t.Errorf("%s: %d entries in the legend, want %d", name, len(f.Legend), c.legend)
		}
		if written := namesWritten(f, regexp.MustCompile(`>[^<>]*other[^<>]*</text>`)); written != (c.legend == 0) {
			t.Errorf("%s: names are written: %v", name, written)
		}
	}
}

// namesWritten reports whether a figure has text that matches in both themes.
func namesWritten(f content.Figure, text *regexp.Regexp) bool {
	return text.Match(f.Light) && text.Match(f.Dark)
}

// boxDistance returns the distance between a position and a box.
func boxDistance(b box, at pos) float64 {
	return math.Hypot(max(b.x0-at[0], 0, at[0]-b.x1), max(b.y0-at[1], 0, at[1]-b.y1))
}
