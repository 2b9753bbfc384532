package figure

import (
	"strings"
)

// strip is a class that covers a single row or column of cells, too thin to be seen: it is drawn as a line of its
// colour on top of the curves, which would hide it.
type strip struct {
	area     int
	from, to pos
}

// Sizes of strips in pixels.
const (
	thinnest   = 5.0  // what is thinner becomes a strip
	shortStrip = 12.0 // what is shorter stays a speck
)

// strips finds the classes that are thin lines of cells.
func (g *gridMap) strips(b box) []strip {
	var out []strip
	cw, ch := b.w()/float64(g.w), b.h()/float64(g.h)
	for i, a := range g.areas {
		if !a.class || a.count == 0 || g.judged {
			continue
		}
		left, low, right, high := g.w, g.h, -1, -1
		for cell, area := range g.index {
			if int(area) == i {
				left, right, low, high = min(left, cell%g.w), max(right, cell%g.w), min(low, cell/g.w), max(high, cell/g.w)
			}
		}
		whole := a.count == (right-left+1)*(high-low+1)
		s := strip{area: i}
		switch {
		case whole && low == high && ch < thinnest:
			s.from, s.to = g.lattice(b, float64(left), float64(low)+0.5), g.lattice(b, float64(right+1), float64(low)+0.5)
		case whole && left == right && cw < thinnest:
			s.from, s.to = g.lattice(b, float64(left)+0.5, float64(low)), g.lattice(b, float64(left)+0.5, float64(high+1))
		default:
			continue
		}
		if max(s.to[0]-s.from[0], s.from[1]-s.to[1]) >= shortStrip {
			out = append(out, s)
		}
	}
	return out
}

// paintStrip draws a strip between lines of ink.
func (g *gridMap) paintStrip(s *stage, p strip) {
	s.line(solidLine(s.ink, thinnest+0.5), p.from, p.to)
	s.line(solidLine(g.areas[p.area].fill.ground[s.theme], thinnest-1.5), p.from, p.to)
}

// labelStrips names the strips beside them, as short as it can be said.
func (g *gridMap) labelStrips(l *mapLayout, p *placer) {
	for i, s := range l.strips {
		names := g.areas[s.area].inside
		name := strings.TrimSpace(names[len(names)-1])
		if short := names[len(names)-2]; short != "" {
			name = short
		}
		if name == "" {
			continue
		}
		if b, ok := p.beside(len(g.curves)+i, []pos{s.from, s.to}, textWidth(name)+4, 0.55); ok {
			l.labels = append(l.labels, placedLabel{b.middle(), name, -1})
		}
	}
}
