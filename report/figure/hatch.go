package figure

import (
	"math"
	"sort"

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
