package figure

import (
	"fmt"
	"math"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Closeup shows points that move in a plane, on either side of a line through its origin. The window begins at the
// origin, and both axes have the same scale. [Closeup.Moving] shows how the points moved and how the window became
// smaller. To readers, the view seems to zoom in while the line stays the same.
type Closeup struct {
	// Title says what the figure shows; required.
	Title string `rule:"name"`
	// X and Y name the axes; required.
	X string `rule:"name"`
	Y string `rule:"name"`
	// Across is the last number on the axis X.
	Across float64
	// Slope is the slope of the line. LineLabel names the line.
	Slope     float64
	LineLabel string `rule:"name"`
	// Below and Above name the sides of the line, each with a role.
	Below, Above Region
	// Tracks are the points; 1 to 4 tracks.
	Tracks []Track `rule:"1-4 tracks"`
	// Unit names what 1 on the axis X represents. If Unit is not empty, the figure states how many pixels wide a unit
	// is.
	Unit string
	// Narrow selects the form for a phone.
	Narrow bool
	// Before is the figure with the earlier window and points; nil if nothing moves. Seconds is the duration of the
	// step.
	Before  *Closeup
	Seconds float64
}

// Region is an area with a name.
type Region struct {
	Label string `rule:"name"`
	Role  Role
}

// Track is a point with its earlier positions.
type Track struct {
	// Label names the point; required.
	Label string `rule:"name"`
	Role  Role
	// Points are the positions of the point, at least 1. The last one is the current position. Both coordinates are 0
	// or more.
	Points []Point `rule:"1-60 points"`
}

const (
	closeupNarrow = 360
	closeupLeft   = 50.0
	closeupFoot   = 44.0
	closeupTop    = 30.0
	tint          = 0.1 // the share of a role's colour in the background of its side
	moveShare     = 0.45
)

// Figure draws the points. It fails if a field breaks its rule above.
func (c Closeup) Figure() (content.Figure, error) { return drawn(c, c) }

func (c Closeup) figure() content.Figure {
	l := c.layout()
	f := finish(c.described(), l.width, l.height, func(s *stage) { l.paint(s, false) })
	f.Box = l.plot.content()
	return f
}

// Moving draws, in one theme, how the points moved and how the view zoomed in. It ends as the figure.
func (c Closeup) Moving(onDark bool) ([]byte, error) {
	return moving(c, c, onDark, func() (content.Figure, float64, float64, func(*stage)) {
		l := c.layout()
		return c.described(), l.width, l.height, func(s *stage) { l.paint(s, c.Before != nil) }
	})
}

func (c Closeup) check(k *checker) {
	k.require(c.Across > 0, "Across is %v; give a number above 0", c.Across)
	k.require(c.Slope > 0, "Slope is %v; give a number above 0", c.Slope)
	for i, t := range c.Tracks {
		k.require(t.Role >= Plain && t.Role < roleEnd, "Tracks[%d].Role is %d; use one of the named roles", i, t.Role)
		for j, p := range t.Points {
			k.require(min(p.X, p.Y) >= 0, "Tracks[%d].Points[%d] is (%v, %v); give numbers from 0 on", i, j, p.X, p.Y)
		}
	}
	if b := c.Before; b != nil {
		k.require(c.Seconds > 0, "Seconds is %v; give the length of the step", c.Seconds)
		same := b.Across >= c.Across && len(b.Tracks) == len(c.Tracks)
		for i := 0; same && i < len(c.Tracks); i++ {
			same = len(b.Tracks[i].Points) > 0
		}
		k.require(same, "Before has a smaller window or different tracks; give it the same tracks as before")
	}
}

// described returns the figure without its drawing.
func (c Closeup) described() content.Figure {
	f := content.Figure{Title: c.Title, Data: content.Records{Header: []string{"point", c.X, c.Y}}, Sized: c.Narrow}
	var all []string
	for _, t := range c.Tracks {
		for _, p := range t.Points {
			f.Data.Add(t.Label, p.X, p.Y)
		}
		p, side := t.Points[len(t.Points)-1], c.Below.Label
		if p.Y > c.Slope*p.X {
			side = c.Above.Label
		}
		all = append(all, fmt.Sprintf("%s: at (%v, %v), where %s.", t.Label, p.X, p.Y, side))
	}
	f.Alt = strings.Join(all, " ")
	return f
}

// closeupLayout contains the position of the window.
type closeupLayout struct {
	Closeup
	width, height float64
	plot          box
	scale         float64 // pixels per unit of the axes
	steps         []float64
}

func (c Closeup) layout() *closeupLayout {
	l := &closeupLayout{Closeup: c, width: Width, height: 440}
	if c.Narrow {
		l.width, l.height = closeupNarrow, 330
	}
	l.plot = box{closeupLeft, closeupTop, l.width - outerGap, l.height - closeupFoot}
	l.scale = l.plot.w() / c.Across
	step := math.Pow(10, math.Floor(math.Log10(c.Across)))
	for _, part := range []float64{1, 0.5, 0.2} {
		if c.Across/(step*part) >= 3 {
			step *= part
			break
		}
	}
	for x := step; x <= c.Across; x += step {
		l.steps = append(l.steps, x)
	}
	return l
}

// position returns the position of a point in the window.
func (l *closeupLayout) position(p Point) pos {
	return pos{l.plot.x0 + p.X*l.scale, l.plot.y1 - p.Y*l.scale}
}

// paint draws the window, either at rest or in motion.
func (l *closeupLayout) paint(s *stage, moves bool) {
	ground := func(r Role) func(corners ...pos) {
		return func(corners ...pos) { s.fill(mix(s.ground, roles[r].dot[s.theme], tint), corners...) }
	}
	top, end := l.plot.h()/l.scale, l.Across*l.Slope
	corner := l.position(Point{min(l.Across, top/l.Slope), min(end, top)})
	origin := pos{l.plot.x0, l.plot.y1}
	low, high := []pos{origin, corner}, []pos{origin, corner}
	if end < top { // the line leaves the window at the right
		low = append(low, pos{l.plot.x1, l.plot.y1})
		high = append(high, pos{l.plot.x1, l.plot.y0}, pos{l.plot.x0, l.plot.y0})
	} else {
		low = append(low, pos{l.plot.x1, l.plot.y0}, pos{l.plot.x1, l.plot.y1})
		high = append(high, pos{l.plot.x0, l.plot.y0})
	}
	ground(l.Below.Role)(low...)
	ground(l.Above.Role)(high...)

	from, to := moveShare*l.Seconds, l.Seconds
	axes := func(of *closeupLayout) func() {
		return func() { of.axes(s) }
	}
	if moves && l.Before.Across != l.Across {
		s.fades(from, (from+to)/2, false, axes(l.Before.layout()))
		s.fades((from+to)/2, to, true, axes(l))
	} else {
		l.axes(s)
	}
	s.line(solidLine(roles[Difference].dot[s.theme], 3), origin, corner)
	l.names(s, corner)
	for i, t := range l.Tracks {
		l.track(s, i, t, moves)
	}
}

// axes draws the axes with their numbers.
func (l *closeupLayout) axes(s *stage) {
	for _, x := range l.steps {
		at := l.position(Point{x, x})
		label := Thousands(fmt.Sprint(math.Round(x*1e6) / 1e6))
		s.line(solidLine(s.grid, 1), pos{at[0], l.plot.y0}, pos{at[0], l.plot.y1})
		if at[0]+textWidth(label)/2 <= l.width {
			s.text(pos{at[0], l.plot.y1 + 4}, label, textStyle{colour: s.muted, anchor: middle, shift: hang})
		}
		if at[1] > l.plot.y0+lineHeight/2 {
			s.line(solidLine(s.grid, 1), pos{l.plot.x0, at[1]}, pos{l.plot.x1, at[1]})
			s.label(pos{l.plot.x0 - 5, at[1]}, label, end, s.muted)
		}
	}
	s.line(solidLine(s.muted, 1), pos{l.plot.x0, l.plot.y0}, pos{l.plot.x0, l.plot.y1}, pos{l.plot.x1, l.plot.y1})
}

// names writes the names of the axes, of the line and of its sides.
func (l *closeupLayout) names(s *stage, corner pos) {
	s.text(pos{l.plot.x1, l.height - 4}, l.X+" →", textStyle{colour: s.ink, anchor: end, shift: sit})
	s.text(pos{outerGap, closeupTop - 8}, "↑ "+l.Y, textStyle{colour: s.ink, shift: sit})
	if l.Unit != "" {
		digits := max(0, 1-int(math.Floor(math.Log10(l.scale))))
		words := fmt.Sprintf("%s is %.*f pixels wide", l.Unit, min(digits, 9), l.scale)
		if l.Narrow {
			words = fmt.Sprintf("%s: %.*f pixels", l.Unit, min(digits, 9), l.scale)
		}
		s.text(pos{l.plot.x1, closeupTop - 8}, words, textStyle{colour: s.muted, anchor: end, shift: sit})
	}
	region := func(r Region, at pos, a anchor) {
		s.text(at, r.Label, textStyle{colour: roles[r.Role].text[s.theme], anchor: a, shift: centre, bold: true})
	}
	region(l.Above, pos{l.plot.x0 + 0.3*l.plot.w(), l.plot.y0 + 0.1*l.plot.h()}, middle)
	region(l.Below, pos{l.plot.x1 - 10, l.plot.y1 - 0.1*l.plot.h()}, end)
	halo := s.ground
	third := pos{l.plot.x0 + 0.3*(corner[0]-l.plot.x0), l.plot.y1 - 0.3*(l.plot.y1-corner[1])}
	s.text(pos{third[0] + 8, third[1] + 14}, l.LineLabel, textStyle{
		colour: roles[Difference].text[s.theme], halo: &halo, shift: centre, bold: true,
	})
}

// track draws a point, its earlier positions, and its distance from the line.
func (l *closeupLayout) track(s *stage, i int, t Track, moves bool) {
	colour := roles[t.Role].dot[s.theme]
	last := len(t.Points) - 1
	now := l.position(t.Points[last])
	shrunk := func(p Point) pos { return p.in(l.Before) }
	for _, p := range t.Points[:last] {
		at := l.position(p)
		draw := func() { s.ring(at, 4, solidLine(colour, 1.5)) }
		if at[0] > l.plot.x1 || at[1] < l.plot.y0 {
			if !moves || l.Before.Across == l.Across {
				continue
			}
			from := shrunk(p)
			s.fades(0, moveShare*l.Seconds, false, func() { s.ring(from, 4, solidLine(colour, 1.5)) })
			continue
		}
		if !moves {
			draw()
			continue
		}
		from := shrunk(p)
		by := pos{from[0] - at[0], from[1] - at[1]}
		s.walks([]pos{by, by, {}}, l.Seconds, draw)
	}
	gold := solidLine(roles[Difference].dot[s.theme], 2)
	gap := func() {
		at := l.position(Point{t.Points[last].Y / l.Slope, t.Points[last].Y})
		if at[0] = min(at[0], l.plot.x1); math.Abs(at[0]-now[0]) > 8 {
			s.line(gold, at, now)
			s.line(gold, pos{at[0], at[1] - 5}, pos{at[0], at[1] + 5})
		}
	}
	point := func() {
		if t.Role == Theirs {
			s.marker(now, diamond, colour, 6)
		} else {
			s.disc(now, 6, colour)
		}
		s.ring(now, 7.5, solidLine(s.ground, 1.5))
		shift, at, side := 22.0, now, start // a label below the line is at the right, a label above it at the left
		if t.Points[last].Y > l.Slope*t.Points[last].X {
			shift, side = -22, end
		}
		if width := textWidth(t.Label); side == end && at[0]-width < l.plot.x0 {
			side = start
		} else if side == start && at[0]+width > l.plot.x1 {
			side = end
		}
		halo := s.ground
		if at[1] += shift; at[1] > l.plot.y1-4 {
			at[1] = now[1] - 18
		}
		s.text(at, t.Label, textStyle{
			colour: roles[t.Role].text[s.theme], halo: &halo, anchor: side, shift: centre, bold: true,
		})
	}
	if !moves {
		gap()
		point()
		return
	}
	s.fades(l.Seconds-0.15, l.Seconds, true, gap)
	before := l.Before.Tracks[i].Points
	was, moved := shrunk(before[len(before)-1]), shrunk(t.Points[last])
	s.walks([]pos{{was[0] - now[0], was[1] - now[1]}, {moved[0] - now[0], moved[1] - now[1]}, {}}, l.Seconds, point)
}

// in returns the position of a point in the window of c.
func (p Point) in(c *Closeup) pos { return c.layout().position(p) }

// walks paints something that moves to its place along the places in by, which are relative to its place.
func (s *stage) walks(by []pos, seconds float64, paint func()) {
	var values []string
	for _, b := range by {
		values = append(values, decimal(b[0])+spacedCents(b[1]))
	}
	s.timed(fmt.Sprintf(` transform="translate(%s)"`, values[0]), fmt.Sprintf(`<animateTransform `+
		`attributeName="transform" type="translate" values="%s" keyTimes="0;%s;1" calcMode="spline" `+
		`keySplines=".4 0 .4 1;.4 0 .4 1" dur="%ss" fill="freeze"/>`, strings.Join(values, ";"), decimal(moveShare),
		decimal(seconds)), paint)
}
