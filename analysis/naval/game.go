package naval

import "fmt"

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
		d.targets[i].place(p, &d.chance)
	}
}

// play plays a game with the fleets dealt and returns who wins. If record is not nil, every shot is appended to it.
func (d *duel) play(strategies [2]Strategy, record *[]Shot) (winner int) {
	for i, s := range strategies {
		d.gunners[i].begin(s)
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
