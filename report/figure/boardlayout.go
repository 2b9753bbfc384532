package figure

import "math"

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

// noted reports whether a piece has a note beside it.
func (b Board) noted() bool {
	for _, g := range b.Grids {
		for _, p := range g.Pieces {
			if p.Class != 0 && p.Note != "" {
				return true
			}
		}
	}
	return false
}

func (b Board) cell() float64 {
	if b.noted() {
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
	x, y, below := outerGap, outerGap, 0.0
	for _, g := range b.Grids {
		w := b.numbers() + float64(g.Cols+2*g.Wrap)*l.cell
		h := b.numbers() + float64(g.Rows+2*g.Wrap)*l.cell
		name := 0.0
		if g.Name != "" {
			name = gridName
		}
		wide := max(w, math.Ceil(textWidth(g.Name)))
		if x > outerGap && x+wide > limit {
			x, y = outerGap, below+gridGap
		}
		p := placedGrid{Grid: g, outer: box{x, y, x + wide, y + name + h}}
		wrap := float64(g.Wrap) * l.cell
		p.cells.x0, p.cells.y0 = x+b.numbers()+wrap, y+name+b.numbers()+wrap
		p.cells.x1, p.cells.y1 = p.cells.x0+float64(g.Cols)*l.cell, p.cells.y0+float64(g.Rows)*l.cell
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
func (l *boardLayout) disc(b box) (x, y float64) {
	if l.cell == notedCell {
		return b.x0 + pieceRadius + 6, b.y0 + pieceRadius + 4
	}
	return (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2
}

// note returns the middle of the left side of the note of a piece at x, y: its lower right.
func note(x, y float64) (float64, float64) { return x + 0.62*pieceRadius, y + 1.3*pieceRadius }

// covered reports whether a disc or its note hides a position.
func covered(p Piece, x, y, atX, atY float64) bool {
	const clear = pieceRadius + 2.5
	noteX, noteY := note(x, y)
	b := box{noteX - 1, noteY - 8, noteX + textWidth(p.Note) + 2, noteY + 8}
	return math.Hypot(atX-x, atY-y) <= clear || p.Note != "" && atX > b.x0 && atX < b.x1 && atY > b.y0 && atY < b.y1
}

// path returns the points of an arrow between two pieces, without what these cover. It is straight, or bowed where
// a third piece stands in the way. Both arrows between two pieces take the same path.
func (l *boardLayout) path(g placedGrid, from, to int) [][2]float64 {
	const steps = 48
	low, high := min(from, to), max(from, to)
	ax, ay := l.centre(g, low)
	bx, by := l.centre(g, high)
	dx, dy := bx-ax, by-ay
	length := math.Hypot(dx, dy)
	bow := 0.0
	for i := range g.Pieces {
		x, y := l.centre(g, i)
		along := ((x-ax)*dx + (y-ay)*dy) / length
		beside := math.Abs((x-ax)*dy-(y-ay)*dx) / length
		if i != low && i != high && g.Pieces[i].Class != 0 && along > 0 && along < length && beside < pieceRadius {
			bow = 1.9 * pieceRadius // clears the note of the piece in the way
		}
	}
	var points [][2]float64
	for i := range steps + 1 {
		t := float64(i) / steps
		off := bow * 4 * t * (1 - t) / length
		p := [2]float64{ax + t*dx + off*dy, ay + t*dy - off*dx}
		if !covered(g.Pieces[low], ax, ay, p[0], p[1]) && !covered(g.Pieces[high], bx, by, p[0], p[1]) {
			points = append(points, p)
		}
	}
	if from == high {
		for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
			points[i], points[j] = points[j], points[i]
		}
	}
	return points
}

func (l *boardLayout) centre(g placedGrid, piece int) (x, y float64) {
	return l.disc(l.at(g, g.Pieces[piece].Row, g.Pieces[piece].Col))
}
