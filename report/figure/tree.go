package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Tree shows a rooted tree of states. The root is at the left, and the leaves are one below the other, so that labels
// stay horizontal and the tree fits on a phone.
type Tree struct {
	// Title describes what the tree shows; required.
	Title string `rule:"name"`
	// Root is the first state; required. The same node must not occur twice.
	Root *Node
	// Classes are the outcomes that nodes refer to, at most 8; none may have the Value 0. A box shows its class by
	// colour, pattern and sign. The name of a class is next to one of its boxes. If there is no room for the names, a
	// legend shows the number of leaves of each class that occurs.
	Classes []Class `rule:"0-8 classes"`
}

// Node is one state of a tree.
type Node struct {
	// Lines contains the lines of the node's label: 1 to 3 lines of at most 24 characters, such as "N=10 S=1 D=15".
	Lines []string
	// Edge is the label of the edge from the parent, such as a move; at most 12 characters. The root's Edge is ignored.
	Edge string
	// Class is the Value of one of the tree's Classes, or 0 for none.
	Class int
	// Children are in order from top to bottom.
	Children []*Node
}

// These limits keep a tree readable: the maximum number of leaves, and the maximum number of edges on a path from the
// root.
const (
	MaxLeaves = 40
	MaxDepth  = 12
)

// Figure draws the tree. It fails if a field breaks its rule above, or if the tree exceeds MaxLeaves or MaxDepth.
func (t Tree) Figure() (content.Figure, error) { return drawn(t, t) }

func (t Tree) figure() content.Figure {
	looks := looks(t.Classes)
	l := t.layout(looks)
	f := content.Figure{Title: t.Title, Alt: t.describe(l), Data: t.table(l)}
	labels, named := t.labels(l)
	if !named { // there may be room on a line below the tree
		low := *l
		low.height += labelHeight + outerGap
		if labels, named = t.labels(&low); named {
			l = &low
		}
	}
	for i, k := range t.Classes {
		if named || !l.showsClass(k.Value) {
			continue // the alternative text names the classes that the drawing lacks
		}
		f.Legend = append(f.Legend, areaEntry(k.Label, k.Sign, looks[i],
			countShare(len(l.leavesOf(k.Value)), len(l.leaves()))))
	}
	return finish(f, l.width, l.height, func(s *stage) {
		t.paint(s, l)
		s.labels(labels)
	})
}

// labels returns the names of the classes, each next to a box. It reports whether there is room for the names of all
// classes that occur; if not, it returns no labels.
func (t Tree) labels(l *treeLayout) (labels []placedLabel, named bool) {
	room := &placer{within: box{0, 0, l.width, l.height}}
	for _, n := range l.nodes {
		room.taken = append(room.taken, l.box(n))
		if n.parent != nil {
			from, to := pos{l.right[n.depth-1], n.parent.middle()}, pos{l.left[n.depth], n.middle()}
			trunk := from[0] + edgeTrunk
			room.addLine(0, []pos{from, {trunk, from[1]}, {trunk, to[1]}, to})
			x := (trunk + to[0]) / 2
			room.taken = append(room.taken, boxAt(pos{x, to[1] - lineHeight/2}, textWidth(n.node.Edge), lineHeight))
		}
	}
	for _, k := range t.Classes {
		var targets []target
		for _, n := range l.nodes {
			if n.node.Class == k.Value {
				b := l.box(n)
				targets = append(targets, target{at: pos{b.x1, n.middle()}}, target{at: pos{b.middle()[0], b.y1}},
					target{at: pos{b.middle()[0], b.y0}}, target{at: pos{b.x1 - nodePadX, b.y1}})
			}
		}
		if len(targets) > 0 && !room.nameNext(&labels, targets, k.whole(), ink) {
			return nil, false
		}
	}
	return labels, true
}

