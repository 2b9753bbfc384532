package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Ranks shows the sizes of a few groups, each as a bar of units, and what an order does to a part of each group.
// [Ranks.Moving] shows how the numbers changed.
type Ranks struct {
	// Title describes what the figure shows; required.
	Title string `rule:"name"`
	// Rows are the groups, from top to bottom; 1 to 6 rows. The Box of the figure is the bar of the last group.
	Rows []Rank `rule:"1-6 rows"`
	// Narrow makes the figure fit on a phone.
	Narrow bool
}

// Rank is a group.
type Rank struct {
	// Label names the group; required.
	Label string `rule:"name"`
	// Swatch is the look of the group, which must differ from the looks of other groups and must not be Auto.
	Swatch Swatch
	// Round draws units as discs where there is room. Other units are blocks.
	Round bool
	// Whole is the number of units that correspond to the whole width. It is at least 1 and at least as large as the
	// other numbers.
	Whole uint64
	// Count is the number of units.
	Count uint64
	// Part is the number of marked units. They are the first units of the bar, are darker than the others, and are
	// followed by a line. If Leaving is true, the last units are marked instead, and are pale.
	Part    uint64
	Leaving bool
	// Handle draws a handle below the line after the part, which readers can move. Only the last row may have one.
	Handle bool
	// Ghost is a dashed line after Ghosts units, for comparison.
	Ghost  bool
	Ghosts uint64
	// Note describes what happens to the part; it may be empty.
	Note string
	// Lost and Came are the units that left and then arrived since the earlier count. Shots are the shots that the
	// group fired.
	Lost, Came uint64
	Shots      []Shots
}

// Shots are shots that one group fires at another. Late shots are fired after the other shots have hit.
type Shots struct {
	At    int // the index of the other group's row
	Count uint64
	Late  bool
}

const (
	rankText   = 25.0 // the height of a line of text above a bar
	rankBar    = 34.0 // the height of a bar
	rankGap    = 8.0  // between groups
	rankUnits  = 110  // the greatest value of Whole for which units are drawn individually
	rankShots  = 24   // the maximum number of shots that are drawn
	rankRadius = 3.0  // the radius of a shot
	rankKnob   = 8.0  // the radius of a handle
	rankHandle = 26.0 // the height of a handle below its bar
	rankNarrow = 400  // the width on a phone
)

// rankLayout is a group and its position in the drawing.
type rankLayout struct {
	Rank
	notes []string // the lines of the note
	top   float64  // the top of the text above the bar
	bar   box
}

// Figure draws the ranks. It fails if a field breaks its rule above.
func (r Ranks) Figure() (content.Figure, error) { return drawn(r, r) }

func (r Ranks) figure() content.Figure {
	rows, height := r.layout()
	f := finish(r.described(), r.width(), height, func(s *stage) { r.paint(s, rows, false) })
	f.Box = rows[len(rows)-1].held().content()
	return f
}

// Moving draws, in one theme, how the numbers changed: for less than two seconds, shots fly, units fall and units
// arrive. Afterwards, the drawing looks like the figure. It fails if a field breaks its rule above.
func (r Ranks) Moving(onDark bool) ([]byte, error) {
	return moving(r, r, onDark, func() (content.Figure, float64, float64, func(*stage)) {
		rows, height := r.layout()
		return r.described(), r.width(), height, func(s *stage) { r.paint(s, rows, true) }
	})
}

func (r Ranks) width() float64 {
	if r.Narrow {
		return rankNarrow
	}
	return Width
}

// held returns the box in which readers can grab a group: the bar, with its handle if it has one.
func (l rankLayout) held() box {
	b := l.bar
	if l.Handle {
		b.y0, b.y1 = b.y0-rankGap/2, b.y1+rankHandle
	}
	return b
}

func (r Ranks) check(c *checker) {
	for i, row := range r.Rows {
		name := fmt.Sprintf("Rows[%d]", i)
		c.require(!row.Handle || i == len(r.Rows)-1, "%s has a handle; only the last row has one", name)
		c.require(row.Ghosts <= row.Count, "%s.Ghosts is %d, but there are %d units", name, row.Ghosts, row.Count)
		c.require(row.Swatch > Auto && row.Swatch < swatchEnd, "%s.Swatch is %d; use one of the named swatches", name,
			row.Swatch)
		c.require(row.Whole > 0, "%s.Whole is 0; give at least 1", name)
		c.require(row.Count <= row.Whole && row.Part <= row.Count && row.Came <= row.Count,
			"%s has Part %d, Came %d, Count %d and Whole %d; Part and Came must be at most Count, and Count at most "+
				"Whole",
			name, row.Part, row.Came, row.Count, row.Whole)
		c.require(row.Lost <= row.Whole-(row.Count-row.Came), "%s.Lost is %d; Count - Came + Lost must be at most "+
			"Whole, %d", name, row.Lost, row.Whole)
		for _, shots := range row.Shots {
			c.require(shots.At >= 0 && shots.At < len(r.Rows), "%s shoots at row %d; give one of the %d rows", name,
				shots.At, len(r.Rows))
		}
	}
}

