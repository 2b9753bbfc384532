package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/report/content"
)

// boardUses tells what occurs on a board.
type boardUses struct {
	notes, marks, arrows, shades bool
	classes                      map[int]bool
}

func (b Board) uses() boardUses {
	u := boardUses{classes: map[int]bool{}}
	for _, g := range b.Grids {
		u.arrows = u.arrows || len(g.Arrows) > 0
		u.shades = u.shades || len(g.Shaded) > 0
		for _, p := range g.Pieces {
			u.notes = u.notes || p.Note != ""
			u.marks = u.marks || p.Marked
			u.classes[p.Class] = true
		}
	}
	return u
}

// most arrows and cells that are listed one by one.
const mostListed = 24

// describe is the alternative text: each grid row by row, its arrows, its shaded cells.
func (b Board) describe() string {
	text := ""
	if len(b.Grids) > 1 {
		text = fmt.Sprintf("%d grids. ", len(b.Grids))
	}
	text += "Rows and columns count from 0."
	if b.uses().notes {
		text += fmt.Sprintf(" After a colon: %s.", b.Note)
	}
	for i, g := range b.Grids {
		name := g.Name
		if name == "" {
			name = "Grid"
			if len(b.Grids) > 1 {
				name = fmt.Sprintf("Grid %d", i+1)
			}
		}
		text += fmt.Sprintf(" %s, %d by %d cells%s:", capital(name), g.Rows, g.Cols, torus(g.Wrap > 0))
		text += b.describeRows(g)
		if len(g.Arrows) > 0 && len(g.Arrows) <= mostListed {
			text += fmt.Sprintf(" Arrows (%s): %s.", b.Arrow, list(b.arrows(g)))
		}
		if n := len(g.Shaded); n > 0 {
			text += fmt.Sprintf(" %s: %s.", capital(b.Shade), cellCount(n))
		}
	}
	return text
}

func torus(is bool) string {
	if is {
		return " on a torus"
	}
	return ""
}

// describeRows lists the pieces of each row that has any.
func (b Board) describeRows(g Grid) string {
	text := ""
	for row := range g.Rows {
		var pieces []string
		for _, p := range sortedPieces(g) {
			if p.Row != row {
				continue
			}
			part := fmt.Sprintf("%s in column %d", b.spoken(p), p.Col)
			if p.Note != "" {
				part += ": " + p.Note
			}
			if p.Marked {
				part += " (" + b.Mark + ")"
			}
			pieces = append(pieces, strings.TrimSpace(part))
		}
		if len(pieces) > 0 {
			text += fmt.Sprintf(" Row %d: %s.", row, strings.Join(pieces, ", "))
		}
	}
	if text == "" {
		return " empty."
	}
	return text
}

func sortedPieces(g Grid) []Piece {
	return slices.SortedFunc(slices.Values(g.Pieces), func(p, q Piece) int {
		if p.Row != q.Row {
			return p.Row - q.Row
		}
		return p.Col - q.Col
	})
}

// spoken names a piece for the ear: by its sign if all signs are letters, such as those of armies, else by its label.
func (b Board) spoken(p Piece) string {
	i := b.class(p)
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
	if i := b.class(p); i >= 0 {
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
	uses := b.uses()
	out := content.Records{Header: []string{"grid", "row", "column", "piece"}}
	for _, c := range []struct {
		used bool
		name string
	}{{uses.notes, b.Note}, {uses.marks, b.Mark}, {uses.arrows, b.Arrow + ", from"}} {
		if c.used {
			out.Header = append(out.Header, c.name)
		}
	}
	for i, g := range b.Grids {
		name := g.Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		for number, p := range g.Pieces {
			row := []string{name, strconv.Itoa(p.Row), strconv.Itoa(p.Col), b.sign(p)}
			if uses.notes {
				row = append(row, p.Note)
			}
			if uses.marks {
				row = append(row, map[bool]string{true: "yes", false: "no"}[p.Marked])
			}
			if uses.arrows {
				var from []string
				for _, a := range g.Arrows {
					if a[1] == number {
						from = append(from, b.placeName(g.Pieces[a[0]]))
					}
				}
				row = append(row, strings.Join(from, " "))
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}
