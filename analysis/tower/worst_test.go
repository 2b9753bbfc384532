package tower

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// ruin says whether some play loses, by trying every way to deal out the shots of every round, wasted ones too.
func ruin(b Battle, waste bool) bool {
	if waste {
		return canLose(b, false)
	}
	for _, layer := range naiveLayers(b, false) {
		if layer.winners[Towers] {
			return true
		}
	}
	return false
}

// losesBy plays the orders by the rules, and says in which round the towers win; 0 if they do not.
func losesBy(t *testing.T, b Battle, orders []Order) int64 {
	t.Helper()
	at := 0
	for round := range b.RoundsFrom(b.Start(), func(s State) []Aim {
		order := orders[at]
		at++
		if spare := order == Spare; spare && s.FewestDestroyed() > 0 {
			t.Fatalf("%v: %v spares nobody in %+v", b, orders, s)
		}
		return order.Aims(s)
	}) {
		if round.Winner == Towers {
			return round.Number
		}
		if round.Winner == Soldiers {
			return 0
		}
	}
	return 0
}

// TestWorstAgainstAllPlays compares the two orders with every way to deal out the shots.
func TestWorstAgainstAllPlays(t *testing.T) {
	limits := []Battle{{20, 9, 4, 2}, {13, 5, 3, 3}, {10, 3, 3, 4}}
	if testing.Short() {
		limits = []Battle{{13, 7, 3, 2}, {9, 4, 2, 3}}
	}
	for _, limit := range limits {
		for n := int64(1); n <= limit.Soldiers; n++ {
			for h := int64(1); h <= limit.HitsPerTower; h++ {
				for k := int64(1); k <= limit.KillsPerTower; k++ {
					b := Battle{n, h, k, limit.Towers}
					winner, orders, err := b.Worst(0)
					if lost := ruin(b, true); err != nil || lost != (winner == Towers) {
						t.Errorf("%v: %v, %v; some play loses: %v", b, winner, err, lost)
					}
					if winner == Towers && losesBy(t, b, orders) != int64(len(orders)) {
						t.Errorf("%v: %v does not lose", b, orders)
					}
				}
			}
		}
	}
}

// TestWorstLosesByItsOrders plays what Worst says where there are too many plays to try, and compares its border with
// one soldier more or less.
func TestWorstLosesByItsOrders(t *testing.T) {
	for _, towers := range []int64{1, 2, 3, 5, 8} {
		for h := int64(1); h <= 24; h += 3 {
			for k := int64(1); k <= 4; k++ {
				border, err := Battle{0, h, k, towers}.MinSoldiersAnyPlay(0)
				if err != nil {
					t.Fatal(err)
				}
				for n := max(1, border-12); n < border+12; n++ {
					b := Battle{n, h, k, towers}
					winner, orders, err := b.Worst(0)
					if err != nil || (winner == Soldiers) != (n >= border) {
						t.Errorf("%v: %v, %v; the border is %d", b, winner, err, border)
					}
					if winner == Towers && losesBy(t, b, orders) != int64(len(orders)) {
						t.Errorf("%v: %v does not lose", b, orders)
					}
				}
			}
		}
	}
}

// losesByWaste plays what the pages call Waste: it levels the towers as long as none must fall.
func losesByWaste(b Battle) bool {
	for round := range b.RoundsFrom(b.Start(), func(s State) []Aim {
		if s.FewestDestroyed() == 0 {
			return Fewest.Aims(s)
		}
		return Sacrifice.Aims(s)
	}) {
		if round.Winner != Undecided {
			return round.Winner == Towers
		}
	}
	return false
}

// TestWasteIsNotWorst: 8 soldiers against two towers of 6 hits and 2 kills. Waste levels the towers and wins; wearing
// down one of them first loses.
func TestWasteIsNotWorst(t *testing.T) {
	b := Battle{8, 6, 2, 2}
	winner, orders, err := b.Worst(0)
	if losesByWaste(b) || winner != Towers || err != nil || !slices.Equal(orders, []Order{Spare, Sacrifice, Spare}) ||
		!ruin(b, true) {
		t.Errorf("%v %v %v", winner, orders, err)
	}
}

