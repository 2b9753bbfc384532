package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Graph shows dependencies: boxes in groups, with lines from each box to the boxes that need it, from left to right. It
// omits lines that follow from other lines: if c needs b and b needs a, no line goes from a to c.
type Graph struct {
	// Title says what the graph shows; required.
	Title string `rule:"name"`
	// Groups must be in an order in which no box needs a later box.
	Groups []Group
	// One and Many are the singular and the plural noun for what a box represents, such as "theorem" and "theorems";
	// required.
	One, Many string `rule:"name"`
}

// Group is a frame of boxes.
type Group struct {
	Name  string `rule:"name"` // required
	Boxes []Box  // at least one
}

// Box represents one thing.
type Box struct {
	Name   string   `rule:"name"` // required, unique
	Lines  []string // the label: 1 to 3 lines of at most 24 characters
	Needs  []string // the names of earlier boxes
	Target string   // target of its link, as in [content.Link]; may be empty
}

// maxBoxes is the maximum number of boxes in a readable graph.
const maxBoxes = 150

// Figure draws the graph. It fails if a field breaks its rule above.
func (g Graph) Figure() (content.Figure, error) { return drawn(g, g) }

func (g Graph) figure() content.Figure {
	nodes := g.nodes()
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
	return finish(f, l.width, l.height, func(s *stage) { l.paint(s) })
}

// toTenth rounds to tenths of a pixel, which is exact enough for links over a drawing.
func toTenth(v float64) float64 { return math.Round(v*10) / 10 }

// graphNode is a box with its connections to other boxes.
type graphNode struct {
	Box
	id      int // its index among all boxes
	group   int
	needs   []*graphNode
	readers []*graphNode
	box     box
}

func (g Graph) check(c *checker) {
	c.require(len(g.Groups) > 0, "Groups is empty; give one")
	for _, group := range g.Groups {
		c.require(len(group.Boxes) > 0, "the group %q has no boxes; leave it out", group.Name)
	}
	names, nodes := map[string]bool{}, g.nodes()
	for _, n := range nodes {
		name := fmt.Sprintf("box %q", n.Name)
		c.require(!names[n.Name], "%s occurs twice; give each a unique name", name)
		names[n.Name] = true
		c.label(name, n.Lines)
		if i := slices.Index(n.needs, nil); i >= 0 {
			c.failf("%s needs %q, which does not come before it", name, n.Needs[i])
		}
	}
	c.require(len(nodes) <= maxBoxes, "the graph has %d boxes, more than %d; leave some out", len(nodes), maxBoxes)
}

// nodes returns the boxes in order, each with the earlier boxes that it needs. If it needs a name that no earlier box
// has, it has nil for the name.
func (g Graph) nodes() (nodes []*graphNode) {
	byName := map[string]*graphNode{}
	for i, group := range g.Groups {
		for _, b := range group.Boxes {
			n := &graphNode{Box: b, id: len(nodes), group: i}
			for _, need := range b.Needs {
				n.needs = append(n.needs, byName[need])
			}
			byName[b.Name], nodes = n, append(nodes, n)
		}
	}
	return nodes
}

