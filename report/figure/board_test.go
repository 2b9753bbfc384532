package figure

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var kinds = []Class{
	{Value: 1, Label: "army A", Sign: "A", Swatch: Blue},
	{Value: 2, Label: "army B", Sign: "B", Swatch: Orange},
}

// sampleBoard has every kind of mark: notes, the dead, arrows past a piece and both ways, shaded cells and numbers.
func sampleBoard() Board {
	return Board{
		Title: "A line of three, and a text", Classes: kinds, Numbered: true,
		Note: "enemies", Mark: "dies", Arrow: "killed by", Shade: "in range",
		Grids: []Grid{
			{
				Name: "before", Rows: 3, Cols: 4,
				Pieces: []Piece{{0, 0, 1, "1", "", true}, {0, 1, 2, "10", "", false}, {0, 2, 2, "20", "", true}, {2, 3, 1, "", "", false}},
				Arrows: [][2]int{{0, 2}, {2, 0}, {1, 0}, {3, 2}},
			},
			{Name: "a text", Rows: 2, Cols: 3, Pieces: []Piece{{Row: 0, Col: 1, Note: "5"}}, Shaded: [][2]int{{0, 1}, {1, 2}}},
		},
	}
}

func sampleTorus() Board {
	return Board{Title: "Across the edge", Classes: kinds, Grids: []Grid{
		{Rows: 3, Cols: 5, Wrap: 2, Pieces: []Piece{
			{Row: 0, Col: 0, Class: 1},
			{Row: 2, Col: 4, Class: 2},
			{Row: 1, Col: 2, Class: 1},
		}},
	}}
}

// drawBoard makes a random board within the limits.
func drawBoard(t *rapid.T) Board {
	b := Board{
		Title: "t", Classes: kinds, Note: "n", Mark: "m", Arrow: "a", Shade: "s",
		Numbered: rapid.Bool().Draw(t, "numbered"),
	}
	for range rapid.IntRange(1, 6).Draw(t, "grids") {
		g := Grid{
			Name: rapid.SampledFrom([]string{"", "focus", "a long name of a grid"}).Draw(t, "name"),
			Rows: rapid.IntRange(1, 5).Draw(t, "rows"), Cols: rapid.IntRange(1, 7).Draw(t, "cols"),
		}
		if rapid.Bool().Draw(t, "torus") {
			g.Wrap = rapid.IntRange(0, min(g.Rows, g.Cols, 2)).Draw(t, "wrap")
		}
		for _, cell := range rapid.SliceOfNDistinct(rapid.IntRange(0, g.Rows*g.Cols-1), 0, 9, rapid.ID[int]).Draw(t,
			"cells") {
			class := rapid.IntRange(0, 2).Draw(t, "class")
			g.Pieces = append(g.Pieces, Piece{
				Row: cell / g.Cols, Col: cell % g.Cols, Class: class,
				Note:   rapid.SampledFrom([]string{"", "1", "WW"}).Draw(t, "note"),
				Marked: class > 0 && rapid.Bool().Draw(t, "marked"),
			})
		}
		if n := len(g.Pieces); n > 1 && g.Wrap == 0 {
			for range rapid.IntRange(0, 4).Draw(t, "arrows") {
				from := rapid.IntRange(0, n-1).Draw(t, "from")
				g.Arrows = append(g.Arrows, [2]int{from, (from + rapid.IntRange(1, n-1).Draw(t, "to")) % n})
			}
		}
		b.Grids = append(b.Grids, g)
	}
	return b
}

// TestBoardLayout: grids do not overlap and stay in the picture, no text leaves it, the document is sound, and the data
// has every piece.
func TestBoardLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t)
		f, err := b.Figure()
		if err != nil {
			t.Fatal(err)
		}
		l, pieces := b.layout(), 0
		picture := box{0, 0, l.width, l.height}
		for i, g := range l.grids {
			pieces += len(g.Pieces)
			if !g.outer.inside(picture) || !g.cells.grow(float64(g.Wrap)*l.cell).inside(g.outer.grow(0.01)) {
				t.Fatalf("grid %v, its cells %v, in %v", g.outer, g.cells, picture)
			}
			for _, o := range l.grids[:i] {
				if g.outer.overlaps(o.outer) {
					t.Fatalf("grids %v and %v overlap", g.outer, o.outer)
				}
			}
		}
		if len(f.Data.Rows) != pieces || l.width > Width {
			t.Fatalf("%d rows of data for %d pieces, %v wide", len(f.Data.Rows), pieces, l.width)
		}
		for _, th := range []theme{light, dark} {
			checkDocument(t, &f, th)
		}
	})
}

// TestArrows: an arrow leads from disc to disc, keeps off the discs of others, and takes the same way back.
func TestArrows(t *testing.T) {
	b := sampleBoard()
	l := b.layout()
	g := l.grids[0]
	for from := range g.Pieces {
		for to := range g.Pieces {
			if from == to {
				continue
			}
			there, back := l.path(g, from, to), l.path(g, to, from)
			for i, p := range there {
				if p != back[len(back)-1-i] {
					t.Errorf("arrow %d to %d is not the way back", from, to)
				}
				for other := range g.Pieces {
					c := l.centre(g, other)
					if d := math.Hypot(p[0]-c[0], p[1]-c[1]); d < pieceRadius {
						t.Errorf("arrow %d to %d passes %v from the centre of %d", from, to, d, other)
					}
				}
			}
			c := l.centre(g, to)
			end := there[len(there)-1]
			if d := math.Hypot(end[0]-c[0], end[1]-c[1]); d > pieceRadius+26 {
				t.Errorf("arrow %d to %d ends %v from its target", from, to, d)
			}
		}
	}
}

