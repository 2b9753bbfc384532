package figure

import (
	"image/color"
	"math"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shadedCell is the ground of cells that are set apart; their hatching tells them in print.
var shadedCell = fill{both(0xe9eef3, 0x262c35), rising, both(0xc3ccd6, 0x414a56)}

// paint draws from the ground up: cells, lines, arrows, pieces, notes.
func (b Board) paint(s *stage, l *boardLayout, looks []fill) {
	for _, g := range l.grids {
		s.text(g.outer.x0, g.outer.y0+gridName/2-1, g.Name, textStyle{colour: s.ink, shift: centre})
		for _, cell := range g.Shaded {
			box := l.at(g, cell[0], cell[1])
			s.rect(box, shadedCell.ground[s.theme])
			for _, seg := range hatch(shadedCell.pattern, box, func(_, _ float64) bool { return true }) {
				s.line(draw.LineStyle{Color: shadedCell.mark[s.theme], Width: 1}, seg[0], seg[1])
			}
		}
		b.paintLines(s, l, g)
		for _, a := range g.Arrows {
			s.arrow(l.path(g, a[0], a[1]))
		}
		b.paintRepeated(s, l, g)
		for _, p := range g.Pieces {
			b.paintPiece(s, l, g, p, looks)
		}
	}
}

// paintLines draws the lines between cells, the edge, dashed where the grid goes on, and the numbers.
func (b Board) paintLines(s *stage, l *boardLayout, g placedGrid) {
	all := g.cells.grow(float64(g.Wrap) * l.cell)
	grid := draw.LineStyle{Color: s.grid, Width: 1}
	for i := -g.Wrap; i <= g.Cols+g.Wrap; i++ {
		x := g.cells.x0 + float64(i)*l.cell
		s.line(grid, [2]float64{x, all.y0}, [2]float64{x, all.y1})
	}
	for i := -g.Wrap; i <= g.Rows+g.Wrap; i++ {
		y := g.cells.y0 + float64(i)*l.cell
		s.line(grid, [2]float64{all.x0, y}, [2]float64{all.x1, y})
	}
	edge := draw.LineStyle{Color: s.muted, Width: 1.25}
	if g.Wrap > 0 {
		edge.Dashes = []vg.Length{5, 4}
	}
	c := g.cells
	s.line(edge, [2]float64{c.x0, c.y0}, [2]float64{c.x1, c.y0}, [2]float64{c.x1, c.y1}, [2]float64{c.x0, c.y1}, [2]float64{c.x0, c.y0})
	if !b.Numbered {
		return
	}
	for col := range g.Cols {
		x, _ := l.disc(l.at(g, 0, col))
		s.label(x, all.y0-gridNumbers/2, strconv.Itoa(col), middle, s.muted)
	}
	for row := range g.Rows {
		_, y := l.disc(l.at(g, row, 0))
		s.label(all.x0-gridNumbers/2, y, strconv.Itoa(row), middle, s.muted)
	}
}

// paintRepeated draws the pieces of a torus once more beyond its edges, as faint rings.
func (b Board) paintRepeated(s *stage, l *boardLayout, g placedGrid) {
	all := g.cells.grow(float64(g.Wrap)*l.cell + 1)
	for _, p := range g.Pieces {
		for _, rows := range []int{-g.Rows, 0, g.Rows} {
			for _, cols := range []int{-g.Cols, 0, g.Cols} {
				cell := l.at(g, p.Row+rows, p.Col+cols)
				kind := b.class(p)
				if rows == 0 && cols == 0 || !cell.inside(all) || kind < 0 {
					continue
				}
				x, y := l.disc(cell)
				s.ring(x, y, pieceRadius, draw.LineStyle{Color: s.muted, Width: 1, Dashes: []vg.Length{2, 3}}, nil)
				s.label(x, y, b.Classes[kind].Sign, middle, s.muted)
			}
		}
	}
}

// paintPiece draws a full disc with its sign, or, crossed out, an empty one.
func (b Board) paintPiece(s *stage, l *boardLayout, g placedGrid, p Piece, looks []fill) {
	cell := l.at(g, p.Row, p.Col)
	x, y := l.disc(cell)
	kind := b.class(p)
	if kind < 0 {
		s.label((cell.x0+cell.x1)/2, (cell.y0+cell.y1)/2, p.Note, middle, s.ink)
		return
	}
	look := looks[kind].ground[s.theme]
	edge := draw.LineStyle{Color: s.muted, Width: 1}
	if !p.Marked {
		s.ring(x, y, pieceRadius, edge, look)
		s.text(x, y, b.Classes[kind].Sign, textStyle{colour: legibleOn(look), anchor: middle, shift: centre})
	} else {
		s.ring(x, y, pieceRadius, draw.LineStyle{Color: look, Width: 2.5}, s.ground)
		s.cross(x, y, pieceRadius)
		s.text(x, y, b.Classes[kind].Sign, textStyle{colour: s.ink, halo: &s.ground, anchor: middle, shift: centre})
	}
	noteX, noteY := note(x, y)
	s.text(noteX, noteY, p.Note, textStyle{colour: s.ink, halo: &s.ground, shift: centre})
}

// ring draws a disc, filled unless fill is nil.
func (s *stage) ring(x, y float64, radius vg.Length, edge draw.LineStyle, fill color.Color) {
	var p vg.Path
	pt := s.at(x, y)
	p.Move(vg.Point{X: pt.X + radius, Y: pt.Y})
	p.Arc(pt, radius, 0, 2*math.Pi)
	p.Close()
	c := s.area(box{0, 0, s.width, s.height})
	if fill != nil {
		c.SetColor(fill)
		c.Fill(p)
	}
	c.SetLineStyle(edge)
	c.Stroke(p)
}

// cross draws the arms of a cross over the edge of a disc, and leaves out its middle, where the sign is.
func (s *stage) cross(x, y, radius float64) {
	from, to := 0.46*radius, 0.95*radius
	for _, d := range [][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		s.line(draw.LineStyle{Color: s.ink, Width: 2.25}, [2]float64{x + from*d[0], y + from*d[1]}, [2]float64{x + to*d[0], y + to*d[1]})
	}
}

// arrow draws a line with a head at its end.
func (s *stage) arrow(points [][2]float64) {
	const length, half = 9.0, 4.5
	if len(points) < 2 {
		return
	}
	tip, before := points[len(points)-1], points[len(points)-2]
	d := math.Hypot(tip[0]-before[0], tip[1]-before[1])
	ux, uy := (tip[0]-before[0])/d, (tip[1]-before[1])/d
	s.line(draw.LineStyle{Color: s.ink, Width: 1.5}, points...)
	back := [2]float64{tip[0] - length*ux, tip[1] - length*uy}
	c := s.area(box{0, 0, s.width, s.height})
	c.FillPolygon(s.ink, []vg.Point{s.at(tip[0]+1.5*ux, tip[1]+1.5*uy), s.at(back[0]-half*uy, back[1]+half*ux), s.at(back[0]+half*uy, back[1]-half*ux)})
}

// legend explains the pieces that there are, and what else is in the grids.
func (b Board) legend(looks []fill) []content.LegendEntry {
	var out []content.LegendEntry
	add := func(e content.LegendEntry, paint func(*stage)) {
		e.Icon, e.DarkIcon = icon(Light, paint), icon(Dark, paint)
		out = append(out, e)
	}
	small := func(s *stage, edge draw.LineStyle, fill color.Color) {
		s.ring(iconWidth/2, iconHeight/2, 7, edge, fill)
	}
	uses := b.uses()
	for i, k := range b.Classes {
		if !uses.classes[k.Value] {
			continue
		}
		look := looks[i].ground
		add(content.LegendEntry{Label: k.Label, Sign: k.Sign}, func(s *stage) {
			small(s, draw.LineStyle{Color: s.muted, Width: 1}, look[s.theme])
		})
	}
	if uses.marks {
		add(content.LegendEntry{Label: b.Mark}, func(s *stage) {
			small(s, draw.LineStyle{Color: s.muted, Width: 2}, nil)
			s.cross(iconWidth/2, iconHeight/2, 8.5)
		})
	}
	if uses.arrows {
		add(content.LegendEntry{Label: b.Arrow}, func(s *stage) {
			s.arrow([][2]float64{{2, iconHeight / 2}, {iconWidth - 4, iconHeight / 2}})
		})
	}
	if uses.shades {
		out = append(out, areaEntry(b.Shade, "", shadedCell, ""))
	}
	return out
}
