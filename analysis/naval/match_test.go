package naval

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// naiveTogether reports whether ships can be together, by the written rules and cell by cell.
func naiveTogether(list []Ship) bool {
	left := map[int8]int{1: 4, 2: 3, 3: 2, 4: 1}
	var all [][]spot
	for _, s := range list {
		if left[s.Decks]--; left[s.Decks] < 0 || s.Decks == 1 && s.Upright {
			return false
		}
		var cells []spot
		for k := range int(s.Decks) {
			at := spot{int(s.First)%10 + k, int(s.First) / 10}
			if s.Upright {
				at = spot{int(s.First) % 10, int(s.First)/10 + k}
			}
			if !onBoard(at) {
				return false
			}
			for _, others := range all {
				if slices.ContainsFunc(others, func(other spot) bool { return touches(at, other) }) {
					return false
				}
			}
			cells = append(cells, at)
		}
		all = append(all, cells)
	}
	return true
}

// TestTogether compares Together with the slow version, for parts of fleets together with any ship, valid or not.
func TestTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := mustPlace(t, rapid.SampledFrom(everyPlacement).Draw(t, "placement"), rapid.Uint64().Draw(t, "seed"), 0)
		list := rapid.Permutation(f[:]).Draw(t, "order")[:rapid.IntRange(0, 10).Draw(t, "ships")]
		if rapid.Bool().Draw(t, "more") {
			list = append(list, Ship{
				Cell(rapid.IntRange(0, 110).Draw(t, "first")), int8(rapid.IntRange(-1, 5).Draw(t, "decks")),
				rapid.Bool().Draw(t, "upright"),
			})
		}
		err := Together(list)
		if (err == nil) != naiveTogether(list) {
			t.Fatalf("%+v: %v", list, err)
		}
		var m *MisplacedError
		if err != nil && !errors.As(err, &m) {
			t.Fatalf("%+v: the error %v names no rule", list, err)
		}
		if whole, err := FleetOf(list); err == nil {
			// Nine ships of a fleet and another ship may form a fleet.
			if listed := Fleet(list); whole.Validate() != nil || *whole.set() != *listed.set() {
				t.Fatalf("%+v becomes %+v", list, whole)
			}
		} else if len(list) == 10 && naiveTogether(list) {
			t.Fatalf("%+v: %v", list, err)
		}
	})
}

// set returns the ships of a fleet without their order.
func (f *Fleet) set() *[noShip + 1]bool {
	var set [noShip + 1]bool
	for _, s := range f {
		set[s.index()] = true
	}
	return &set
}

func TestMisplacedError(t *testing.T) {
	four := Ship{At(0, 0), 4, false}
	for want, misplaced := range map[string]MisplacedError{
		"the ship of 5 decks at (3, 4): a ship must have 1 to 4 decks": {Ship: Ship{At(3, 4), 5, false}},
		"not be upright if it has one deck":                            {Ship: Ship{At(3, 4), 1, true}},
		"the ship of 3 decks at (8, 4) leaves the board: begin it further to the left": {
			Ship: Ship{At(8, 4), 3, false}, Fault: Leaves,
		},
		"the ship of 4 decks at (0, 2) is one too many: a fleet has 1 of that length": {
			Ship: Ship{At(0, 2), 4, false}, Fault: TooMany,
		},
		"the ship of 2 decks at (4, 1) touches the ship of 4 decks at (0, 0): leave a cell of water": {
			Ship: Ship{At(4, 1), 2, true}, Fault: Touching, Other: four,
		},
	} {
		err := Together([]Ship{four, misplaced.Ship})
		var m *MisplacedError
		if must.ErrorContains(t, err, want); !errors.As(err, &m) || *m != misplaced {
			t.Errorf("%+v, want %+v", m, misplaced)
		}
	}
	if _, err := FleetOf([]Ship{four}); err == nil || err.Error() != "1 ship: a fleet has 10, place the others too" {
		t.Errorf("error %v", err)
	}
}

func TestCellString(t *testing.T) {
	for c, want := range map[Cell]string{
		At(0, 0): "(0, 0)", At(9, 0): "(9, 0)", At(0, 9): "(0, 9)", At(9, 9): "(9, 9)",
		At(2, 3): "(2, 3)", 100: "?", 255: "?",
	} {
		if got := c.String(); got != want {
			t.Errorf("cell %d is called %s, want %s", c, got, want)
		}
	}
}

