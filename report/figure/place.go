package figure

import (
	"math"
	"math/bits"
	"slices"
)

// labelHeight is the height of a line of text at narrowSize, with a little extra space.
const labelHeight = 20.0

// placer finds room for labels in a box, away from lines and other labels.
type placer struct {
	hurry  bool // accept the first good position
	across bool // leaders may cross boxes
	within box
	lines  []linePoint
	taken  []box
	edges  []box            // labels must be on one side of them; leaders may cross them
	plain  func(b box) bool // reports whether a name may cover what is in a box; if nil, it may cover everything
}

// linePoint is a point on a line. The distance between consecutive points is less than the height of a label.
type linePoint struct {
	line int
	at   pos
}

// addLine registers a polyline in pixels as the line with the given number.
func (p *placer) addLine(line int, pts []pos) {
	for _, q := range resample(pts, 6) {
		p.lines = append(p.lines, linePoint{line, q})
	}
}

// resample returns points along the polyline, at most step apart.
func resample(pts []pos, step float64) []pos {
	var out []pos
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		n := int(math.Min(math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1])/step), 4096))
		for k := range n {
			t := float64(k) / float64(n)
			out = append(out, pos{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
		}
	}
	if len(pts) > 0 {
		out = append(out, pts[len(pts)-1])
	}
	return out
}

// crossings counts the points of lines inside a label's box. For lines other than the label's own, it also counts
// points near the box, because the label would seem to belong to such a line. It stops when the count exceeds most.
func (p *placer) crossings(own int, b box, most float64) int {
	n := 0
	for _, l := range p.lines {
		if float64(n) > most {
			break
		}
		near := b
		if l.line != own {
			near = b.grow(14)
		}
		if near.contains(l.at) {
			n++
		}
	}
	return n
}

// free reports whether a box is inside the bounds and clear of earlier labels.
func (p *placer) free(b box) bool {
	return b.inside(p.within) && !slices.ContainsFunc(p.taken, b.overlaps) && !slices.ContainsFunc(p.edges, b.overlaps)
}

// placeLabel finds a position for a label of w pixels next to a line. The position has the fewest crossings, and is as
// near as possible to the fraction prefer of the line's visible length. placeLabel reserves the position, and reports
// whether it found one.
func (p *placer) placeLabel(line int, pts []pos, w, prefer float64) (box, bool) {
	var visible []pos
	for _, q := range resample(pts, 6) {
		if boxAt(q, 0, 0).inside(p.within) {
			visible = append(visible, q)
		}
	}
	best, bestCost, found := box{}, math.Inf(1), false
	for i, q := range visible {
		if p.hurry && i%coarseness > 0 {
			continue
		}
		for k, b := range around(q, w) {
			off := math.Abs(float64(i)/float64(len(visible)) - prefer)
			place := 4*off + 0.1*float64(k)
			if place >= bestCost || !p.free(b) {
				continue
			}
			if cost := 10*float64(p.crossings(line, b, (bestCost-place)/10)) + place; cost < bestCost {
				best, bestCost, found = b, cost, true
			}
		}
	}
	if found {
		p.taken = append(p.taken, best)
	}
	return best, found
}

// around returns eight label boxes next to a point: first the four at the corners, then right, left, above and below.
func around(q pos, w float64) (out [8]box) {
	const gap = 6.0
	for i, d := range [8]pos{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}} {
		out[i] = boxAt(pos{q[0] + d[0]*(w/2+gap), q[1] + d[1]*(labelHeight/2+gap/2)}, w, labelHeight)
	}
	return out
}

// atEnd finds and reserves a position for a label of w by h pixels to the right of a line's last point, away from
// everything else.
func (p *placer) atEnd(q pos, w, h float64) (box, bool) {
	for _, up := range []float64{0, 0.5, -0.5} {
		x, y := q[0]+8, q[1]-up*(h+4)
		b := box{x, y - h/2, x + w, y + h/2}
		if p.free(b) && p.crossings(-1, b.grow(-14), 0) == 0 {
			p.taken = append(p.taken, b)
			return b, true
		}
	}
	return box{}, false
}

// target is a part of a drawing that can have a name next to it.
type target struct {
	at     pos
	radius float64
}

// turns contains the directions from a target to its name, in order of preference, in sixteenths of a turn: right,
// left, below, above, and then the directions between these.
var turns = [16]float64{0, 8, 4, 12, 1, 15, 7, 9, 2, 14, 6, 10, 3, 13, 5, 11}

// mostTargets is the maximum number of targets near which a position for a name is sought.
const mostTargets = 24

