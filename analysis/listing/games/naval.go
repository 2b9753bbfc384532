package games

import (
	"context"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/canceled"
)

// NavalSignature is the function that a listing for naval battle must define. It returns the cell (x, y) to shoot at;
// both coordinates are from 0 to 9. The list board has ten rows of ten numbers, board[y][x]: 0 for a cell that was not
// shot at, 1 for a miss, 2 for a hit on a ship that is afloat, 3 for a hit on a sunk ship. The list afloat has the
// decks of the remaining ships.
var NavalSignature = listing.Signature{
	Name: "shoot", Parameters: []string{"board", "afloat"}, Lists: []string{"board", "afloat"},
}

var navalGame = listing.Game{
	Name: "naval", Signature: NavalSignature, Axes: []string{"fleet"},
	Own: func(l *listing.Listing) listing.Judge {
		return judged(l, func(l asked) listing.Judge { return judgeNaval(l.sink) })
	},
	Library: func() (all []listing.Player) {
		for _, t := range naval.Targetings() {
			if strategy := (naval.Strategy{Targeting: t, Halo: true}); t.Cost() <= 1000 {
				all = append(all, listing.Player{Name: strategy.String(), Judge: judgeNaval(shooter(strategy))})
			}
		}
		return all
	},
}

// navalView holds the numbers of the board that a player sees, and the decks of the remaining ships.
type navalView struct {
	board  [naval.Side][naval.Side]int64
	afloat []int
}

func newNavalView() navalView { return navalView{afloat: naval.Lengths()} }

// learn records a shot. sunk lists the ships sunk so far.
func (v *navalView) learn(at naval.Cell, outcome naval.Outcome, sunk []naval.Ship) {
	v.board[at.Y()][at.X()] = 1
	switch outcome {
	case naval.Hit:
		v.board[at.Y()][at.X()] = 2
	case naval.Sunk:
		ship := sunk[len(sunk)-1]
		for c := range ship.Cells().All() {
			v.board[c.Y()][c.X()] = 3
		}
		i := slices.Index(v.afloat, int(ship.Decks))
		v.afloat = slices.Delete(v.afloat, i, i+1)
	}
}

// shoot asks the listing for a cell.
func (l asked) shoot(v navalView) (naval.Cell, error) {
	var rows []starlark.Value
	for _, row := range v.board {
		rows = append(rows, list(row[:]))
	}
	value, err := l.call(starlark.NewList(rows), list(v.afloat))
	if err != nil {
		return 0, err
	}
	cell, err := l.Wholes(value)
	switch {
	case err != nil:
		return 0, err
	case len(cell) != 2 || min(cell[0], cell[1]) < 0 || max(cell[0], cell[1]) >= naval.Side:
		return 0, l.Refuse(value, "it must return a cell (x, y), both from 0 to %d", naval.Side-1)
	case v.board[cell[1]][cell[0]] != 0:
		return 0, l.Refuse(value, "this cell has already been shot at")
	}
	return naval.At(int(cell[0]), int(cell[1])), nil
}

// fleet identifies a fleet of a comparison.
type fleet struct {
	number    int64
	placement naval.Placement
}

func (f fleet) String() string { return fmt.Sprintf("fleet %d, %v", f.number, f.placement) }

// Sink lets a listing sink a fleet. Each call of the returned function is a shot. It returns the cell, and whether all
// ships are then sunk. An error is a *listing.Error, or describes what is wrong with the fleet.
func Sink(l *listing.Listing, ships naval.Fleet) (shoot func() (at naval.Cell, sunk bool, err error), err error) {
	return ask(l, nil).sinking(ships)
}

func (l asked) sinking(ships naval.Fleet) (func() (at naval.Cell, sunk bool, err error), error) {
	hand, err := naval.NewHand(ships)
	if err != nil {
		return nil, err
	}
	view := newNavalView()
	return func() (naval.Cell, bool, error) {
		at, err := l.shoot(view)
		if err != nil {
			return 0, false, listing.In(err, "shot %d", hand.Shots()+1)
		}
		outcome, err := hand.Shoot(at)
		if err != nil {
			return 0, false, err
		}
		view.learn(at, outcome, hand.Sunk())
		return at, hand.Done(), nil
	}, nil
}

// sink returns the number of shots that sink a fleet.
func (l asked) sink(_ fleet, ships naval.Fleet) (int, error) {
	shoot, err := l.sinking(ships)
	shots := 0
	for sunk := false; !sunk && err == nil; shots++ {
		_, sunk, err = shoot()
	}
	return shots, err
}

// navalSeed is the seed of the fleets in a comparison. The command siegebook measure naval uses the same seed.
const navalSeed = 1

// shooter returns a function that sinks fleets with a strategy of the library.
func shooter(s naval.Strategy) func(fleet, naval.Fleet) (int, error) {
	return func(f fleet, ships naval.Fleet) (int, error) {
		r, err := naval.NewShooter(s, ships, navalSeed, uint64(f.number-1))
		for err == nil && !r.Done() {
			r.Shoot()
		}
		if err != nil {
			return 0, err
		}
		return r.Shots(), nil
	}
}

// judgeNaval counts the shots for one fleet of each placement of the post. The case is the number of each fleet.
func judgeNaval(sink func(fleet, naval.Fleet) (int, error)) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error {
		for _, placement := range naval.PostPlacements() {
			f := fleet{at[0], placement}
			ships, _, err := naval.PlaceFleet([]naval.Placement{placement}, navalSeed, uint64(f.number-1))
			if err != nil {
				return err
			}
			shots, err := sink(f, ships)
			if err != nil {
				return listing.In(err, "%v", f)
			}
			t.Count(f, 1+int64(shots), 1)
			if err := canceled.Cause(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}