// TestPlaceFleet checks that placements are drawn with equal probability, and that the fleet belongs to its placement.
func TestPlaceFleet(t *testing.T) {
	var drawn [len(placements)]int
	for number := range uint64(8000) {
		f, p, err := PlaceFleet(PostPlacements(), 5, number)
		if err != nil || f != mustPlace(t, p, 5, number) || f.Validate() != nil {
			t.Fatalf("fleet %d of %v: %+v, %v", number, p, f, err)
		}
		drawn[p]++
	}
	for p, n := range drawn[:ofThePost] {
		if n < 850 || n > 1150 { // 1000 +- 5 standard deviations
			t.Errorf("%v: %d times of 8000", Placement(p), n)
		}
	}
	for want, from := range map[string][]Placement{"no placements": nil, "unknown placement, use one": {Left, 99}} {
		_, _, err := PlaceFleet(from, 1, 1)
		must.ErrorContains(t, err, want)
	}
}

// TestMatch checks that a match consists of the shots of both players in the order of the rules, and that each player
// shoots as if alone.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Strategy{
			Random, rapid.SampledFrom([]Targeting{AsCoded, AsDescribed, Proper, Density}).Draw(t, "targeting"), true,
		}
		own, hidden := mustPlace(t, Left, rapid.Uint64().Draw(t, "own"), 0), mustPlace(t, Square36,
			rapid.Uint64().Draw(t, "hidden"), 0)
		first := rapid.IntRange(0, 1).Draw(t, "first")
		hand, _ := NewHand(hidden)
		m := must.Get(NewMatch(hand, must.Get(NewShooter(s, own, 3, 0)), first))
		cells := rapid.Permutation(slices.Collect(board.All())).Draw(t, "cells")
		if rapid.Bool().Draw(t, "good") { // otherwise the hand would never win
			good := hidden.Cells()
			slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(good.bit(b), good.bit(a)) })
		}
		alone := must.Get(NewShooter(s, own, 3, 0))
		turn, next := first, 0
		for i := 0; ; i++ {
			if i == len(m.Shots) { // now it must be the hand's turn
				if winner, over := m.Winner(); over {
					t.Fatalf("over with %d", winner)
				}
				if turn != 0 {
					t.Fatal("the hand is asked in the shooter's turn")
				}
				must.Do(t, m.Shoot(cells[next]))
			}
			shot := m.Shots[i]
			want := Shot{Player: turn, At: cells[next]}
			if turn == 0 {
				want.Outcome = outcomeOf(hidden, cells[:next+1])
				next++
			} else {
				want.At, want.Outcome = alone.Shoot()
			}
			if shot != want {
				t.Fatalf("shot %d: %+v, want %+v", i, shot, want)
			}
			if next > 0 && hidden.Cells().andNot(cellsOf(cells[:next])).empty() || alone.Done() {
				if winner, over := m.Winner(); !over || winner != turn || i != len(m.Shots)-1 {
					t.Fatalf("winner %d, %v, after %d of %d shots", winner, over, i+1, len(m.Shots))
				}
				if m.Shoot(cells[99]) == nil {
					t.Fatal("a shot after the end")
				}
				return
			}
			if want.Outcome == Miss {
				turn = 1 - turn
			}
		}
	})
}

func cellsOf(list []Cell) (s Cells) {
	for _, c := range list {
		s = s.or(single(c))
	}
	return s
}

// outcomeOf returns the outcome of the last shot.
func outcomeOf(f Fleet, shots []Cell) Outcome {
	last := shots[len(shots)-1]
	for _, ship := range f {
		if ship.Cells().Has(last) {
			if ship.Cells().andNot(cellsOf(shots)).empty() {
				return Sunk
			}
			return Hit
		}
	}
	return Miss
}

func TestHandRefuses(t *testing.T) {
	f := mustPlace(t, Left, 1, 0)
	hand := must.Get(NewHand(f))
	_, err := hand.Shoot(100)
	must.ErrorContains(t, err, "cell 100: the board has the cells 0 to 99")
	must.Get(hand.Shoot(5))
	_, err = hand.Shoot(5)
	if must.ErrorContains(t, err, "(5, 0) was shot at before: choose another cell"); hand.Shots() != 1 {
		t.Errorf("%d shots", hand.Shots())
	}
	shooter := must.Get(NewShooter(Strategy{}, f, 1, 0))
	_, err = NewMatch(hand, shooter, 0)
	must.ErrorContains(t, err, "shots before the game = 1 and 0")
	_, err = NewMatch(hand, shooter, 2)
	must.ErrorContains(t, err, "player 2")
	f[3] = f[4]
	if _, err := NewHand(f); err == nil {
		t.Error("a hand shoots at ships that lie on each other")
	}
}
