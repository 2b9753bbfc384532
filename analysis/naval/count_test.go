package naval

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"
)

// naiveCount counts fleets by placing ship after ship everywhere, equal ships in increasing order of their places, each
// so many cells away from the others.
func naiveCount(columns, rows int, decks []int, away int) uint64 {
	type place struct{ x, y, dx, dy int }
	var count func(i int, placed []place, from int) uint64
	places := func(d int) []place {
		var list []place
		for y := range rows {
			for x := range columns {
				if x+d <= columns {
					list = append(list, place{x, y, d - 1, 0})
				}
				if d > 1 && y+d <= rows {
					list = append(list, place{x, y, 0, d - 1})
				}
			}
		}
		return list
	}
	apart := func(a, b place) bool {
		return a.x > b.x+b.dx+away || b.x > a.x+a.dx+away || a.y > b.y+b.dy+away || b.y > a.y+a.dy+away
	}
	count = func(i int, placed []place, from int) uint64 {
		if i == len(decks) {
			return 1
		}
		total := uint64(0)
		for k, p := range places(decks[i]) {
			if i > 0 && decks[i] == decks[i-1] && k <= from {
				continue
			}
			fits := true
			for _, q := range placed {
				fits = fits && apart(p, q)
			}
			if fits {
				total += count(i+1, append(placed[:len(placed):len(placed)], p), k)
			}
		}
		return total
	}
	return count(0, nil, -1)
}

// countings count fleets whose ships are so many cells away from each other.
var countings = []func(context.Context, int, int, []int) (uint64, error){CountTouchingFleets, CountFleets}

func TestCountFleetsSmall(t *testing.T) {
	fleets := [][]int{
		nil,
		{1},
		{2},
		{4},
		{6},
		{1, 1},
		{2, 1},
		{2, 2},
		{3, 2, 1},
		{2, 2, 1, 1},
		{3, 1, 1, 1},
		{4, 3},
		{3, 3, 2},
		{4, 2, 2},
		{1, 1, 1, 1, 1},
		{5, 2, 1},
	}
	for columns := 1; columns <= 5; columns++ {
		for rows := 1; rows <= 6; rows++ {
			for _, decks := range fleets {
				for away, count := range countings {
					got, err := count(t.Context(), columns, rows, decks)
					if want := naiveCount(columns, rows, decks, away); err != nil || got != want {
						t.Errorf("%v on %d x %d, %d away: %d fleets (%v), want %d", decks, columns, rows, away, got,
							err, want)
					}
				}
			}
		}
	}
}

// TestCountFleets: the fleet of the post, whose ships can be given in any order. The number is from an independent
// program.
func TestCountFleets(t *testing.T) {
	got, err := CountFleets(t.Context(), 10, 10, []int{1, 2, 3, 4, 3, 2, 1, 2, 1, 1})
	if err != nil || got != 1_855_545_978_831_780 {
		t.Errorf("%d fleets, %v", got, err)
	}
}

// TestCountClassicFleets: the number is half of 30,093,975,536, which others have published for ships of three decks
// that are told apart. On a board of 5 x 5 the number is that of a search.
func TestCountClassicFleets(t *testing.T) {
	for _, test := range []struct {
		side int
		want uint64
	}{{5, naiveCount(5, 5, Classic.Lengths(), 0)}, {Side, 30_093_975_536 / 2}} {
		if got, err := CountTouchingFleets(t.Context(), test.side, test.side, Classic.Lengths()); err != nil ||
			got != test.want {
			t.Errorf("%d fleets on %d x %d, %v, want %d", got, test.side, test.side, err, test.want)
		}
	}
}

// TestCountFleetsOfOneDeck: as kings on a chessboard that do not attack each other; and as a choice of cells where
// there is room for all.
func TestCountFleetsLong(t *testing.T) {
	// On a strip of 1 x n, k ships of one deck: C(n-k+1, k).
	for n := 1; n <= maxRows; n++ {
		for k := 0; k <= maxEqual; k++ {
			got, err := CountFleets(t.Context(), 1, n, make1s(k))
			want := uint64(0)
			if k <= n-k+1 {
				want = new(big.Int).Binomial(int64(n-k+1), int64(k)).Uint64()
			}
			if err != nil || got != want {
				t.Fatalf("%d ships on a strip of %d: %d, %v, want %d", k, n, got, err, want)
			}
		}
	}
}

func make1s(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

func TestCountFleetsRefuses(t *testing.T) {
	for _, test := range []struct {
		columns, rows int
		decks         []int
		want          string
	}{
		{0, 5, nil, "0 columns: use 1 to 12"},
		{13, 5, nil, "13 columns: use 1 to 12"},
		{5, 0, nil, "0 rows: use 1 to 64"},
		{5, 65, nil, "65 rows"},
		{5, 5, []int{7}, "a ship of 7 decks: use 1 to 6"},
		{5, 5, []int{0}, "a ship of 0 decks"},
		{5, 5, make1s(10), "more than 9 ships of 1 deck"},
		{5, 5, []int{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5}, "1875 sets of ships"},
		{7, 64, append(make1s(9), 2, 2, 2, 2, 2, 2, 2, 2, 2), "more fleets than 64 bits can count"},
	} {
		if got, err := CountFleets(t.Context(), test.columns, test.rows, test.decks); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v on %d x %d: %d, error %v, want %q", test.decks, test.columns, test.rows, got, err, test.want)
		}
	}
}

// TestCountFleetsStops: a count of minutes ends with the context, whose cause is returned.
func TestCountFleetsStops(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer time.AfterFunc(50*time.Millisecond, func() { cancel(why) }).Stop()
	if got, err := CountFleets(ctx, 12, 12, []int{3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}); !errors.Is(err, why) ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("%d, error %v", got, err)
	}
}