// callout finds and reserves the position for a name of w pixels that is nearest to one of the targets and covers
// nothing. If the name is not next to its target, a leader joins them. callout reports whether it found a position.
func (p *placer) callout(targets []target, w float64) (b box, leader []pos, ok bool) {
	const reach, next = 110.0, 10.0
	step := max(1, len(targets)/mostTargets)
	for away := 4.0; away <= reach; away += 7 {
		for i := 0; i < len(targets); i += step {
			t := targets[i]
			for _, turn := range turns {
				sin, cos := math.Sincos(2 * math.Pi * turn / float64(len(turns)))
				edge := pos{t.at[0] + cos*(t.radius+away), t.at[1] + sin*(t.radius+away)}
				side := func(part float64) float64 { return max(-1, min(1, 1.5*part)) / 2 }
				b = boxAt(pos{edge[0] + side(cos)*w, edge[1] + side(sin)*labelHeight}, w, labelHeight)
				if leader = nil; away > next {
					leader = []pos{{t.at[0] + cos*(t.radius+1), t.at[1] + sin*(t.radius+1)}, edge}
				}
				if p.free(b) && !p.covers(b) && (p.plain == nil || p.plain(b)) && p.open(t, leader) {
					p.taken = append(p.taken, b)
					p.addLine(-1, leader)
					return b, leader, true
				}
			}
		}
	}
	return box{}, nil, false
}

// covers reports whether a box covers a line.
func (p *placer) covers(b box) bool {
	return slices.ContainsFunc(p.lines, func(l linePoint) bool { return b.contains(l.at) })
}

// open reports whether a leader from a target crosses no line and no box except for boxes at the target. If leaders may
// cross boxes, it considers only lines.
func (p *placer) open(t target, leader []pos) bool {
	const near = 5.0
	for _, q := range resample(leader, 4) {
		inOther := func(b box) bool { return b.contains(q) && !b.contains(t.at) }
		if !p.across && slices.ContainsFunc(p.taken, inOther) {
			return false
		}
		if math.Hypot(q[0]-t.at[0], q[1]-t.at[1]) > t.radius+near && p.covers(boxAt(q, near, near)) {
			return false
		}
	}
	return true
}

// nameNext writes a name next to one of the targets and reports whether there was room.
func (p *placer) nameNext(labels *[]placedLabel, targets []target, name string, colour themed) bool {
	b, leader, ok := p.callout(targets, textWidth(name)+4)
	if ok {
		label := inkLabel(b.middle(), name)
		label.colour, label.leader = colour, leader
		*labels = append(*labels, label)
	}
	return ok
}

// nameIn writes a name next to a target in the first of several drawings that has room for it. targets contains the
// targets in each drawing. nameIn reports whether there was room.
func nameIn(rooms []*placer, labels *[]placedLabel, targets [][]target, name string) bool {
	for i, here := range targets {
		if len(here) > 0 && rooms[i].nameNext(labels, here, name, ink) {
			return true
		}
	}
	return false
}

// occupancy marks the cells that are covered by lines and labels. The labels of areas avoid these cells.
type occupancy struct {
	g    *gridMap
	data box
	busy []bool
}

func (g *gridMap) occupancy(data box, p *placer) *occupancy {
	o := &occupancy{g: g, data: data, busy: make([]bool, len(g.Cells))}
	for _, q := range p.lines {
		o.take(boxAt(q.at, 8, 8))
	}
	for _, b := range p.taken {
		o.take(b)
	}
	return o
}

// take marks the cells that a box touches.
func (o *occupancy) take(b box) {
	c0, c1, r0, r1 := o.g.under(o.data, b)
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			o.busy[r*o.g.W+c] = true
		}
	}
}

// roomiest finds the largest box with the proportions of a w by h pixel label inside the free cells of an area. sums
// are the prefix sums of these cells. It returns the centre of the box, and reserves the label's position there. It
// reports whether the label fits anywhere.
func (o *occupancy) roomiest(sums []int32, w, h float64) (middle pos, ok bool) {
	g, b := o.g, o.data
	cw, ch := b.w()/float64(g.W), b.h()/float64(g.H)
	try := func(factor float64) (at pos, ok bool) {
		kw, kh := int(math.Ceil(w*factor/cw)), int(math.Ceil(h*factor/ch))
		col, row, ok := g.fullBox(sums, kw, kh)
		return pos{b.x0 + (float64(col)+float64(kw)/2)*cw, b.y1 - (float64(row)+float64(kh)/2)*ch}, ok
	}
	if middle, ok = try(1); !ok {
		return middle, false
	}
	lo, hi := 1.0, max(b.w()/w, b.h()/h)
	for range 8 { // finds the size by bisection
		mid := (lo + hi) / 2
		if at, ok := try(mid); ok {
			lo, middle = mid, at
		} else {
			hi = mid
		}
	}
	o.take(boxAt(middle, w, h))
	return middle, true
}