// check validates the tree without recursion, so that a cycle or a chain of any length leads to an error.
func (t Tree) check(c *checker) {
	c.require(t.Root != nil, "Root is nil; give a node")
	c.outcomes(t.Classes)
	type visit struct {
		node  *Node
		depth int
	}
	seen := map[*Node]bool{}
	leaves, depth := 0, 0
	for stack := []visit{{t.Root, 0}}; len(stack) > 0 && c.err == nil; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.node == nil || seen[v.node] {
			c.failf("a child at depth %d is nil or occurs twice; give every child a node of its own", v.depth)
			break
		}
		seen[v.node] = true
		t.checkNode(c, v.node)
		depth = max(depth, v.depth)
		if len(v.node.Children) == 0 {
			leaves++
		}
		for _, child := range v.node.Children {
			stack = append(stack, visit{child, v.depth + 1})
		}
	}
	c.require(leaves <= MaxLeaves, "the tree has %d leaves, more than %d; cut branches or show a smaller start", leaves,
		MaxLeaves)
	c.require(depth <= MaxDepth, "the tree has a path of %d edges, more than %d; cut it off below", depth, MaxDepth)
}

func (t Tree) checkNode(c *checker, n *Node) {
	name := fmt.Sprintf("node %q", strings.Join(n.Lines, " | "))
	c.label(name, n.Lines)
	c.text("the Edge of "+name, n.Edge)
	c.require(utf8.RuneCountInString(n.Edge) <= 12, "the edge label %q has more than 12 characters; shorten it", n.Edge)
	c.outcome(name, t.Classes, n.Class)
}

// label checks the lines in a box.
func (c *checker) label(name string, lines []string) {
	c.size(name, len(lines), 1, 3, "label lines")
	for _, line := range lines {
		c.text("a line of a "+name, line)
		c.require(utf8.RuneCountInString(line) <= 24, "the line %q of a %s has more than 24 characters; shorten it",
			line, name)
	}
}

// describe returns the alternative text: the size of the tree, its root, its leaves by class, and a shortest path to
// each class.
func (t Tree) describe(l *treeLayout) string {
	byDepth := func(a, b *placedNode) int { return a.depth - b.depth }
	deepest := slices.MaxFunc(l.nodes, byDepth)
	text := fmt.Sprintf("Tree of %s with %s, at most %s deep. Its root is %s.",
		content.Counted(len(l.nodes), "node", "nodes"),
		content.Counted(len(l.leaves()), "leaf", "leaves"), content.Counted(deepest.depth, "edge", "edges"),
		strings.Join(t.Root.Lines, ", "))
	for _, k := range t.Classes {
		leaves := l.leavesOf(k.Value)
		if len(leaves) == 0 {
			text += fmt.Sprintf(" No leaf is %q.", k.Label)
			continue
		}
		text += fmt.Sprintf(" %s %q", content.Counted(len(leaves), "leaf is", "leaves are"), k.Label)
		if nearest := slices.MinFunc(leaves, byDepth); nearest.depth > 0 {
			text += fmt.Sprintf(", the nearest after %s (%s)", content.Counted(nearest.depth, "edge", "edges"),
				nearest.path())
		}
		text += "."
	}
	return text
}

// table returns a table with a row for each node. Parents precede their children.
func (t Tree) table(l *treeLayout) content.Records {
	out := content.Records{Header: []string{"node", "parent", "depth", "edge", "label", "class"}}
	for _, n := range l.nodes {
		parent, edge := "", ""
		if n.parent != nil {
			parent, edge = strconv.Itoa(n.parent.id), n.node.Edge
		}
		out.Add(n.id, parent, n.depth, edge, strings.Join(n.node.Lines, " | "), named(t.Classes, n.node.Class).Label)
	}
	return out
}

// placedNode is a node with its position.
type placedNode struct {
	node     *Node
	parent   *placedNode
	children []*placedNode
	id       int // numbered from 1, parents before children
	depth    int
	h        float64
	y        float64 // the top of its box
	look     *fill
	sign     string
}

func (n *placedNode) middle() float64 { return n.y + n.h/2 }

// path returns the labels of the edges from the root to the node.
func (n *placedNode) path() string {
	var edges []string
	for ; n.parent != nil; n = n.parent {
		edges = append(edges, cmp.Or(n.node.Edge, "·"))
	}
	slices.Reverse(edges)
	return strings.Join(edges, ", ")
}

