package tower

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Filmed is the battle in the film: soldiers who focus their shots win it, and soldiers who spread them lose it.
var Filmed = game.Battle{Soldiers: 36, HitsPerTower: 10, KillsPerTower: 1, Towers: 10}

// Focus returns the film of two equal armies that attack the same towers. One army shoots at one tower until it falls,
// and the other spreads its shots.
func Focus() pictures.Picture {
	return pictures.Film{Name: "tower-focus", Step: "round", Still: 2, Of: focus}.Picture()
}

// rounds returns the rounds of a battle, beginning with the start.
func rounds(b game.Battle, strategy game.Strategy) (all []game.Round) {
	for round := range b.Rounds(strategy) {
		all = append(all, round)
	}
	return all
}

func focus(pictures.Values) (*pictures.Reel, error) {
	b := Filmed
	plans := []filmed{{"one tower at a time", rounds(b, game.Greedy)}, {"shots spread", rounds(b, game.Fewest)}}
	reel := &pictures.Reel{Title: "Soldiers and towers left after each round, by both plans", Head: "after round"}
	var wide, narrow []figure.Crowds
	for _, plan := range plans {
		reel.Rows = append(reel.Rows, pictures.FilmRow{Name: plan.name + ": soldiers", Role: figure.Ours},
			pictures.FilmRow{Name: plan.name + ": towers", Role: figure.Theirs})
	}
	for n := range max(len(plans[0].rounds), len(plans[1].rounds)) {
		drawing := figure.Crowds{
			Title: fmt.Sprintf("%d soldiers against %d towers by two plans, after %s", b.Soldiers, b.Towers,
				pictures.Plural(int64(n), "round")),
			Parts: []string{"Each soldier shoots once", "Each tower left kills one"}, Seconds: 1.4,
		}
		for i, plan := range plans {
			drawing.Sides = append(drawing.Sides, plan.side(b, n))
			s := plan.stateAfter(n).State
			for j, count := range []int64{s.Soldiers, s.Towers()} {
				row := &reel.Rows[2*i+j]
				row.Cells = append(row.Cells, pictures.People(count))
			}
		}
		wide = append(wide, drawing)
		drawing.Narrow = true
		narrow = append(narrow, drawing)
		reel.Frames = append(reel.Frames, pictures.Frame{
			Head: fmt.Sprint(n), Say: describeRound(b, n, plans[0], plans[1]), Seconds: drawing.Seconds,
			Drawing: func(telephone bool) pictures.MovingDrawing {
				if telephone {
					return narrow[n]
				}
				return wide[n]
			},
		})
	}
	figure.ComeCloser(wide, 1, 0)
	figure.ComeCloser(narrow, 1, 0)
	return reel, nil
}

// filmed is a plan of the soldiers, with the rounds of a battle in which they follow it.
type filmed struct {
	name   string
	rounds []game.Round
}

// stateAfter returns the state after a round, or the final state if the battle ended earlier.
func (f filmed) stateAfter(n int) game.Round { return f.rounds[min(n, len(f.rounds)-1)] }

// side draws the towers and the soldiers. The disc of the towers shows their kills per round inside their hits.
func (f filmed) side(b game.Battle, n int) figure.Side {
	round := f.stateAfter(n)
	s := round.State
	hits := s.HitsLeft().Big().Uint64()
	towers := figure.Crowd{Role: figure.Theirs, Count: uint64(s.Towers() * b.KillsPerTower)}
	walls := figure.Crowd{Role: figure.Material, Count: hits}
	soldiers := figure.Crowd{
		Role: figure.Ours, Count: uint64(s.Soldiers), Lost: 1, Label: pictures.Plural(s.Soldiers, "soldier"),
	}
	if hits > 0 {
		towers.Label = pictures.Plural(s.Towers(), "tower")
		walls.Label = "they take " + pictures.Plural(int64(hits), "hit")
	}
	if round.Winner == game.Soldiers {
		soldiers.Label += ": won"
	} else if round.Winner == game.Towers {
		soldiers.Label = "nobody left: lost"
	}
	side := figure.Side{Name: f.name, Discs: []figure.Disc{
		{Crowds: []figure.Crowd{towers, walls}}, {Crowds: []figure.Crowd{soldiers}},
	}}
	if n > 0 && n < len(f.rounds) {
		side.Volleys = []figure.Volley{{From: 1, At: 0, Part: 0}}
		if s.Soldiers < f.stateAfter(n-1).State.Soldiers {
			side.Volleys = append(side.Volleys, figure.Volley{From: 0, At: 1, Part: 1})
		}
	}
	return side
}

// describeRound describes a round in words.
func describeRound(b game.Battle, n int, left, right filmed) string {
	a, c := left.stateAfter(n).State, right.stateAfter(n).State
	switch over := n >= len(left.rounds)-1; {
	case n == 0:
		return pictures.Text("{soldier} against {tower}, by two plans. On the left, all shoot at one tower until it "+
			"falls; on the right, they shoot at all towers.", b.Soldiers, b.Towers)
	case over && n >= len(right.rounds)-1:
		return pictures.Text("One tower at a time: the soldiers win, and %v of them live. Shots spread: all are lost.",
			a.Soldiers)
	case over:
		return pictures.Text("Round %v: the left army has won. On the right {tower shoots|towers shoot} back.", n,
			c.Towers())
	}
	return pictures.Text("Round %v: {tower shoots|towers shoot} back on the left, {tower|towers} on the right. So %v "+
		"and %v soldiers live.", n, a.Towers(), c.Towers(), a.Soldiers, c.Soldiers)
}
