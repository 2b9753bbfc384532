package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Board shows pieces on one or several grids of cells side by side, such as a position before and after a move.
//
// The board is only as wide as its grids, so it may be narrower than [Width]. A small board therefore appears large on
// a phone.
type Board struct {
	// Title says what the board shows; required.
	Title string `rule:"name"`
	// Grids are drawn in reading order, with as many in a row as fit; 1 to 16 grids.
	Grids []Grid `rule:"1-16 grids"`
	// Classes are the kinds of pieces, at most 6. Each piece has the sign of its class, 1 or 2 characters.
	Classes []Class `rule:"0-6 classes"`
	// Note, Tag, Mark, Arrow and Shade describe the meaning of notes, tags, marks, arrows and shaded cells. Each is
	// required if the board uses it. Each appears in the alternative text and, except Shade, as the name of a column of
	// the data. Classes, Mark, Arrow, Ring and Shade are written in free cells, next to what they name. If a name has
	// no room, or cells have colours, all are in a legend.
	Note, Tag, Mark, Arrow, Shade string
	// Ring and Heat describe the meaning of rings and of the colours of cells. Each is required if the board uses it.
	Ring, Heat string
	// Roomy gives cells room for notes even if no piece has a note, so that a board keeps its size while readers fill
	// it.
	Roomy bool
	// Numbered writes row and column numbers, from 0, at the edges.
	Numbered bool
}

// Grid is one of a board's grids.
type Grid struct {
	// Name is written above the grid; it may be empty.
	Name string
	// Rows and Cols are the size, at least 1 each. Board.Figure returns an error for a grid that is too large to read.
	Rows, Cols int
	// Wrap is the number of rows and columns that are repeated, faintly, beyond each edge. If it is above 0, the grid
	// is a torus; 0 means a grid with edges.
	Wrap int
	// Pieces are the pieces, each in a different cell.
	Pieces []Piece
	// Arrows lead from one piece to another, given by their indices in Pieces; a torus has none.
	Arrows [][2]int
	// Shaded lists the row and column of each shaded cell.
	Shaded [][2]int
	// Heat has a number for each cell, row by row, from 0 (no colour) to 1 (darkest); it may be empty.
	Heat []float64 `rule:"share"`
}

// Piece is one piece, or a text, in a cell of a grid.
type Piece struct {
	Row, Col int
	// Class is the Value of one of the board's classes, or 0 for a cell with only a note.
	Class int
	// Note is written at the lower right of the piece, with at most 2 characters, or 3 if the cell has no piece.
	Note string
	// Text is written on the piece instead of its class's sign, with at most 3 characters.
	Text string
	// Tag is written at the upper right of the piece, with at most 3 characters.
	Tag string `rule:"3 characters"`
	// Marked crosses the piece out. Ringed puts a ring around it.
	Marked, Ringed bool
}

// maxBoardRows is the maximum number of rows of a readable grid.
const maxBoardRows = 40

// Figure draws the board. It fails if a field breaks its rule above.
func (b Board) Figure() (content.Figure, error) { return drawn(b, b) }

func (b Board) figure() content.Figure {
	l, looks := b.layout(), looks(b.Classes)
	f := content.Figure{Title: b.Title, Alt: b.describe(), Data: b.table()}
	labels, named := b.labels(l, 0)
	if !named { // there may be room in a line below the board
		if labels, named = b.labels(l, labelHeight+10); named {
			l.height += labelHeight + 10
		}
	}
	if !named {
		f.Legend = b.legend(looks)
	}
	f = finish(f, l.width, l.height, func(s *stage) {
		b.paint(s, l, looks)
		s.labels(labels)
	})
	f.Box = l.grids[0].cells.content()
	return f
}

func (b Board) check(c *checker) {
	c.outcomes(b.Classes)
	for i, k := range b.Classes {
		n := utf8.RuneCountInString(k.Sign)
		c.require(n == 1 || n == 2, "Classes[%d].Sign is %q; give 1 or 2 characters, which are drawn on the pieces", i,
			k.Sign)
	}
	for i, g := range b.Grids {
		b.checkGrid(c, fmt.Sprintf("Grids[%d]", i), g)
	}
}

