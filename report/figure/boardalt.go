package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/report/content"
)

// boardUses tells what occurs on a board.
type boardUses struct {
	notes, tags, marks, arrows, shades bool
	noted                              bool // a piece has a note beside it
	classes                            map[int]bool
}

func (b Board) uses() boardUses {
	u := boardUses{classes: map[int]bool{}}
	for _, g := range b.Grids {
		u.arrows = u.arrows || len(g.Arrows) > 0
		u.shades = u.shades || len(g.Shaded) > 0
		for _, p := range g.Pieces {
			u.notes = u.notes || p.Note != ""
			u.tags = u.tags || p.Tag != ""
			u.noted = u.noted || (p.Note != "" || p.Tag != "") && p.Class != 0
			u.marks = u.marks || p.Marked
			u.classes[p.Class] = true
		}
	}
	return u
}

// mostListed is how many arrows of a grid are listed one by one.
const mostListed = 24

// describe is the alternative text: each grid row by row, its arrows, its shaded cells.
func (b Board) describe() string {
	text := "Rows and columns count from 0."
	if n := len(b.Grids); n > 1 {
		text = fmt.Sprintf("%d grids. ", n) + text
	}
	if b.uses().notes {
		text += fmt.Sprintf(" After a colon: %s.", b.Note)
	}
	for i, g := range b.Grids {
		name, torus := capital(g.Name), ""
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
			text += fmt.Sprintf(" Arrows (%s): %s.", b.Arrow, list(b.arrows(g)))
		}
		if n := len(g.Shaded); n > 0 {
			text += fmt.Sprintf(" %s: %s.", capital(b.Shade), cellCount(n))
		}
	}
	return text
}

// describeRows lists the pieces of each row that has any.
func (b Board) describeRows(g Grid) string {
	rows := make([][]string, g.Rows)
	for _, p := range slices.SortedFunc(slices.Values(g.Pieces), func(p, q Piece) int { return p.Col - q.Col }) {
		part := fmt.Sprintf("%s in column %d", b.spoken(p), p.Col)
		if p.Note != "" {
			part += ": " + p.Note
		}
		if p.Tag != "" {
			part += fmt.Sprintf(" (%s: %s)", b.Tag, p.Tag)
		}
		if p.Marked {
			part += " (" + b.Mark + ")"
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

// spoken names a piece for the ear: by its sign if all signs are letters, such as those of armies, else by its label.
func (b Board) spoken(p Piece) string {
	i := classOf(b.Classes, p.Class)
	if i < 0 {
		return ""
	}
	for _, c := range b.Classes {
		if strings.ContainsFunc(c.Sign, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return b.Classes[i].Label
		}
	}
	return b.Classes[i].Sign
}

// sign names a piece.
func (b Board) sign(p Piece) string {
	if i := classOf(b.Classes, p.Class); i >= 0 {
		return b.Classes[i].Sign
	}
	return ""
}

// arrows lists the arrows as "A(0, 1) to B(1, 2)".
func (b Board) arrows(g Grid) []string {
	out := make([]string, len(g.Arrows))
	for i, a := range g.Arrows {
		out[i] = b.placeName(g.Pieces[a[0]]) + " to " + b.placeName(g.Pieces[a[1]])
	}
	return out
}

func (b Board) placeName(p Piece) string { return fmt.Sprintf("%s(%d, %d)", b.sign(p), p.Row, p.Col) }

// table has a row per piece, with the pieces from which arrows lead to it.
func (b Board) table() content.Records {
	out := content.Records{Header: []string{"grid", "row", "column", "piece"}}
	for i, g := range b.Grids {
		name := cmp.Or(g.Name, strconv.Itoa(i+1))
		for _, p := range g.Pieces {
			out.Rows = append(out.Rows, []string{name, strconv.Itoa(p.Row), strconv.Itoa(p.Col), b.sign(p)})
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
	column(uses.marks, b.Mark, func(g Grid, i int) string {
		if g.Pieces[i].Marked {
			return "yes"
		}
		return "no"
	})
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
