package figure

import (
	"math"
	"math/bits"
)

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
				l.flip(x+1, y, 1)
			}
			if y+1 < h && differ(here, index[(y+1)*w+x]) {
				l.flip(x, y+1, 0)
			}
		}
	}
	return l
}

func (l *lattice) at(x, y int) *uint8 { return &l.edges[y*(l.w+1)+x] }

// flip adds the edge from a corner in a direction, or takes it away, at both of its ends. It returns the other end.
func (l *lattice) flip(x, y, d int) (int, int) {
	*l.at(x, y) ^= 1 << d
	x, y = x+compass[d][0], y+compass[d][1]
	*l.at(x, y) ^= 1 << ((d + 2) % 4)
	return x, y
}

// trace takes all edges off the lattice as polylines of corners. Lines start at ends and forks first; what remains then
// are closed loops.
func (l *lattice) trace() [][][2]int {
	var lines [][][2]int
	for _, loops := range []bool{false, true} {
		for y := 0; y <= l.h; y++ {
			for x := 0; x <= l.w; x++ {
				for *l.at(x, y) != 0 && (loops || bits.OnesCount8(*l.at(x, y)) != 2) {
					lines = append(lines, l.follow(x, y))
				}
			}
		}
	}
	return lines
}

// follow walks from a corner that has an edge until it comes to a fork or an end, removing what it walks. Only the
// corners of the line are kept.
func (l *lattice) follow(x, y int) [][2]int {
	line := [][2]int{{x, y}}
	for last := -1; ; {
		d := bits.TrailingZeros8(*l.at(x, y)) // the only edge, save at the start
		x, y = l.flip(x, y, d)
		if d == last {
			line = line[:len(line)-1]
		}
		line, last = append(line, [2]int{x, y}), d
		if bits.OnesCount8(*l.at(x, y)) != 1 {
			return line
		}
	}
}

// simplify drops points that lie within tolerance of the line through their neighbours (Douglas and Peucker). The ends
// stay. A line that would nest deep takes the square of that in time, long before it runs out of stack.
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

// distance is that of p from the segment a-b.
func distance(p, a, b pos) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/n))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}
