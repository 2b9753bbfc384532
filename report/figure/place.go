package figure

import (
	"math"
	"slices"
)

// labelHeight is the height of a line of text with a little air, at narrowSize.
const labelHeight = 20.0

// placer finds room for labels inside a box: clear of lines and of earlier labels.
type placer struct {
	hurry  bool // a good place is enough
	within box
	lines  []linePoint
	taken  []box
}

// linePoint is a point on a line; neighbours are closer to each other than a label is high.
type linePoint struct {
	line int
	at   pos
}

// addLine registers a polyline in pixels under a number.
func (p *placer) addLine(line int, pts []pos) {
	for _, q := range resample(pts, 6) {
		p.lines = append(p.lines, linePoint{line, q})
	}
}

// resample returns points along the polyline at most step apart.
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

// crossings counts the line points inside a label's box; of lines other than its own also those so near that the label
// could be taken for theirs.
func (p *placer) crossings(own int, b box) int {
	n := 0
	for _, l := range p.lines {
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

// free tells whether a label may have a box, crossings aside.
func (p *placer) free(b box) bool {
	return b.inside(p.within) && !slices.ContainsFunc(p.taken, b.overlaps)
}

// beside finds a place of a label w pixels wide next to the numbered line, as near to the fraction prefer of its
// visible length as possible, with the fewest crossings. It reports whether there is one, and takes it.
func (p *placer) beside(line int, pts []pos, w, prefer float64) (box, bool) {
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
			if !p.free(b) {
				continue
			}
			off := math.Abs(float64(i)/float64(len(visible)) - prefer)
			if cost := 10*float64(p.crossings(line, b)) + 4*off + 0.1*float64(k); cost < bestCost {
				best, bestCost, found = b, cost, true
			}
		}
	}
	if found {
		p.taken = append(p.taken, best)
	}
	return best, found
}

// around lists label boxes next to a point: at the corners, then right, left, above and below.
func around(q pos, w float64) []box {
	const gap = 6.0
	var out []box
	for _, d := range []pos{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}} {
		out = append(out, boxAt(pos{q[0] + d[0]*(w/2+gap), q[1] + d[1]*(labelHeight/2+gap/2)}, w, labelHeight))
	}
	return out
}

// atEnd finds a place of a label w by h pixels large right of a line's last point, clear of everything, and takes it.
func (p *placer) atEnd(q pos, w, h float64) (box, bool) {
	for _, up := range []float64{0, 0.5, -0.5} {
		x, y := q[0]+8, q[1]-up*(h+4)
		b := box{x, y - h/2, x + w, y + h/2}
		if p.free(b) && p.crossings(-1, b.grow(-14)) == 0 {
			p.taken = append(p.taken, b)
			return b, true
		}
	}
	return box{}, false
}