func (b Board) checkGrid(c *checker, name string, g Grid) {
	c.require(g.Rows >= 1 && g.Cols >= 1, "%s has %s and %s; give at least 1 of each", name,
		plural.Count(g.Rows, "row"), plural.Count(g.Cols, "column"))
	c.require(g.Wrap >= 0 && g.Wrap <= min(g.Rows, g.Cols), "%s.Wrap is %d; give 0 to the shorter side", name, g.Wrap)
	wide, most := g.Cols+2*g.Wrap, b.MostCols()
	fits := g.Cols <= most && wide <= most
	c.require(fits, "%s is %d columns wide with the repeated ones; at most %d can be read", name, wide, most)
	c.require(g.Rows <= maxBoardRows, "%s has %d rows; give at most %d", name, g.Rows, maxBoardRows)
	arrows := len(g.Arrows) > 0
	c.require(g.Wrap == 0 || !arrows, "%s has arrows on a torus, where they might go either way round; leave them "+
		"out", name)
	c.require(b.Arrow != "" || !arrows, "%s has arrows, but Arrow does not say what they mean; name them", name)
	c.require(b.Shade != "" || len(g.Shaded) == 0, "%s has shaded cells, but Shade does not say what they mean; name "+
		"them", name)
	c.require(len(g.Heat) == 0 || len(g.Heat) == g.Rows*g.Cols && b.Heat != "",
		"%s.Heat has %s, and Heat is %q; give one for each cell and say in Heat what they mean, or give none", name,
		plural.Count(len(g.Heat), "colour"), b.Heat)
	if c.err != nil {
		return
	}
	taken := map[[2]int]bool{}
	for i, p := range g.Pieces {
		cell, piece := [2]int{p.Row, p.Col}, fmt.Sprintf("%s.Pieces[%d]", name, i)
		c.require(g.contains(cell), "%s is in row %d, column %d; rows are 0 to %d, columns 0 to %d", piece, p.Row,
			p.Col, g.Rows-1, g.Cols-1)
		c.require(!taken[cell], "%s shares row %d, column %d with another piece; a cell has room for only one",
			piece, p.Row, p.Col)
		taken[cell] = true
		b.checkPiece(c, piece, p)
	}
	for i, a := range g.Arrows {
		ok := a[0] != a[1] && min(a[0], a[1]) >= 0 && max(a[0], a[1]) < len(g.Pieces)
		c.require(ok, "%s.Arrows[%d] leads from piece %d to piece %d; give two of the %d pieces", name, i, a[0], a[1],
			len(g.Pieces))
	}
	for i, cell := range g.Shaded {
		c.require(g.contains(cell), "%s.Shaded[%d] is row %d, column %d, outside the grid", name, i, cell[0], cell[1])
	}
}

func (b Board) checkPiece(c *checker, name string, p Piece) {
	c.outcome(name, b.Classes, p.Class)
	letters := 2
	if p.Class == 0 {
		letters = 3
	}
	c.characters(name+".Note", p.Note, letters)
	c.require(utf8.RuneCountInString(p.Text) <= 3 && (p.Text == "" || p.Class != 0),
		"%s.Text is %q; give at most 3 characters, on a piece with a class", name, p.Text)
	c.require(!p.Ringed || b.Ring != "", "%s has a ring, but Ring does not say what it means; name it", name)
	c.require(p.Note == "" || b.Note != "", "%s has a note, but Note does not say what it means; name it", name)
	c.require(p.Tag == "" || b.Tag != "" && p.Class != 0, "%s has a tag, but no class or Tag does not say what it "+
		"means; name both", name)
	explained := b.Mark != "" && p.Class != 0
	c.require(!p.Marked || explained, "%s is marked, but has no class or Mark does not say what it means; name both",
		name)
}

func (g Grid) contains(cell [2]int) bool {
	return cell[0] >= 0 && cell[0] < g.Rows && cell[1] >= 0 && cell[1] < g.Cols
}

