package figure

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawTree makes a random tree within the limits.
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

// TestTreeLegend: the legend explains the classes that occur, one on inner nodes too, and no other.
func TestTreeLegend(t *testing.T) {
	for _, c := range []struct {
		inner int
		want  string
	}{
		{0, "soldiers win 1 (33.3 %), the castle wins 2 (66.7 %)"},
		{3, "soldiers win 1 (33.3 %), the castle wins 2 (66.7 %), tie 0 (0 %)"},
	} {
		tree := sampleTree()
		tree.Root.Children[0].Class = c.inner
		var got []string
		for _, e := range mustBuild(tree.Figure).Legend {
			got = append(got, e.Label+" "+e.Count)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("inner class %d: legend is %q, want %q", c.inner, got, c.want)
		}
	}
}

// TestTreeLayout: no two boxes overlap, children stand right of their parent in order, and a parent is between its
// first and its last child.
func TestTreeLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := MaxLeaves - 1
		tree := Tree{Title: "t", Root: drawTree(t, rapid.IntRange(0, 6).Draw(t, "depth"), &budget)}
		if _, err := tree.check(); err != nil {
			t.Fatal(err)
		}
		l := tree.layout(nil)
		picture := box{0, 0, l.width, l.height}
		boxOf := func(n *placedNode) box { return box{l.left[n.depth], n.y, l.right[n.depth], n.y + n.h} }
		for i, n := range l.nodes {
			b := boxOf(n)
			if !b.inside(picture) || widest(n.node.Lines)+2*nodePadX > b.w()+1e-6 {
				t.Fatalf("box %v in %v, text %v wide", b, picture, widest(n.node.Lines))
			}
			for _, o := range l.nodes[:i] {
				if b.overlaps(boxOf(o)) {
					t.Fatalf("boxes %v and %v overlap", b, boxOf(o))
				}
			}
			for k, c := range n.children {
				if l.left[c.depth] <= b.x1 || k > 0 && c.y <= n.children[k-1].y {
					t.Fatalf("child %d of %v is at %v", k, b, boxOf(c))
				}
			}
			if k := len(n.children); k > 0 && (n.middle() < n.children[0].middle()-1e-6 ||
				n.middle() > n.children[k-1].middle()+1e-6) {
				t.Fatalf("parent at %v, children from %v to %v", n.middle(), n.children[0].middle(), n.children[k-1].middle())
			}
		}
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
		"occurs twice":    cyclic,
		"Root is nil":     nil,
		"0 label lines":   {},
		"Class 5, which":  {Lines: []string{"a"}, Class: 5},
		"more than 24":    {Lines: []string{strings.Repeat("x", 25)}},
		"control charact": {Lines: []string{"a\nb"}},
	} {
		_, err := Tree{Title: "t", Root: root}.Figure()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if f := mustBuild(Tree{Title: "t", Root: node(wide[:MaxLeaves]...)}.Figure); f.Height > MaxLeaves*50 {
		t.Errorf("%d leaves are %d pixels high", MaxLeaves, f.Height)
	}
}