// sums returns (W+1)*(H+1) two-dimensional prefix sums of the free cells in the area.
func (o *occupancy) sums(area uint8) []int32 {
	g := o.g
	stride := g.W + 1
	out := make([]int32, stride*(g.H+1))
	for row := range g.H {
		run := int32(0)
		for col := range g.W {
			if g.index[row*g.W+col] == area && !o.busy[row*g.W+col] {
				run++
			}
			out[(row+1)*stride+col+1] = out[row*stride+col+1] + run
		}
	}
	return out
}

// fullBox finds a box of kw by kh cells in which every cell is counted by sums.
func (g *gridMap) fullBox(sums []int32, kw, kh int) (col, row int, ok bool) {
	stride := g.W + 1
	for row := 0; row+kh <= g.H; row++ {
		for col := 0; col+kw <= g.W; col++ {
			n := sums[(row+kh)*stride+col+kw] - sums[row*stride+col+kw] - sums[(row+kh)*stride+col] +
				sums[row*stride+col]
			if int(n) == kw*kh {
				return col, row, true
			}
		}
	}
	return 0, 0, false
}

// Borders between areas run along the edges of cells. They are traced into polylines, so that a border is one path
// instead of thousands of strokes. If the steps are too small to be seen, the polylines are simplified.

// compass lists the directions between the corners of cells. The opposite of direction d is (d+2)%4.
var compass = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// lattice contains the border edges at each of the (w+1)*(h+1) corners of cells, with one bit per direction.
type lattice struct {
	w, h  int
	edges []uint8
}

// borders returns a lattice with every edge between two cells that differ.
func borders(index []uint8, w, h int, differ func(a, b uint8) bool) *lattice {
	l := &lattice{w: w, h: h, edges: make([]uint8, (w+1)*(h+1))}
	for y := range h {
		for x := range w {
			here := index[y*w+x]
			if x+1 < w && differ(here, index[y*w+x+1]) {
				l.flip(x+1, y, 1)
			}
			if y+1 < h && differ(here, index[(y+1)*w+x]) {
				l.flip(x, y+1, 0)
			}
		}
	}
	return l
}

func (l *lattice) edgesAt(x, y int) *uint8 { return &l.edges[y*(l.w+1)+x] }

// flip adds the edge from a corner in a direction, or removes it, at both ends. It returns the edge's other end.
func (l *lattice) flip(x, y, d int) (int, int) {
	*l.edgesAt(x, y) ^= 1 << d
	x, y = x+compass[d][0], y+compass[d][1]
	*l.edgesAt(x, y) ^= 1 << ((d + 2) % 4)
	return x, y
}

// trace removes all edges from the lattice and returns them as polylines of corners. Lines start at ends and forks;
// edges that remain after that form closed loops.
func (l *lattice) trace() [][][2]int {
	var lines [][][2]int
	for _, loops := range []bool{false, true} {
		for y := 0; y <= l.h; y++ {
			for x := 0; x <= l.w; x++ {
				for *l.edgesAt(x, y) != 0 && (loops || bits.OnesCount8(*l.edgesAt(x, y)) != 2) {
					lines = append(lines, l.follow(x, y))
				}
			}
		}
	}
	return lines
}

// follow walks from a corner along border edges to a fork or an end, and removes these edges. It returns only the
// points at which the line turns.
func (l *lattice) follow(x, y int) [][2]int {
	line := [][2]int{{x, y}}
	for last := -1; ; {
		d := bits.TrailingZeros8(*l.edgesAt(x, y)) // the only edge, except at the start
		x, y = l.flip(x, y, d)
		if d == last {
			line = line[:len(line)-1]
		}
		line, last = append(line, [2]int{x, y}), d
		if bits.OnesCount8(*l.edgesAt(x, y)) != 1 {
			return line
		}
	}
}

// simplify drops points within tolerance of the line through their neighbours (Douglas and Peucker). It keeps the ends.
// Deep recursion cannot overflow the stack in practice, because it would take quadratic time long before that.
func simplify(pts []pos, tolerance float64) []pos {
	last := len(pts) - 1
	far, at := tolerance, 0
	for i := 1; i < last; i++ {
		if d := distance(pts[i], pts[0], pts[last]); d > far {
			far, at = d, i
		}
	}
	if at == 0 {
		return []pos{pts[0], pts[last]}
	}
	return append(simplify(pts[:at+1], tolerance), simplify(pts[at:], tolerance)[1:]...)
}

// distance returns the distance between p and the segment a-b.
func distance(p, a, b pos) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/n))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}
