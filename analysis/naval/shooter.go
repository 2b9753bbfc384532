package naval

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

// Shooter is a player with a strategy who shoots at one fleet. Callers can observe each shot, and the numbers that
// decide the next shot. Create it with [NewShooter].
type Shooter struct {
	notData
	gunner gunner
	target target
	chance chance
}

// NewShooter returns a shooter who has not shot yet. The shooter shoots as in [Measure] at the fleet with this number
// and seed. The shots depend only on the arguments. The error describes what is wrong with the strategy or the fleet.
func NewShooter(s Strategy, f Fleet, seed, number uint64) (*Shooter, error) {
	if err := cmp.Or(s.Validate(), f.Validate()); err != nil {
		return nil, err
	}
	r := new(Shooter)
	r.target.set(f)
	r.begin(post, s, seed, number)
	return r, nil
}

// begin starts with the fleet that the target already has.
func (r *Shooter) begin(rules *rules, s Strategy, seed, number uint64) {
	r.chance.restart(seed, streamShots, number)
	r.gunner.begin(rules, s)
}

// Shots returns the number of shots so far, 0..100.
func (r *Shooter) Shots() int {
	refuse(r.validate())
	return int(r.gunner.shots)
}

// Done reports whether all ships are sunk.
func (r *Shooter) Done() bool {
	refuse(r.validate())
	return r.gunner.won()
}

// Shoot makes the next shot. It panics if Done.
func (r *Shooter) Shoot() (Cell, Outcome) {
	if r.Done() {
		refuse(errors.New("the shooter has sunk all ships: call Done first"))
	}
	return r.shoot()
}

func (r *Shooter) shoot() (Cell, Outcome) {
	at := r.gunner.aim(&r.chance)
	outcome, ship := r.target.shoot(at)
	r.gunner.learn(at, outcome, ship)
	return at, outcome
}

// Sunk returns the ships sunk so far, in the order of sinking.
func (r *Shooter) Sunk() []Ship {
	refuse(r.validate())
	return append([]Ship(nil), r.gunner.sunk[:r.gunner.nSunk]...)
}

