package figure

import (
	"fmt"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Board shows pieces on grids of cells, one grid or several side by side, such as a position before and after a move.
//
// It is as wide as its grids need, which may be less than [Width], so that a small one stays large on a phone.
type Board struct {
	// Title says what is shown; required.
	Title string
	// Grids are drawn in reading order, as many in a row as fit; 1 to 16 of them.
	Grids []Grid
	// Classes are the kinds of pieces, at most 6; the sign of a class, 1 or 2 characters, stands on its pieces.
	Classes []Class
	// Note, Tag, Mark, Arrow and Shade say what notes, tags, marks, arrows and shaded cells mean. Each is required
	// where it occurs, and stands in the alternative text, as a name of a column of the data, and in the legend, save
	// those of the notes and tags.
	Note, Tag, Mark, Arrow, Shade string
	// Roomy gives cells room for notes where no piece has one, so that a board that readers fill keeps its size.
	Roomy bool
	// Numbered puts the numbers of rows and columns, from 0, at the edges.
	Numbered bool
}

// Grid is one of a board's grids.
type Grid struct {
	// Name stands above the grid; it may be empty.
	Name string
	// Rows and Cols are the size, at least 1 each. Board.Figure refuses a grid that is too large to read.
	Rows, Cols int
	// Wrap says that the grid is a torus, and how many rows and columns are drawn again, faintly, beyond each edge. 0
	// is a grid with edges.
	Wrap int
	// Pieces stand in cells of their own.
	Pieces []Piece
	// Arrows lead from one piece to another, by their numbers in Pieces; none on a torus.
	Arrows [][2]int
	// Shaded are the rows and columns of cells that are set apart.
	Shaded [][2]int
}

// Piece is one piece, or a text, in a cell of a grid.
type Piece struct {
	Row, Col int
	// Class is the Value of one of the board's classes, or 0 for none: then the note stands alone in the cell.
	Class int
	// Note stands at the lower right of the piece: at most 2 characters.
	Note string
	// Tag stands at the upper right of the piece: at most 3 characters.
	Tag string
	// Marked crosses the piece out.
	Marked bool
}

// Limits of a board that stays readable.
const (
	maxGrids     = 16
	maxBoardRows = 40
	boardKinds   = 6
)

// Figure draws the board. It fails if a field breaks its rule above.
func (b Board) Figure() (content.Figure, error) {
	looks, err := b.check()
	if err != nil {
		return content.Figure{}, err
	}
	l := b.layout()
	f := content.Figure{Title: b.Title, Alt: b.describe(), Data: b.table(), Legend: b.legend(looks)}
	f = finish(f, l.width, l.height, func(s *stage) { b.paint(s, l, looks) })
	f.Box = l.grids[0].cells.content()
	return f, nil
}

func (b Board) check() ([]fill, error) {
	c := checker{kind: "Board"}
	c.name("Title", b.Title)
	c.text("Note", b.Note)
	c.text("Tag", b.Tag)
	c.text("Mark", b.Mark)
	c.text("Arrow", b.Arrow)
	c.text("Shade", b.Shade)
	c.size("Grids", len(b.Grids), 1, maxGrids, "grids")
	c.size("Classes", len(b.Classes), 0, boardKinds, "classes")
	looks := c.outcomes(b.Classes)
	for i, k := range b.Classes {
		n := utf8.RuneCountInString(k.Sign)
		c.require(n == 1 || n == 2, "Classes[%d].Sign is %q; give 1 or 2 characters, which stand on the pieces", i, k.Sign)
	}
	for i, g := range b.Grids {
		b.checkGrid(&c, fmt.Sprintf("Grids[%d]", i), g)
	}
	return looks, c.err
}

func (b Board) checkGrid(c *checker, name string, g Grid) {
	c.text(name+".Name", g.Name)
	c.require(g.Rows >= 1 && g.Cols >= 1, "%s has %s and %s; give at least 1 of each", name, plural.Count(g.Rows, "row"),
		plural.Count(g.Cols, "column"))
	c.require(g.Wrap >= 0 && g.Wrap <= min(g.Rows, g.Cols), "%s.Wrap is %d; give 0 to the shorter side", name, g.Wrap)
	wide, most := g.Cols+2*g.Wrap, b.mostCols()
	fits := g.Cols <= most && wide <= most
	c.require(fits, "%s is %d columns wide with what it repeats; at most %d can be read", name, wide, most)
	c.require(g.Rows <= maxBoardRows, "%s has %d rows; give at most %d", name, g.Rows, maxBoardRows)
	arrows := len(g.Arrows) > 0
	c.require(g.Wrap == 0 || !arrows, "%s has arrows on a torus, where they might lead either way round; leave them out",
		name)
	c.require(b.Arrow != "" || !arrows, "%s has arrows, but Arrow does not say what they mean; name them", name)
	c.require(b.Shade != "" || len(g.Shaded) == 0, "%s has shaded cells, but Shade does not say what they mean; name them",
		name)
	if c.err != nil {
		return
	}
	taken := map[[2]int]bool{}
	for i, p := range g.Pieces {
		cell, piece := [2]int{p.Row, p.Col}, fmt.Sprintf("%s.Pieces[%d]", name, i)
		c.require(g.holds(cell), "%s is in row %d, column %d; rows are 0 to %d, columns 0 to %d", piece, p.Row, p.Col,
			g.Rows-1, g.Cols-1)
		c.require(!taken[cell], "%s shares row %d, column %d; a cell has room for one", piece, p.Row, p.Col)
		taken[cell] = true
		b.checkPiece(c, piece, p)
	}
	for i, a := range g.Arrows {
		ok := a[0] != a[1] && min(a[0], a[1]) >= 0 && max(a[0], a[1]) < len(g.Pieces)
		c.require(ok, "%s.Arrows[%d] leads from piece %d to piece %d; give two of the %d pieces", name, i, a[0], a[1],
			len(g.Pieces))
	}
	for i, cell := range g.Shaded {
		c.require(g.holds(cell), "%s.Shaded[%d] is row %d, column %d, off the grid", name, i, cell[0], cell[1])
	}
}

func (b Board) checkPiece(c *checker, name string, p Piece) {
	c.outcome(name, b.Classes, p.Class)
	c.text(name+".Note", p.Note)
	c.require(utf8.RuneCountInString(p.Note) <= 2, "%s.Note is %q; give at most 2 characters", name, p.Note)
	c.require(p.Note == "" || b.Note != "", "%s has a note, but Note does not say what it means; name it", name)
	c.text(name+".Tag", p.Tag)
	c.require(utf8.RuneCountInString(p.Tag) <= 3, "%s.Tag is %q; give at most 3 characters", name, p.Tag)
	c.require(p.Tag == "" || b.Tag != "" && p.Class != 0, "%s has a tag, but no class or Tag does not say what it means; name both", name)
	explained := b.Mark != "" && p.Class != 0
	c.require(!p.Marked || explained, "%s is marked, but has no class or Mark does not say what it means; name both", name)
}

func (g Grid) holds(cell [2]int) bool {
	return cell[0] >= 0 && cell[0] < g.Rows && cell[1] >= 0 && cell[1] < g.Cols
}
