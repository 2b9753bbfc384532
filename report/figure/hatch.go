package figure

import (
	"math"
	"sort"
	"strings"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

const (
	hatchGap    = 9.0  // between hatch lines, in pixels
	hatchStep   = 0.5  // how finely a hatch line feels for its area's edge
	hatchShort  = 2.5  // shorter pieces are noise
	hatchPieces = 1500 // per area; of more, the longest are drawn
)

// segment is a piece of a hatch line, in pixels.
type segment [2]pos

func (s segment) length() float64 { return math.Hypot(s[1][0]-s[0][0], s[1][1]-s[0][1]) }

// anywhere is an area that fills its box.
func anywhere(_ pos) bool { return true }

// hatch returns, for one area, the pieces of its pattern's lines inside it. inside tells whether a position is in it.
func hatch(p pattern, b box, inside func(pos) bool) []segment {
	var out []segment
	for _, dir := range hatchings[p] {
		out = append(out, hatchLines(b, dir, inside)...)
	}
	if p == dots {
		out = dotted(out)
	}
	if len(out) > hatchPieces {
		sort.SliceStable(out, func(i, j int) bool { return out[i].length() > out[j].length() })
		out = out[:hatchPieces]
	}
	return out
}

// hatchLines runs parallel lines over the box and keeps what is inside. Lines lie on a lattice of the whole box, so
// that the parts of an area match.
func hatchLines(b box, dir pos, inside func(pos) bool) []segment {
	n := math.Hypot(dir[0], dir[1])
	ux, uy := dir[0]/n, -dir[1]/n
	reach := math.Hypot(b.w(), b.h())
	cx, cy := (b.x0+b.x1)/2, (b.y0+b.y1)/2
	var out []segment
	for off := -math.Floor(reach/2/hatchGap) * hatchGap; off <= reach/2; off += hatchGap {
		within, begin, last := false, pos{}, pos{}
		for k := range int(reach/hatchStep) + 2 {
			t := float64(k)*hatchStep - reach/2
			q := pos{cx - off*uy + t*ux, cy + off*ux + t*uy}
			in := b.contains(q) && inside(q)
			switch {
			case in && !within:
				begin = q
			case !in && within && segment{begin, last}.length() >= hatchShort:
				out = append(out, segment{begin, last})
			}
			within, last = in, q
		}
	}
	return out
}

// dotted moves the starts of horizontal pieces onto a lattice staggered by row, so that a dashed stroke makes even
// dots.
func dotted(in []segment) []segment {
	var out []segment
	for _, s := range in {
		phase := 0.0
		if int(math.Round(s[0][1]/hatchGap))%2 != 0 {
			phase = hatchGap / 2
		}
		x := math.Ceil((s[0][0]-phase)/hatchGap)*hatchGap + phase
		if x+dotSize <= s[1][0] {
			out = append(out, segment{{x, s[0][1]}, {s[1][0], s[0][1]}})
		}
	}
	return out
}

const dotSize = 1.8

// hatchStyle is how the pieces of a pattern are stroked.
func hatchStyle(f fill, t theme) pen.LineStyle {
	sty := pen.LineStyle{Color: f.mark[t], Width: 1}
	if f.pattern == dots {
		sty.Width = dotSize
		sty.Dashes = []pen.Length{dotSize, hatchGap - dotSize}
	}
	return sty
}

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
				left, right, low, high = min(left, cell%g.w), max(right, cell%g.w), min(low, cell/g.w),
					max(high, cell/g.w)
			}
		}
		whole := a.count == (right-left+1)*(high-low+1)
		s := strip{area: i}
		switch {
		case whole && low == high && ch < thinnest:
			s.from, s.to = g.lattice(b, float64(left), float64(low)+0.5), g.lattice(b, float64(right+1),
				float64(low)+0.5)
		case whole && left == right && cw < thinnest:
			s.from, s.to = g.lattice(b, float64(left)+0.5, float64(low)), g.lattice(b, float64(left)+0.5,
				float64(high+1))
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
