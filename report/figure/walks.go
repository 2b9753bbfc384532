package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Walks shows sequences of points on a plane, on top of labelled areas and curves. A line joins each point to the next.
// The figure can show an orbit along its hyperbola, or two quantities that diverge.
type Walks struct {
	// Title describes what the figure shows; required.
	Title string `rule:"name"`
	// X and Y are the axes, including their ends.
	X, Y Axis
	// Patches are areas below everything else; at most 4, which must be within the axes.
	Patches []Patch `rule:"0-4 areas"`
	// Curves are lines under the walks, at most 12. The names of walks, curves and areas are written next to them, or
	// in the legend if there is no room.
	Curves []Curve `rule:"0-12 lines"`
	// Walks are the walks, 1 to 6.
	Walks []Walk `rule:"1-6 walks"`
}

// Walk is a sequence of points in the order in which they are reached.
type Walk struct {
	// Name is written next to the walk; required, unique.
	Name string `rule:"name"`
	// Points contains 1 to 200 points within the axes. A walk may go in any direction.
	Points []Point `rule:"1-200 points"`
	// Notes are texts next to the points: there is either none, or one for each point. A note may be empty.
	Notes []string
	// Below puts the notes below the points instead of above them.
	Below bool
	// Loose omits the lines between the points. Plain omits the markers of the points.
	Loose, Plain bool
}

// Patch is an area of the plane.
type Patch struct {
	// Class is the name and the look of the area.
	Class Class
	// Corners contains the 3 to 12 corners of the area, which is a convex polygon.
	Corners []Point `rule:"3-12 corners"`
}

// Figure draws the plane. It fails if a field breaks its rule above.
func (w Walks) Figure() (content.Figure, error) { return drawn(w, w) }

func (w Walks) figure() content.Figure {
	looks := looks(w.classes())
	for i := range looks {
		looks[i] = pale(looks[i])
	}
	l := w.layout(looks)
	f := content.Figure{Title: w.Title, Alt: w.describe(), Data: w.table()}
	for i, walk := range w.Walks {
		if !l.wrote(walk.Name) {
			f.Legend = append(f.Legend, walkEntry(walk, strokes[i]))
		}
	}
	for _, c := range w.Curves {
		if c.Label != "" && !l.wrote(c.Label) {
			f.Legend = append(f.Legend, lineEntry(c.Label, c.stroke()))
		}
	}
	for i, p := range w.Patches {
		if !l.wrote(p.Class.whole()) {
			f.Legend = append(f.Legend, areaEntry(p.Class.Label, p.Class.Sign, looks[i], ""))
		}
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { w.paint(s, l, looks) })
}

// walkEntry returns the legend entry of a walk.
func walkEntry(w Walk, k stroke) content.LegendEntry {
	switch {
	case w.Plain:
		k.marker = unmarked
		return lineEntry(w.Name, k)
	case !w.Loose:
		return lineEntry(w.Name, k)
	}
	return drawnEntry(content.LegendEntry{Label: w.Name}, func(s *stage) {
		s.marker(iconMiddle, k.marker, k.colour[s.theme], walkMarker)
	})
}

// classes returns the classes of the areas.
func (w Walks) classes() (classes []Class) {
	for _, p := range w.Patches {
		classes = append(classes, p.Class)
	}
	return classes
}

func (w Walks) check(c *checker) {
	for i, p := range w.Patches {
		w.checkInside(c, fmt.Sprintf("Patches[%d].Corners", i), p.Corners)
	}
	c.curves(w.Curves)
	names := map[string]bool{}
	for i, walk := range w.Walks {
		name := fmt.Sprintf("Walks[%d]", i)
		c.require(!names[walk.Name], "%s.Name %q occurs twice; name every walk differently", name, walk.Name)
		names[walk.Name] = true
		w.checkInside(c, name+".Points", walk.Points)
		fits := len(walk.Notes) == 0 || len(walk.Notes) == len(walk.Points)
		c.require(fits, "%s has %s for %s; give one for each, or none", name, plural.Count(len(walk.Notes), "note"),
			plural.Count(len(walk.Points), "point"))
		c.require(!walk.Loose || !walk.Plain, "%s is both Loose and Plain, so nothing of it is drawn; choose one",
			name)
	}
	c.classes(w.classes())
}

