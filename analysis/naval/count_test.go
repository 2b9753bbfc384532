package naval

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// near reports whether two ships are at most away cells apart.
func near(a, b []spot, away int) bool {
	return slices.ContainsFunc(a, func(s spot) bool {
		return slices.ContainsFunc(b, func(t spot) bool { return s == t || away > 0 && touches(s, t) })
	})
}

// naiveFleets yields all fleets. It places ship after ship everywhere, so that the distance between two ships, in
// cells, exceeds the argument away, and equal ships in increasing order of their places.
func naiveFleets(columns, rows int, decks []int, away int, yield func([][]spot)) {
	places := map[int][][]spot{}
	for _, d := range decks {
		places[d] = naivePlaces(d, func(s spot) bool { return s.x < columns && s.y < rows })
	}
	var lay func(placed [][]spot, from int)
	lay = func(placed [][]spot, from int) {
		i := len(placed)
		if i == len(decks) {
			yield(placed)
			return
		}
		for k, ship := range places[decks[i]] {
			if i > 0 && decks[i] == decks[i-1] && k <= from ||
				slices.ContainsFunc(placed, func(other []spot) bool { return near(ship, other, away) }) {
				continue
			}
			lay(append(placed[:i:i], ship), k)
		}
	}
	lay(nil, -1)
}

func naiveCount(columns, rows int, decks []int, away int) (fleets uint64) {
	naiveFleets(columns, rows, decks, away, func([][]spot) { fleets++ })
	return fleets
}

// countings are functions that count fleets; the index is the number of free cells required between ships.
var countings = []func(context.Context, int, int, []int) (uint64, error){CountTouchingFleets, CountFleets}

func TestCountFleetsSmall(t *testing.T) {
	for columns := 1; columns <= 5; columns++ {
		for rows := 1; rows <= 6; rows++ {
			for _, row := range must.Table[struct{ Decks []int }](t, tables, "TestCountFleetsSmall") {
				for away, count := range countings {
					got, err := count(t.Context(), columns, rows, row.Decks)
					if want := naiveCount(columns, rows, row.Decks, away); err != nil || got != want {
						t.Errorf("%v on %d x %d, %d away: %d fleets (%v), want %d", row.Decks, columns, rows, away, got,
							err, want)
					}
				}
			}
		}
	}
}

// TestCountFleets counts the fleet of the post, whose ships can be given in any order. The number is from an
// independent program.
func TestCountFleets(t *testing.T) {
	got, err := CountFleets(t.Context(), 10, 10, []int{1, 2, 3, 4, 3, 2, 1, 2, 1, 1})
	if err != nil || got != 1_855_545_978_831_780 {
		t.Errorf("%d fleets, %v", got, err)
	}
}

// TestCountClassicFleets expects half of 30,093,975,536, the number on the HaskellWiki for distinguishable ships of
// three decks (discussion of "Battleship game combinatorics", 2012). For a board of 5 x 5, the number comes from a
// search.
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

