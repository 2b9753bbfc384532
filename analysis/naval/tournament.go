package naval

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// MaxPlayers bounds a tournament: 1<<26, about 67 million games.
const MaxPlayers = 1 << 26

// Tournament is a knockout: who loses is out, until one player is left. A player's placement is drawn once and lasts
// the tournament, his fleet is placed anew for each game, and his moves are drawn anew for each game.
type Tournament struct {
	Players    int         // a power of two, 2..MaxPlayers
	Placements []Placement // drawn from, each entry alike; one entry: the placement of all
	Moves      []Moves     // likewise
	Targeting  Targeting   // of all players
	Halo       bool        // likewise
	// Seed fixes all that chance decides. Each game has a stream of its own, made from the seed and the number of the
	// game, so nothing depends on the order in which games are played.
	Seed uint64
	// Redraw lets a player whose first fleet finds no place draw again from Placements. In his games a fleet that finds
	// no place starts again as it does for all.
	Redraw bool
}

// Options changes how a tournament, or a measurement, is carried out, not what comes out.
type Options struct {
	Workers int // goroutines that play; below 1 means GOMAXPROCS
	// Progress, if any, is called now and then, by one goroutine at a time, with the number of games, or fleets, done
	// and that of all.
	Progress func(done, all int64)
}

// gamesPerBlock is what a worker takes at a time.
const gamesPerBlock = 64

// Validate returns what is wrong with the settings, if anything is: one line with the value, the rule and the fix.
func (t Tournament) Validate() error {
	if t.Players < 2 || t.Players > MaxPlayers || t.Players&(t.Players-1) != 0 {
		return fmt.Errorf("%s: a knockout needs a power of two from 2 to %d, such as 1024",
			plural.Count(t.Players, "player"), MaxPlayers)
	}
	if len(t.Placements) == 0 || len(t.Moves) == 0 {
		return fmt.Errorf("%s and %d move %s to draw from: give one of each or more",
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

// FleetRate returns the share of attempts to place a fleet that succeed, of so many attempts, 1 or more: if a ship
// finds no place, the rule starts again.
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

// game plays the game of a number.
func (t *Tournament) game(d *duel, number uint64, placements [2]Placement, record *[]Shot) (strategies [2]Strategy,
	winner int,
) {
	d.chance.restart(t.Seed, streamGame, number)
	d.deal(placements)
	for i := range strategies {
		strategies[i] = Strategy{t.Moves[d.chance.below(len(t.Moves))], t.Targeting, t.Halo}
	}
	return strategies, d.play(strategies, record)
}

// FirstGame plays the first game of the tournament, between its first two players, shot by shot. The error is that of
// Validate.
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

// Play plays all games. The result depends on the tournament alone, not on the number of workers. The errors are those
// of Validate and that of the context, which stops the work within a block of games.
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

// round is what a worker uses again and again for its games of a round.
type round struct {
	duel  duel
	total Statistics
}

// Statistics sums up the games of a tournament, as the post does. A "move" is a shot.
type Statistics struct {
	Games        int64 // one less than players
	WinnersMoves int64 // shots of the winners of all games
	LosersMoves  int64
	LosersScore  int64                   // hits of the losers
	ByPlacement  [len(placements)]Record // the games won and lost with each placement
	ByMoves      [len(moves)]Record      // and with each list of moves
}

// Record is how often players with something in common won and lost.
type Record struct {
	Wins, Losses int64
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

// MeanLosersScore returns the mean number of hits of a game's loser, of 20 that win.
func (s Statistics) MeanLosersScore() float64 {
	s.must()
	return float64(s.LosersScore) / float64(s.Games)
}

// add takes in the game that a duel has just played.
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
