package naval

import (
	"errors"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Shooter is a player with a strategy who shoots at one fleet, and who is watched: one shot at a time, with what
// decides the next. It must be made by [NewShooter].
type Shooter struct {
	notData
	gunner gunner
	target target
	chance chance
}

// NewShooter returns a shooter who has not shot yet. His shots are those with which [Measure] sinks the fleet of that
// number under the same seed, and a function of the arguments alone. An error says what is wrong with the strategy or
// the fleet.
func NewShooter(s Strategy, f Fleet, seed, number uint64) (*Shooter, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	r := new(Shooter)
	r.target.set(f)
	r.begin(post, s, seed, number)
	return r, nil
}

// begin begins with a fleet that is in its place.
func (r *Shooter) begin(rules *rules, s Strategy, seed, number uint64) {
	r.chance.restart(seed, streamShots, number)
	r.gunner.begin(rules, s)
}

// Shots returns how many shots there were, 0..100.
func (r *Shooter) Shots() int {
	refuse(r.validate())
	return int(r.gunner.shots)
}

// Done reports whether all ships are sunk.
func (r *Shooter) Done() bool {
	refuse(r.validate())
	return r.gunner.won()
}

// Shoot makes the next shot. It panics if the shooter is done.
func (r *Shooter) Shoot() (Cell, Outcome) {
	if r.Done() {
		refuse(errors.New("the shooter has sunk all ships: ask Done before"))
	}
	return r.shoot()
}

func (r *Shooter) shoot() (Cell, Outcome) {
	at := r.gunner.aim(&r.chance)
	outcome, ship := r.target.shoot(at)
	r.gunner.learn(at, outcome, ship)
	return at, outcome
}

// Sunk returns the ships sunk so far, in that order.
func (r *Shooter) Sunk() []Ship {
	refuse(r.validate())
	return append([]Ship(nil), r.gunner.sunk[:r.gunner.nSunk]...)
}

// Thoughts returns what decides the next shot; all zero when all ships are sunk. Asking changes nothing.
func (r *Shooter) Thoughts() Thoughts {
	if r.Done() {
		return Thoughts{}
	}
	g, c := r.gunner, r.chance // he thinks with copies
	row := &targetings[g.strategy.Targeting]
	if row.think != nil {
		return row.think(&g, &c)
	}
	t := Thoughts{Measure: Drawn}
	cells, _ := row.among(&g, &c)
	for at := range cells.All() {
		t.Cells[at] = 1
	}
	return t
}

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
