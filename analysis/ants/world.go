// Package ants decides the ant battles of the Google AI Challenge 2011 exactly.
//
// Ants of several owners are on a torus, or on a map with edges. An ant is busy with each enemy within the attack
// radius; the fewer enemies it has, the more focused it is. By the rule of the contest an ant dies if an enemy in
// range has no more enemies in range than the ant itself, and all deaths are simultaneous. The contest's engine had
// three more rules, which are implemented as shipped: see [Rule].
//
//   - who dies, with how many enemies in range, and who killed whom: [Solve], [Solver] for many battles in one world,
//     [Outcome]
//   - maps as text: [ReadMap], [Map]
//   - small positions with a wanted property, by exhaustive search: [Search]
//
// All computations use integers. On a torus so small that an ant could see another ant in both directions, or itself,
// every ant counts once.
//
// Work that can take long has a context. When the context is done, the error wraps context.Canceled or
// context.DeadlineExceeded, and the cause if the context was canceled with one (see context.WithCancelCause).
//
// # How far it can be trusted
//
// All four rules reproduce 86 battles that were run through the contest's engine, and Focus reproduces every death in
// 104 turns of contest games. On random maps they agree with a comparison of all pairs of ants, which shares no code
// with them.
//
// Source: "Focus Battle Resolution" (in its Russian translation), and the engine of the contest for the other rules.
package ants

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// ContestRadius2 is the square of the attack radius in the contest.
const ContestRadius2 = 5

// MaxCells is the maximum number of cells of a map, which is 2048 x 2048. The contest's largest map had 200 x 200.
const MaxCells = 1 << 22

// World describes where battles take place: the size of the map, what happens at its edges, and the range of an
// attack.
type World struct {
	Rows    int  `json:"rows"`
	Cols    int  `json:"cols"`    // Rows and Cols are at least 1, and the map has at most MaxCells cells
	Bounded bool `json:"bounded"` // the map ends at its edges; otherwise it is a torus, as in the contest
	// Radius2 is the square of the attack radius, at least 1. Two ants are in range of each other if dr² + dc² is at
	// most Radius2. On a torus dr is the shorter way round: min(|Δrow|, Rows - |Δrow|), and dc likewise.
	Radius2 int64 `json:"radius2"`
}

// Validate returns an error unless the sizes and the radius are in their ranges.
func (w World) Validate() error {
	switch {
	case w.Rows < 1:
		return fmt.Errorf("rows = %d: a map must have cells, use 1 or more", w.Rows)
	case w.Cols < 1:
		return fmt.Errorf("columns = %d: a map must have cells, use 1 or more", w.Cols)
	case w.Cols > MaxCells/w.Rows:
		return fmt.Errorf("rows = %d, columns = %d: too large, use a map of at most %d cells", w.Rows, w.Cols, MaxCells)
	case w.Radius2 < 1:
		return fmt.Errorf("radius2 = %d: the square of the attack radius must be 1 or more", w.Radius2)
	}
	return nil
}

// Distance2 returns the squared distance between two cells of the map. It panics if the world is not valid or does
// not have these cells.
func (w World) Distance2(row1, col1, row2, col2 int) int64 {
	w.mustHave(row1, col1, row2, col2)
	return w.distance2(row1, col1, row2, col2)
}

func (w World) distance2(row1, col1, row2, col2 int) int64 {
	dr, dc := int64(w.gap(row1, row2, w.Rows)), int64(w.gap(col1, col2, w.Cols))
	return dr*dr + dc*dc // at most 2^45, because a side is no longer than MaxCells
}

// gap returns the distance between two coordinates along a side.
func (w World) gap(a, b, side int) int {
	gap := max(a-b, b-a)
	if w.Bounded {
		return gap
	}
	return min(gap, side-gap)
}

// farthest returns the largest possible gap along a side.
func (w World) farthest(side int) int {
	if w.Bounded {
		return side - 1
	}
	return side / 2
}

// interval is a run of rows or columns, both ends included; it is empty if first > last.
type interval struct{ first, last int }

