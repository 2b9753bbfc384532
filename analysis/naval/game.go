// Package naval plays and measures the naval battle of the post "25 ms naval battle": two players, each with ten ships
// on a board of 10 x 10 cells, take turns to shoot at ships that they do not see.
//
// A fleet has one ship of four decks, two of three, three of two and four of one; ships may not touch, not even at
// corners. A player who hits scores 1 and shoots again; after a miss it is the other player's turn. The first player
// is drawn at random, and the player who sinks all ten ships wins. The post calls shots moves.
//
//   - how ships are placed: [Placement], eight regions for the ships of one deck
//   - how players shoot: [Strategy], made of [Moves] for the hunt and [Targeting] for the shots after a hit
//   - one game, shot by shot: [Tournament.FirstGame]; a knockout with the post's statistics: [Tournament.Play]
//   - how many shots a strategy needs for a fleet: [Measure]
//   - single shots, and the numbers that decide them: [Shooter]; shots by hand: [Hand]; one against the other: [Match]
//   - ships that somebody has placed, and why they cannot be there: [Together]
//   - the number of legal fleets, exactly: [CountFleets]
//   - the classic fleet of 5, 4, 3, 3 and 2 decks, whose ships may touch: [Rules], for a [Measurement]
//
// The post leaves some rules open. With the following interpretations, games reproduce every mean that the post prints
// for a tournament to within three standard errors. Ships are placed in order of length, the longest first, each
// uniformly among the places left. If no place is left, placing starts again. A placement lasts for a tournament, while
// fleet and moves are new in each game. After a hit a player does what the published program does ([AsCoded]), which is
// not what the post describes ([AsDescribed]). Games also reproduce the wins and losses by placement, but only if the
// post's seven placements were not drawn equally often: the square of 36 about four times as often as one of the sides.
//
// Sets of cells take two words, so a game takes a few microseconds and allocates no memory. Random numbers come from
// streams that depend on a seed and the number of the game: the same seed gives the same result with any number of
// workers.
//
// Work that can take long has a context. When the context is done, the error wraps context.Canceled or
// context.DeadlineExceeded, and the cause if the context was canceled with one (see context.WithCancelCause).
//
// # How far it can be trusted
//
// Given the same random numbers, games agree shot for shot with a slow version that uses grids and lists, for every
// strategy except [Informed], under both [Rules]. The fleets that Informed imagines are distributed like random fleets
// that agree with the shots. The number of fleets agrees with brute force on small boards. Means are samples: a
// [Sample] comes with its 95 % interval.
//
// The strategies that compute, and the recurrence of the count, are defined in docs/derivations/naval.md.
package naval

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// Player is one side of a game.
type Player struct {
	Placement Placement `json:"placement"`
	Strategy  Strategy  `json:"strategy"`
}

// Shot is one shot of a game.
type Shot struct {
	Player  int     `json:"player"` // the player who shoots, 0 or 1
	At      Cell    `json:"cell"`
	Outcome Outcome `json:"outcome"`
}

// Game is a game from the first shot to the last.
type Game struct {
	Players [2]Player `json:"players"`
	Fleets  [2]Fleet  `json:"fleets"` // each player's own
	Shots   []Shot    `json:"shots"`  // in order; a player who hits shoots again
	Winner  int       `json:"winner"` // 0 or 1: the player who sank the other's last ship
}

// Count returns the number of a player's shots, and how many of them were hits.
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

// duel plays games one after another, reusing its memory.
type duel struct {
	chance  chance
	targets [2]target // the fleet of each player
	gunners [2]gunner // what each player knows about the other's fleet
}

// play plays a game with the placed fleets and returns the winner. If record is not nil, it appends every shot to it.
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

// Outcome is the effect of a shot.
type Outcome int8

// These are the outcomes of a shot.
const (
	Miss Outcome = iota
	Hit          // the ship has decks left
	Sunk         // the ship has no decks left
)

var outcomes = enum.New[Outcome]("outcome", "miss", "hit", "sunk")

// String returns the name, which is also the text form.
func (o Outcome) String() string                   { return outcomes.String(o) }
func (o Outcome) MarshalText() ([]byte, error)     { return outcomes.MarshalText(o) }
func (o *Outcome) UnmarshalText(text []byte) error { return outcomes.UnmarshalText(o, text) }

// keepsTurn reports whether the player shoots again after this outcome.
func (o Outcome) keepsTurn() bool { return o != Miss }

// target is a fleet under fire.
type target struct {
	fleet Fleet
	owner [boardCells]int8 // number of the ship on a cell, from 1; 0 for water
	left  [mostShips]int8  // decks not hit yet
}

// place draws a new fleet.
func (t *target) place(r *rules, p Placement, c *chance) {
	t.fleet.place(r, p, c)
	t.launch()
}

// set uses a given fleet.
func (t *target) set(f Fleet) {
	t.fleet = f
	t.launch()
}

// launch puts the fleet on the board.
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

// shoot returns the effect of a shot at a cell that was not shot at before, and the ship if it sinks one.
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