// TestBoardTells: what is seen is said and tabulated as well: notes, the dead, arrows.
func TestBoardTells(t *testing.T) {
	f := mustBuild(sampleBoard().Figure)
	for _, want := range []string{
		"2 grids. Rows and columns count from 0. After a colon: enemies.",
		"Before, 3 by 4 cells: Row 0: A in column 0: 1 (dies), B in column 1: 10, B in column 2: 20 (dies). Row 2: A in " +
			"column 3.",
		"Arrows (killed by): A(0, 0) to B(0, 2), B(0, 2) to A(0, 0), B(0, 1) to A(0, 0) and A(2, 3) to B(0, 2).",
		"In range: 2 cells.",
	} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("no %q in %q", want, f.Alt)
		}
	}
	if got := string(f.Data.CSV()); !strings.Contains(got,
		"grid,row,column,piece,enemies,dies,\"killed by, from\"\nbefore,0,0,A,1,yes,\"B(0, 2) B(0, 1)\"\n") {
		t.Errorf("data\n%s", got)
	}
	var labels []string
	for _, e := range f.Legend {
		labels = append(labels, e.Label)
	}
	if got := fmt.Sprint(labels); got != "[army A army B dies killed by in range]" {
		t.Errorf("legend %s", got)
	}
	torus := mustBuild(sampleTorus().Figure)
	repeated := regexp.MustCompile(`>A</text>`).FindAll(torus.Light, -1)
	if len(repeated) != 2+5 || !strings.Contains(torus.Alt, "on a torus") {
		t.Errorf("%d pieces A with those beyond the edges; %s", len(repeated), torus.Alt)
	}
}

func TestBoardLimits(t *testing.T) {
	one := Piece{Class: 1}
	board := func(change func(*Board)) Board {
		b := Board{
			Title: "t", Classes: kinds, Note: "n", Mark: "m", Arrow: "a", Shade: "s",
			Grids: []Grid{{Rows: 2, Cols: 2, Pieces: []Piece{one, {Row: 1, Class: 2}}}},
		}
		change(&b)
		return b
	}
	for want, change := range map[string]func(*Board){
		"0 grids; give 1 to 16":             func(b *Board) { b.Grids = nil },
		"Sign is \"\"; give 1 or 2":         func(b *Board) { b.Classes = []Class{{Value: 1, Label: "x"}} },
		"Value is 0, which means no class":  func(b *Board) { b.Classes = []Class{{Value: 0, Label: "x", Sign: "x"}} },
		"0 rows and 2 columns":              func(b *Board) { b.Grids[0].Rows = 0 },
		"Wrap is 3":                         func(b *Board) { b.Grids[0].Wrap = 3 },
		"17 columns wide":                   func(b *Board) { b.Grids[0].Cols = 17 },
		"41 rows; give at most 40":          func(b *Board) { b.Grids[0].Rows = 41 },
		"rows are 0 to 1, columns 0 to 1":   func(b *Board) { b.Grids[0].Pieces[1].Row = 2 },
		"shares row 0, column 0":            func(b *Board) { b.Grids[0].Pieces[1].Row = 0 },
		"Class 7, which Classes does not":   func(b *Board) { b.Grids[0].Pieces[1].Class = 7 },
		"at most 2 characters":              func(b *Board) { b.Grids[0].Pieces[1].Note = "123" },
		"Note does not say what it means":   func(b *Board) { b.Grids[0].Pieces[1].Note, b.Note = "1", "" },
		"Mark does not say what it means":   func(b *Board) { b.Grids[0].Pieces[1].Marked, b.Mark = true, "" },
		"Arrow does not say what they mean": func(b *Board) { b.Grids[0].Arrows, b.Arrow = [][2]int{{0, 1}}, "" },
		"Shade does not say what they mean": func(b *Board) { b.Grids[0].Shaded, b.Shade = [][2]int{{0, 1}}, "" },
		"from piece 0 to piece 2":           func(b *Board) { b.Grids[0].Arrows = [][2]int{{0, 2}} },
		"from piece 1 to piece 1":           func(b *Board) { b.Grids[0].Arrows = [][2]int{{1, 1}} },
		"arrows on a torus":                 func(b *Board) { b.Grids[0].Arrows, b.Grids[0].Wrap = [][2]int{{0, 1}}, 1 },
		"row 0, column 2, off the grid":     func(b *Board) { b.Grids[0].Shaded = [][2]int{{0, 2}} },
		"Title is empty":                    func(b *Board) { b.Title = "" },
	} {
		_, err := board(change).Figure()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
	mustBuild(board(func(*Board) {}).Figure)
}

// TestBoardSpoken names pieces by what an ear can make of them, and explains only those that there are.
func TestBoardSpoken(t *testing.T) {
	b := Board{
		Title: "t", Note: "shot", Grids: []Grid{{Rows: 1, Cols: 3, Pieces: []Piece{{Row: 0, Col: 2, Class: 1, Note: "7"}}}},
		Classes: []Class{
			{Value: 1, Label: "miss", Sign: "·", Swatch: Quiet},
			{Value: 2, Label: "deck", Sign: "O", Swatch: Sky},
		},
	}
	f, err := b.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if want := "miss in column 2: 7"; !strings.Contains(f.Alt, want) {
		t.Errorf("%q lacks %q", f.Alt, want)
	}
	if len(f.Legend) != 1 || f.Legend[0].Label != "miss" {
		t.Errorf("legend: %v", f.Legend)
	}
}