func (i interval) contains(x int) bool { return i.first <= x && x <= i.last }

// coordinatesWithin returns the coordinates of a side whose gap to the centre is at most reach. Even on a small torus,
// it returns each coordinate only once. They are one or two intervals; the second may be empty.
func (w World) coordinatesWithin(centre, reach, side int) [2]interval {
	none := interval{0, -1}
	first, last := centre-reach, centre+reach
	switch {
	case w.Bounded:
		return [2]interval{{max(first, 0), min(last, side-1)}, none}
	case last-first >= side-1:
		return [2]interval{{0, side - 1}, none}
	case first < 0:
		return [2]interval{{0, last}, {first + side, side - 1}}
	case last >= side:
		return [2]interval{{0, last - side}, {first, side - 1}}
	}
	return [2]interval{{first, last}, none}
}

// disc is the shape of the neighbourhood of a cell.
type disc struct {
	half  []int // half[dr] is the largest gap of columns in range at a gap of dr rows; it decreases with dr
	cells int   // the maximum number of cells of a neighbourhood, including its centre
}

// newDisc returns the disc, reduced to the gaps that are possible on the map.
func newDisc(w World) disc {
	var d disc
	half := w.farthest(w.Cols)
	for dr := 0; dr <= w.farthest(w.Rows) && int64(dr)*int64(dr) <= w.Radius2; dr++ {
		for int64(dr)*int64(dr)+int64(half)*int64(half) > w.Radius2 {
			half--
		}
		d.half = append(d.half, half)
		width := min(2*half+1, w.Cols)
		d.cells += width
		if dr > 0 {
			d.cells += width
		}
	}
	d.cells = min(d.cells, w.Rows*w.Cols)
	return d
}

// reach returns the largest gap of rows in range.
func (d disc) reach() int { return len(d.half) - 1 }

// steps returns the differences between the number of a cell and the numbers of the other cells in range. They are
// valid if the disc does not cross an edge of the map.
func (d disc) steps(cols int) []int32 {
	steps := make([]int32, 0, d.cells)
	for dr := -d.reach(); dr <= d.reach(); dr++ {
		half := d.half[max(dr, -dr)]
		for dc := -half; dc <= half; dc++ {
			if step := dr*cols + dc; dr != 0 || dc != 0 {
				steps = append(steps, int32(step)) // |step| is less than the number of cells of the map (see Validate)
			}
		}
	}
	return steps
}

// Given an invalid argument, a method returns an error that names the value and the rule. A method that returns no
// error calls one of the functions below, which panic with the same line.

// mustHave panics if the world is invalid or lacks one of the cells.
func (w World) mustHave(row1, col1, row2, col2 int) {
	refuse(w.Validate())
	if min(row1, row2, col1, col2) < 0 || max(row1, row2) >= w.Rows || max(col1, col2) >= w.Cols {
		refuse(fmt.Errorf("cells (%d, %d) and (%d, %d): off the map, use rows 0 to %d and columns 0 to %d",
			row1, col1, row2, col2, w.Rows-1, w.Cols-1))
	}
}

// must panics unless the map has a sign for each of its cells.
func (m Map) must() { refuse(m.validate()) }

func (m Map) validate() error {
	if m.Rows < 0 || m.Cols < 0 || m.Rows > MaxCells || m.Cols > MaxCells || m.Rows*m.Cols != len(m.cells) {
		return fmt.Errorf("map of %d x %d cells: the map lists %d cells, use it as ReadMap returned it",
			m.Rows, m.Cols, len(m.cells))
	}
	return nil
}

// refuse panics with err unless it is nil.
func refuse(err error) { valid.Refuse("ants", err) }

// Rule determines which ants die. All rules consider the ants before the battle; e(a) is the number of enemies (ants of
// any other owner) that ant a has in range.
type Rule int8