// TestFewestFallsAreNotWorst: a play that destroys the fewest towers in every round, with waste, need not be the worst.
// 25 soldiers against three towers of 20 hits and 2 kills win by every such play, and lose if they sacrifice a tower in
// the first round in which they need not. The search over all such plays shares no code with Worst.
func TestFewestFallsAreNotWorst(t *testing.T) {
	b := Battle{25, 20, 2, 3}
	winner, orders, err := b.Worst(0)
	if winner != Towers || err != nil || losesBy(t, b, orders) == 0 {
		t.Errorf("%v %v %v", winner, orders, err)
	}
	if canLose(b, true) {
		t.Error("a play that destroys the fewest loses")
	}
}

func TestWorstAtTheEdge(t *testing.T) {
	for _, test := range []struct {
		b      Battle
		winner Winner
	}{
		{Battle{math.MaxInt64, 1, 1, 1}, Soldiers},
		{Battle{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}, Towers},
		{Battle{math.MaxInt64, 1, math.MaxInt64, 2}, Towers},
		{Battle{math.MaxInt64, math.MaxInt64, 1, 1}, Soldiers},
		{Battle{1, math.MaxInt64, 1, 1}, Towers},
	} {
		if winner, _, err := test.b.Worst(0); winner != test.winner || err != nil {
			t.Errorf("%v: %v, %v", test.b, winner, err)
		}
	}
	if n, err := (Battle{0, 1, math.MaxInt64, 2}).MinSoldiersAnyPlay(0); n != 0 || err != nil {
		t.Errorf("%d soldiers, %v", n, err)
	}
	if n, err := (Battle{0, 6, 2, 3_000_000_000}).MinSoldiersAnyPlay(0); n != 8_999_999_997_000_000_009 || err != nil {
		t.Errorf("%d soldiers, %v", n, err)
	}
	if n, err := (Battle{0, 6, 2, 4_000_000_000}).MinSoldiersAnyPlay(0); n != 0 || err != nil {
		t.Errorf("%d soldiers, %v", n, err)
	}
	var steps *LimitError
	if _, _, err := (Battle{1 << 40, 1 << 60, 1, 3}).Worst(100); !errors.As(err, &steps) || steps.Limit != 100 {
		t.Errorf("error %v", err)
	}
	if _, err := (Battle{0, 0, 1, 1}).MinSoldiersAnyPlay(0); err == nil {
		t.Error("no hits are no error")
	}
}

// TestWorstBounds checks Theorem 11: the border of the worst play lies between two bounds that grow like kt²/2.
func TestWorstBounds(t *testing.T) {
	for h := int64(1); h <= 20; h++ {
		for k := int64(1); k <= 5; k++ {
			for towers := int64(1); towers <= 12; towers++ {
				r := int64(0)
				for (r+1)+k*(r+1)*r/2 <= towers*(h-1) {
					r++
				}
				least := k * towers * (towers - 1) / 2
				border, err := Battle{0, h, k, towers}.MinSoldiersAnyPlay(0)
				if err != nil || border <= least || border > least+k*towers*r+1 {
					t.Errorf("h = %d, k = %d, t = %d: %d, %v", h, k, towers, border, err)
				}
				if fewest, err := (Battle{1, h, k, towers}).MinSoldiers(Fewest, 0); err != nil || border < fewest {
					t.Errorf("h = %d, k = %d, t = %d: %d, but Fewest needs %d, %v", h, k, towers, border, fewest, err)
				}
			}
		}
	}
}

// TestWorstOfManyTowers checks Theorem 12: beyond 2(h-1)/k + 1 towers the border is kt(t-1)/2 and a constant. The
// borders are found without it.
func TestWorstOfManyTowers(t *testing.T) {
	for h := int64(1); h <= 12; h++ {
		for k := int64(1); k <= 5; k++ {
			few := 2*(h-1)/k + 1
			for towers := int64(1); towers <= few+6; towers++ {
				want, err := Battle{0, h, k, towers}.minSoldiersAnyPlay(0)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := (Battle{0, h, k, towers}).MinSoldiersAnyPlay(0); err != nil || got != want {
					t.Errorf("h = %d, k = %d, t = %d: %d, want %d; %v", h, k, towers, got, want, err)
				}
			}
		}
	}
}