// These are the purposes of streams. The numbers affect the results: never change one.
const (
	streamGame    = 1   // one for each game of a tournament
	streamPlayers = 2   // the placements of the players
	streamShots   = 3   // shots at a fleet that does not shoot back
	streamFleet   = 100 // plus the placement: fleets that do not shoot back
)

// restart makes c the stream for one purpose and number under a seed. Both words of the generator's state are mixed
// from all three. The generator has only one cycle, so states that differ only slightly would give related streams.
func (c *chance) restart(seed, purpose, number uint64) {
	a := mix(seed + purpose*0x9e3779b97f4a7c15)
	b := mix(a ^ number)
	c.Seed(b, mix(b+0x9e3779b97f4a7c15)^a)
}

// mix applies the finalizer of SplitMix64 (Steele, Lea, Flood 2014). It is a bijection in which each input bit affects
// about half of the output bits.
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

// pick returns a random cell of a non-empty set.
func (c *chance) pick(s Cells) Cell { return s.nth(c.below(s.Count())) }

// pickMore returns s with n more random cells from the set from; n is at least 0.
func (c *chance) pickMore(s Cells, n int, from Cells) Cells {
	for range n {
		s = s.or(single(c.pick(from.andNot(s))))
	}
	return s
}

// MaxPlayers is the maximum number of players in a tournament: 1<<26, for about 67 million games.
const MaxPlayers = 1 << 26

// Tournament is a knockout: losers are out, until one player is left. A player's placement is drawn once for the
// tournament. For each game, the player's fleet is placed again and the moves are drawn again.
type Tournament struct {
	Players    int         `json:"players"`    // a power of two, 2..MaxPlayers
	Placements []Placement `json:"placements"` // each player's placement is drawn from these with equal probability
	Moves      []Moves     `json:"moves"`      // each player's moves are drawn from these in the same way
	Targeting  Targeting   `json:"targeting"`  // the targeting of all players
	Halo       bool        `json:"halo"`       // whether all players use halos
	// Seed determines all random choices. Each game has its own stream, which depends on the seed and the number of
	// the game, so the order in which games are played does not matter.
	Seed uint64 `json:"seed"`
	// With Redraw, a player whose first fleet cannot be placed draws again from Placements. In that player's games, if
	// no place is left for a fleet, placing starts again, as for all players.
	Redraw bool `json:"redraw"`
}

// Options changes how a tournament or a measurement is computed, but not its result.
type Options struct {
	Workers int // number of goroutines; below 1 means GOMAXPROCS
	// Progress, if not nil, is called regularly, by one goroutine at a time, with the numbers of finished and of all
	// games or fleets.
	Progress func(done, all int64)
}

// gamesPerBlock is the number of games that a worker takes at a time.
const gamesPerBlock = 64

// Validate returns an error if a setting is wrong: one line with the value, the rule and the fix.
func (t Tournament) Validate() error {
	if t.Players < 2 || t.Players > MaxPlayers || t.Players&(t.Players-1) != 0 {
		return fmt.Errorf("%s: a knockout needs a power of two from 2 to %d, such as 1024",
			plural.Count(t.Players, "player"), MaxPlayers)
	}
	if len(t.Placements) == 0 || len(t.Moves) == 0 {
		return fmt.Errorf("%s and %d move %s to draw from: give at least one of each",
			plural.Count(len(t.Placements), "placement"), len(t.Moves), plural.Of(len(t.Moves), "strategy",
				"strategies"))
	}
	for _, p := range t.Placements {
		if err := placementNames.Validate(p); err != nil {
			return err
		}
	}
	for _, m := range t.Moves {
		if err := (Strategy{Moves: m, Targeting: t.Targeting}).Validate(); err != nil {
			return err
		}
	}
	return nil
}

// draw returns the placements of the first n players.
func (t Tournament) draw(n int) []Placement {
	var c chance
	c.restart(t.Seed, streamPlayers, 0)
	players := make([]Placement, n)
	for i := range players {
		players[i] = t.Placements[c.below(len(t.Placements))]
		for t.Redraw && !new(Fleet).tryPlace(post, players[i], &c) {
			players[i] = t.Placements[c.below(len(t.Placements))]
		}
	}
	return players
}

// FleetRate makes the given number of attempts to place a fleet, at least 1, and returns the share of successful
// attempts. An attempt fails if there is no place left for a ship; the rule then starts again.
func (p Placement) FleetRate(attempts int, seed uint64) float64 {
	refuse(placementNames.Validate(p))
	if attempts < 1 {
		refuse(fmt.Errorf("attempts = %d: use 1 or more", attempts))
	}
	var c chance
	c.restart(seed, streamFleet+uint64(p), 0)
	placed := 0
	for range attempts {
		if new(Fleet).tryPlace(post, p, &c) {
			placed++
		}
	}
	return float64(placed) / float64(attempts)
}

// game plays the game with a number.
func (t *Tournament) game(d *duel, number uint64, placements [2]Placement, record *[]Shot) (strategies [2]Strategy,
	winner int,
) {
	d.chance.restart(t.Seed, streamGame, number)
	for i, p := range placements {
		d.targets[i].place(post, p, &d.chance)
	}
	for i := range strategies {
		strategies[i] = Strategy{t.Moves[d.chance.below(len(t.Moves))], t.Targeting, t.Halo}
	}
	return strategies, d.play(strategies, record)
}