// These are the rules of the contest's engine, as shipped.
const (
	// Focus is the rule of the contest: a dies if an enemy b in range has e(b) <= e(a).
	Focus Rule = iota
	// Closest considers increasing distances: at each squared distance in turn, all remaining ants die that have a
	// remaining enemy at exactly this distance. The engine stops just before the attack radius: it does not consider
	// radius2 itself.
	Closest
	// Damage makes each ant spread a damage of 1 evenly over the enemies in range: a dies if the sum of 1/e(b) over
	// its enemies b in range is at least 1.
	Damage
	// Support was meant to kill an ant with more enemies than friends in range. As shipped, it never counts friends:
	// a dies if it has any enemy in range.
	Support
)

// rules is the table of the rules. Commands, chapters and lessons iterate over it.
var rules = [...]rule{
	Focus: {
		"focus", "kills an ant if an enemy in range has at most as many enemies in range as the ant itself",
		(*Solver).focus, (*Solver).noBusier,
	},
	Closest: {
		"closest", "goes through the distances in increasing order, and at each one kills all ants that still have " +
			"an enemy there; it stops one short of the attack radius",
		(*Solver).closest, (*Solver).fellTogether,
	},
	Damage: {"damage", "divides a damage of 1 from each ant among the enemies in range, and kills an ant that gets 1 " +
		"or more", (*Solver).damage, everyEnemy},
	Support: {"support", "kills every ant with an enemy in range", (*Solver).support, everyEnemy},
}

// rule is a row of the table.
type rule struct {
	name, does string
	decide     func(*Solver) // sets which ants are dead, given the enemies in range
	// kills reports whether an enemy in range of a dead ant is one of its killers.
	kills func(s *Solver, victim, enemy int32) bool
}

func everyEnemy(*Solver, int32, int32) bool { return true }

var ruleNames = enum.Of[Rule]("rule", rules[:], func(r rule) string { return r.name })

// Rules lists all rules, the contest's own first.
func Rules() []Rule { return ruleNames.All() }

// String returns "focus", "closest", "damage" or "support", which is also the text form.
func (r Rule) String() string                   { return ruleNames.String(r) }
func (r Rule) MarshalText() ([]byte, error)     { return ruleNames.MarshalText(r) }
func (r *Rule) UnmarshalText(text []byte) error { return ruleNames.UnmarshalText(r, text) }

// Description returns what the rule does, as the text after its name in a list.
func (r Rule) Description() string {
	refuse(ruleNames.Validate(r))
	return rules[r].does
}

// Map is a map in text form: . or ? is land, % is water, and a letter is an ant whose owner is that letter. Water does
// not affect battles.
type Map struct {
	Rows, Cols int
	cells      []rune
}

// MapError is the error for input that is not a map. Line and Column are numbered from 1, as in editors.
type MapError struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Problem string `json:"problem"` // what is wrong and how to fix it
}

