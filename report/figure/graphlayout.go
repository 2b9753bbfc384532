package figure

import (
	"math"
	"slices"
)

const (
	graphPad   = 8.0  // inside of a group's frame
	graphGap   = 5.0  // between boxes
	groupGap   = 12.0 // between groups
	boxPadY    = 3.0
	trunkGap   = 6.0 // between lines side by side
	gutterEdge = 10.0
	portGap    = 4.0 // between lines one below the other
)

// graphLayout is a graph whose groups stand in columns. Lines run in the gutters to the right of columns, and in lanes
// above all columns if they go further than the next; behind boxes there are none.
type graphLayout struct {
	frames        []box
	names         []string // of the frames
	nodes         []*graphNode
	wires         []wire
	width, height float64
}

// wire is all that is drawn for the lines that begin at one box.
type wire struct {
	segments [][2]pos
	forks    []pos
	ends     []wireEnd
}

// wireEnd is where a line meets a box, from its left or from its right.
type wireEnd struct {
	at        pos
	fromRight bool
}

// layout places groups in columns, boxes in groups, and lines between them.
func (g Graph) layout(nodes []*graphNode) *graphLayout {
	columns := g.columns(nodes)
	count := slices.Max(columns) + 1
	l := &graphLayout{nodes: nodes, frames: make([]box, len(g.Groups))}
	trunks := make([][]*graphNode, count) // in the gutter behind each column, from left to right
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

// columns returns the column of each group: behind those that it needs; one that needs none, before its first reader.
// Groups without connections fill up the shortest columns.
func (g Graph) columns(nodes []*graphNode) []int {
	of := make([]int, len(g.Groups))
	needs, readers := make([][]int, len(of)), make([][]int, len(of))
	for _, n := range nodes {
		for _, need := range n.needs {
			if need.group != n.group {
				needs[n.group], readers[need.group] = append(needs[n.group], need.group), append(readers[need.group], n.group)
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

// lines is about how high a group is.
func (g Group) lines() int {
	lines := 2
	for _, b := range g.Boxes {
		lines += len(b.Lines)
	}
	return lines
}

// router finds ways for lines.
type router struct {
	columns []int
	trunks  [][]*graphNode
	lanes   []*graphNode
	left    []float64
	taken   [][]float64 // by gutter: heights at which a line crosses it
}

// trunk is where the upright line of a box stands in a gutter.
func (r *router) trunk(gutter int, n *graphNode) float64 {
	count, i := len(r.trunks[gutter]), slices.Index(r.trunks[gutter], n)
	return r.left[gutter+1] - gutterEdge - trunkGap*(float64(count-i)-0.5)
}

// port is a height at which a line meets a box: near its middle, and away from other lines of the gutter.
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

// wire leads from a box to all that need it.
func (r *router) wire(n *graphNode) wire {
	var w wire
	own := r.columns[n.group]
	begin := pos{n.box.x1, r.port(own, n.box)}
	x := r.trunk(own, n)
	w.segments = append(w.segments, [2]pos{begin, {x, begin[1]}})
	heights := map[int][]float64{own: {begin[1]}} // at which the upright line of a gutter meets others
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
