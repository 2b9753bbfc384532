package figure

import (
	"math"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// shadedCell is the ground of cells that are set apart; their hatching tells them in print.
var shadedCell = fill{both(0xe9eef3, 0x262c35), rising, both(0xc3ccd6, 0x414a56)}

// paint draws from the ground up: cells, lines, arrows, pieces, notes.
func (b Board) paint(s *stage, l *boardLayout, looks []fill) {
	for _, g := range l.grids {
		s.text(pos{g.outer.x0, g.outer.y0 + gridName/2 - 1}, g.Name, textStyle{colour: s.ink, shift: centre})
		for _, cell := range g.Shaded {
			s.cover(l.at(g, cell[0], cell[1]), shadedCell)
		}
		b.paintLines(s, l, g)
		for _, a := range g.Arrows {
			s.arrow(l.path(g, a[0], a[1]))
		}
		b.paintRepeated(s, l, g)
		for _, p := range g.Pieces {
			b.paintPiece(s, l.at(g, p.Row, p.Col), l, p, looks)
		}
	}
}

// paintLines draws the lines between cells, the edge, dashed where the grid goes on, and the numbers.
func (b Board) paintLines(s *stage, l *boardLayout, g placedGrid) {
	all := g.cells.grow(float64(g.Wrap) * l.cell)
	grid := solidLine(s.grid, 1)
	for i := -g.Wrap; i <= g.Cols+g.Wrap; i++ {
		x := g.cells.x0 + float64(i)*l.cell
		s.line(grid, pos{x, all.y0}, pos{x, all.y1})
	}
	for i := -g.Wrap; i <= g.Rows+g.Wrap; i++ {
		y := g.cells.y0 + float64(i)*l.cell
		s.line(grid, pos{all.x0, y}, pos{all.x1, y})
	}
	edge := solidLine(s.muted, 1.25)
	if g.Wrap > 0 {
		edge.Dashes = []pen.Length{5, 4}
	}
	s.outline(g.cells, edge)
	if !b.Numbered {
		return
	}
	for col := range g.Cols {
		s.label(pos{l.disc(l.at(g, 0, col))[0], all.y0 - gridNumbers/2}, strconv.Itoa(col), middle, s.muted)
	}
	for row := range g.Rows {
		s.label(pos{all.x0 - gridNumbers/2, l.disc(l.at(g, row, 0))[1]}, strconv.Itoa(row), middle, s.muted)
	}
}

// paintRepeated draws the pieces of a torus once more beyond its edges, as faint rings.
func (b Board) paintRepeated(s *stage, l *boardLayout, g placedGrid) {
	all := g.cells.grow(float64(g.Wrap)*l.cell + 1)
	faint := pen.LineStyle{Color: s.muted, Width: 1, Dashes: []pen.Length{2, 3}}
	for _, p := range g.Pieces {
		for _, rows := range []int{-g.Rows, 0, g.Rows} {
			for _, cols := range []int{-g.Cols, 0, g.Cols} {
				cell := l.at(g, p.Row+rows, p.Col+cols)
				if rows == 0 && cols == 0 || !cell.inside(all) || p.Class == 0 {
					continue
				}
				s.ring(l.disc(cell), pieceRadius, faint)
				s.label(l.disc(cell), b.sign(p), middle, s.muted)
			}
		}
	}
}

// paintPiece draws a full disc with its sign, or, crossed out, an empty one.
func (b Board) paintPiece(s *stage, cell box, l *boardLayout, p Piece, looks []fill) {
	if p.Class == 0 {
		s.label(cell.middle(), p.Note, middle, s.ink)
		return
	}
	at, look := l.disc(cell), looks[classOf(b.Classes, p.Class)].ground[s.theme]
	sign := textStyle{colour: legibleOn(look), anchor: middle, shift: centre}
	if p.Marked {
		s.disc(at, pieceRadius, s.ground)
		s.ring(at, pieceRadius, solidLine(look, 2.5))
		s.cross(at, pieceRadius)
		sign.colour, sign.halo = s.ink, &s.ground
	} else {
		s.disc(at, pieceRadius, look)
		s.ring(at, pieceRadius, solidLine(s.muted, 1))
	}
	s.text(at, b.sign(p), sign)
	s.text(note(at), p.Note, textStyle{colour: s.ink, halo: &s.ground, shift: centre})
	s.text(pos{cell.x1 - 2, at[1] - 0.6*pieceRadius}, p.Tag, textStyle{colour: s.ink, halo: &s.ground, anchor: end, shift: centre})
}

// cross draws the arms of a cross over the edge of a disc, and leaves out its middle, where the sign is.
func (s *stage) cross(at pos, radius float64) {
	from, to := 0.46*radius, 0.95*radius
	for _, d := range []pos{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		s.line(solidLine(s.ink, 2.25), pos{at[0] + from*d[0], at[1] + from*d[1]}, pos{at[0] + to*d[0], at[1] + to*d[1]})
	}
}

// arrow draws a line with a head at its end.
func (s *stage) arrow(points []pos) {
	const length, half = 9.0, 4.5
	if len(points) < 2 {
		return
	}
	tip, before := points[len(points)-1], points[len(points)-2]
	d := math.Hypot(tip[0]-before[0], tip[1]-before[1])
	ux, uy := (tip[0]-before[0])/d, (tip[1]-before[1])/d
	s.line(solidLine(s.ink, 1.5), points...)
	x, y := tip[0]-length*ux, tip[1]-length*uy
	s.fill(s.ink, pos{tip[0] + 1.5*ux, tip[1] + 1.5*uy}, pos{x - half*uy, y + half*ux}, pos{x + half*uy, y - half*ux})
}

// legend explains the pieces that there are, and what else is in the grids.
func (b Board) legend(looks []fill) []content.LegendEntry {
	var out []content.LegendEntry
	add := func(e content.LegendEntry, paint func(*stage)) { out = append(out, drawnEntry(e, paint)) }
	uses := b.uses()
	for i, k := range b.Classes {
		if uses.classes[k.Value] {
			add(content.LegendEntry{Label: k.Label, Sign: k.Sign}, func(s *stage) {
				s.disc(iconMiddle, 7, looks[i].ground[s.theme])
				s.ring(iconMiddle, 7, solidLine(s.muted, 1))
			})
		}
	}
	if uses.marks {
		add(content.LegendEntry{Label: b.Mark}, func(s *stage) {
			s.ring(iconMiddle, 7, solidLine(s.muted, 2))
			s.cross(iconMiddle, 8.5)
		})
	}
	if uses.arrows {
		add(content.LegendEntry{Label: b.Arrow}, func(s *stage) {
			s.arrow([]pos{{2, iconHeight / 2}, {iconWidth - 4, iconHeight / 2}})
		})
	}
	if uses.shades {
		out = append(out, areaEntry(b.Shade, "", shadedCell, ""))
	}
	return out
}