// described returns the figure without its drawing.
func (r Ranks) described() content.Figure {
	f := content.Figure{Title: r.Title, Data: content.Records{Header: []string{"group", "number", "change", "note"}}}
	var parts []string
	for _, row := range r.Rows {
		part, changes := row.Label+": "+fmt.Sprint(row.Count), strings.Join(row.changes(), " ")
		if changes != "" {
			part += " (" + changes + ")"
		}
		if row.Note != "" {
			part += ", " + row.Note
		}
		parts = append(parts, part)
		f.Data.Add(row.Label, row.Count, changes, row.Note)
	}
	f.Alt = content.ForPeople(strings.Join(parts, ". ") + ".")
	return f
}

func (row Rank) changes() (words []string) {
	if row.Lost > 0 {
		words = append(words, "−"+Thousands(fmt.Sprint(row.Lost)))
	}
	if row.Came > 0 {
		words = append(words, "+"+Thousands(fmt.Sprint(row.Came)))
	}
	return words
}

// heading returns the text above a bar, except for the note.
func (row Rank) heading() string {
	count := Thousands(fmt.Sprint(row.Count))
	return strings.Join(append([]string{row.Label, count}, row.changes()...), "  ")
}

func (r Ranks) layout() (rows []rankLayout, height float64) {
	y := outerGap
	for _, row := range r.Rows {
		l := rankLayout{Rank: row, top: y}
		room := r.width() - 3*outerGap
		if row.Note != "" {
			l.notes = wrap(row.Note, room)
			if free := room - textWidth(row.heading()); textWidth(row.Note) > free {
				y += lineHeight * float64(len(l.notes))
			}
		}
		l.bar = box{outerGap, y + rankText, r.width() - outerGap, y + rankText + rankBar}
		y = l.held().y1 + rankGap
		rows = append(rows, l)
	}
	return rows, y - rankGap + outerGap
}

// unitsBox returns the box of the units from..to-1.
func (l rankLayout) unitsBox(from, to uint64) box {
	x := func(unit uint64) float64 { return l.bar.x0 + l.bar.w()*(float64(unit)/float64(l.Whole)) }
	return box{x(from), l.bar.y0, x(to), l.bar.y1}
}

// unit returns the centre of a unit.
func (l rankLayout) unit(i uint64) pos {
	b := l.unitsBox(i, i+1)
	return pos{min(b.middle()[0], l.bar.x1), b.middle()[1]}
}

// paint draws the groups. Things that move are drawn at their final positions.
func (r Ranks) paint(s *stage, rows []rankLayout, moves bool) {
	for _, l := range rows {
		s.text(pos{l.bar.x0, l.top + rankText/2}, l.heading(), textStyle{colour: s.ink, shift: centre})
		for i, note := range l.notes {
			at, anchor := pos{l.bar.x1, l.top + rankText/2}, end
			if l.bar.y0 > l.top+rankText {
				at, anchor = pos{l.bar.x0, l.top + rankText/2 + lineHeight*float64(i+1)}, start
			}
			s.label(at, note, anchor, s.muted)
		}
		s.outline(l.bar, solidLine(s.grid, 1))
		stays := l.Count
		if moves {
			stays -= l.Came
		}
		s.ranked(l, 0, stays)
		if moves {
			s.arrives(l)
		}
		if l.Ghost {
			x := l.unitsBox(0, l.Ghosts).x1
			dashed := lineStyle{Color: s.ink, Width: 2, Dashes: []float64{4, 3}}
			s.line(dashed, pos{x, l.bar.y0 - 6}, pos{x, l.bar.y1 + 6})
		}
		if x := l.unitsBox(0, l.Part).x1; l.Handle {
			knob := pos{x, l.bar.y1 + rankHandle - rankKnob - 2}
			s.line(solidLine(s.ink, 3), pos{x, l.bar.y0 - 4}, knob)
			s.disc(knob, rankKnob, s.ink)
		} else if !l.Leaving && l.Part > 0 {
			s.line(solidLine(s.ink, 3), pos{x, l.bar.y0 - 4}, pos{x, l.bar.y1 + 4})
		}
	}
	if moves {
		for _, l := range rows {
			for _, shots := range l.Shots {
				s.shots(l, rows[shots.At], shots)
			}
		}
	}
}

// ranked draws the units from..to-1. Marked units are dark and the others are pale. If the marked units are leaving, it
// is the other way round.
func (s *stage) ranked(l rankLayout, from, to uint64) {
	border := l.Part
	if l.Leaving {
		border = l.Count - l.Part
	} else if l.Part == 0 {
		border = l.Count // no unit is marked
	}
	border = min(max(border, from), to)
	s.units(l, from, border, false)
	s.units(l, border, to, true)
}

