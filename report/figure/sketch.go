package figure

import "github.com/siegebook/siegebook/report/content"

// Sketch is a map while a hand moves it, in one theme: its cells as pixels, and the drawing of all else for on top of
// them. It leaves out patterns, the lines around areas, and all that is read: the drawing at rest has them.
type Sketch struct {
	SVG           []byte // without the cells
	Width, Height int    // of the drawing
	Box           content.Box
	Columns, Rows int
	Pixels        []byte // four bytes a cell, from the upper left: red, green, blue, 255
}

// Sketch draws the map for a hand that moves it. It fails if a field breaks its rule.
func (m PhaseMap) Sketch(dark bool) (Sketch, error) {
	g, bins, err := m.grid()
	if err != nil {
		return Sketch{}, err
	}
	return g.sketch(bins, dark), nil
}

// Sketch draws the map for a hand that moves it. It fails if a field breaks its rule.
func (m AgreementMap) Sketch(dark bool) (Sketch, error) {
	g, err := m.grid()
	if err != nil {
		return Sketch{}, err
	}
	return g.sketch(nil, dark), nil
}

func (g *gridMap) sketch(bins []area, isDark bool) Sketch {
	g.areas = append(bins, g.areas...)
	g.assign()
	t := light
	if isDark {
		t = dark
	}
	l := g.frameLayout()
	coarse := g.coarse()
	coarse.placeLabels(l)
	f := content.Figure{Title: g.title, Alt: g.title, Width: Width, Height: int(l.data.y1 + footRoom + 0.5)}
	svg := document(f, t, func(s *stage) {
		g.paintCurves(s, l)
		g.paintTop(s, l)
	})
	return Sketch{svg, f.Width, f.Height, l.data.content(), g.w, g.h, g.pixels(t)}
}

// coarseness is how many cells of a map are one for those who look for the place of a name in a hurry.
const coarseness = 4

// coarse is the map with fewer cells.
func (g *gridMap) coarse() *gridMap {
	c := *g
	c.hurry = true
	if g.w < 20*coarseness || g.h < 10*coarseness {
		return &c
	}
	c.w, c.h = g.w/coarseness, g.h/coarseness
	c.index, c.cells = make([]uint8, c.w*c.h), make([]int, c.w*c.h)
	for row := range c.h {
		for column := range c.w {
			c.index[row*c.w+column] = g.index[(row*coarseness+coarseness/2)*g.w+column*coarseness+coarseness/2]
		}
	}
	c.mark = -1
	return &c
}

// pixels are the cells.
func (g *gridMap) pixels(t theme) []byte {
	out := make([]byte, 4*g.w*g.h)
	at := 0
	for row := g.h - 1; row >= 0; row-- {
		for _, a := range g.index[row*g.w : (row+1)*g.w] {
			c := &g.areas[a].fill.ground[t]
			out[at], out[at+1], out[at+2], out[at+3] = c.R, c.G, c.B, 0xff
			at += 4
		}
	}
	return out
}

// content is the box as a page has it.
func (b box) content() content.Box {
	return content.Box{Left: b.x0, Top: b.y0, Right: b.x1, Bottom: b.y1}
}
