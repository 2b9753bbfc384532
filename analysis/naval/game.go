// Package naval plays and measures the naval battle of the post "25 ms naval battle": two players, each with ten ships
// on a board of 10 x 10 cells, shoot in turns at what they do not see.
//
// A fleet has one ship of four decks, two of three, three of two and four of one; ships may not touch, not even at
// corners. A hit keeps the turn and scores 1, a miss passes it, the first player is drawn at random, and the player who
// has sunk all ten ships wins. The post calls shots moves.
//
//   - how ships are placed: [Placement], eight regions for the ships of one deck
//   - how players shoot: [Strategy], made of [Moves] for the hunt and [Targeting] for what follows a hit
//   - one game, shot by shot: [Tournament.FirstGame]; a knockout with the post's statistics: [Tournament.Play]
//   - how many shots a strategy needs for a fleet: [Measure]
//   - one shot after the other, and what decides it: [Shooter]; by hand: [Hand]; one against the other: [Match]
//   - ships that somebody has placed, and why they cannot lie so: [Together]
//   - the number of legal fleets, exactly: [CountFleets]
//   - the classic fleet of 5, 4, 3, 3 and 2 decks, whose ships may touch: [Rules], for a [Measurement]
//
// The post leaves rules open. The readings taken here reproduce every mean that it prints of a tournament, within three
// standard errors: ships are placed in order of length, the longest first, each uniformly among the places left, from
// the start again if there is none; a placement lasts a tournament, while fleet and moves are new in each game; and
// after a hit a player does what the published program does ([AsCoded]), which is not what the text says
// ([AsDescribed]). The wins and losses by placement that it prints come out too, but only if its seven placements were
// not drawn alike: the square of 36 about four times as often as one of the sides.
//
// Sets of cells are two words, so a game takes a few microseconds and no memory. Chance comes from streams that are
// made from a seed and the number of the game: the same seed gives the same result, on any number of workers.
//
// Work that can take long has a context. When the context is done, errors.Is finds context.Canceled or
// context.DeadlineExceeded in the error, and the cause that was passed to the function of context.WithCancelCause.
//
// # How far it can be trusted
//
// Games agree shot for shot with a slow version on grids and lists, given the same random numbers, for every strategy
// but [Informed], under both [Rules]. The fleets that Informed imagines are distributed like fleets that are placed
// until they agree with the shots. The number of fleets agrees with brute force on small boards. Means are samples: a
// [Sample] comes with its 95 % interval.
//
// The definition of the strategies that compute, and the recurrence of the count, are in docs/derivations/naval.md.
package naval

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Player is one side of a game.
type Player struct {
	Placement Placement
	Strategy  Strategy
}

// Shot is one move of a game.
type Shot struct {
	Player  int // who shoots, 0 or 1
	At      Cell
	Outcome Outcome
}

// Game is a game from the first shot to the last.
type Game struct {
	Players [2]Player
	Fleets  [2]Fleet // each player's own
	Shots   []Shot   // in order; a hit keeps the turn, a miss passes it
	Winner  int      // 0 or 1: who sank the last ship of the other
}

// Count returns how many shots a player made, and how many of them were hits.
func (g Game) Count(player int) (shots, score int) {
	if player != 0 && player != 1 {
		refuse(fmt.Errorf("player %d: a game has players 0 and 1", player))
	}
	for _, shot := range g.Shots {
		if shot.Player == player {
			shots++
			if shot.Outcome != Miss {
				score++
			}
		}
	}
	return shots, score
}

// duel plays games, one after another, in the same memory.
type duel struct {
	chance  chance
	targets [2]target // the fleet of each player
	gunners [2]gunner // what each player knows of the other's
}

// deal places the fleets.
func (d *duel) deal(placements [2]Placement) {
	for i, p := range placements {
		d.targets[i].place(post, p, &d.chance)
	}
}

