package naval

import (
	"math/big"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// slowFleet is a fleet as a map from cells to ships.
type slowFleet map[spot]int

// slowFleets lists the fleets whose ships are far enough apart: the distance between two ships, in cells, must exceed
// the argument away.
func slowFleets(rows, cols int, decks []int, away int) (list []slowFleet) {
	naiveFleets(cols, rows, decks, away, func(ships [][]spot) {
		so := slowFleet{}
		for number, ship := range ships {
			for _, cell := range ship {
				so[cell] = number
			}
		}
		list = append(list, so)
	})
	return list
}

// slowTotal computes the total by trying every cell that was not shot at. It stores nothing, and gets the answer of
// each fleet separately.
func slowTotal(fleets []slowFleet, rows, cols int, shot []spot, likeliest bool) int {
	sunkAll := true
	for cell := range fleets[0] {
		sunkAll = sunkAll && slices.Contains(shot, cell)
	}
	if sunkAll {
		return 0 // all fleets have given the same answers
	}
	type option struct{ decks, total int }
	var options []option
	for row := range rows {
		for col := range cols {
			cell := spot{col, row}
			if slices.Contains(shot, cell) {
				continue
			}
			answers, decks := map[string][]slowFleet{}, 0
			for _, f := range fleets {
				answer := "miss"
				if ship, ok := f[cell]; ok {
					decks++
					answer = "sunk"
					for other, s := range f {
						if s == ship && other != cell && !slices.Contains(shot, other) {
							answer = "hit"
						}
					}
				}
				answers[answer] = append(answers[answer], f)
			}
			if decks == 0 {
				continue
			}
			total := len(fleets)
			for _, group := range answers {
				total += slowTotal(group, rows, cols, append(slices.Clone(shot), cell), likeliest)
			}
			options = append(options, option{decks, total})
		}
	}
	most := 0
	for _, o := range options {
		most = max(most, o.decks)
	}
	best := -1
	for _, o := range options {
		if (!likeliest || o.decks == most) && (best < 0 || o.total < best) {
			best = o.total
		}
	}
	return best
}

func TestSmallWaters(t *testing.T) {
	for _, w := range must.Table[Waters](t, tables, "TestSmallWaters") {
		fleets := slowFleets(w.Rows, w.Cols, w.Ships, 1)
		for shooter, likeliest := range map[SmallShooter]bool{Optimal: false, Likeliest: true} {
			want := big.NewRat(int64(slowTotal(fleets, w.Rows, w.Cols, nil, likeliest)), int64(len(fleets)))
			if got, err := w.Mean(shooter); err != nil || got.Fleets != len(fleets) || got.Shots.Cmp(want) != 0 {
				t.Errorf("%v: %+v, want %v of %d; %v", w, got, want, len(fleets), err)
			}
		}
	}
}

// TestSmallFleets checks the number of fleets on boards with too many cells for the slow shooter.
func TestSmallFleets(t *testing.T) {
	for _, w := range must.Table[Waters](t, tables, "TestSmallFleets") {
		fleets, err := w.fleets()
		if want := slowFleets(w.Rows, w.Cols, w.Ships, 1); err != nil || len(fleets) != len(want) {
			t.Errorf("%v: %d fleets, want %d; %v", w, len(fleets), len(want), err)
		}
	}
}

// TestOneShip checks that one ship of one deck on n cells takes (n+1)/2 shots, and that all cells are equally good.
func TestOneShip(t *testing.T) {
	for n := 1; n <= 8; n++ {
		got, err := Waters{1, n, []int{1}}.Mean(Optimal)
		if err != nil || got.Shots.Cmp(big.NewRat(int64(n+1), 2)) != 0 || len(got.First) != n {
			t.Errorf("%d cells: %+v, %v", n, got, err)
		}
		for _, first := range got.First {
			if first.Fleets != 1 || first.Shots.Cmp(got.Shots) != 0 {
				t.Errorf("%d cells: %+v", n, first)
			}
		}
	}
}

// TestLikeliestIsNotOptimal checks that a shooter who always takes the likeliest cell needs more shots than the best
// shooter in two cases: a strip of 6 cells with a ship of two decks and a ship of one, and 4 x 4 cells with one ship of
// three.
func TestLikeliestIsNotOptimal(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Waters Waters }) []any {
		return []any{must.Get(row.Waters.Mean(Optimal)).Shots, must.Get(row.Waters.Mean(Likeliest)).Shots}
	})
}

// TestStripByFirstCell checks the numbers in docs/derivations/naval.md about the strip. The best shooter begins at an
// end, which 6 of the 12 fleets cover, and needs 51 shots for all of them; 7 fleets cover the next cell.
func TestStripByFirstCell(t *testing.T) {
	got, err := Waters{1, 6, []int{2, 1}}.Mean(Optimal)
	if err != nil || got.Fleets != 12 || len(got.First) != 6 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []struct{ fleets, shots int64 }{{6, 51}, {7, 52}, {5, 54}, {5, 54}, {7, 52}, {6, 51}} {
		if first := got.First[i]; int64(first.Fleets) != want.fleets ||
			first.Shots.Cmp(big.NewRat(want.shots, 12)) != 0 || first.Col != i || first.Row != 0 {
			t.Errorf("cell %d: %+v", i, first)
		}
	}
}

func TestWrongWaters(t *testing.T) {
	must.Refusals(t, tables, func(w Waters) error {
		_, err := w.Mean(Optimal)
		return err
	})
}
