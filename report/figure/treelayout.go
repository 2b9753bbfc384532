package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// placedNode is a node with its place.
type placedNode struct {
	node     *Node
	parent   *placedNode
	children []*placedNode
	id       int // from 1, parents before children
	depth    int
	h        float64
	y        float64 // top
	look     *fill
	sign     string
}

func (n *placedNode) middle() float64 { return n.y + n.h/2 }

// path lists the edge labels from the root.
func (n *placedNode) path() string {
	var edges []string
	for ; n.parent != nil; n = n.parent {
		edges = append(edges, cmp.Or(n.node.Edge, "·"))
	}
	slices.Reverse(edges)
	return strings.Join(edges, ", ")
}

// box is where a node stands.
func (l *treeLayout) box(n *placedNode) box {
	return box{l.left[n.depth], n.y, l.right[n.depth], n.y + n.h}
}

// treeLayout is a tree with a column of equally wide boxes per depth.
type treeLayout struct {
	nodes         []*placedNode // in order of id
	left, right   []float64     // of the boxes, by depth
	width, height float64
}

const (
	nodePadX   = 9.0
	nodePadY   = 5.0
	stripe     = 9.0  // coloured edge of a box with a class
	nodeGap    = 9.0  // between boxes of one column
	edgeTrunk  = 12.0 // from a box to where its edges part
	edgeMargin = 9.0  // around an edge's label
)

// layout places the tree: columns from left to right, leaves from top to bottom, a parent in the middle of its
// children.
func (t Tree) layout(looks []fill) *treeLayout {
	l := &treeLayout{}
	root := l.collect(t, looks, t.Root, nil, 0)
	l.columns()
	l.stack(root, slices.Repeat([]float64{outerGap}, len(l.left)))
	for _, n := range l.nodes {
		l.height = max(l.height, n.y+n.h+outerGap)
	}
	return l
}

// collect numbers the nodes, parents first. The depth is bounded by the validation.
func (l *treeLayout) collect(t Tree, looks []fill, node *Node, parent *placedNode, depth int) *placedNode {
	n := &placedNode{node: node, parent: parent, id: len(l.nodes) + 1, depth: depth}
	n.h = float64(len(node.Lines))*lineHeight + 2*nodePadY
	if i := classOf(t.Classes, node.Class); i >= 0 {
		n.sign = t.Classes[i].Sign
		n.look = &looks[i]
	}
	l.nodes = append(l.nodes, n)
	for _, child := range node.Children {
		n.children = append(n.children, l.collect(t, looks, child, n, depth+1))
	}
	return n
}

// columns finds the horizontal extent of each depth; room that is left over goes between the columns.
func (l *treeLayout) columns() {
	var boxes, edges []float64
	for _, n := range l.nodes {
		for len(boxes) <= n.depth {
			boxes, edges = append(boxes, 0), append(edges, 0)
		}
		w := widest(n.node.Lines) + 2*nodePadX
		if n.look != nil {
			w += stripe
		}
		if n.sign != "" {
			w += textWidth(n.sign) + nodePadX
		}
		boxes[n.depth] = max(boxes[n.depth], math.Ceil(w))
		if n.parent != nil {
			edges[n.depth] = max(edges[n.depth], math.Ceil(edgeTrunk+textWidth(n.node.Edge)+2*edgeMargin))
		}
	}
	need := 2 * outerGap
	for i := range boxes {
		need += boxes[i] + edges[i]
	}
	spare := 0.0
	if need < Width && len(boxes) > 1 {
		spare = min(50, math.Floor((Width-need)/float64(len(boxes)-1)))
	}
	x := outerGap
	for i := range boxes {
		if i > 0 {
			x += edges[i] + spare
		}
		l.left, l.right = append(l.left, x), append(l.right, x+boxes[i])
		x += boxes[i]
	}
	l.width = max(Width, x+outerGap)
}

// stack gives every node of a subtree its height. next is the first free height of each column; everything placed so
// far ends above it, so a subtree whose root lacks room moves down as a whole.
func (l *treeLayout) stack(n *placedNode, next []float64) {
	if len(n.children) == 0 {
		n.y = next[n.depth]
		next[n.depth] = n.y + n.h + nodeGap
		return
	}
	for _, c := range n.children {
		// A leaf does not slide under the deeper branches of an elder sibling: rows read across.
		for d := n.depth + 2; d < len(next); d++ {
			next[n.depth+1] = max(next[n.depth+1], next[d]-(nodeGap+c.h)/2)
		}
		l.stack(c, next)
	}
	first, last := n.children[0], n.children[len(n.children)-1]
	n.y = (first.middle()+last.middle())/2 - n.h/2
	if short := next[n.depth] - n.y; short > 0 {
		n.y += short
		for _, c := range n.children {
			c.shift(short, next)
		}
	}
	next[n.depth] = n.y + n.h + nodeGap
}

// shift moves a subtree down, and with it the free height of its columns.
func (n *placedNode) shift(by float64, next []float64) {
	n.y += by
	next[n.depth] = max(next[n.depth], n.y+n.h+nodeGap)
	for _, c := range n.children {
		c.shift(by, next)
	}
}

// has reports whether a box shows the class.
func (l *treeLayout) has(class int) bool {
	return slices.ContainsFunc(l.nodes, func(n *placedNode) bool { return n.node.Class == class })
}

// leaves are the nodes without children.
func (l *treeLayout) leaves() []*placedNode {
	return slices.DeleteFunc(slices.Clone(l.nodes), func(n *placedNode) bool { return len(n.children) > 0 })
}

// leavesOf are the leaves of a class.
func (l *treeLayout) leavesOf(class int) []*placedNode {
	return slices.DeleteFunc(l.leaves(), func(n *placedNode) bool { return n.node.Class != class })
}
