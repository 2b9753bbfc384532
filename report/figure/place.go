package figure

import "math"

// labelHeight is the height of a line of text with a little air, at narrowSize.
const labelHeight = 20.0

// placer finds room for labels inside a box: clear of lines and of earlier labels.
type placer struct {
	within box
	lines  []linePoint
	taken  []box
}

// linePoint is a point on a line; neighbours are closer to each other than a label is high.
type linePoint struct {
	line int
	at   [2]float64
}

// addLine registers a polyline in pixels under a number.
func (p *placer) addLine(line int, pts [][2]float64) {
	for _, q := range resample(pts, 6) {
		p.lines = append(p.lines, linePoint{line, q})
	}
}

// resample returns points along the polyline at most step apart.
func resample(pts [][2]float64, step float64) [][2]float64 {
	var out [][2]float64
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		n := int(math.Min(math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1])/step), 4096))
		for k := range n {
			t := float64(k) / float64(n)
			out = append(out, [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
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
		if l.at[0] > near.x0 && l.at[0] < near.x1 && l.at[1] > near.y0 && l.at[1] < near.y1 {
			n++
		}
	}
	return n
}

func (p *placer) free(b box) bool {
	if !b.inside(p.within) {
		return false
	}
	for _, t := range p.taken {
		if t.overlaps(b) {
			return false
		}
	}
	return true
}

// beside finds a place of a label w pixels wide next to the numbered line, as near to the fraction prefer of its visible length
// as possible, with the fewest crossings. It reports whether there is one, and takes it.
func (p *placer) beside(line int, pts [][2]float64, w, prefer float64) (box, bool) {
	var visible [][2]float64
	for _, q := range resample(pts, 6) {
		if (box{q[0], q[1], q[0], q[1]}).inside(p.within) {
			visible = append(visible, q)
		}
	}
	best, bestCost, found := box{}, math.Inf(1), false
	for i, q := range visible {
		for k, b := range around(q, w) {
			if !p.free(b) {
				continue
			}
			off := math.Abs(float64(i)/float64(len(visible)) - prefer)
			cost := 10*float64(p.crossings(line, b)) + 4*off + 0.1*float64(k)
			if cost < bestCost {
				best, bestCost, found = b, cost, true
			}
		}
	}
	if found {
		p.taken = append(p.taken, best)
	}
	return best, found
}

// around lists label boxes next to a point: right, left, above, below and the corners.
func around(q [2]float64, w float64) []box {
	const gap, h = 6.0, labelHeight
	var out []box
	for _, d := range [][2]float64{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}} {
		cx, cy := q[0]+d[0]*(w/2+gap), q[1]+d[1]*(h/2+gap/2)
		out = append(out, box{cx - w/2, cy - h/2, cx + w/2, cy + h/2})
	}
	return out
}

// atEnd finds a place of a label w by h pixels large right of a line's last point, clear of everything, and takes it.
func (p *placer) atEnd(q [2]float64, w, h float64) (box, bool) {
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
