package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// drawTree draws a random tree within the limits.
func drawTree(t *rapid.T, depth int, budget *int) *Node {
	n := &Node{Lines: make([]string, rapid.IntRange(1, 3).Draw(t, "lines")), Edge: "i=1"}
	for i := range n.Lines {
		n.Lines[i] = strings.Repeat("W", rapid.IntRange(1, 24).Draw(t, "width"))
	}
	if depth == 0 {
		return n
	}
	for range rapid.IntRange(0, 4).Draw(t, "children") {
		if *budget == 0 {
			break
		}
		*budget--
		n.Children = append(n.Children, drawTree(t, depth-1, budget))
	}
	return n
}

// TestTreeLayout checks that no two boxes overlap, that children are to the right of their parent and in order, and
// that a parent is between its first and its last child.
func TestTreeLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := MaxLeaves - 1
		tree := Tree{Title: "t", Root: drawTree(t, rapid.IntRange(0, 6).Draw(t, "depth"), &budget)}
		must.Do(t, checked(tree, tree))
		l := tree.layout(nil)
		var boxes []box
		boxOf := func(n *placedNode) box { return box{l.left[n.depth], n.y, l.right[n.depth], n.y + n.h} }
		for _, n := range l.nodes {
			b := boxOf(n)
			boxes = append(boxes, b)
			if widest(n.node.Lines)+2*nodePadX > b.w()+1e-6 {
				t.Fatalf("box %v, text %v wide", b, widest(n.node.Lines))
			}
			for k, c := range n.children {
				if l.left[c.depth] <= b.x1 || k > 0 && c.y <= n.children[k-1].y {
					t.Fatalf("child %d of %v is at %v", k, b, boxOf(c))
				}
			}
			if k := len(n.children); k > 0 && (n.middle() < n.children[0].middle()-1e-6 ||
				n.middle() > n.children[k-1].middle()+1e-6) {
				t.Fatalf("parent at %v, children from %v to %v", n.middle(), n.children[0].middle(),
					n.children[k-1].middle())
			}
		}
		checkApart(t, box{0, 0, l.width, l.height}, boxes, l.nodes)
	})
}

func TestTreeLimits(t *testing.T) {
	node := func(children ...*Node) *Node { return &Node{Lines: []string{"S=1"}, Children: children} }
	var wide []*Node
	for range MaxLeaves + 1 {
		wide = append(wide, node())
	}
	deep := node()
	for range MaxDepth + 1 {
		deep = node(deep)
	}
	cyclic := node()
	cyclic.Children = []*Node{cyclic}
	for want, root := range map[string]*Node{
		fmt.Sprintf("the tree has %d leaves, more than %d", MaxLeaves+1, MaxLeaves):        node(wide...),
		fmt.Sprintf("the tree has a path of %d edges, more than %d", MaxDepth+1, MaxDepth): deep,
		"occurs twice": cyclic,
	} {
		_, err := Tree{Title: "t", Root: root}.Figure()
		must.ErrorContains(t, err, want)
	}
	if f := must.Get(Tree{Title: "t", Root: node(wide[:MaxLeaves]...)}.Figure()); f.Height > MaxLeaves*50 {
		t.Errorf("%d leaves are %d pixels high", MaxLeaves, f.Height)
	}
}

// sampleWalks returns a figure with every feature of Walks.
func sampleWalks() Walks {
	w := sampleOf[Walks]("walks")
	w.Curves[1].Points = Sampled(func(x float64) float64 { return x * x / 12 }, 0, 12)
	return w
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

// seenAtEnd returns, in sorted order, the subpaths and texts of a drawing that are visible after all animations.
func seenAtEnd(t *testing.T, svg []byte) []string {
	t.Helper()
	var whole element
	must.Do(t, xml.Unmarshal(svg, &whole))
	var all []string
	var look func(*element)
	look = func(g *element) {
		if gone := slices.ContainsFunc(g.children, func(c *element) bool {
			return c.name == "animate" && strings.HasSuffix(c.attrs["values"], ";0")
		}); gone {
			return
		}
		for _, child := range g.children {
			style := child.attrs["fill"] + "/" + child.attrs["stroke"] + "/" + child.attrs["stroke-width"]
			switch child.name {
			case "path":
				for part := range strings.SplitSeq(child.attrs["d"], "M") {
					if part != "" {
						all = append(all, style+" M"+part)
					}
				}
			case "text":
				all = append(all, child.text)
			case "g":
				look(child)
			}
		}
	}
	look(&whole)
	slices.Sort(all)
	return all
}

// randomRanks returns groups of random sizes, with random parts, losses, arrivals and shots.
func randomRanks(r *rand.Rand, many bool) Ranks {
	ranks := Ranks{Title: "Groups", Narrow: r.IntN(2) == 0}
	for i, look := range []Swatch{Blocked, Vermilion, Sky} {
		row := Rank{Label: "g", Swatch: look, Round: i > 0, Leaving: i < 2, Whole: 1 + r.Uint64N(rankUnits)}
		if many {
			row.Whole = 1 + r.Uint64N(1<<r.IntN(63))
		}
		row.Count = r.Uint64N(row.Whole + 1)
		row.Part, row.Came = r.Uint64N(row.Count+1), r.Uint64N(row.Count+1)
		row.Lost = r.Uint64N(row.Whole - row.Count + row.Came + 1)
		row.Shots = []Shots{{At: r.IntN(3), Count: r.Uint64N(60), Late: r.IntN(2) == 0}}
		row.Handle, row.Ghost, row.Ghosts = i == 2, i == 1, r.Uint64N(row.Count+1)
		ranks.Rows = append(ranks.Rows, row)
	}
	return ranks
}

// TestRanksMoving checks that the animation ends with the drawing of the figure.
func TestRanksMoving(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	moved := 0
	for i := range 120 {
		ranks := sampleOf[Ranks]("ranks")
		if i > 0 {
			ranks = randomRanks(random, i%2 == 0)
		}
		f, err := ranks.Figure()
		if err != nil {
			t.Fatalf("%+v: %v", ranks, err)
		}
		for dark, want := range map[bool][]byte{false: f.Light, true: f.Dark} {
			moving, err := ranks.Moving(dark)
			must.Do(t, err)
			moved += strings.Count(string(moving), "<animate ")
			got, still := seenAtEnd(t, moving), seenAtEnd(t, want)
			// If there are many units, the arriving units form a separate bar.
			if len(still) < 6 || i%2 == 1 && !slices.Equal(got, still) {
				t.Fatalf("%+v: it ends as\n%q\nwant\n%q", ranks, got, still)
			}
		}
	}
	if moved < 500 {
		t.Errorf("%d things move: the test shows nothing", moved)
	}
}
