package ants

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOutlive compares with the search through all positions, which asks every ant.
func TestOutlive(t *testing.T) {
	boxes := []Box{
		{1, 1, 2, 5},
		{1, 5, 2, 1},
		{2, 2, 2, 5},
		{2, 4, 2, 5},
		{3, 2, 2, 5},
		{2, 5, 2, 4},
		{3, 3, 2, 5},
		{3, 3, 2, 1},
		{3, 3, 2, 2},
		{3, 3, 2, 8},
		{3, 4, 2, 5},
		{4, 3, 2, 4},
	}
	if !testing.Short() {
		boxes = append(boxes, Box{4, 4, 2, 5}, Box{2, 7, 2, 5})
	}
	for _, box := range boxes {
		want, err := Search(t.Context(), box, lastOne)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Outlive(t.Context(), box.Rows, box.Cols, box.Radius2)
		if err != nil || got.Army != want.Value ||
			want.Value > 0 && (got.Positions != want.Best || got.First.String() != want.First.String()) {
			t.Errorf("%+v: %+v, first\n%v\nthe search says %+v, first\n%v; %v", box, got, got.First, want, want.First,
				err)
		}
	}
}

// TestOutlivedInLargerBoxes: results in boxes that are too large for Search. A first position can be played by hand;
// only another program can show that there is no larger army.
func TestOutlivedInLargerBoxes(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, test := range []struct {
		rows, cols int
		want       Outlived
		first      string
	}{
		{4, 5, Outlived{Army: 11, Positions: 44}, "AABBA\nBBAAA\nBBBBB\nAABBA"},
		{5, 5, Outlived{Army: 14, Positions: 408}, "A.ABA\nBBABB\nBABAB\nBBABB\nABABA"},
		{5, 6, Outlived{Army: 17, Positions: 16360}, ".AABBA\nBBBABB\nAABBAA\nBABBAB\nABBBBA"},
	} {
		got, err := Outlive(t.Context(), test.rows, test.cols, ContestRadius2)
		if err != nil || got.Army != test.want.Army || got.Positions != test.want.Positions ||
			got.First.String() != test.first {
			t.Errorf("%d x %d: %+v, first\n%v\n%v", test.rows, test.cols, got, got.First, err)
		}
		if most := MostOutlived(int64(test.rows*test.cols), 20); most < int64(got.Army) {
			t.Errorf("%d x %d: the bound is %d", test.rows, test.cols, most)
		}
	}
}

// TestMostOutlived plays random positions of two and three armies. Where an army is wiped out there are at least c
// others for each of its ants; c gives the bound, the greatest number that it allows.
func TestMostOutlived(t *testing.T) {
	for _, test := range []struct{ cells, reach, want int64 }{
		{16, 14, 10},
		{25, 20, 17},
		{7, 20, 5},
		{6, 20, 4},
		{1 << 30, 20, (1 << 30) * 5 / 7},
		{2, 1, 1},
		{9, 8, 5},
	} {
		if got := MostOutlived(test.cells, test.reach); got != test.want {
			t.Errorf("%d cells, reach %d: %d, want %d", test.cells, test.reach, got, test.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	gone := 0
	for range 60_000 {
		rows, cols := 2+random.IntN(4), 2+random.IntN(4)
		armies, fill := 2+random.IntN(2), 1+random.IntN(4)
		n := naiveBattle{rows: rows, cols: cols, bounded: true, radius2: ContestRadius2}
		var ants, left [3]int64
		for cell := range rows * cols {
			if random.IntN(5) <= fill {
				owner := random.IntN(armies)
				if random.IntN(3) == 0 {
					owner = 0
				}
				n.ants = append(n.ants, Ant{cell / cols, cell % cols, 'A' + rune(owner)})
				ants[owner]++
			}
		}
		for i, killers := range n.solve(Focus).killers {
			if killers == nil {
				left[n.ants[i].Owner-'A']++
			}
		}
		for army := range armies {
			if ants[army] == 0 || left[army] > 0 {
				continue
			}
			gone++
			others := int64(len(n.ants)) - ants[army]
			if 5*others < 2*ants[army] || MostOutlived(int64(len(n.ants)), 20) < ants[army] {
				t.Fatalf("army %c of %d ants is gone, with %d others: %+v", 'A'+rune(army), ants[army], others, n.ants)
			}
		}
	}
	if gone < 3000 {
		t.Errorf("only %d armies are gone", gone)
	}
}

func TestOutliveRefuses(t *testing.T) {
	for _, test := range []struct {
		rows, cols int
		radius2    int64
		want       string
	}{
		{0, 3, 5, "rows = 0: "},
		{3, 3, 0, "radius2 = 0: "},
		{5, 8, 5, "a box of 5 x 8 cells: more than 36 cells, use a smaller one"},
		{37, 1, 5, "a box of 37 x 1 cells: more than 36 cells, use a smaller one"},
	} {
		if _, err := Outlive(t.Context(), test.rows, test.cols, test.radius2); err == nil ||
			!strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v: error %v", test, err)
		}
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Outlive(ctx, 5, 6, 5); !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
