package figure

import "math"

// Borders between areas run along the edges of cells. They are traced into polylines, so that a border is one path and
// not thousands of strokes, and straightened where the steps are smaller than the eye sees.

// directions on the lattice of cell corners; the opposite of d is (d+2)%4.
var compass = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// lattice marks the border edges at each of (w+1)*(h+1) cell corners, one bit per direction.
type lattice struct {
	w, h  int
	edges []uint8
}

// borders marks every edge between two cells for which differ says so.
func borders(index []uint8, w, h int, differ func(a, b uint8) bool) *lattice {
	l := &lattice{w: w, h: h, edges: make([]uint8, (w+1)*(h+1))}
	for y := range h {
		for x := range w {
			here := index[y*w+x]
			if x+1 < w && differ(here, index[y*w+x+1]) {
				l.mark(x+1, y, 1)
			}
			if y+1 < h && differ(here, index[(y+1)*w+x]) {
				l.mark(x, y+1, 0)
			}
		}
	}
	return l
}

func (l *lattice) at(x, y int) *uint8 { return &l.edges[y*(l.w+1)+x] }

// mark adds the edge from a corner in a direction, at both of its ends.
func (l *lattice) mark(x, y, d int) {
	*l.at(x, y) |= 1 << d
	*l.at(x+compass[d][0], y+compass[d][1]) |= 1 << ((d + 2) % 4)
}

// trace takes all edges off the lattice as polylines of corners. Lines start at ends and forks first; what remains then
// are closed loops.
func (l *lattice) trace() [][][2]int {
	var lines [][][2]int
	for _, loops := range []bool{false, true} {
		for y := 0; y <= l.h; y++ {
			for x := 0; x <= l.w; x++ {
				for *l.at(x, y) != 0 && (loops || degree(*l.at(x, y)) != 2) {
					lines = append(lines, l.follow(x, y))
				}
			}
		}
	}
	return lines
}

func degree(edges uint8) int {
	n := 0
	for ; edges != 0; edges &= edges - 1 {
		n++
	}
	return n
}

// follow walks from a corner until it comes to a fork, an end or nothing left, removing what it walks. Only the corners
// of the line are kept.
func (l *lattice) follow(x, y int) [][2]int {
	line := [][2]int{{x, y}}
	last := -1
	for {
		d := l.next(*l.at(x, y), last)
		if d < 0 {
			break
		}
		*l.at(x, y) &^= 1 << d
		nx, ny := x+compass[d][0], y+compass[d][1]
		*l.at(nx, ny) &^= 1 << ((d + 2) % 4)
		if d == last {
			line[len(line)-1] = [2]int{nx, ny}
		} else {
			line = append(line, [2]int{nx, ny})
		}
		x, y, last = nx, ny, d
		if degree(*l.at(x, y)) != 1 {
			break
		}
	}
	return line
}

// next chooses a remaining edge: straight on if there is one, else the first.
func (l *lattice) next(edges uint8, last int) int {
	if last >= 0 && edges&(1<<last) != 0 {
		return last
	}
	for d := range 4 {
		if edges&(1<<d) != 0 {
			return d
		}
	}
	return -1
}

// simplify drops points that lie within tolerance of the line through their neighbours (Douglas and Peucker), without
// recursion. The ends stay.
func simplify(pts [][2]float64, tolerance float64) [][2]float64 {
	if len(pts) < 3 {
		return pts
	}
	keep := make([]bool, len(pts))
	keep[0], keep[len(pts)-1] = true, true
	spans := [][2]int{{0, len(pts) - 1}}
	for len(spans) > 0 {
		a, b := spans[len(spans)-1][0], spans[len(spans)-1][1]
		spans = spans[:len(spans)-1]
		far, at := tolerance, -1
		for i := a + 1; i < b; i++ {
			if d := distance(pts[i], pts[a], pts[b]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			spans = append(spans, [2]int{a, at}, [2]int{at, b})
		}
	}
	var out [][2]float64
	for i, k := range keep {
		if k {
			out = append(out, pts[i])
		}
	}
	return out
}

// distance is that of p from the segment a-b.
func distance(p, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/n))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}
