package figure

import (
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

const (
	walksTall  = 340.0
	walkMarker = pen.Length(4.5)
)

// walksLayout is what both themes share.
type walksLayout struct {
	frame
	patches  [][]pos
	curves   [][]pos
	walks    [][]pos
	labels   []walkLabel
	homeless []Curve
}

// walkLabel is a text at its place: a note of a walk, the name of a curve (-1) or of an area (-2 and below).
type walkLabel struct {
	at   pos
	text string
	of   int
}

func (w Walks) layout() *walksLayout {
	x, y := scale{min: w.X.Min, max: w.X.Max}, scale{min: w.Y.Min, max: w.Y.Max}
	l := &walksLayout{frame: frame{
		x: x, y: y, xTicks: x.ticks(xTickCount), yTicks: y.ticks(yTickCount), xLabel: w.X.Label,
		yLabel: w.Y.Label, grid: true,
	}}
	left, right := yGutter(l.yTicks), Width-16.0
	l.xTicks = spread(l.xTicks, x, right-left)
	l.data = box{left, headRoom, right, headRoom + walksTall}
	room := &placer{within: l.data.grow(-2)}
	for _, p := range w.Patches {
		l.patches = append(l.patches, l.path(p.Corners))
	}
	for i, c := range w.Curves {
		line := l.path(c.Points)
		l.curves = append(l.curves, line)
		room.addLine(i, slices.Concat(l.data.clip(line)...))
	}
	for i, walk := range w.Walks {
		line := l.path(walk.Points)
		l.walks = append(l.walks, line)
		if walk.Loose {
			for _, at := range line {
				room.addLine(len(w.Curves)+i, []pos{at})
			}
			continue
		}
		room.addLine(len(w.Curves)+i, line)
	}
	w.placeNotes(l, room)
	w.placeNames(l, room)
	return l
}

// path is a line in pixels.
func (f *frame) path(points []Point) []pos {
	out := make([]pos, len(points))
	for i, p := range points {
		out[i] = f.at(p.X, p.Y)
	}
	return out
}

// placeNotes puts the notes of walks above or below their points, where they meet the fewest lines.
func (w Walks) placeNotes(l *walksLayout, room *placer) {
	for i, walk := range w.Walks {
		for j, note := range walk.Notes {
			if note == "" {
				continue
			}
			b := room.noteAt(l.walks[i][j], textWidth(note), walk.Below)
			room.taken = append(room.taken, b)
			l.labels = append(l.labels, walkLabel{b.middle(), note, i})
		}
	}
}

// noteAt finds the place of a note w pixels wide above or below a position: as near as it can be free of other texts,
// and with its middle, its end or its start at the position, whichever hides the least of lines.
func (p *placer) noteAt(at pos, w float64, below bool) box {
	const away = 15.0
	side := -1.0
	if below {
		side = 1
	}
	best, bestCost := box{}, math.Inf(1)
	for step := range 4 {
		for k, shift := range []float64{0, -0.5, 0.5} {
			x, y := at[0]+shift*w, at[1]+side*(away+float64(step)*lineHeight)
			x = max(p.within.x0+w/2, min(p.within.x1-w/2, x))
			y = max(p.within.y0+labelHeight/2, min(p.within.y1-labelHeight/2, y))
			b := boxAt(pos{x, y}, w, labelHeight)
			cost := 25*float64(step) + 2*float64(k)
			if slices.ContainsFunc(p.taken, b.overlaps) {
				cost += 1000
			}
			for _, q := range p.lines {
				if b.grow(-3).contains(q.at) {
					cost += 10
				}
			}
			if cost < bestCost {
				best, bestCost = b, cost
			}
		}
	}
	return best
}

// placeNames names the curves beside them and the areas in their middle.
func (w Walks) placeNames(l *walksLayout, room *placer) {
	for i, p := range w.Patches {
		at := centroid(l.patches[i])
		for _, name := range []string{strings.TrimSpace(p.Class.Sign + " " + p.Class.Label), p.Class.Sign} {
			b := boxAt(at, textWidth(name)+8, labelHeight)
			inside := !slices.ContainsFunc(b.corners(), func(c pos) bool { return !inConvex(l.patches[i], c) })
			if name != "" && inside && room.free(b) {
				room.taken = append(room.taken, b)
				l.labels = append(l.labels, walkLabel{at, name, -2 - i})
				break
			}
		}
	}
	for i, c := range w.Curves {
		if c.Label == "" {
			continue
		}
		b, ok := room.beside(i, slices.Concat(l.data.clip(l.curves[i])...), textWidth(c.Label)+4, 0.7)
		if !ok || room.crossings(i, b) > 0 {
			l.homeless = append(l.homeless, c) // the legend says it
			continue
		}
		l.labels = append(l.labels, walkLabel{b.middle(), c.Label, -1})
	}
}

// centroid is the middle of a polygon's area, or of its corners where it has none.
func centroid(corners []pos) pos {
	var area, x, y, sx, sy float64
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		cross := a[0]*b[1] - b[0]*a[1]
		area, x, y = area+cross, x+(a[0]+b[0])*cross, y+(a[1]+b[1])*cross
		sx, sy = sx+a[0], sy+a[1]
	}
	if n := float64(len(corners)); area == 0 {
		return pos{sx / n, sy / n}
	}
	return pos{x / (3 * area), y / (3 * area)}
}

// inConvex says whether a position is inside a convex polygon: on the same side of all its edges.
func inConvex(corners []pos, p pos) bool {
	left, right := false, false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		side := (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0])
		left, right = left || side > 0, right || side < 0
	}
	return !left || !right
}
