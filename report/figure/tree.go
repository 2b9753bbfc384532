package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Tree shows a rooted tree of states, root at the left and leaves one below the other, so that labels stay horizontal
// and a phone shows it whole.
type Tree struct {
	// Title says what is shown; required.
	Title string
	// Root is the first state; required. A node must not occur twice.
	Root *Node
	// Classes are the outcomes that nodes refer to, at most 8, none with Value 0; a box shows its class by colour,
	// pattern and sign, and the legend counts the leaves of those that occur.
	Classes []Class
}

// Node is one state of a tree.
type Node struct {
	// Lines are the 1 to 3 lines of its label, at most 24 characters each, such as "S=10 D=15 C=1".
	Lines []string
	// Edge labels the edge from the parent, such as the move; at most 12 characters, ignored at the root.
	Edge string
	// Class is the Value of one of the tree's Classes, or 0 for none.
	Class int
	// Children are in the order from top to bottom.
	Children []*Node
}

// Limits of a tree that stays readable: its leaves, and the edges on a path from the root.
const (
	MaxLeaves = 40
	MaxDepth  = 12
)

// Figure draws the tree. It fails if a field breaks its rule above or the tree outgrows MaxLeaves or MaxDepth.
func (t Tree) Figure() (content.Figure, error) {
	looks, err := t.check()
	if err != nil {
		return content.Figure{}, err
	}
	l := t.layout(looks)
	f := content.Figure{Title: t.Title, Alt: t.describe(l), Data: t.table(l)}
	for i, k := range t.Classes {
		if !l.has(k.Value) {
			continue // nothing in the drawing to explain; the alternative text says that there is none
		}
		f.Legend = append(f.Legend, areaEntry(k.Label, k.Sign, looks[i],
			countShare(len(l.leavesOf(k.Value)), len(l.leaves()))))
	}
	return finish(f, l.width, l.height, func(s *stage) { t.paint(s, l) }), nil
}

// check validates the tree without recursion, so that a cycle or a chain of any length ends in an error.
func (t Tree) check() ([]fill, error) {
	c := checker{kind: "Tree"}
	c.name("Title", t.Title)
	c.require(t.Root != nil, "Root is nil; give a node")
	looks := c.outcomes(t.Classes)
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
		t.checkNode(&c, v.node)
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
	return looks, c.err
}

func (t Tree) checkNode(c *checker, n *Node) {
	name := fmt.Sprintf("node %q", strings.Join(n.Lines, " | "))
	checkLabel(c, name, n.Lines)
	c.text("the Edge of "+name, n.Edge)
	c.require(utf8.RuneCountInString(n.Edge) <= 12, "the edge label %q has more than 12 characters; shorten it", n.Edge)
	c.outcome(name, t.Classes, n.Class)
}

// checkLabel checks the lines in a box.
func checkLabel(c *checker, name string, lines []string) {
	c.size(name, len(lines), 1, 3, "label lines")
	for _, line := range lines {
		c.text("a line of a "+name, line)
		c.require(utf8.RuneCountInString(line) <= 24, "the line %q of a %s has more than 24 characters; shorten it", line,
			name)
	}
}

// describe is the alternative text: size, root, leaves by class, and a shortest path to each class.
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
			text += fmt.Sprintf(", the nearest after %s (%s)", content.Counted(nearest.depth, "edge", "edges"), nearest.path())
		}
		text += "."
	}
	return text
}

// table has a row per node, parents before children.
func (t Tree) table(l *treeLayout) content.Records {
	out := content.Records{Header: []string{"node", "parent", "depth", "edge", "label", "class"}}
	for _, n := range l.nodes {
		parent, edge, class := "", "", ""
		if n.parent != nil {
			parent, edge = strconv.Itoa(n.parent.id), n.node.Edge
		}
		if i := classOf(t.Classes, n.node.Class); i >= 0 {
			class = t.Classes[i].Label
		}
		label := strings.Join(n.node.Lines, " | ")
		out.Rows = append(out.Rows, []string{strconv.Itoa(n.id), parent, strconv.Itoa(n.depth), edge, label, class})
	}
	return out
}