// Thoughts returns the numbers that determine the next shot, or the zero value if all ships are sunk. It does not
// change the shooter.
func (r *Shooter) Thoughts() Thoughts {
	if r.Done() {
		return Thoughts{}
	}
	g, c := r.gunner, r.chance // copies, so that the shooter does not change
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

// Thoughts determine a shot. They have a number for each cell: the greater the better, and 0 for an impossible cell.
// The shot goes to one of the cells with the greatest number.
type Thoughts struct {
	Measure ThoughtMeasure      `json:"measure"`
	Cells   [boardCells]float64 `json:"cells"`
}

// ThoughtMeasure is the meaning of the numbers in [Thoughts].
type ThoughtMeasure int8

const (
	// Drawn is 1 for each cell from which the shot is drawn with equal probability.
	Drawn ThoughtMeasure = iota
	// Ways is the number of ways in which the ships afloat can cover the cell, as [Density] counts them.
	Ways
	// Odds is the probability that a ship covers the cell, as [Informed] estimates it; while a ship is wounded, it is
	// positive only for cells next to the hits on it.
	Odds
)

var thoughtMeasures = enum.New[ThoughtMeasure]("measure of thoughts", "drawn", "ways", "odds")

// String returns the name, which is also the text form.
func (m ThoughtMeasure) String() string               { return thoughtMeasures.String(m) }
func (m ThoughtMeasure) MarshalText() ([]byte, error) { return thoughtMeasures.MarshalText(m) }
func (m *ThoughtMeasure) UnmarshalText(text []byte) error {
	return thoughtMeasures.UnmarshalText(m, text)
}

func (g *gunner) thinkDensely(*chance) Thoughts {
	t := Thoughts{Measure: Ways}
	ways := g.ways()
	for c := range g.unknown.All() {
		t.Cells[c] = float64(ways.countAt(c))
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

type notData = exactjson.NotData

// Hand is a human player, who chooses the cells. Create it with [NewHand].
type Hand struct {
	notData
	target target
	shot   Cells
	sunk   []Ship
}

// NewHand returns a player who has not shot at the fleet yet. The error is the error of [Fleet.Validate].
func NewHand(f Fleet) (*Hand, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	h := new(Hand)
	h.target.set(f)
	return h, nil
}

// Shots returns the number of shots so far, 0..100.
func (h *Hand) Shots() int {
	refuse(h.validate())
	return h.shot.Count()
}

// Done reports whether all ships are sunk.
func (h *Hand) Done() bool {
	refuse(h.validate())
	return len(h.sunk) == int(post.ships)
}

// Sunk returns the ships sunk so far, in the order of sinking.
func (h *Hand) Sunk() []Ship {
	refuse(h.validate())
	return append([]Ship(nil), h.sunk...)
}

// Shoot shoots at a cell. If the cell is not allowed, Shoot returns an error and changes nothing.
func (h *Hand) Shoot(at Cell) (Outcome, error) {
	if err := h.validate(); err != nil {
		return Miss, err
	}
	switch {
	case at >= boardCells:
		return Miss, fmt.Errorf("cell %d: the board has the cells 0 to %d", at, boardCells-1)
	case h.Done():
		return Miss, fmt.Errorf("%v: all ships are sunk, there is nothing left to shoot at", at)
	case h.shot.contains(at):
		return Miss, fmt.Errorf("%v was shot at before: choose another cell", at)
	}
	h.shot = h.shot.or(single(at))
	outcome, ship := h.target.shoot(at)
	if outcome == Sunk {
		h.sunk = append(h.sunk, ship)
	}
	return outcome, nil
}

// Match is a game of a hand, player 0, against a shooter, player 1. A player who hits shoots again, and the first
// player who has sunk all ships wins. Create it with [NewMatch].
type Match struct {
	notData
	Hand    *Hand
	Shooter *Shooter
	Shots   []Shot // the shots so far
	over    bool
}

// NewMatch starts a game with player first, 0 or 1. If the shooter begins, NewMatch plays the shooter's shots until it
// is the hand's turn.
func NewMatch(h *Hand, s *Shooter, first int) (*Match, error) {
	if err := cmp.Or(h.validate(), s.validate()); err != nil {
		return nil, err
	}
	if first != 0 && first != 1 {
		return nil, fmt.Errorf("player %d: a game has players 0 and 1", first)
	}
	if h.Shots() > 0 || s.Shots() > 0 {
		return nil, fmt.Errorf("shots before the game = %d and %d: begin the game with players who have not shot yet",
			h.Shots(), s.Shots())
	}
	m := &Match{Hand: h, Shooter: s}
	if first == 1 {
		m.reply()
	}
	return m, nil
}

// Shoot plays the hand's shot. If the shot misses, the shooter shoots until a shot misses or the shooter has won. On an
// error the match is unchanged.
func (m *Match) Shoot(at Cell) error {
	if err := m.validate(); err != nil {
		return err
	}
	if m.over {
		return fmt.Errorf("%v: the game is over, begin a new one", at)
	}
	outcome, err := m.Hand.Shoot(at)
	if err != nil {
		return err
	}
	m.Shots = append(m.Shots, Shot{0, at, outcome})
	m.over = m.Hand.Done()
	if !outcome.keepsTurn() {
		m.reply()
	}
	return nil
}

// reply plays the shooter's turn.
func (m *Match) reply() {
	for outcome := Hit; outcome.keepsTurn() && !m.over; m.over = m.Shooter.Done() {
		var at Cell
		at, outcome = m.Shooter.Shoot()
		m.Shots = append(m.Shots, Shot{1, at, outcome})
	}
}

// Winner returns the winner, 0 or 1, and whether the game is over.
func (m *Match) Winner() (player int, over bool) {
	refuse(m.validate())
	if m.over && !m.Hand.Done() {
		return 1, true
	}
	return 0, m.over
}