// play plays a game with the fleets dealt and returns who wins. If record is not nil, every shot is appended to it.
func (d *duel) play(strategies [2]Strategy, record *[]Shot) (winner int) {
	for i, s := range strategies {
		d.gunners[i].begin(post, s)
	}
	for turn := d.chance.below(2); ; turn = 1 - turn {
		g, t := &d.gunners[turn], &d.targets[1-turn]
		for outcome := Hit; outcome.keepsTurn(); {
			at := g.aim(&d.chance)
			var ship Ship
			outcome, ship = t.shoot(at)
			g.learn(at, outcome, ship)
			if record != nil {
				*record = append(*record, Shot{turn, at, outcome})
			}
			if g.won() {
				return turn
			}
		}
	}
}

// Outcome is what a shot does.
type Outcome int8

// The outcomes of a shot.
const (
	Miss Outcome = iota
	Hit          // the ship has decks left
	Sunk         // it has none
)

var outcomes = enum.New[Outcome]("outcome", "miss", "hit", "sunk")

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return outcomes.All() }

// String returns the name, the text that is also marshalled and read.
func (o Outcome) String() string                   { return outcomes.String(o) }
func (o Outcome) MarshalText() ([]byte, error)     { return outcomes.MarshalText(o) }
func (o *Outcome) UnmarshalText(text []byte) error { return outcomes.UnmarshalText(o, text) }

// keepsTurn reports whether the player who shot shoots again.
func (o Outcome) keepsTurn() bool { return o != Miss }

// target is a fleet under fire.
type target struct {
	fleet Fleet
	owner [boardCells]int8 // number of the ship on a cell, from 1; 0: water
	left  [mostShips]int8  // decks not hit yet
}

// place draws a new fleet.
func (t *target) place(r *rules, p Placement, c *chance) {
	t.fleet.place(r, p, c)
	t.launch()
}

// set takes a fleet that is there.
func (t *target) set(f Fleet) {
	t.fleet = f
	t.launch()
}

// launch puts the fleet onto the board.
func (t *target) launch() {
	t.owner = [boardCells]int8{}
	for i, ship := range t.fleet {
		step := Cell(1)
		if ship.Upright {
			step = Side
		}
		cell := ship.First
		for range ship.Decks {
			t.owner[cell] = int8(i + 1)
			cell += step
		}
		t.left[i] = ship.Decks
	}
}

// shoot returns what a shot does at a cell that was not shot at before, and the ship if it sinks one.
func (t *target) shoot(at Cell) (Outcome, Ship) {
	i := t.owner[at] - 1
	if i < 0 {
		return Miss, Ship{}
	}
	t.left[i]--
	if t.left[i] > 0 {
		return Hit, Ship{}
	}
	return Sunk, t.fleet[i]
}

// chance is a stream of random numbers.
type chance struct{ rand.PCG }

// The purposes for which streams are drawn. Numbers are part of the results: never change one.
const (
	streamGame    = 1   // one for each game of a tournament
	streamPlayers = 2   // placements of the players
	streamShots   = 3   // shots at a fleet that does not shoot back
	streamFleet   = 100 // plus the placement: such fleets
)

// restart makes c the stream of one purpose and number under a seed. Both words of the generator's state are mixed from
// all three, because it has one cycle only: states that differ by little would give related streams.
func (c *chance) restart(seed, purpose, number uint64) {
	a := mix(seed + purpose*0x9e3779b97f4a7c15)
	b := mix(a ^ number)
	c.Seed(b, mix(b+0x9e3779b97f4a7c15)^a)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014), a bijection in which each bit of the input moves about
// half of the output's.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number 0..n-1, n >= 1, each with exactly the same probability (Lemire 2019).
func (c *chance) below(n int) int {
	hi, lo := bits.Mul64(c.Uint64(), uint64(n))
	if lo < uint64(n) {
		for reject := -uint64(n) % uint64(n); lo < reject; {
			hi, lo = bits.Mul64(c.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// pick returns a cell of a set that is not empty.
func (c *chance) pick(s Cells) Cell { return s.nth(c.below(s.Count())) }

// pickMore returns s with n more cells, 0 or more, of those in from.
func (c *chance) pickMore(s Cells, n int, from Cells) Cells {
	for range n {
		s = s.or(single(c.pick(from.andNot(s))))
	}
	return s
}