// box returns the box of a node.
func (l *treeLayout) box(n *placedNode) box {
	return box{l.left[n.depth], n.y, l.right[n.depth], n.y + n.h}
}

// treeLayout is the layout of a tree: each depth is a column of boxes with the same width.
type treeLayout struct {
	nodes         []*placedNode // in order of id
	left, right   []float64     // the sides of the boxes, by depth
	width, height float64
}

const (
	nodePadX   = 9.0
	nodePadY   = 5.0
	stripe     = 9.0  // the coloured edge of a box with a class
	nodeGap    = 9.0  // between boxes of one column
	edgeTrunk  = 12.0 // from a box to the point where its edges fork
	edgeMargin = 9.0  // around an edge's label
)

// layout arranges the tree: columns from left to right, leaves from top to bottom, and each parent in the middle of its
// children.
func (t Tree) layout(looks []fill) *treeLayout {
	l := &treeLayout{}
	root := l.collect(t, looks, t.Root, nil, 0)
	l.columns(t.Classes)
	l.stack(root, slices.Repeat([]float64{outerGap}, len(l.left)))
	for _, n := range l.nodes {
		l.height = max(l.height, n.y+n.h+outerGap)
	}
	return l
}

// collect numbers the nodes, parents first. Earlier validation bounds the depth.
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