const (
	pieceRadius = 13.0
	plainCell   = 33.0 // side of a cell
	notedCell   = 46.0 // side of a cell with room for a note
	gridGap     = 22.0 // between grids
	gridName    = 24.0 // height of a grid's name
	gridNumbers = 24.0 // room for the numbers of rows, and of columns
)

// boardLayout contains the positions of the grids.
type boardLayout struct {
	cell          float64
	grids         []placedGrid
	width, height float64
}

// placedGrid is a grid with two boxes: one around everything that belongs to the grid's drawing, and one around its own
// cells.
type placedGrid struct {
	Grid
	outer, cells box
}

func (b Board) cell() float64 {
	if b.Roomy || b.uses().noted {
		return notedCell
	}
	return plainCell
}

func (b Board) numbers() float64 {
	if b.Numbered {
		return gridNumbers
	}
	return 0
}

// MostCols returns the number of columns that fit in the width of a figure. It counts the repeated columns of a torus.
// It depends on Roomy, on Numbered, and on whether a piece has a note.
func (b Board) MostCols() int { return int((Width - 2*outerGap - b.numbers()) / b.cell()) }

// layout places the grids in reading order, in as few rows as possible. The rows have similar widths.
func (b Board) layout() *boardLayout {
	most := b.place(Width - outerGap)
	for limit := 0.0; ; limit++ {
		if l := b.place(limit); l.height <= most.height || limit >= Width {
			return l
		}
	}
}

// place puts grids side by side, and starts a new row when the next grid would exceed the limit.
func (b Board) place(limit float64) *boardLayout {
	l := &boardLayout{cell: b.cell()}
	numbers := b.numbers()
	x, y, below := outerGap, outerGap, 0.0
	for _, g := range b.Grids {
		name, wrap := 0.0, float64(g.Wrap)*l.cell
		if g.Name != "" {
			name = gridName
		}
		w, h := float64(g.Cols)*l.cell, float64(g.Rows)*l.cell
		wide := max(numbers+w+2*wrap, math.Ceil(textWidth(g.Name)))
		if x > outerGap && x+wide > limit {
			x, y = outerGap, below+gridGap
		}
		left, top := x+numbers+wrap, y+name+numbers+wrap
		p := placedGrid{Grid: g, outer: box{x, y, x + wide, top + h + wrap}, cells: box{left, top, left + w, top + h}}
		l.grids = append(l.grids, p)
		l.width, below = max(l.width, p.outer.x1+outerGap), max(below, p.outer.y1)
		x = p.outer.x1 + gridGap
	}
	l.height = below + outerGap
	return l
}

// cellBox returns the box of a cell, which may be beyond the edges.
func (l *boardLayout) cellBox(g placedGrid, row, col int) box {
	x, y := g.cells.x0+float64(col)*l.cell, g.cells.y0+float64(row)*l.cell
	return box{x, y, x + l.cell, y + l.cell}
}

// disc returns the centre of the piece in a cell.
func (l *boardLayout) disc(b box) pos {
	if l.cell == notedCell {
		return pos{b.x0 + pieceRadius + 6, b.y0 + pieceRadius + 4}
	}
	return b.middle()
}

// centre returns the centre of a piece.
func (l *boardLayout) centre(g placedGrid, piece int) pos {
	return l.disc(l.cellBox(g, g.Pieces[piece].Row, g.Pieces[piece].Col))
}

// note returns the middle of the left side of a piece's note, which is at its lower right.
func note(piece pos) pos { return pos{piece[0] + 0.62*pieceRadius, piece[1] + 1.3*pieceRadius} }

// covers reports whether a piece with its disc at the given place, or its note, covers a position.
func (p Piece) covers(disc, at pos) bool {
	n := note(disc)
	beside := p.Note != "" && box{n[0] - 1, n[1] - 8, n[0] + textWidth(p.Note) + 2, n[1] + 8}.contains(at)
	return beside || math.Hypot(at[0]-disc[0], at[1]-disc[1]) <= pieceRadius+2.5
}

