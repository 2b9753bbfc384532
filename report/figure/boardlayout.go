package figure

import (
	"math"
	"slices"
)

const (
	pieceRadius = 13.0
	plainCell   = 33.0 // side of a cell
	notedCell   = 46.0 // side of a cell with room for a note
	gridGap     = 22.0 // between grids
	gridName    = 24.0 // height of a grid's name
	gridNumbers = 24.0 // room for the numbers of rows, and of columns
)

// boardLayout is where the grids are.
type boardLayout struct {
	cell          float64
	grids         []placedGrid
	width, height float64
}

// placedGrid is a grid with its place: all of it, and the box of its own cells.
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

// mostCols is how many columns fit in the width of a figure.
func (b Board) mostCols() int { return int((Width - 2*outerGap - b.numbers()) / b.cell()) }

// layout places the grids in reading order, in as few rows as they fit in, and these about equally wide.
func (b Board) layout() *boardLayout {
	most := b.place(Width - outerGap)
	for limit := 0.0; ; limit++ {
		if l := b.place(limit); l.height <= most.height || limit >= Width {
			return l
		}
	}
}

// place starts a new row of grids where one would reach beyond a limit.
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

// at returns the box of a cell, which may lie beyond the edges.
func (l *boardLayout) at(g placedGrid, row, col int) box {
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

// centre is the centre of a piece.
func (l *boardLayout) centre(g placedGrid, piece int) pos {
	return l.disc(l.at(g, g.Pieces[piece].Row, g.Pieces[piece].Col))
}

// note returns the middle of the left side of the note of a piece: its lower right.
func note(piece pos) pos { return pos{piece[0] + 0.62*pieceRadius, piece[1] + 1.3*pieceRadius} }

// covers reports whether a disc or its note hides a position.
func (p Piece) covers(disc, at pos) bool {
	n := note(disc)
	beside := p.Note != "" && box{n[0] - 1, n[1] - 8, n[0] + textWidth(p.Note) + 2, n[1] + 8}.contains(at)
	return beside || math.Hypot(at[0]-disc[0], at[1]-disc[1]) <= pieceRadius+2.5
}

// path returns the points of an arrow between two pieces, without what these cover. It is straight, or bowed where a
// third piece stands in the way. Both arrows between two pieces take the same path.
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
			bow = 1.9 * pieceRadius // clears the note of the piece in the way
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