// columns finds the horizontal extent of each depth, and distributes the remaining width among the columns. If enough
// width remains, it leaves room for the names of the classes at the right.
func (l *treeLayout) columns(classes []Class) {
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
	names := 0.0
	for _, k := range classes {
		if l.showsClass(k.Value) {
			names = max(names, math.Ceil(textWidth(k.whole())+nameGap))
		}
	}
	spare, most := 0.0, Width-names
	if need >= most {
		most = Width
	}
	if need < most && len(boxes) > 1 {
		spare = min(50, math.Floor((most-need)/float64(len(boxes)-1)))
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

// stack sets the vertical position of every node in a subtree. next contains the first free height in each column: all
// earlier boxes end above it. If there is no room for the root of a subtree, the whole subtree moves down.
func (l *treeLayout) stack(n *placedNode, next []float64) {
	if len(n.children) == 0 {
		n.y = next[n.depth]
		next[n.depth] = n.y + n.h + nodeGap
		return
	}
	for _, c := range n.children {
		// A leaf must not be placed below the deeper branches of an earlier sibling, so that rows can be read across.
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

// shift moves a subtree down, and updates the free heights in its columns.
func (n *placedNode) shift(by float64, next []float64) {
	n.y += by
	next[n.depth] = max(next[n.depth], n.y+n.h+nodeGap)
	for _, c := range n.children {
		c.shift(by, next)
	}
}

// showsClass reports whether a box shows the class.
func (l *treeLayout) showsClass(class int) bool {
	return slices.ContainsFunc(l.nodes, func(n *placedNode) bool { return n.node.Class == class })
}

// leaves returns the nodes without children.
func (l *treeLayout) leaves() []*placedNode {
	return slices.DeleteFunc(slices.Clone(l.nodes), func(n *placedNode) bool { return len(n.children) > 0 })
}

// leavesOf returns the leaves with the given class.
func (l *treeLayout) leavesOf(class int) []*placedNode {
	return slices.DeleteFunc(l.leaves(), func(n *placedNode) bool { return n.node.Class != class })
}

// paint draws the edges and then the boxes.
func (t Tree) paint(s *stage, l *treeLayout) {
	line := solidLine(s.muted, 1)
	for _, n := range l.nodes {
		if len(n.children) == 0 {
			continue
		}
		from, trunk := l.right[n.depth], l.right[n.depth]+edgeTrunk
		first, last := n.children[0].middle(), n.children[len(n.children)-1].middle()
		s.line(line, pos{from, n.middle()}, pos{trunk, n.middle()})
		s.line(line, pos{trunk, min(first, n.middle())}, pos{trunk, max(last, n.middle())})
		for _, c := range n.children {
			s.line(line, pos{trunk, c.middle()}, pos{l.left[c.depth], c.middle()})
		}
	}
	for _, n := range l.nodes {
		if n.parent != nil {
			x := (l.right[n.depth-1] + edgeTrunk + l.left[n.depth]) / 2
			s.text(pos{x, n.middle() - 1}, n.node.Edge, textStyle{colour: s.ink, anchor: middle, shift: sit})
		}
		n.paint(s, l.box(n))
	}
}

// paint draws one box: the label at the left, the sign at the right, and a stripe with the colour and the pattern of
// the class.
func (n *placedNode) paint(s *stage, b box) {
	x := b.x0 + nodePadX
	if n.look != nil {
		s.cover(box{b.x0, b.y0, b.x0 + stripe, b.y1}, *n.look)
		x += stripe
	}
	s.outline(b, solidLine(s.muted, 1))
	for i, line := range n.node.Lines {
		s.label(pos{x, b.y0 + nodePadY + (float64(i)+0.5)*lineHeight}, line, start, s.ink)
	}
	s.label(pos{b.x1 - nodePadX, n.middle()}, n.sign, end, s.ink)
}

// Ladder shows a sequence of numbers that alternate between two columns. Each number is the previous number in its
// column minus the number between them.
type Ladder struct {
	// Title describes what the ladder shows. Columns contains the names of the columns, Less is the name of the lines
	// from one number to the next, and Kept is the name of the lines down a column. All are required.
	Title      string    `rule:"name"`
	Columns    [2]string `rule:"name"`
	Less, Kept string    `rule:"name"`
	// Rungs contains 3 to 16 numbers; the first is in the left column.
	Rungs []Rung `rule:"3-16 numbers"`
}

// Rung is one number of a ladder.
type Rung struct {
	// Value is the number as text; required.
	Value string `rule:"name"`
	// Formula is written next to the number and shows how the number was computed; it may be empty.
	Formula string
	// Group names a group that begins with the rung, such as a wave; it may be empty.
	Group string
}

// Figure draws the ladder. It fails if a field breaks its rule above.
func (d Ladder) Figure() (content.Figure, error) { return drawn(d, d) }

func (d Ladder) figure() content.Figure {
	f := content.Figure{Title: d.Title, Alt: d.describe(), Data: d.table()}
	if !d.named() {
		f.Legend = []content.LegendEntry{
			drawnEntry(content.LegendEntry{Label: d.Kept},
				func(s *stage) { s.rail(s.keptLine(), pos{3, iconHeight / 2}, pos{iconWidth - 3, iconHeight / 2}) }),
			drawnEntry(content.LegendEntry{Label: d.Less},
				func(s *stage) { s.rail(s.lessLine(), pos{3, iconHeight / 2}, pos{iconWidth - 3, iconHeight / 2}) }),
		}
	}
	height := d.rungMiddle(len(d.Rungs) - 1)[1] + rungHeight
	return finish(f, Width, height, d.paint)
}

func (d Ladder) check(c *checker) {
	for i, r := range d.Rungs {
		for _, t := range []struct {
			field, text string
			room        float64
		}{{"Value", r.Value, rungWidth - 8}, {"Formula", r.Formula, d.formulaRoom(i)}, {"Group", r.Group, groupRoom}} {
			c.require(textWidth(t.text) <= t.room, "Rungs[%d].%s is %q, too long for its column; shorten it", i,
				t.field, t.text)
		}
	}
}

// These are the sizes of a ladder.
const (
	rungHeight = 32.0
	rungWidth  = 76.0
	groupRoom  = 74.0
	leftRail   = Width/2 - 52
	rightRail  = Width/2 + 62
	ladderHead = 34.0
)

// rungMiddle returns the middle of a rung.
func (d Ladder) rungMiddle(i int) pos {
	x := leftRail
	if i%2 == 1 {
		x = rightRail
	}
	return pos{float64(x), ladderHead + (float64(i)+0.5)*rungHeight}
}

// formulaRoom returns the width for the formula of a rung. In the left column, the group names take up part of the
// width.
func (d Ladder) formulaRoom(i int) float64 {
	if i%2 == 1 {
		return Width - rightRail - rungWidth/2 - 12
	}
	return leftRail - rungWidth/2 - 12 - groupRoom
}

func (s *stage) keptLine() lineStyle { return strokes[0].line(s.theme) }
func (s *stage) lessLine() lineStyle {
	return lineStyle{Color: strokes[1].colour[s.theme], Width: 1.5, Dashes: []float64{5, 3}}
}

// rail draws a line with a dot at its end.
func (s *stage) rail(sty lineStyle, from, to pos) {
	s.line(sty, from, to)
	s.disc(to, 2.5, sty.Color)
}

// named reports whether there is room for the names of the lines: to the left of the first line down the left column,
// and above the first number that is subtracted.
func (d Ladder) named() bool {
	return textWidth(d.Kept) <= leftRail-8-outerGap && d.Rungs[1].Group == "" &&
		textWidth(d.Less) <= Width-rightRail+rungWidth/2-outerGap
}

func (d Ladder) paint(s *stage) {
	if d.named() {
		s.label(pos{leftRail - 8, d.rungMiddle(1)[1]}, d.Kept, end, s.keptLine().Color.(color.RGBA))
		s.label(pos{rightRail - rungWidth/2, d.rungMiddle(0)[1]}, d.Less, start, s.lessLine().Color.(color.RGBA))
	}
	for side, name := range d.Columns {
		s.label(pos{d.rungMiddle(side)[0], ladderHead / 2}, name, middle, s.ink)
	}
	for i, r := range d.Rungs {
		if r.Group == "" {
			continue
		}
		y := d.rungMiddle(i)[1] - rungHeight/2
		s.line(solidLine(s.grid, 1), pos{outerGap, y}, pos{Width - outerGap, y})
		s.label(pos{outerGap, d.rungMiddle(i)[1]}, r.Group, start, s.muted)
	}
	const half = 11.0 // half the height of a box
	for i := 2; i < len(d.Rungs); i++ {
		kept, less, to := d.rungMiddle(i-2), d.rungMiddle(i-1), d.rungMiddle(i)
		s.rail(s.keptLine(), pos{kept[0], kept[1] + half}, pos{to[0], to[1] - half - 3})
		inward := rungWidth/2 + 3
		if less[0] > to[0] {
			inward = -inward
		}
		s.rail(s.lessLine(), pos{less[0] + inward, less[1]}, pos{to[0] - inward, to[1]})
	}
	for i, r := range d.Rungs {
		at := d.rungMiddle(i)
		b := boxAt(at, rungWidth, 2*half)
		s.fill(s.ground, b.corners()...)
		s.outline(b, solidLine(s.muted, 1))
		s.label(at, r.Value, middle, s.ink)
		if i%2 == 1 {
			s.label(pos{b.x1 + 8, at[1]}, r.Formula, start, s.muted)
			continue
		}
		s.label(pos{b.x0 - 8, at[1]}, r.Formula, end, s.muted)
	}
}

// describe returns the alternative text: every number with its formula and group.
func (d Ladder) describe() string {
	var parts []string
	for i, r := range d.Rungs {
		text := d.Columns[i%2] + " " + r.Value
		if r.Formula != "" {
			text += " = " + r.Formula
		}
		if r.Group != "" {
			text = r.Group + ": " + text
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("Ladder of %d numbers in two columns, %s and %s, in turn. From the third on, each number is "+
		"the one above it in its column minus the one between them. %s.",
		len(d.Rungs), d.Columns[0], d.Columns[1], strings.Join(parts, "; "))
}

// table returns a table with a row for each number.
func (d Ladder) table() content.Records {
	t := content.Records{Header: []string{"group", "column", "number", "formula"}}
	group := ""
	for i, r := range d.Rungs {
		if r.Group != "" {
			group = r.Group
		}
		t.Add(group, d.Columns[i%2], r.Value, r.Formula)
	}
	return t
}