// units draws the units from..to-1, dark or pale.
func (s *stage) units(l rankLayout, from, to uint64, pale bool) {
	if from >= to {
		return
	}
	look := swatches[l.Swatch].ground[s.theme]
	inside := look
	if pale {
		inside = mix(s.ground, look, 0.2)
	}
	edge := solidLine(mix(look, s.ink, 0.35), 1.25)
	block := func(b box) {
		s.fill(inside, b.corners()...)
		s.outline(b, edge)
	}
	size := l.bar.w() / float64(l.Whole)
	if l.Whole > rankUnits {
		b := l.unitsBox(from, to)
		block(box{b.x0, b.y0 + 2, max(b.x1, b.x0+1), b.y1 - 2})
		return
	}
	for i := from; i < to; i++ {
		b := l.unitsBox(i, i+1)
		if l.Round && size >= 8 {
			radius := min(size, rankBar)/2 - 1
			s.disc(b.middle(), radius, inside)
			s.ring(b.middle(), radius-0.6, edge)
			continue
		}
		gap := min(1, size/8)
		block(box{b.x0 + gap, b.y0 + 2, b.x1 - gap, b.y1 - 2})
	}
}

// These are times in seconds: the times of the first shots and their losses, of late shots and their losses, of
// arrivals, and of the end.
const (
	fired     = 0.0
	fell      = 0.45
	firedLate = 0.7
	fellLate  = 1.15
	comes     = 1.4
	ends      = 1.8
)

// arrives animates the units that fall and the units that arrive.
func (s *stage) arrives(l rankLayout) {
	stays, at := l.Count-l.Came, fell
	if slices.ContainsFunc(l.Shots, func(shots Shots) bool { return !shots.Late }) {
		at = fellLate // only late shots hit a group that shoots first
	}
	s.moved(motion{by: pos{0, rankBar / 2}, from: at, to: at + 0.25, away: true}, func() {
		s.units(l, stays, stays+l.Lost, false)
	})
	s.moved(motion{by: pos{l.bar.w() / 3, 0}, from: comes, to: ends}, func() {
		s.ranked(l, stays, l.Count)
	})
}

// shots animates shots from the units of one group to the units of another.
func (s *stage) shots(from, to rankLayout, shots Shots) {
	begin, last := fired, fell
	if shots.Late {
		begin, last = firedLate, fellLate
	}
	seen := min(shots.Count, rankShots)
	shooters, targets := from.Count-from.Came+from.Lost, to.Count-to.Came+to.Lost
	if shots.Late { // units that were lost can no longer shoot
		shooters = from.Count - from.Came
	}
	if seen == 0 || shooters == 0 || targets == 0 {
		return
	}
	spread := func(count, i uint64) uint64 { return uint64(float64(count) * (float64(i) + 0.5) / float64(seen)) }
	for i := range seen {
		a := from.unit(spread(min(shots.Count, shooters), i))
		b := to.unit(targets - 1 - min(targets-1, spread(min(shots.Count, targets), i)))
		s.moved(motion{by: pos{a[0] - b[0], a[1] - b[1]}, from: begin, to: last, away: true, flies: true}, func() {
			s.disc(b, rankRadius, s.ink)
		})
	}
}

// motion describes how something moves. A thing that arrives is invisible at first and comes from a distance. A thing
// that leaves moves away and is invisible afterwards. A shot comes from a distance and is invisible afterwards.
type motion struct {
	by          pos
	from, to    float64 // seconds
	away, flies bool
}

// moved draws something that moves.
func (s *stage) moved(m motion, paint func()) {
	s.svg.flush()
	before, after, seen := pos{}, m.by, "1;0"
	opacity := ""
	if !m.away || m.flies {
		before, after, seen = m.by, pos{}, "0;1"
		opacity = ` opacity="0"`
	}
	if m.flies {
		seen = "1;1;0"
	}
	fmt.Fprintf(&s.svg.out, "<g%s>\n", opacity)
	paint()
	s.svg.flush()
	timing := fmt.Sprintf(`begin="%ss" dur="%ss" fill="freeze"`, decimal(m.from), decimal(m.to-m.from))
	fmt.Fprintf(&s.svg.out, "<animateTransform attributeName=\"transform\" type=\"translate\" values=\"%s%s;%s%s\" "+
		"%s/>\n", decimal(before[0]), spacedDecimal(before[1]), decimal(after[0]), spacedDecimal(after[1]), timing)
	fmt.Fprintf(&s.svg.out, "<animate attributeName=\"opacity\" values=\"%s\" %s/>\n</g>\n", seen, timing)
}

func spacedDecimal(x float64) string { return " " + decimal(math.Round(x)) }
