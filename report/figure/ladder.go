package figure

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// Ladder shows a sequence of numbers that take turns in two columns, each of which is the number above it in its own
// column less the one between them.
type Ladder struct {
	// Title says what is shown; Columns name the columns, Less the lines that lead from a number to the next, Kept
	// those that lead down a column; all required.
	Title      string
	Columns    [2]string
	Less, Kept string
	// Rungs are the numbers, 3 to 16, the first of the left column.
	Rungs []Rung
}

// Rung is one number of a ladder.
type Rung struct {
	// Value is the number as it is read; required. Formula, where it comes from, stands beside it; it may be empty.
	Value, Formula string
	// Group names a group that begins with the rung, such as a wave; it may be empty.
	Group string
}

// Figure draws the ladder. It fails if a field breaks its rule above.
func (d Ladder) Figure() (content.Figure, error) {
	if err := d.check(); err != nil {
		return content.Figure{}, err
	}
	f := content.Figure{Title: d.Title, Alt: d.describe(), Data: d.table(), Legend: []content.LegendEntry{
		drawnEntry(content.LegendEntry{Label: d.Kept},
			func(s *stage) { s.rail(s.keptLine(), pos{3, iconHeight / 2}, pos{iconWidth - 3, iconHeight / 2}) }),
		drawnEntry(content.LegendEntry{Label: d.Less},
			func(s *stage) { s.rail(s.lessLine(), pos{3, iconHeight / 2}, pos{iconWidth - 3, iconHeight / 2}) }),
	}}
	height := d.at(len(d.Rungs) - 1)[1] + rungHeight
	return finish(f, Width, height, d.paint), nil
}

func (d Ladder) check() error {
	c := checker{kind: "Ladder"}
	c.name("Title", d.Title)
	c.name("Columns[0]", d.Columns[0])
	c.name("Columns[1]", d.Columns[1])
	c.name("Less", d.Less)
	c.name("Kept", d.Kept)
	c.size("Rungs", len(d.Rungs), 3, 16, "numbers")
	for i, r := range d.Rungs {
		name := fmt.Sprintf("Rungs[%d]", i)
		c.name(name+".Value", r.Value)
		c.text(name+".Formula", r.Formula)
		c.text(name+".Group", r.Group)
		for _, t := range []struct {
			field, text string
			room        float64
		}{{"Value", r.Value, rungWidth - 8}, {"Formula", r.Formula, d.formulaRoom(i)}, {"Group", r.Group, groupRoom}} {
			c.require(textWidth(t.text) <= t.room, "%s.%s is %q, too long for its column; shorten it", name, t.field,
				t.text)
		}
	}
	return c.err
}

// Sizes of a ladder.
const (
	rungHeight = 32.0
	rungWidth  = 76.0
	groupRoom  = 74.0
	leftRail   = Width/2 - 52
	rightRail  = Width/2 + 62
	ladderHead = 34.0
)

// at is the middle of a rung.
func (d Ladder) at(i int) pos {
	x := leftRail
	if i%2 == 1 {
		x = rightRail
	}
	return pos{float64(x), ladderHead + (float64(i)+0.5)*rungHeight}
}

// formulaRoom is the width beside a rung; on the left the groups take a part of it.
func (d Ladder) formulaRoom(i int) float64 {
	if i%2 == 1 {
		return Width - rightRail - rungWidth/2 - 12
	}
	return leftRail - rungWidth/2 - 12 - groupRoom
}

func (s *stage) keptLine() pen.LineStyle { return strokes[0].line(s.theme) }
func (s *stage) lessLine() pen.LineStyle {
	return pen.LineStyle{Color: strokes[1].colour[s.theme], Width: 1.5, Dashes: []pen.Length{5, 3}}
}

// rail is a line with a point at its end.
func (s *stage) rail(sty pen.LineStyle, from, to pos) {
	s.line(sty, from, to)
	s.disc(to, 2.5, sty.Color)
}

func (d Ladder) paint(s *stage) {
	for side, name := range d.Columns {
		s.label(pos{d.at(side)[0], ladderHead / 2}, name, middle, s.ink)
	}
	for i, r := range d.Rungs {
		if r.Group == "" {
			continue
		}
		y := d.at(i)[1] - rungHeight/2
		s.line(solidLine(s.grid, 1), pos{outerGap, y}, pos{Width - outerGap, y})
		s.label(pos{outerGap, d.at(i)[1]}, r.Group, start, s.muted)
	}
	const half = 11.0 // of a box's height
	for i := 2; i < len(d.Rungs); i++ {
		kept, less, to := d.at(i-2), d.at(i-1), d.at(i)
		s.rail(s.keptLine(), pos{kept[0], kept[1] + half}, pos{to[0], to[1] - half - 3})
		inward := rungWidth/2 + 3
		if less[0] > to[0] {
			inward = -inward
		}
		s.rail(s.lessLine(), pos{less[0] + inward, less[1]}, pos{to[0] - inward, to[1]})
	}
	for i, r := range d.Rungs {
		at := d.at(i)
		b := boxAt(at, rungWidth, 2*half)
		s.fill(s.ground, b.corners()...)
		s.outline(b, solidLine(s.muted, 1))
		s.label(at, r.Value, middle, s.ink)
		if i%2 == 1 {
			s.label(pos{b.x1 + 8, at[1]}, r.Formula, start, s.muted)
			continue
		}
		s.label(pos{b.x0 - 8, at[1]}, r.Formula, end, s.muted)
	}
}

// describe is the alternative text: every number with what it is.
func (d Ladder) describe() string {
	var parts []string
	for i, r := range d.Rungs {
		text := d.Columns[i%2] + " " + r.Value
		if r.Formula != "" {
			text += " = " + r.Formula
		}
		if r.Group != "" {
			text = r.Group + ": " + text
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("Ladder of %d numbers in two columns, %s and %s, in turn. From the third on, each is the "+
		"number above it in its column less the one in between. %s.",
		len(d.Rungs), d.Columns[0], d.Columns[1], strings.Join(parts, "; "))
}

// table has a row for each number.
func (d Ladder) table() content.Records {
	t := content.Records{Header: []string{"group", "column", "number", "formula"}}
	group := ""
	for i, r := range d.Rungs {
		if r.Group != "" {
			group = r.Group
		}
		t.Rows = append(t.Rows, []string{group, d.Columns[i%2], r.Value, r.Formula})
	}
	return t
}
