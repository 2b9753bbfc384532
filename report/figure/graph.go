package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Graph shows what leans on what: boxes in groups, and lines from each box to those that need it, from left to right. A
// line that says no more than two others do is left out: where c needs b and b needs a, none goes from a to c.
type Graph struct {
	// Title says what is shown; required.
	Title string
	// Groups are in such an order that no box needs one that comes after it.
	Groups []Group
	// One and Many are what a box stands for, such as "theorem" and "theorems"; required.
	One, Many string
}

// Group is a frame of boxes.
type Group struct {
	Name  string // required
	Boxes []Box  // at least one
}

// Box stands for one thing.
type Box struct {
	Name   string   // required; no two are alike
	Lines  []string // 1 to 3 lines of its label, at most 24 characters each
	Needs  []string // names of boxes that come before it
	Target string   // where it leads, as in [content.Link]; empty for nowhere
}

// maxBoxes bounds a graph that stays readable.
const maxBoxes = 150

// Figure draws the graph. It fails if a field breaks its rule above.
func (g Graph) Figure() (content.Figure, error) {
	nodes, err := g.check()
	if err != nil {
		return content.Figure{}, err
	}
	reduce(nodes)
	l := g.layout(nodes)
	f := content.Figure{Title: g.Title, Alt: g.describe(nodes), Data: g.table(nodes)}
	for _, n := range nodes {
		if n.Target != "" {
			f.Links = append(f.Links, content.Link{
				Label: n.Name, Target: n.Target, X: toTenth(n.box.x0), Y: toTenth(n.box.y0),
				Width: toTenth(n.box.w()), Height: toTenth(n.box.h()),
			})
		}
	}
	return finish(f, l.width, l.height, func(s *stage) { l.paint(s) }), nil
}

// toTenth is exact enough for what lies over a drawing.
func toTenth(v float64) float64 { return math.Round(v*10) / 10 }

// graphNode is a box with what it has to do with others.
type graphNode struct {
	Box
	id      int // in the order of all boxes
	group   int
	needs   []*graphNode
	readers []*graphNode
	box     box
}

// check validates the graph and returns its boxes.
func (g Graph) check() ([]*graphNode, error) {
	c := checker{kind: "Graph"}
	c.name("Title", g.Title)
	c.name("One", g.One)
	c.name("Many", g.Many)
	c.require(len(g.Groups) > 0, "Groups is empty; give one")
	byName := map[string]*graphNode{}
	var nodes []*graphNode
	for i, group := range g.Groups {
		c.name(fmt.Sprintf("Groups[%d].Name", i), group.Name)
		c.require(len(group.Boxes) > 0, "the group %q has no boxes; leave it out", group.Name)
		for _, b := range group.Boxes {
			name := fmt.Sprintf("box %q", b.Name)
			c.name("the Name of a box", b.Name)
			c.require(byName[b.Name] == nil, "%s occurs twice; give each a name of its own", name)
			checkLabel(&c, name, b.Lines)
			n := &graphNode{Box: b, id: len(nodes), group: i}
			for _, need := range b.Needs {
				other := byName[need]
				c.require(other != nil, "%s needs %q, which does not come before it", name, need)
				n.needs = append(n.needs, other)
			}
			byName[b.Name], nodes = n, append(nodes, n)
		}
	}
	c.require(len(nodes) <= maxBoxes, "the graph has %d boxes, more than %d; leave some out", len(nodes), maxBoxes)
	return nodes, c.err
}

// reduce takes out what follows from other needs, and finds who needs a box.
func reduce(nodes []*graphNode) {
	leans := make([]map[*graphNode]bool, len(nodes)) // on these, by itself or by others
	for _, n := range nodes {
		leans[n.id] = map[*graphNode]bool{}
		for _, need := range n.needs {
			for other := range leans[need.id] {
				leans[n.id][other] = true
			}
		}
		n.needs = slices.DeleteFunc(slices.Clone(n.needs), func(need *graphNode) bool { return leans[n.id][need] })
		slices.SortFunc(n.needs, func(a, b *graphNode) int { return a.id - b.id })
		n.needs = slices.Compact(n.needs)
		for _, need := range n.needs {
			leans[n.id][need] = true
			need.readers = append(need.readers, n)
		}
	}
}

// describe is the alternative text: size, what is needed most, and the longest chain.
func (g Graph) describe(nodes []*graphNode) string {
	lines := 0
	var most *graphNode
	chain := make([][]string, len(nodes)) // the longest that ends with each box
	var longest []string
	for _, n := range nodes {
		lines += len(n.needs)
		if most == nil || len(n.readers) > len(most.readers) {
			most = n
		}
		for _, need := range n.needs {
			if len(chain[need.id]) > len(chain[n.id]) {
				chain[n.id] = chain[need.id]
			}
		}
		chain[n.id] = append(slices.Clip(chain[n.id]), n.Name)
		if len(chain[n.id]) > len(longest) {
			longest = chain[n.id]
		}
	}
	text := fmt.Sprintf("Graph of %s in %s, with %s from what is needed to what needs it.",
		content.Counted(len(nodes), g.One, g.Many),
		content.Counted(len(g.Groups), "group", "groups"), content.Counted(lines, "line", "lines"))
	if lines == 0 {
		return text
	}
	return text + fmt.Sprintf(" Most lines begin at %s (%d). The longest chain is %s.", most.Name, len(most.readers),
		strings.Join(longest, ", "))
}

// table has a row for each box, with what it needs.
func (g Graph) table(nodes []*graphNode) content.Records {
	out := content.Records{Header: []string{"name", "group", "needs"}}
	for _, n := range nodes {
		var needs []string
		for _, need := range n.needs {
			needs = append(needs, need.Name)
		}
		out.Rows = append(out.Rows, []string{n.Name, g.Groups[n.group].Name, strings.Join(needs, " ")})
	}
	return out
}
