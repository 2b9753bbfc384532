package games

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
)

// TowerSignature is the function that a listing for the tower game must define. It returns a list of how many of the N
// soldiers shoot at each tower. The list towers has the hits that each standing tower can take, the weakest first; the
// result has the same length. The battle began with n soldiers and t towers of h hits, each of which kills k soldiers
// per round. Rounds are numbered from 1.
var TowerSignature = listing.Signature{
	Name: "aim", Parameters: []string{"n", "h", "k", "t", "round", "N", "towers"}, Lists: []string{"towers"},
}

var towerGame = listing.Game{
	Name: "tower", Signature: TowerSignature, Axes: []string{"soldiers", "hits", "kills", "towers"},
	Own: func(l *listing.Listing) listing.Judge {
		return judged(l, func(l asked) listing.Judge { return judgeTower(l.aims) })
	},
	Library: func() (all []listing.Player) {
		for _, strategy := range tower.Strategies() {
			play := func(_ tower.Battle, _ int64, s tower.State) ([]tower.Aim, error) {
				return strategy.Aims(s), nil
			}
			all = append(all, listing.Player{Name: strategy.String(), Judge: judgeTower(play)})
		}
		return all
	},
}

// towerPlay returns the soldiers' aims in a state.
type towerPlay func(b tower.Battle, round int64, s tower.State) ([]tower.Aim, error)

// Tower plays a battle of the tower game with a listing, round by round, from the start, as tower.Battle.Rounds does
// for a strategy. It ends with a *listing.Error that names battle, round, state and order if the listing fails.
func Tower(l *listing.Listing, b tower.Battle) iter.Seq2[tower.Round, error] {
	return towerRounds(b, ask(l, nil).aims)
}

func towerRounds(b tower.Battle, play towerPlay) iter.Seq2[tower.Round, error] {
	return func(yield func(tower.Round, error) bool) {
		var failed error
		number := int64(0)
		for round := range b.RoundsFrom(b.Start(), func(s tower.State) (aims []tower.Aim) {
			if aims, failed = play(b, number+1, s); failed != nil {
				aims = tower.Greedy.Aims(s) // this round is not shown
			}
			return aims
		}) {
			if number = round.Number; !yield(round, failed) || failed != nil {
				return
			}
		}
	}
}

// aims asks the listing where the soldiers shoot.
func (l asked) aims(b tower.Battle, round int64, s tower.State) ([]tower.Aim, error) {
	towers, aims, err := l.aim(b, round, s)
	return aims, listing.In(err, "battle %v, round %d, N = %d, towers = %s",
		b, round, s.Soldiers, listing.Short(towers))
}

func (l asked) aim(b tower.Battle, round int64, s tower.State) (towers *starlark.List, aims []tower.Aim, err error) {
	if standing := s.Towers(); standing > int64(l.limits.Items) {
		return starlark.NewList(nil), nil, l.Fault("a listing can play against at most %d towers", l.limits.Items)
	}
	var hits []int64
	for _, group := range slices.Backward(s.Groups) {
		hits = append(hits, slices.Repeat([]int64{group.Hits}, int(group.Towers))...)
	}
	towers = list(hits)
	value, err := l.call(
		starlark.MakeInt64(b.Soldiers), starlark.MakeInt64(b.HitsPerTower), starlark.MakeInt64(b.KillsPerTower),
		starlark.MakeInt64(b.Towers), starlark.MakeInt64(round), starlark.MakeInt64(s.Soldiers), list(hits),
	)
	if err != nil {
		return towers, nil, err
	}
	shots, err := l.Wholes(value)
	left := s.Soldiers
	switch {
	case err != nil:
		return towers, nil, err
	case len(shots) != len(hits):
		return towers, nil, l.Refuse(value, "it must return %d numbers, one for each tower", len(hits))
	}
	for i, shot := range shots {
		if shot < 0 || shot > left {
			left = -1
			break
		}
		left -= shot
		if last := len(aims) - 1; last >= 0 && aims[last].Hits == hits[i] && aims[last].Shots == shot {
			aims[last].Towers++
		} else {
			aims = append(aims, tower.Aim{Towers: 1, Hits: hits[i], Shots: shot})
		}
	}
	if left != 0 {
		return towers, nil, l.Refuse(value, "the numbers must be 0 or more, with the sum %d: each soldier shoots once",
			s.Soldiers)
	}
	return towers, aims, nil
}

// mostRounds limits the rounds of a battle in a comparison. A comparison leaves out battles with more rounds.
const mostRounds = 10_000

func judgeTower(play towerPlay) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error {
		b := tower.Battle{Soldiers: at[0], HitsPerTower: at[1], KillsPerTower: at[2], Towers: at[3]}
		best, err := b.Play(tower.Greedy, mostRounds)
		if err != nil {
			return nil // the battle has too many rounds
		}
		won := func(winner tower.Winner, rounds int64) int64 {
			if winner == tower.Soldiers {
				return rounds
			}
			return 0
		}
		for round, err := range towerRounds(b, play) {
			switch err := cmp.Or(err, canceled.Cause(ctx)); {
			case err != nil:
				return err
			case round.Winner != tower.Undecided:
				t.Count(b, won(round.Winner, round.Number), won(best.Winner, best.Rounds))
			case round.Number == mostRounds:
				return nil
			}
		}
		return nil
	}
}
