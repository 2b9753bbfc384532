package naval

import (
	"fmt"
	"math/rand/v2"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// The film shows two players who shoot at the same fleet. In each step, both have raceMisses misses.
const (
	raceMisses = 6
	raceSeed   = 7
)

// Race returns the film of two players, one who learns from each shot and one who shoots at random cells. Both shoot at
// the same fleet.
func Race() pictures.Picture {
	return pictures.Film{Name: "naval-race", Step: "moment", Still: -1, Of: race}.Picture()
}

// racer is a player in the film, with the player's shots in order.
type racer struct {
	name  string
	shots []game.Cell
}

// racers returns the fleet, and the shots of both players until each has sunk it.
func racers() (fleet game.Fleet, both [2]racer, err error) {
	fleet, _, err = game.PlaceFleet([]game.Placement{game.Anywhere}, raceSeed, 0)
	if err != nil {
		return fleet, both, err
	}
	strategy := game.Strategy{Moves: game.Random, Targeting: game.Density, Halo: true}
	s, err := game.NewShooter(strategy, fleet, raceSeed, 0)
	if err != nil {
		return fleet, both, err
	}
	both[0].name, both[1].name = "learning", "blind"
	for !s.Done() {
		at, _ := s.Shoot()
		both[0].shots = append(both[0].shots, at)
	}
	for _, i := range rand.New(rand.NewPCG(raceSeed, 0)).Perm(game.Side * game.Side) {
		both[1].shots = append(both[1].shots, game.At(i%game.Side, i/game.Side))
	}
	return fleet, both, nil
}

// after returns the shots of a player before miss number misses + 1, and the number of hits among them. For 0 misses,
// it returns no shots. A player stops after hitting all decks.
func (r racer) after(decks game.Cells, misses int) (shots []game.Cell, hits int) {
	missed := 0
	for _, at := range r.shots {
		if misses == 0 || missed == misses && !decks.Has(at) || hits == decks.Count() {
			break
		}
		if shots = append(shots, at); decks.Has(at) {
			hits++
		} else {
			missed++
		}
	}
	return shots, hits
}

func race(pictures.Values) (*pictures.Reel, error) {
	fleet, both, err := racers()
	if err != nil {
		return nil, err
	}
	decks := fleet.Cells()
	all := decks.Count()
	reel := &pictures.Reel{Title: "Decks hit after the same number of misses", Head: "misses", Rows: []pictures.FilmRow{
		{Name: both[0].name, Role: figure.Ours}, {Name: both[1].name, Role: figure.Theirs},
	}}
	needed := len(both[0].shots) - all
	for misses := 0; ; misses = min(misses+raceMisses, needed) {
		var sheets []Sheet
		var hits [2]int
		for i, player := range both {
			shots, n := player.after(decks, misses)
			hits[i] = n
			reel.Rows[i].Cells = append(reel.Rows[i].Cells, fmt.Sprint(n))
			cells := [][]game.Cell{slices.Collect(decks.All()), nil, nil}
			for _, at := range shots {
				kind := 2
				if decks.Has(at) {
					kind = 1
				}
				cells[kind] = append(cells[kind], at)
			}
			sheets = append(sheets, Sheet{player.name + ": " + pictures.Plural(int64(n), "hit"), cells})
		}
		board := Sheets(pictures.Text("The same fleet twice, after {miss|misses} by each player", misses), []Layer{
			{"deck afloat", pictures.Afloat}, {"hit deck", pictures.Hit}, {"miss", pictures.Miss},
		}, sheets...).Keyed()
		say := pictures.Text("{miss|misses} each: %v of %v decks hit by learning, %v blindly.",
			misses, hits[0], all, hits[1])
		switch {
		case misses == 0:
			say = "The same ten hidden ships, twice. One player learns from each shot, the other does not. A hit " +
				"keeps the turn."
		case misses == needed:
			say = pictures.Text("Sunk with {miss|misses}. With as many misses, the blind player has hit %v of %v "+
				"decks.", misses, hits[1], all)
		}
		reel.Frames = append(reel.Frames, pictures.Frame{
			Head: fmt.Sprint(misses), Say: say, Seconds: 1.2,
			Drawing: func(bool) pictures.MovingDrawing { return pictures.Still(board) },
		})
		if misses == needed {
			return reel, nil
		}
	}
}