// reduce removes the needs that follow from other needs, and records for each box the boxes that need it.
func reduce(nodes []*graphNode) {
	leans := make([]map[*graphNode]bool, len(nodes)) // the boxes that a box needs, directly or indirectly
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

// describe returns the alternative text: the number of boxes, the box that most other boxes need, and the longest
// chain.
func (g Graph) describe(nodes []*graphNode) string {
	lines := 0
	var most *graphNode
	chain := make([][]string, len(nodes)) // the longest chain that ends with each box
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
	text := fmt.Sprintf("Graph of %s in %s, with %s, each from a box to one that needs it.",
		content.Counted(len(nodes), g.One, g.Many),
		content.Counted(len(g.Groups), "group", "groups"), content.Counted(lines, "line", "lines"))
	if lines == 0 {
		return text
	}
	return text + fmt.Sprintf(" The box that the most others need is %s (%d). The longest chain is "+
		"%s.", most.Name, len(most.readers),
		strings.Join(longest, ", "))
}

// table returns a row for each box, with the boxes that it needs.
func (g Graph) table(nodes []*graphNode) content.Records {
	out := content.Records{Header: []string{"name", "group", "needs"}}
	for _, n := range nodes {
		var needs []string
		for _, need := range n.needs {
			needs = append(needs, need.Name)
		}
		out.Add(n.Name, g.Groups[n.group].Name, strings.Join(needs, " "))
	}
	return out
}

const (
	graphPad   = 8.0  // inside of a group's frame
	graphGap   = 5.0  // between boxes
	groupGap   = 12.0 // between groups in a column
	boxPadY    = 3.0
	trunkGap   = 6.0 // between vertical lines
	gutterEdge = 10.0
	portGap    = 4.0 // between horizontal lines
)

// graphLayout is the layout of a graph, whose groups are in columns. Vertical lines are in the gutters to the right of
// columns. A line to a column beyond the next one takes a lane above all columns, so that no box hides it.
type graphLayout struct {
	frames        []box
	names         []string // where the names of the frames are
	nodes         []*graphNode
	wires         []wire
	width, height float64
}

// wire is the drawing of all lines from one box.
type wire struct {
	segments [][2]pos
	forks    []pos
	ends     []wireEnd
}

// wireEnd is the point where a line meets the left or the right side of a box.
type wireEnd struct {
	at        pos
	fromRight bool
}

// layout places groups in columns, boxes in groups, and lines between them.
func (g Graph) layout(nodes []*graphNode) *graphLayout {
	columns := g.columns(nodes)
	count := slices.Max(columns) + 1
	l := &graphLayout{nodes: nodes, frames: make([]box, len(g.Groups))}
	trunks := make([][]*graphNode, count) // the boxes with a vertical line in the gutter to the right of each column
	var lanes []*graphNode
	for _, n := range nodes {
		own := columns[n.group]
		far := false
		for _, to := range n.readers {
			gutter := max(own, columns[to.group]-1)
			far = far || gutter > own
			for _, at := range []int{own, gutter} {
				if !slices.Contains(trunks[at], n) {
					trunks[at] = append(trunks[at], n)
				}
			}
		}
		if far {
			lanes = append(lanes, n)
		}
	}
	width := 0.0
	for _, n := range nodes {
		width = max(width, widest(n.Lines)+2*nodePadX)
	}
	for _, group := range g.Groups {
		l.names = append(l.names, group.Name)
		width = max(width, textWidth(group.Name)+2)
	}
	left := make([]float64, count+1)
	left[0] = 1
	for i := range count {
		left[i+1] = left[i] + width + 2*graphPad + 2*gutterEdge + trunkGap*float64(len(trunks[i]))
	}
	top := 1 + trunkGap*float64(len(lanes)) + groupGap
	bottom := make([]float64, count)
	for i := range bottom {
		bottom[i] = top
	}
	for i := range g.Groups {
		c := columns[i]
		frame := box{left[c], bottom[c], left[c] + width + 2*graphPad, bottom[c] + graphPad/2 + lineHeight}
		for _, n := range nodes {
			if n.group == i {
				h := float64(len(n.Lines))*lineHeight + 2*boxPadY
				n.box = box{frame.x0 + graphPad, frame.y1, frame.x1 - graphPad, frame.y1 + h}
				frame.y1 = n.box.y1 + graphGap
			}
		}
		frame.y1 += graphPad - graphGap
		l.frames[i] = frame
		bottom[c] = frame.y1 + groupGap
	}
	r := router{columns: columns, trunks: trunks, lanes: lanes, left: left, taken: make([][]float64, count)}
	for _, n := range nodes {
		if len(n.readers) > 0 {
			l.wires = append(l.wires, r.wire(n))
		}
	}
	l.width, l.height = left[count], slices.Max(bottom)-groupGap+1
	if len(trunks[count-1]) == 0 {
		l.width -= 2*gutterEdge - 1
	}
	return l
}

// columns returns the column of each group. A group is to the right of the groups that it needs. A group that needs no
// group is just before the first group that needs it. Groups without connections go into the shortest columns.
func (g Graph) columns(nodes []*graphNode) []int {
	of := make([]int, len(g.Groups))
	needs, readers := make([][]int, len(of)), make([][]int, len(of))
	for _, n := range nodes {
		for _, need := range n.needs {
			if need.group != n.group {
				needs[n.group], readers[need.group] = append(needs[n.group], need.group),
					append(readers[need.group], n.group)
				of[n.group] = max(of[n.group], of[need.group]+1)
			}
		}
	}
	last := slices.Max(of)
	lines := make([]int, last+1)
	for i, group := range g.Groups {
		if len(needs[i]) == 0 && len(readers[i]) > 0 {
			of[i] = last
			for _, reader := range readers[i] {
				of[i] = min(of[i], of[reader]-1)
			}
		}
		if len(needs[i])+len(readers[i]) > 0 {
			lines[of[i]] += group.lines()
		}
	}
	for i, group := range g.Groups {
		if len(needs[i])+len(readers[i]) == 0 {
			of[i] = slices.Index(lines, slices.Min(lines))
			lines[of[i]] += group.lines()
		}
	}
	return of
}

// lines returns the approximate height of a group, in lines.
func (g Group) lines() int {
	lines := 2
	for _, b := range g.Boxes {
		lines += len(b.Lines)
	}
	return lines
}

// router routes the lines.
type router struct {
	columns []int
	trunks  [][]*graphNode
	lanes   []*graphNode
	left    []float64
	taken   [][]float64 // for each gutter, the heights of the lines that end there
}

// trunk returns the x of a box's vertical line in a gutter.
func (r *router) trunk(gutter int, n *graphNode) float64 {
	count, i := len(r.trunks[gutter]), slices.Index(r.trunks[gutter], n)
	return r.left[gutter+1] - gutterEdge - trunkGap*(float64(count-i)-0.5)
}

// port returns a height at which a line meets a box: near the middle of the box, and away from other lines in the
// gutter.
func (r *router) port(gutter int, b box) float64 {
	best, room := b.middle()[1], 0.0
	for step := 0.0; step <= b.h()/2-3; step++ {
		for _, y := range []float64{b.middle()[1] + step, b.middle()[1] - step} {
			free := math.Inf(1)
			for _, other := range r.taken[gutter] {
				free = min(free, math.Abs(y-other))
			}
			if min(free, portGap) > room {
				best, room = y, min(free, portGap)
			}
		}
	}
	r.taken[gutter] = append(r.taken[gutter], best)
	return best
}

// wire returns the lines from a box to all boxes that need it.
func (r *router) wire(n *graphNode) wire {
	var w wire
	own := r.columns[n.group]
	begin := pos{n.box.x1, r.port(own, n.box)}
	x := r.trunk(own, n)
	w.segments = append(w.segments, [2]pos{begin, {x, begin[1]}})
	heights := map[int][]float64{own: {begin[1]}} // of horizontal lines at a gutter's vertical line
	var gutters []int
	for _, to := range n.readers {
		column := r.columns[to.group]
		gutter, end := max(own, column-1), wireEnd{at: pos{to.box.x0}, fromRight: column == own}
		if end.fromRight {
			end.at[0] = to.box.x1
		}
		end.at[1] = r.port(gutter, to.box)
		w.ends = append(w.ends, end)
		w.segments = append(w.segments, [2]pos{{r.trunk(gutter, n), end.at[1]}, end.at})
		heights[gutter] = append(heights[gutter], end.at[1])
		if gutter > own && !slices.Contains(gutters, gutter) {
			gutters = append(gutters, gutter)
		}
	}
	if len(gutters) > 0 {
		lane := 1 + trunkGap*(float64(slices.Index(r.lanes, n))+0.5)
		last := r.trunk(slices.Max(gutters), n)
		w.segments = append(w.segments, [2]pos{{x, lane}, {last, lane}})
		heights[own] = append(heights[own], lane)
		for _, gutter := range gutters {
			heights[gutter] = append(heights[gutter], lane)
			if at := r.trunk(gutter, n); at != last {
				w.forks = append(w.forks, pos{at, lane})
			}
		}
	}
	for gutter := own; gutter < len(r.trunks); gutter++ {
		if ys := heights[gutter]; len(ys) > 0 {
			at, low, high := r.trunk(gutter, n), slices.Min(ys), slices.Max(ys)
			w.segments = append(w.segments, [2]pos{{at, low}, {at, high}})
			for _, y := range ys {
				if y > low && y < high {
					w.forks = append(w.forks, pos{at, y})
				}
			}
		}
	}
	return w
}

// paint draws frames, lines, then boxes.
func (l *graphLayout) paint(s *stage) {
	for i, frame := range l.frames {
		s.outline(frame, solidLine(s.grid, 1))
		s.label(pos{frame.x0 + graphPad, frame.y0 + graphPad/2 + lineHeight/2}, l.names[i], start, s.muted)
	}
	line := solidLine(s.muted, 1)
	for _, w := range l.wires {
		for _, part := range w.segments {
			s.line(line, part[0], part[1])
		}
		for _, at := range w.forks {
			s.disc(at, 2.2, s.muted)
		}
		for _, end := range w.ends {
			dx := -6.0
			if end.fromRight {
				dx = 6
			}
			s.fill(s.muted, end.at, pos{end.at[0] + dx, end.at[1] - 3}, pos{end.at[0] + dx, end.at[1] + 3})
		}
	}
	for _, n := range l.nodes {
		s.outline(n.box, solidLine(s.muted, 1))
		for i, text := range n.Lines {
			s.label(pos{n.box.x0 + nodePadX, n.box.y0 + boxPadY + (float64(i)+0.5)*lineHeight}, text, start, s.ink)
		}
	}
}