// path returns the points of an arrow between two pieces, without the points that the pieces or their notes cover. The
// path is straight, or curved if a third piece is in the way. The two arrows between two pieces have the same path.
func (l *boardLayout) path(g placedGrid, from, to int) []pos {
	const steps = 48
	low, high := min(from, to), max(from, to)
	a, b := l.centre(g, low), l.centre(g, high)
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := math.Hypot(dx, dy)
	bow := 0.0
	for i, p := range g.Pieces {
		c := l.centre(g, i)
		along := ((c[0]-a[0])*dx + (c[1]-a[1])*dy) / length
		beside := math.Abs((c[0]-a[0])*dy-(c[1]-a[1])*dx) / length
		if i != low && i != high && p.Class != 0 && along > 0 && along < length && beside < pieceRadius {
			bow = 1.9 * pieceRadius // enough to avoid the note of the piece in the way
		}
	}
	var path []pos
	for i := range steps + 1 {
		t := float64(i) / steps
		off := bow * 4 * t * (1 - t) / length
		p := pos{a[0] + t*dx + off*dy, a[1] + t*dy - off*dx}
		if !g.Pieces[low].covers(a, p) && !g.Pieces[high].covers(b, p) {
			path = append(path, p)
		}
	}
	if from == high {
		slices.Reverse(path)
	}
	return path
}

// shadedCell is the look of shaded cells; the hatching distinguishes them in print.
var shadedCell = fill{both(0xe9eef3, 0x262c35), rising, both(0xc3ccd6, 0x414a56)}