func (e *MapError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// ParseMap reads a map from a string, as [ReadMap] does from a reader.
func ParseMap(text string) (Map, error) { return ReadMap(strings.NewReader(text)) }

// ReadMap reads a map with one line for each row, all of the same length. Lines end with a line feed, with or without
// a carriage return before it. Empty lines after the last row and a byte order mark at the beginning are ignored.
//
// If the input is not a map, or has more than MaxCells cells, the error is a *[MapError]. ReadMap neither reads nor
// stores more than the largest map needs. Errors of the reader are returned unchanged.
func ReadMap(r io.Reader) (Map, error) {
	p := mapParser{in: bufio.NewReader(r), line: 1}
	if mark, _, err := p.in.ReadRune(); err == nil && mark != '\ufeff' {
		_ = p.in.UnreadRune()
	}
	for {
		c, size, err := p.in.ReadRune()
		switch {
		case err == io.EOF:
			return p.finish()
		case err != nil:
			return Map{}, err
		case c == '\n':
			err = p.endRow()
		case c == '\r' && p.beforeLineFeed():
		case c == utf8.RuneError && size == 1:
			err = p.fails("a byte that is not UTF-8: save the map as UTF-8")
		default:
			err = p.cell(c)
		}
		if err != nil {
			return Map{}, err
		}
	}
}

// mapParser is a map that is being parsed.
type mapParser struct {
	in     *bufio.Reader
	m      Map
	line   int // the line of the text
	column int // the number of cells of this line so far
}

// beforeLineFeed reports whether the line or the text ends here.
func (p *mapParser) beforeLineFeed() bool {
	next, err := p.in.Peek(1)
	return err != nil || next[0] == '\n'
}

// fails returns an error for the next cell.
func (p *mapParser) fails(format string, args ...any) error {
	return &MapError{p.line, p.column + 1, fmt.Sprintf(format, args...)}
}

func (p *mapParser) cell(c rune) error {
	switch {
	case c != '.' && c != '?' && c != '%' && !unicode.IsLetter(c):
		return p.fails("%q: unknown, use . or ? for land, %% for water and a letter for an ant", c)
	case p.column == 0 && p.line != p.m.Rows+1:
		return &MapError{p.m.Rows + 1, 1, "an empty row with more rows below it: remove the empty row"}
	case p.m.Rows > 0 && p.column == p.m.Cols:
		return p.fails("the row is longer than the first, which has %d cells: make all rows the same length", p.m.Cols)
	case len(p.m.cells) == MaxCells:
		return p.fails("the map is too large, use one of at most %d cells", MaxCells)
	}
	p.m.cells = append(p.m.cells, c)
	p.column++
	return nil
}

func (p *mapParser) endRow() error {
	if p.column > 0 {
		if p.m.Rows == 0 {
			p.m.Cols = p.column
		}
		if p.column < p.m.Cols {
			return p.fails("the row ends here, but the first row has %d cells: make all rows the same length", p.m.Cols)
		}
		p.m.Rows++
	}
	p.line++
	p.column = 0
	return nil
}

func (p *mapParser) finish() (Map, error) {
	if err := p.endRow(); err != nil {
		return Map{}, err
	}
	if p.m.Rows == 0 {
		return Map{}, &MapError{1, 1, "no map: write one line for each row, with . for land, % for water and letters " +
			"for ants"}
	}
	return p.m, nil
}

// At returns the sign in a cell.
func (m Map) At(row, col int) rune {
	m.must()
	if row < 0 || row >= m.Rows || col < 0 || col >= m.Cols {
		refuse(fmt.Errorf("cell (%d, %d): off the map of %d x %d cells", row, col, m.Rows, m.Cols))
	}
	return m.cells[row*m.Cols+col]
}

// World returns the map's world: with edges if bounded is true, otherwise a torus.
func (m Map) World(radius2 int64, bounded bool) World {
	m.must()
	return World{Rows: m.Rows, Cols: m.Cols, Bounded: bounded, Radius2: radius2}
}

// Ants returns the ants ordered by row and, within a row, by column.
func (m Map) Ants() []Ant {
	m.must()
	var ants []Ant
	for cell, c := range m.cells {
		if unicode.IsLetter(c) {
			ants = append(ants, Ant{cell / m.Cols, cell % m.Cols, c})
		}
	}
	return ants
}

// String returns the map in ReadMap's format, without a line feed at the end.
func (m Map) String() string { return m.redrawn(nil) }

// MarshalText returns the map as String does.
func (m Map) MarshalText() ([]byte, error) { return []byte(m.String()), m.validate() }

// UnmarshalText reads a map as ParseMap does. Empty text is a map without cells.
func (m *Map) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*m = Map{}
		return nil
	}
	read, err := ReadMap(bytes.NewReader(text))
	if err == nil {
		*m = read
	}
	return err
}

// Redrawn returns the map as text with a new sign for each ant, given its index in m.Ants(). If sign is nil, the
// signs stay the same.
func (m Map) Redrawn(sign func(ant int) rune) string {
	m.must()
	return m.redrawn(sign)
}

func (m Map) redrawn(sign func(ant int) rune) string {
	var text strings.Builder
	ants := 0
	for cell, c := range m.cells {
		if cell > 0 && cell%m.Cols == 0 {
			text.WriteByte('\n')
		}
		if sign != nil && unicode.IsLetter(c) {
			c = sign(ants)
			ants++
		}
		text.WriteRune(c)
	}
	return text.String()
}
