package figure

import (
	"fmt"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Walks shows points that wander over a plane, each joined to the next, above labelled areas and curves: an orbit
// along its hyperbola, or two quantities that part.
type Walks struct {
	// Title says what is shown; required.
	Title string
	// X and Y are the axes, with their ends.
	X, Y Axis
	// Patches are areas at the bottom, at most 4, within the axes.
	Patches []Patch
	// Curves are lines under the walks, at most 12. Those with a label carry it.
	Curves []Curve
	// Walks are 1 to 6.
	Walks []Walk
}

// Walk is a sequence of points in the order in which they are reached.
type Walk struct {
	// Name stands in the legend; required, unique.
	Name string
	// Points are 1 to 200 points within the axes, which may lead in any direction.
	Points []Point
	// Notes are texts beside the points, none or one for each; a note may be empty.
	Notes []string
	// Below puts the notes below the points instead of above.
	Below bool
	// Loose leaves the points unjoined; Plain joins them, but leaves out their signs.
	Loose, Plain bool
}

// Patch is an area of the plane.
type Patch struct {
	// Class is its name and look.
	Class Class
	// Corners are the 3 to 12 corners of a convex polygon.
	Corners []Point
}

// Limits of walks.
const (
	maxPatches      = 4
	maxCorner       = 12
	maxWalkedPoints = 200
)

// Figure draws the plane. It fails if a field breaks its rule above.
func (w Walks) Figure() (content.Figure, error) {
	looks, err := w.check()
	if err != nil {
		return content.Figure{}, err
	}
	l := w.layout()
	f := content.Figure{Title: w.Title, Alt: w.describe(), Data: w.table()}
	for i, walk := range w.Walks {
		f.Legend = append(f.Legend, walkEntry(walk, strokes[i]))
	}
	for _, c := range l.homeless {
		f.Legend = append(f.Legend, lineEntry(c.Label, c.stroke()))
	}
	for i, p := range w.Patches {
		f.Legend = append(f.Legend, areaEntry(p.Class.Label, p.Class.Sign, looks[i], ""))
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { w.paint(s, l, looks) }), nil
}

// walkEntry is the legend of a walk.
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

func (w Walks) check() ([]fill, error) {
	c := checker{kind: "Walks"}
	c.name("Title", w.Title)
	c.axis("X", w.X)
	c.axis("Y", w.Y)
	c.size("Patches", len(w.Patches), 0, maxPatches, "areas")
	var classes []Class
	for i, p := range w.Patches {
		name := fmt.Sprintf("Patches[%d]", i)
		classes = append(classes, p.Class)
		c.size(name+".Corners", len(p.Corners), 3, maxCorner, "corners")
		w.within(&c, name+".Corners", p.Corners)
	}
	c.curves(w.Curves)
	c.size("Walks", len(w.Walks), 1, MaxSeries, "walks")
	names := map[string]bool{}
	for i, walk := range w.Walks {
		name := fmt.Sprintf("Walks[%d]", i)
		c.name(name+".Name", walk.Name)
		c.require(!names[walk.Name], "%s.Name %q occurs twice; name every walk differently", name, walk.Name)
		names[walk.Name] = true
		c.size(name+".Points", len(walk.Points), 1, maxWalkedPoints, "points")
		w.within(&c, name+".Points", walk.Points)
		fits := len(walk.Notes) == 0 || len(walk.Notes) == len(walk.Points)
		c.require(fits, "%s has %s for %s; give one for each, or none", name, plural.Count(len(walk.Notes), "note"),
			plural.Count(len(walk.Points), "point"))
		c.require(!walk.Loose || !walk.Plain, "%s is both Loose and Plain, so that nothing of it is drawn; choose one", name)
		for j, note := range walk.Notes {
			c.text(fmt.Sprintf("%s.Notes[%d]", name, j), note)
		}
	}
	looks := c.classes(classes)
	for i := range looks {
		looks[i] = pale(looks[i])
	}
	return looks, c.err
}

// within checks that points lie between the ends of the axes.
func (w Walks) within(c *checker, name string, points []Point) {
	for i, p := range points {
		c.finite(fmt.Sprintf("%s[%d].X", name, i), p.X)
		c.finite(fmt.Sprintf("%s[%d].Y", name, i), p.Y)
		inside := p.X >= w.X.Min && p.X <= w.X.Max && p.Y >= w.Y.Min && p.Y <= w.Y.Max
		c.require(inside, "%s[%d] is (%v, %v), beyond the axes; widen them or leave it out", name, i, p.X, p.Y)
	}
}