// checkInside checks that points are within the ends of the axes.
func (w Walks) checkInside(c *checker, name string, points []Point) {
	for i, p := range points {
		inside := p.X >= w.X.Min && p.X <= w.X.Max && p.Y >= w.Y.Min && p.Y <= w.Y.Max
		c.require(inside, "%s[%d] is (%v, %v), beyond the axes; widen them or leave it out", name, i, p.X, p.Y)
	}
}

// paint draws the layers from the bottom to the top: areas, axes, curves, walks, texts.
func (w Walks) paint(s *stage, l *walksLayout, looks []fill) {
	for i, corners := range l.patches {
		s.fill(looks[i].ground[s.theme], corners...)
		s.hatch(looks[i], hatch(looks[i].pattern, l.data, func(p pos) bool { return inConvex(corners, p) }))
	}
	l.draw(s)
	for i, c := range w.Curves {
		sty := c.stroke().line(s.theme)
		sty.Width = 1.25
		if !c.Dashed {
			sty.Color = s.muted
		}
		s.curve(l.data, sty, l.curves[i])
	}
	for i, walk := range w.Walks {
		k := strokes[i]
		if !walk.Loose && len(l.walks[i]) > 1 {
			s.line(k.line(s.theme), l.walks[i]...)
		}
		if walk.Plain {
			continue
		}
		for _, at := range l.walks[i] {
			s.disc(at, walkMarker+1.5, s.ground)
			s.marker(at, k.marker, k.colour[s.theme], walkMarker)
		}
	}
	s.labels(l.labels)
}

// pale returns a look so close to the background that lines and text on top of it are readable.
func pale(f fill) fill {
	const part = 0.22
	for t, inks := range themeInks {
		f.ground[t], f.mark[t] = mix(inks.ground, f.ground[t], part), mix(inks.ground, f.mark[t], part)
	}
	return f
}

// describe returns the alternative text: it lists the points of the walks, the lines and the areas.
func (w Walks) describe() string {
	text := []string{fmt.Sprintf("Plane of %s, from %s to %s, and %s, from %s to %s.",
		w.X.Label, Decimal(w.X.Min), Decimal(w.X.Max), w.Y.Label, Decimal(w.Y.Min), Decimal(w.Y.Max))}
	for _, walk := range w.Walks {
		text = append(text, walk.describe())
	}
	var areas []string
	for _, p := range w.Patches {
		areas = append(areas, p.Class.Label)
	}
	if names := curveNames(w.Curves); names != "" {
		text = append(text, fmt.Sprintf("Lines below: %s.", names))
	}
	if len(areas) > 0 {
		text = append(text, fmt.Sprintf("Areas: %s.", strings.Join(areas, "; ")))
	}
	return strings.Join(text, " ")
}

// spokenPoints is the maximum number of points of a walk that the description lists. For longer walks, it gives only
// the ends.
const spokenPoints = 16

func (w Walk) describe() string {
	at := func(i int) string {
		p := fmt.Sprintf("(%s, %s)", Decimal(w.Points[i].X), Decimal(w.Points[i].Y))
		if len(w.Notes) > 0 && w.Notes[i] != "" {
			p += " " + w.Notes[i]
		}
		return p
	}
	last := len(w.Points) - 1
	if last >= spokenPoints {
		return fmt.Sprintf("%s: %d points from %s to %s.", w.Name, last+1, at(0), at(last))
	}
	var points []string
	for i := range w.Points {
		points = append(points, at(i))
	}
	return fmt.Sprintf("%s: %s.", w.Name, strings.Join(points, ", "))
}

// table returns a table with a row for each point.
func (w Walks) table() content.Records {
	var all []pointSeries
	for _, walk := range w.Walks {
		all = append(all, pointSeries{walk.Name, walk.Points, walk.Notes})
	}
	return pointTable(w.X.Label, w.Y.Label, "note", all)
}

// pointSeries is a sequence of points.
type pointSeries struct {
	name   string
	points []Point
	notes  []string // the notes at the points; empty if there are none
}

// pointTable returns a table with a row for each point, and with a column of notes if any series has notes.
func pointTable(x, y, note string, all []pointSeries) content.Records {
	t := content.Records{Header: []string{"series", x, y, note}}
	noted := false
	for _, s := range all {
		noted = noted || len(s.notes) > 0
		for i, p := range s.points {
			said := ""
			if len(s.notes) > 0 {
				said = s.notes[i]
			}
			t.Add(s.name, exact(p.X), exact(p.Y), said)
		}
	}
	if !noted {
		dropColumn(&t, 3)
	}
	return t
}

