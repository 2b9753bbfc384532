package figure

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// paint draws from the ground up: areas, axes, curves, walks, texts.
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
	for _, t := range l.labels {
		colour, halo := s.ink, s.ground
		switch {
		case t.of >= 0:
			colour = strokes[t.of].colour[s.theme]
		case t.of <= -2:
			halo = looks[-2-t.of].ground[s.theme]
		}
		s.text(t.at, t.text, textStyle{colour: colour, halo: &halo, anchor: middle, shift: centre})
	}
}

// pale is a look so near to the ground that lines and texts on it can be read.
func pale(f fill) fill {
	const part = 0.22
	for t, inks := range themeInks {
		f.ground[t], f.mark[t] = mix(inks.ground, f.ground[t], part), mix(inks.ground, f.mark[t], part)
	}
	return f
}

// describe is the alternative text: areas, lines, and each walk from point to point.
func (w Walks) describe() string {
	text := []string{fmt.Sprintf("Plane of %s, from %s to %s, and %s, from %s to %s.",
		w.X.Label, Decimal(w.X.Min), Decimal(w.X.Max), w.Y.Label, Decimal(w.Y.Min), Decimal(w.Y.Max))}
	for _, walk := range w.Walks {
		text = append(text, walk.describe())
	}
	var lines, areas []string
	for _, c := range w.Curves {
		if c.Label != "" {
			lines = append(lines, c.Label)
		}
	}
	for _, p := range w.Patches {
		areas = append(areas, p.Class.Label)
	}
	if len(lines) > 0 {
		text = append(text, fmt.Sprintf("Lines below: %s.", strings.Join(lines, "; ")))
	}
	if len(areas) > 0 {
		text = append(text, fmt.Sprintf("Areas: %s.", strings.Join(areas, "; ")))
	}
	return strings.Join(text, " ")
}

// spokenPoints is how many points of a walk its description lists; of longer ones it says the ends.
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

// table has a row for each point.
func (w Walks) table() content.Records {
	t := content.Records{Header: []string{"series", w.X.Label, w.Y.Label}}
	noted := false
	for _, walk := range w.Walks {
		noted = noted || len(walk.Notes) > 0
	}
	if noted {
		t.Header = append(t.Header, "note")
	}
	for _, walk := range w.Walks {
		for i, p := range walk.Points {
			row := []string{walk.Name, exact(p.X), exact(p.Y)}
			switch {
			case len(walk.Notes) > 0:
				row = append(row, walk.Notes[i])
			case noted:
				row = append(row, "")
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
