package naval

import "github.com/siegebook/siegebook/analysis/internal/enum"

// Thoughts are what decides a shot: a number for each cell, the better the greater, 0 for a cell that it cannot be. The
// shot is one of the cells with the greatest number.
type Thoughts struct {
	Measure ThoughtMeasure
	Cells   [boardCells]float64
}

// ThoughtMeasure says what the numbers of [Thoughts] are.
type ThoughtMeasure int8

const (
	// Drawn is 1 for each of the cells from which the shot is drawn, each alike.
	Drawn ThoughtMeasure = iota
	// Ways is in how many ways the ships afloat can lie on the cell, as [Density] counts them.
	Ways
	// Odds is the probability of a ship on the cell, as [Informed] estimates it; while a ship is wounded, on the cells
	// beside its hits alone.
	Odds
)

var thoughtMeasures = enum.New[ThoughtMeasure]("measure of thoughts", "drawn", "ways", "odds")

// String returns the name, the text that is also marshalled and read.
func (m ThoughtMeasure) String() string               { return thoughtMeasures.String(m) }
func (m ThoughtMeasure) MarshalText() ([]byte, error) { return thoughtMeasures.MarshalText(m) }
func (m *ThoughtMeasure) UnmarshalText(text []byte) error {
	return thoughtMeasures.UnmarshalText(m, text)
}

// drawnFrom are the thoughts of a player who draws one of the cells.
func drawnFrom(s Cells) Thoughts {
	t := Thoughts{Measure: Drawn}
	for c := range s.All() {
		t.Cells[c] = 1
	}
	return t
}

// These functions return the thoughts of the players whose aim has the same name. They may change the gunner and the
// stream, which are copies.

func (g *gunner) thinkAsCoded(*chance) Thoughts {
	if at, ok := g.pool.next(g.unknown); ok {
		return drawnFrom(single(at))
	}
	return drawnFrom(g.ground())
}

func (g *gunner) thinkAsDescribed(*chance) Thoughts {
	if !g.wounded.empty() {
		return drawnFrom(single(g.nextOnLine()))
	}
	return drawnFrom(g.ground())
}

func (g *gunner) thinkProperly(*chance) Thoughts {
	if !g.wounded.empty() {
		return drawnFrom(g.extensions())
	}
	return drawnFrom(g.ground())
}

func (g *gunner) thinkDensely(*chance) Thoughts {
	t := Thoughts{Measure: Ways}
	ways := g.ways()
	for c := range g.unknown.All() {
		t.Cells[c] = float64(ways.at(c))
	}
	return t
}

func (g *gunner) thinkInformed(c *chance) Thoughts {
	odds, total := g.odds(c)
	if total == 0 {
		return g.thinkDensely(c)
	}
	t := Thoughts{Measure: Odds}
	for at := range g.among().All() {
		t.Cells[at] = odds[at] / total
	}
	return t
}