// FirstGame plays the first game of the tournament, between its first two players, and records each shot. The error
// is the error of Validate.
func (t Tournament) FirstGame() (Game, error) {
	if err := t.Validate(); err != nil {
		return Game{}, err
	}
	var d duel
	var g Game
	placements := [2]Placement(t.draw(2))
	strategies, winner := t.game(&d, 0, placements, &g.Shots)
	g.Winner = winner
	for i := range g.Players {
		g.Players[i] = Player{placements[i], strategies[i]}
		g.Fleets[i] = d.targets[i].fleet
	}
	return g, nil
}

// Play plays all games. The result depends only on the tournament, not on the number of workers. The error comes from
// Validate or the context. When the context is done, the work stops within a block of games.
func (t Tournament) Play(ctx context.Context, options Options) (Statistics, error) {
	if err := t.Validate(); err != nil {
		return Statistics{}, err
	}
	var total Statistics
	for alive := t.draw(t.Players); len(alive) > 1; {
		winners, played := make([]Placement, len(alive)/2), total.Games
		games := func(ctx context.Context, part grid.Block, free *round) (*round, error) {
			if free == nil {
				free = new(round)
			}
			free.total = Statistics{}
			for i := part.First; i < part.First+part.Size; i++ {
				if err := canceled.Cause(ctx); err != nil {
					return nil, err
				}
				placements := [2]Placement{alive[2*i], alive[2*i+1]}
				strategies, winner := t.game(&free.duel, uint64(played+i), placements, nil)
				winners[i] = placements[winner]
				free.total.add(&free.duel, placements, strategies, winner)
			}
			return free, nil
		}
		emit := func(_ grid.Block, found *round) error {
			total.merge(found.total)
			if options.Progress != nil {
				options.Progress(total.Games, int64(t.Players)-1)
			}
			return nil
		}
		sweep := grid.Options{Workers: options.Workers, BlockSize: gamesPerBlock}
		if err := grid.Sweep(ctx, int64(len(winners)), sweep, games, emit); err != nil {
			return Statistics{}, err
		}
		alive = winners
	}
	return total, nil
}

// round holds the memory that a worker reuses for the games it plays in one round of a tournament.
type round struct {
	duel  duel
	total Statistics
}

// Statistics sums up the games of a tournament, as the post does. A "move" is a shot.
type Statistics struct {
	Games        int64                   `json:"games"`         // one less than the number of players
	WinnersMoves int64                   `json:"winners_moves"` // the total number of shots of the games' winners
	LosersMoves  int64                   `json:"losers_moves"`
	LosersScore  int64                   `json:"losers_score"` // the total number of hits of the losers
	ByPlacement  [len(placements)]Record `json:"by_placement"` // games won and lost with each placement
	ByMoves      [len(moves)]Record      `json:"by_moves"`     // games won and lost with each move strategy
}

// Record holds how often players with a common property won and lost.
type Record struct {
	Wins   int64 `json:"wins"`
	Losses int64 `json:"losses"`
}

// MeanMoves returns the mean number of shots of a player in a game.
func (s Statistics) MeanMoves() float64 {
	s.must()
	return float64(s.WinnersMoves+s.LosersMoves) / float64(2*s.Games)
}

// MeanMovesWinners returns the mean number of shots of a game's winner.
func (s Statistics) MeanMovesWinners() float64 {
	s.must()
	return float64(s.WinnersMoves) / float64(s.Games)
}

// MeanMovesLosers returns the mean number of shots of a game's loser.
func (s Statistics) MeanMovesLosers() float64 {
	s.must()
	return float64(s.LosersMoves) / float64(s.Games)
}

// MeanLosersScore returns the mean number of hits of a game's loser; 20 hits win.
func (s Statistics) MeanLosersScore() float64 {
	s.must()
	return float64(s.LosersScore) / float64(s.Games)
}

// add adds the game that a duel has just played.
func (s *Statistics) add(d *duel, placements [2]Placement, strategies [2]Strategy, winner int) {
	won, lost := &d.gunners[winner], &d.gunners[1-winner]
	s.Games++
	s.WinnersMoves += int64(won.shots)
	s.LosersMoves += int64(lost.shots)
	s.LosersScore += int64(lost.score)
	s.ByPlacement[placements[winner]].Wins++
	s.ByPlacement[placements[1-winner]].Losses++
	s.ByMoves[strategies[winner].Moves].Wins++
	s.ByMoves[strategies[1-winner].Moves].Losses++
}

// merge adds the games of t.
func (s *Statistics) merge(t Statistics) {
	s.Games += t.Games
	s.WinnersMoves += t.WinnersMoves
	s.LosersMoves += t.LosersMoves
	s.LosersScore += t.LosersScore
	for p, r := range t.ByPlacement {
		s.ByPlacement[p].add(r)
	}
	for m, r := range t.ByMoves {
		s.ByMoves[m].add(r)
	}
}

func (r *Record) add(t Record) {
	r.Wins += t.Wins
	r.Losses += t.Losses
}