// TestCountFleetsLong counts ships of one deck on strips of up to maxRows cells. A binomial coefficient gives their
// number.
func TestCountFleetsLong(t *testing.T) {
	// On a strip of 1 x n, k ships of one deck have C(n-k+1, k) places.
	for n := 1; n <= maxRows; n++ {
		for k := 0; k <= maxEqual; k++ {
			got, err := CountFleets(t.Context(), 1, n, slices.Repeat([]int{1}, k))
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

func TestCountFleetsRefuses(t *testing.T) {
	type row struct {
		Columns, Rows int
		Decks         []int
	}
	must.Refusals(t, tables, func(row row) error {
		_, err := CountFleets(t.Context(), row.Columns, row.Rows, row.Decks)
		return err
	})
}

// TestCountFleetsStops checks that a count of minutes ends with the context and returns its cause.
func TestCountFleetsStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer time.AfterFunc(50*time.Millisecond, func() { cancel(must.ErrEnough) }).Stop()
	if got, err := CountFleets(ctx, 12, 12, []int{3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}); !must.Stopped(err) {
		t.Errorf("%d, error %v", got, err)
	}
}

// slowBound computes the bound by comparing every two fleets.
func slowBound(rows, cols int, decks []int) *big.Rat {
	var fleets [][][]spot
	naiveFleets(cols, rows, decks, 1, func(f [][]spot) { fleets = append(fleets, f) })
	pairs, ones := 0, 0
	for i, f := range fleets {
		for _, g := range fleets[:i] {
			if moved(differ(f, g), differ(g, f)) {
				pairs++
			}
		}
	}
	for _, d := range decks {
		if d == 1 {
			ones++
		}
	}
	free := 0 // cells that touch no ship, summed over all fleets
	for _, f := range fleets {
		for cell := range rows * cols {
			at := []spot{{cell % cols, cell / cols}}
			if !slices.ContainsFunc(f, func(ship []spot) bool { return near(ship, at, 1) }) {
				free++
			}
		}
	}
	mean := big.NewRat(int64(pairs), int64(len(fleets)))
	mean.Add(mean, big.NewRat(int64(free*ones), int64((ones+1)*len(fleets))))
	all := 0
	for _, ship := range fleets[0] {
		all += len(ship)
	}
	return mean.Add(mean, big.NewRat(int64(all), 1))
}

// differ returns the ships of f that g does not have.
func differ(f, g [][]spot) [][]spot {
	return slices.DeleteFunc(slices.Clone(f), func(ship []spot) bool {
		return slices.ContainsFunc(g, func(other []spot) bool { return slices.Equal(ship, other) })
	})
}

// moved reports whether the two fleets that differ in these ships differ by a small move of one ship. A ship of one
// deck moves to a cell that it touches. A ship of two decks turns around one of its decks. A longer ship moves by one
// cell, along itself or sideways.
func moved(ships, others [][]spot) bool {
	if len(ships) != 1 || len(others) != 1 {
		return false
	}
	a, b := ships[0], others[0]
	switch len(a) {
	case 1:
		return near(a, b, 1)
	case 2:
		return slices.Contains(b, a[0]) != slices.Contains(b, a[1])
	default:
		for i := range a {
			x, y := a[i].x-b[i].x, a[i].y-b[i].y
			if x*x+y*y != 1 {
				return false
			}
		}
		return true
	}
}

// slowTouchingBound computes the bound by comparing every two fleets and trying every place for one more of the
// shortest ships. It fails if the shares that are counted for a miss add up to more than one miss.
func slowTouchingBound(t *testing.T, rows, cols int, decks []int) *big.Rat {
	t.Helper()
	var fleets [][][]spot
	naiveFleets(cols, rows, decks, 0, func(f [][]spot) { fleets = append(fleets, f) })
	shortest, jumping, sides := slices.Min(decks), int64(0), int64(0)
	for _, d := range decks {
		if d == shortest {
			jumping++
		}
	}
	for cell := range rows * cols {
		beside := int64(0)
		for _, n := range []spot{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if x, y := cell%cols+n.x, cell/cols+n.y; 0 <= x && x < cols && 0 <= y && y < rows {
				beside++
			}
		}
		sides = max(sides, beside)
	}
	jump, step := big.NewRat(1, 1), new(big.Rat)
	if shortest > 1 {
		jump, step = big.NewRat(2, sides*int64(shortest)), big.NewRat(1, sides)
	}
	places := naivePlaces(shortest, func(s spot) bool { return s.x < cols && s.y < rows })
	misses := new(big.Rat)
	for _, f := range fleets {
		counted := map[spot]*big.Rat{}
		count := func(from, to []spot, share, part *big.Rat) {
			misses.Add(misses, new(big.Rat).Mul(share, part))
			for _, cell := range to {
				if !slices.Contains(from, cell) {
					if counted[cell] == nil {
						counted[cell] = new(big.Rat)
					}
					counted[cell].Add(counted[cell], share)
				}
			}
		}
		for _, place := range places {
			if !slices.ContainsFunc(f, func(ship []spot) bool { return near(ship, place, 0) }) {
				count(nil, place, jump, big.NewRat(jumping, jumping+1))
			}
		}
		for _, g := range fleets {
			if a, b := differ(f, g), differ(g, f); step.Sign() > 0 && moved(a, b) {
				count(a[0], b[0], step, big.NewRat(1, 2))
			}
		}
		for cell, share := range counted {
			if share.Cmp(big.NewRat(1, 1)) > 0 {
				t.Errorf("%v on %d x %d: a miss at %v of %v counts %v times", decks, rows, cols, cell, f, share)
			}
		}
	}
	mean := misses.Quo(misses, big.NewRat(int64(len(fleets)), 1))
	for _, d := range decks {
		mean.Add(mean, big.NewRat(int64(d), 1))
	}
	return mean
}

// boundFleets are fleets of small boards.
var boundFleets = [][]int{{1}, {2}, {3}, {4}, {1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {1, 1, 1}, {2, 1, 1}}

func TestShotsBoundSmall(t *testing.T) {
	for _, decks := range append(boundFleets, []int{5}, []int{4, 2}, []int{3, 3}, []int{2, 2, 2}) {
		for rows := 1; rows <= 5; rows++ {
			for cols := 1; cols <= min(5, 17/rows); cols++ {
				for away, bound := range []func(context.Context, int, int, []int) (*big.Rat, error){
					TouchingShotsBound, ShotsBound,
				} {
					fleets := naiveCount(cols, rows, decks, away)
					if fleets > 600 {
						continue // too many to compare every two of them
					}
					got, err := bound(t.Context(), cols, rows, decks)
					if fleets == 0 {
						must.ErrorContains(t, err, "there is no room for ships", decks, rows, cols, got)
						continue
					}
					var want *big.Rat
					if away == 0 {
						want = slowTouchingBound(t, rows, cols, decks)
					} else {
						want = slowBound(rows, cols, decks)
					}
					if err != nil || got.Cmp(want) != 0 {
						t.Errorf("%v on %d x %d, %d away: %v, error %v, want %v", decks, rows, cols, away, got, err,
							want)
					}
				}
			}
		}
	}
}

// TestShotsBoundHolds compares the bound with the best shooter on all boards where the best shooter can be computed.
// On some strips the best shooter needs exactly the bound.
func TestShotsBoundHolds(t *testing.T) {
	tight, boards := 0, 0
	for _, decks := range boundFleets {
		for rows := 1; rows <= 3; rows++ {
			for cols := rows; cols <= 10/rows; cols++ {
				best, err := Waters{rows, cols, decks}.Mean(Optimal)
				if err != nil {
					continue // no fleet fits, or there are too many fleets
				}
				bound, err := ShotsBound(t.Context(), cols, rows, decks)
				if err != nil || bound.Cmp(best.Shots) > 0 {
					t.Errorf("%v on %d x %d: bound %v, error %v, and the best shooter needs %v", decks, rows, cols,
						bound, err, best.Shots)
					continue
				}
				boards++
				if bound.Cmp(best.Shots) == 0 {
					tight++
				}
			}
		}
	}
	if t.Logf("%d of %d are exact", tight, boards); tight < 10 || tight == boards {
		t.Errorf("%d of %d are exact", tight, boards)
	}
}

// bestTouching returns the mean number of shots that the best shooter needs for fleets whose ships may touch. It
// returns nil if no fleet fits or there are too many fleets for the search.
func bestTouching(rows, cols int, decks []int) *big.Rat {
	fleets := slowFleets(rows, cols, decks, 0)
	if len(fleets) == 0 || len(fleets) > mostSmallFleets {
		return nil
	}
	m := smallMind{cells: rows * cols, shooter: Optimal, known: map[smallKnowledge]int64{}}
	for _, fleet := range fleets {
		f := smallFleet{ships: make([]uint64, len(decks))}
		for cell, ship := range fleet {
			bit := uint64(1) << (cell.y*cols + cell.x)
			f.ships[ship], f.decks = f.ships[ship]|bit, f.decks|bit
		}
		m.fleets = append(m.fleets, f)
	}
	total := m.total(smallKnowledge{fleets: ^uint64(0) >> (64 - len(fleets))})
	return big.NewRat(total, int64(len(fleets)))
}

// TestTouchingShotsBoundHolds compares the bound with the best shooter of small boards, who needs exactly the bound if
// all ships have one deck. On boards with few cells and fleets, a search that stores nothing finds the same shooter.
func TestTouchingShotsBoundHolds(t *testing.T) {
	tight, boards, searched := 0, 0, 0
	for _, decks := range append(boundFleets, []int{4, 2}, []int{3, 3}, []int{2, 2, 2}) {
		for rows := 1; rows <= 3; rows++ {
			for cols := rows; cols <= min(10, 12/rows); cols++ {
				best := bestTouching(rows, cols, decks)
				if best == nil {
					continue
				}
				if rows*cols <= 6 {
					fleets := slowFleets(rows, cols, decks, 0)
					total := slowTotal(fleets, rows, cols, nil, false)
					if want := big.NewRat(int64(total), int64(len(fleets))); best.Cmp(want) != 0 {
						t.Errorf("%v on %d x %d: the best shooter needs %v, want %v", decks, rows, cols, best, want)
					}
					searched++
				}
				bound, err := TouchingShotsBound(t.Context(), cols, rows, decks)
				if err != nil || bound.Cmp(best) > 0 || slices.Max(decks) == 1 && bound.Cmp(best) < 0 {
					t.Errorf("%v on %d x %d: bound %v, error %v, and the best shooter needs %v", decks, rows, cols,
						bound, err, best)
					continue
				}
				boards++
				if bound.Cmp(best) == 0 && slices.Max(decks) > 1 {
					tight++
				}
			}
		}
	}
	if t.Logf("%d of %d have longer ships and are exact, %d searched", tight, boards, searched); tight < 10 ||
		boards < 80 || searched < 30 {
		t.Errorf("%d of %d are exact, %d searched", tight, boards, searched)
	}
}

// TestShotsBound checks the bound for the post's board. Another program finds the same number, and random fleets give
// 50.16 +- 0.03.
func TestShotsBound(t *testing.T) {
	exact, err := ShotsBound(t.Context(), Side, Side, Post.Lengths())
	if err != nil || exact.FloatString(6) != "50.174712" {
		t.Fatalf("%v, error %v", exact, err)
	}
}

// TestTouchingShotsBound compares the bound for the classic fleet with the mean over random fleets, on which it counts
// the free places for one more ship of two decks and the moves of all ships. In each fleet, a set of Lemma 4 has half
// of its misses, and so has a pair.
func TestTouchingShotsBound(t *testing.T) {
	const fleets = 200_000
	var c chance
	sum, squares := 0.0, 0.0
	for number := range fleets {
		var f Fleet
		c.restart(1, streamFleet+uint64(Uniform), uint64(number))
		f.place(&ruleTable[Classic], Uniform, &c)
		free := board.andNot(f.Cells())
		found := berthsOf(free, 2).count()
		for _, ship := range f[:ruleTable[Classic].ships] {
			found += movesOn(free, ship)
		}
		misses := float64(found) / (4 * 2)
		sum, squares = sum+misses, squares+misses*misses
	}
	mean := sum / fleets
	margin := 4 * math.Sqrt((squares/fleets-mean*mean)/fleets)
	if bound := 35.481894 - 17; math.Abs(mean-bound) > margin {
		t.Errorf("%v misses +- %v, want %v", mean, margin, bound)
	}
}

// movesOn returns the number of moves that a ship of two decks or more has on free cells.
func movesOn(free Cells, ship Ship) (moves int) {
	if ship.Decks == 2 {
		for deck := range ship.Cells().All() {
			moves += single(deck).neighbours().and(free).Count()
		}
		return moves
	}
	for next := range single(ship.First).neighbours().All() {
		to := Ship{next, ship.Decks, ship.Upright}.Cells()
		if !to.empty() && to.andNot(free.or(ship.Cells())).empty() {
			moves++
		}
	}
	return moves
}

func TestShotsBoundRefuses(t *testing.T) {
	type row struct {
		Columns int
		Decks   []int
	}
	must.Refusals(t, tables, func(row row) error {
		_, err := ShotsBound(t.Context(), row.Columns, 3, row.Decks)
		return err
	})
}

func TestTouchingShotsBoundRefuses(t *testing.T) {
	type row struct {
		Columns, Rows int
		Decks         []int
	}
	must.Refusals(t, tables, func(row row) error {
		_, err := TouchingShotsBound(t.Context(), row.Columns, row.Rows, row.Decks)
		return err
	})
}

// TestNoShips checks that no shots are needed where there are no ships.
func TestNoShips(t *testing.T) {
	for _, bound := range []func(context.Context, int, int, []int) (*big.Rat, error){ShotsBound, TouchingShotsBound} {
		if got, err := bound(t.Context(), 1, 1, nil); err != nil || got.Sign() != 0 {
			t.Errorf("%v, error %v", got, err)
		}
	}
}