// dropColumn removes a column from a table.
func dropColumn(t *content.Records, i int) {
	t.Header = slices.Delete(t.Header, i, i+1)
	for j, row := range t.Rows {
		t.Rows[j] = slices.Delete(row, i, i+1)
	}
}

const (
	walksTall  = 340.0
	walkMarker = 4.5
)

// walksLayout is the part of the drawing that both themes share.
type walksLayout struct {
	frame
	patches [][]pos
	curves  [][]pos
	walks   [][]pos
	labels  []placedLabel
}

func (w Walks) layout(looks []fill) *walksLayout {
	x, y := w.X.scale(), w.Y.scale()
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
	w.placeNames(l, room, looks)
	return l
}

// path returns a line in pixels.
func (f *frame) path(points []Point) []pos {
	out := make([]pos, len(points))
	for i, p := range points {
		out[i] = f.position(p.X, p.Y)
	}
	return out
}

// placeNotes puts the notes of walks above or below their points, where they cross the fewest lines.
func (w Walks) placeNotes(l *walksLayout, room *placer) {
	for i, walk := range w.Walks {
		for j, note := range walk.Notes {
			if note == "" {
				continue
			}
			b := room.noteAt(l.walks[i][j], textWidth(note), walk.Below)
			room.taken = append(room.taken, b)
			label := inkLabel(b.middle(), note)
			label.colour = strokes[i].colour
			l.labels = append(l.labels, label)
		}
	}
}

// noteAt finds a position for a note of w pixels above or below a point, as near as possible without touching other
// texts. Of the note's middle, end and start, it puts the one at the point that makes the note cover the fewest lines.
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

// placeNames writes the names of curves next to the curves, and the names of areas in the middle of the areas.
func (w Walks) placeNames(l *walksLayout, room *placer, looks []fill) {
	for i, p := range w.Patches {
		at := centroid(l.patches[i])
		for _, name := range []string{p.Class.whole(), p.Class.Sign} {
			b := boxAt(at, textWidth(name)+8, labelHeight)
			inside := !slices.ContainsFunc(b.corners(), func(c pos) bool { return !inConvex(l.patches[i], c) })
			if name != "" && inside && room.free(b) {
				room.taken = append(room.taken, b)
				label := inkLabel(at, name)
				label.halo = looks[i].ground
				l.labels = append(l.labels, label)
				break
			}
		}
	}
	for i, c := range w.Curves {
		if c.Label == "" {
			continue
		}
		b, ok := room.placeLabel(i, slices.Concat(l.data.clip(l.curves[i])...), textWidth(c.Label)+4, 0.7)
		if !ok || room.crossings(i, b, 0) > 0 {
			room.nameNext(&l.labels, along(l.data, l.curves[i]), c.Label, ink)
			continue
		}
		l.labels = append(l.labels, inkLabel(b.middle(), c.Label))
	}
	for i, walk := range w.Walks {
		targets := along(l.data, l.walks[i])
		if walk.Loose {
			targets = targets[:0]
			for _, at := range l.walks[i] {
				targets = append(targets, target{at, walkMarker})
			}
		}
		room.nameNext(&l.labels, targets, walk.Name, strokes[i].colour)
	}
}

// along returns places on a line within a box, next to which the line's name may be. The last part of the line comes
// first.
func along(data box, line []pos) (targets []target) {
	for _, at := range resample(slices.Concat(data.clip(line)...), 12) {
		targets = append(targets, target{at: at})
	}
	slices.Reverse(targets)
	return targets
}

// wrote reports whether the drawing contains a text.
func (l *walksLayout) wrote(text string) bool {
	return slices.ContainsFunc(l.labels, func(label placedLabel) bool { return label.text == text })
}

// centroid returns the centroid of a polygon, or the mean of its corners if its area is 0.
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

// inConvex reports whether a position is inside a convex polygon: on the same side of all its edges.
func inConvex(corners []pos, p pos) bool {
	left, right := false, false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		side := (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0])
		left, right = left || side > 0, right || side < 0
	}
	return !left || !right
}