// paint draws the layers from the bottom to the top: cells, lines, arrows, pieces, notes.
func (b Board) paint(s *stage, l *boardLayout, looks []fill) {
	for _, g := range l.grids {
		s.text(pos{g.outer.x0, g.outer.y0 + gridName/2 - 1}, g.Name, textStyle{colour: s.ink, shift: centre})
		for _, cell := range g.Shaded { // fill all cells before hatching any: each becomes one path
			s.fill(shadedCell.ground[s.theme], l.cellBox(g, cell[0], cell[1]).corners()...)
		}
		for _, cell := range g.Shaded {
			s.hatch(shadedCell, hatch(shadedCell.pattern, l.cellBox(g, cell[0], cell[1]), anywhere))
		}
		for cell, v := range g.Heat {
			if v > 0 {
				s.fill(heated(v), l.cellBox(g, cell/g.Cols, cell%g.Cols).corners()...)
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

// paintLines draws the lines between cells, the edge (dashed on a torus) and the numbers.
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
		edge.Dashes = []float64{5, 4}
	}
	s.outline(g.cells, edge)
	if !b.Numbered {
		return
	}
	for col := range g.Cols {
		s.label(pos{l.disc(l.cellBox(g, 0, col))[0], all.y0 - gridNumbers/2}, strconv.Itoa(col), middle, s.muted)
	}
	for row := range g.Rows {
		s.label(pos{all.x0 - gridNumbers/2, l.disc(l.cellBox(g, row, 0))[1]}, strconv.Itoa(row), middle, s.muted)
	}
}

// paintRepeated draws the pieces of a torus again beyond its edges, as faint rings.
func (b Board) paintRepeated(s *stage, l *boardLayout, g placedGrid) {
	all := g.cells.grow(float64(g.Wrap)*l.cell + 1)
	faint := lineStyle{Color: s.muted, Width: 1, Dashes: []float64{2, 3}}
	for _, p := range g.Pieces {
		for _, rows := range []int{-g.Rows, 0, g.Rows} {
			for _, cols := range []int{-g.Cols, 0, g.Cols} {
				cell := l.cellBox(g, p.Row+rows, p.Col+cols)
				if rows == 0 && cols == 0 || !cell.inside(all) || p.Class == 0 {
					continue
				}
				s.ring(l.disc(cell), pieceRadius, faint)
				s.label(l.disc(cell), b.sign(p), middle, s.muted)
			}
		}
	}
}

// heated returns the colour of a cell, which is the same on light and dark pages.
func heated(v float64) color.RGBA { return viridisAt(1 - v) }

// paintPiece draws a piece as a filled disc with its sign. A crossed-out piece has an empty disc, and a piece without a
// class has only its note.
func (b Board) paintPiece(s *stage, l *boardLayout, g placedGrid, p Piece, looks []fill) {
	cell := l.cellBox(g, p.Row, p.Col)
	if p.Ringed {
		s.ring(l.disc(cell), pieceRadius+2, ringLine(s))
	}
	if p.Class == 0 {
		ink := s.ink
		if len(g.Heat) > 0 && g.Heat[p.Row*g.Cols+p.Col] > 0 {
			ink = legibleOn(heated(g.Heat[p.Row*g.Cols+p.Col]))
		}
		s.label(cell.middle(), p.Note, middle, ink)
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
	s.text(at, cmp.Or(p.Text, b.sign(p)), sign)
	s.text(note(at), p.Note, textStyle{colour: s.ink, halo: &s.ground, shift: centre})
	s.text(pos{cell.x1 - 2, at[1] - 0.6*pieceRadius}, p.Tag, textStyle{
		colour: s.ink, halo: &s.ground, anchor: end,
		shift: centre,
	})
}

func ringLine(s *stage) lineStyle {
	return lineStyle{Color: s.ink, Width: 2, Dashes: []float64{4, 2.5}}
}

// cross draws the arms of a cross over the edge of a disc, without the middle, where the sign is.
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

// labels returns the names of the classes that occur, and the meanings of marks, arrows, rings and shaded cells, each
// next to what it names. It reports whether all have room; if not, it returns no labels. The given amount of room is
// below the lowest grids.
func (b Board) labels(l *boardLayout, below float64) (labels []placedLabel, ok bool) {
	if b.uses().heats {
		return nil, false
	}
	var rooms []*placer
	of := map[string][][]target{} // by name and grid
	for i, g := range l.grids {
		room := &placer{within: g.cells.grow(-2)}
		if g.outer.y1 > l.height-2*outerGap {
			room.within.y1 += below
			room.edges = append(room.edges, box{g.cells.x0, g.cells.y1, g.cells.x1, g.cells.y1 + 1})
		}
		rooms = append(rooms, room)
		add := func(name string, t target) {
			for len(of[name]) <= i {
				of[name] = append(of[name], nil)
			}
			of[name][i] = append(of[name][i], t)
		}
		for _, p := range g.Pieces {
			cell := l.cellBox(g, p.Row, p.Col)
			at := l.disc(cell)
			room.taken = append(room.taken, p.ground(cell, at)...)
			disc := target{at, pieceRadius}
			if p.Class != 0 {
				add(named(b.Classes, p.Class).Label, disc)
			}
			if p.Marked {
				add(b.Mark, disc)
			}
			if p.Ringed {
				add(b.Ring, disc)
			}
		}
		for _, a := range g.Arrows {
			path := l.path(g, a[0], a[1])
			room.addLine(0, path)
			if len(path) > 0 {
				add(b.Arrow, target{path[len(path)/2], 2})
			}
		}
		for _, cell := range g.Shaded {
			add(b.Shade, target{at: l.cellBox(g, cell[0], cell[1]).middle()})
		}
	}
	names := []string{}
	for _, k := range b.Classes {
		names = append(names, k.Label)
	}
	for _, name := range append(names, b.Mark, b.Ring, b.Arrow, b.Shade) {
		if len(of[name]) > 0 && !nameIn(rooms, &labels, of[name], name) {
			return nil, false
		}
	}
	return labels, true
}

// ground returns the boxes that a piece, its note and its tag cover. The piece is in a cell, with its middle at the
// given place.
func (p Piece) ground(cell box, at pos) []box {
	if p.Class == 0 {
		return []box{cell}
	}
	out := []box{boxAt(at, 2*pieceRadius+3, 2*pieceRadius+3)}
	if n := note(at); p.Note != "" {
		out = append(out, box{n[0] - 2, n[1] - 9, n[0] + textWidth(p.Note) + 2, n[1] + 9})
	}
	if p.Tag != "" {
		out = append(out, box{at[0], cell.y0, cell.x1, at[1]})
	}
	return out
}

// legend returns entries for the classes that occur, and for marks, arrows, rings, heat and shaded cells.
func (b Board) legend(looks []fill) []content.LegendEntry {
	var out []content.LegendEntry
	uses := b.uses()
	for i, k := range b.Classes {
		if uses.classes[k.Value] {
			out = append(out, drawnEntry(content.LegendEntry{Label: k.Label, Sign: k.Sign}, func(s *stage) {
				s.disc(iconMiddle, 7, looks[i].ground[s.theme])
				s.ring(iconMiddle, 7, solidLine(s.muted, 1))
			}))
		}
	}
	for _, e := range []struct {
		used  bool
		label string
		paint func(s *stage)
	}{
		{uses.marks, b.Mark, func(s *stage) {
			s.ring(iconMiddle, 7, solidLine(s.muted, 2))
			s.cross(iconMiddle, 8.5)
		}},
		{uses.arrows, b.Arrow, func(s *stage) { s.arrow([]pos{{2, iconHeight / 2}, {iconWidth - 4, iconHeight / 2}}) }},
		{uses.rings, b.Ring, func(s *stage) { s.ring(iconMiddle, 7, ringLine(s)) }},
		{uses.heats, b.Heat, func(s *stage) {
			const steps = 7
			for i := range steps {
				x := 1 + (iconWidth-2)*float64(i)/steps
				s.fill(heated(float64(i+1)/steps), box{x, 2, x + (iconWidth-2.0)/steps, iconHeight - 2}.corners()...)
			}
		}},
	} {
		if e.used {
			out = append(out, drawnEntry(content.LegendEntry{Label: e.label}, e.paint))
		}
	}
	if uses.shades {
		out = append(out, areaEntry(b.Shade, "", shadedCell, ""))
	}
	return out
}

// boardUses records what occurs on a board.
type boardUses struct {
	notes, tags, marks, arrows, shades, rings, heats bool

	noted   bool // a piece has a note
	classes map[int]bool
}

func (b Board) uses() boardUses {
	u := boardUses{classes: map[int]bool{}}
	for _, g := range b.Grids {
		u.arrows = u.arrows || len(g.Arrows) > 0
		u.shades = u.shades || len(g.Shaded) > 0
		u.heats = u.heats || len(g.Heat) > 0
		for _, p := range g.Pieces {
			u.notes = u.notes || p.Note != ""
			u.tags = u.tags || p.Tag != ""
			u.noted = u.noted || (p.Note != "" || p.Tag != "") && p.Class != 0
			u.marks = u.marks || p.Marked
			u.rings = u.rings || p.Ringed
			u.classes[p.Class] = true
		}
	}
	return u
}

// mostListed is the maximum number of a grid's arrows that the alternative text lists one by one.
const mostListed = 24

// describe returns the alternative text: for each grid its rows, arrows and shaded cells.
func (b Board) describe() string {
	text := "Rows and columns are numbered from 0."
	if n := len(b.Grids); n > 1 {
		text = fmt.Sprintf("%d grids. ", n) + text
	}
	if b.uses().notes {
		text += fmt.Sprintf(" After a colon: %s.", b.Note)
	}
	for i, g := range b.Grids {
		name, torus := content.Capital(g.Name), ""
		switch {
		case name == "" && len(b.Grids) == 1:
			name = "Grid"
		case name == "":
			name = fmt.Sprintf("Grid %d", i+1)
		}
		if g.Wrap > 0 {
			torus = " on a torus"
		}
		text += fmt.Sprintf(" %s, %d by %d cells%s:%s", name, g.Rows, g.Cols, torus, b.describeRows(g))
		if n := len(g.Arrows); n > 0 && n <= mostListed {
			text += fmt.Sprintf(" Arrows (%s): %s.", b.Arrow, content.List(b.arrows(g)))
		}
		if n := len(g.Shaded); n > 0 {
			text += fmt.Sprintf(" %s: %s.", content.Capital(b.Shade), cellCount(n))
		}
	}
	return text
}

// describeRows lists the pieces of each row that has pieces.
func (b Board) describeRows(g Grid) string {
	rows := make([][]string, g.Rows)
	for _, p := range slices.SortedFunc(slices.Values(g.Pieces), func(p, q Piece) int { return p.Col - q.Col }) {
		part := fmt.Sprintf("%s in column %d", b.spoken(p), p.Col)
		for _, more := range []struct {
			is   bool
			text string
		}{
			{p.Note != "", ": " + p.Note},
			{p.Tag != "", " (" + b.Tag + ": " + p.Tag + ")"},
			{p.Text != "", ": " + p.Text},
			{p.Marked, " (" + b.Mark + ")"},
			{p.Ringed, " (" + b.Ring + ")"},
		} {
			if more.is {
				part += more.text
			}
		}
		rows[p.Row] = append(rows[p.Row], strings.TrimSpace(part))
	}
	text := ""
	for row, pieces := range rows {
		if len(pieces) > 0 {
			text += fmt.Sprintf(" Row %d: %s.", row, strings.Join(pieces, ", "))
		}
	}
	return cmp.Or(text, " empty.")
}

// spoken returns the name of a piece for screen readers: its sign if all signs are letters, as for armies, otherwise
// its label.
func (b Board) spoken(p Piece) string {
	for _, c := range b.Classes {
		if strings.ContainsFunc(c.Sign, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return named(b.Classes, p.Class).Label
		}
	}
	return b.sign(p)
}

// sign returns the sign of a piece's class.
func (b Board) sign(p Piece) string { return named(b.Classes, p.Class).Sign }

// arrows lists the arrows as "A(0, 1) to B(1, 2)".
func (b Board) arrows(g Grid) []string {
	out := make([]string, len(g.Arrows))
	for i, a := range g.Arrows {
		out[i] = b.placeName(g.Pieces[a[0]]) + " to " + b.placeName(g.Pieces[a[1]])
	}
	return out
}

func (b Board) placeName(p Piece) string { return fmt.Sprintf("%s(%d, %d)", b.sign(p), p.Row, p.Col) }

// table returns a row for each piece. The row names the pieces from which arrows lead to it.
func (b Board) table() content.Records {
	out := content.Records{Header: []string{"grid", "row", "column", "piece"}}
	for i, g := range b.Grids {
		name := cmp.Or(g.Name, strconv.Itoa(i+1))
		for _, p := range g.Pieces {
			out.Add(name, p.Row, p.Col, b.sign(p))
		}
	}
	column := func(used bool, name string, cell func(g Grid, piece int) string) {
		if !used {
			return
		}
		out.Header = append(out.Header, name)
		row := 0
		for _, g := range b.Grids {
			for i := range g.Pieces {
				out.Rows[row] = append(out.Rows[row], cell(g, i))
				row++
			}
		}
	}
	uses := b.uses()
	column(uses.notes, b.Note, func(g Grid, i int) string { return g.Pieces[i].Note })
	column(uses.tags, b.Tag, func(g Grid, i int) string { return g.Pieces[i].Tag })
	yes := map[bool]string{true: "yes", false: "no"}
	column(uses.marks, b.Mark, func(g Grid, i int) string { return yes[g.Pieces[i].Marked] })
	column(uses.rings, b.Ring, func(g Grid, i int) string { return yes[g.Pieces[i].Ringed] })
	column(uses.heats, b.Heat, func(g Grid, i int) string { return cmp.Or(g.Pieces[i].Text, g.Pieces[i].Note) })
	column(uses.arrows, b.Arrow+", from", func(g Grid, i int) string {
		var from []string
		for _, a := range g.Arrows {
			if a[1] == i {
				from = append(from, b.placeName(g.Pieces[a[0]]))
			}
		}
		return strings.Join(from, " ")
	})
	return out
}
