package castle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestFoldedIsTheBattle unfolds the rows again: they must be the battle's waves, with a strategy that plans runs ahead and
// with one that gives its orders wave by wave.
func TestFoldedIsTheBattle(t *testing.T) {
	oneByOne := func(wave int64, s game.State) game.Orders {
		return game.Orders{AtDefenders: game.DefendersFirst(wave, s).AtDefenders}
	}
	for b := range Battles(8, 20, 10) {
		for _, strategy := range []game.Strategy{game.CastleFirst, game.DefendersFirst, oneByOne, b.Solve().Strategy()} {
			var rows, unfolded []game.Run
			for run := range folded(b.Runs(strategy)) {
				rows = append(rows, run)
			}
			next := int64(1)
			for wave := range b.Waves(strategy) {
				if wave.Number == 0 {
					continue
				}
				i := slices.IndexFunc(rows, func(r game.Run) bool { return r.First <= wave.Number && wave.Number <= r.Last })
				if i < 0 || wave.Number != next {
					t.Fatalf("%v: wave %d is in no row of %v", b, wave.Number, rows)
				}
				row := rows[i]
				if row.AtDefenders != wave.AtDefenders || row.AtCastle != wave.AtCastle || row.End.Soldiers != wave.State.Soldiers || row.End.Defenders != wave.State.Defenders {
					t.Fatalf("%v, wave %d: row %v, wave %v", b, wave.Number, row, wave)
				}
				if wave.Number == row.Last && row.End != wave.State {
					t.Fatalf("%v: row %v ends in %v", b, row, wave.State)
				}
				next++
				unfolded = append(unfolded, row)
			}
			if len(unfolded) > 0 && rows[len(rows)-1].Last != next-1 {
				t.Fatalf("%v: rows up to wave %d, %d waves", b, rows[len(rows)-1].Last, next-1)
			}
		}
	}
}

// A strategy of the user's own takes no more rows than the library's.
func TestFoldedFolds(t *testing.T) {
	long := game.Battle{Soldiers: 10, CastleHits: 1000, DefendersPerWave: 9}
	rows := 0
	for range folded(long.Runs(func(_ int64, s game.State) game.Orders {
		return game.Orders{AtDefenders: min(s.Soldiers, int64(s.Defenders))}
	})) {
		rows++
	}
	if rows > 4 {
		t.Errorf("%d rows", rows)
	}
}

// TestPlane: the ranges are those of the text.
func TestPlane(t *testing.T) {
	p, battles := Plane(7, "3:20", "2:15"), 0
	for b := range p.Battles() {
		if want := (game.Battle{Soldiers: 7, CastleHits: int64(3 + battles%18), DefendersPerWave: int64(2 + battles/18)}); b != want {
			t.Fatalf("battle %d: %v, want %v", battles, b, want)
		}
		battles++
	}
	if battles != 18*14 {
		t.Errorf("%d battles", battles)
	}
}

func TestBadRanges(t *testing.T) {
	for _, test := range []struct {
		n    int64
		s, d string
		want string
	}{
		{0, "1:5", "1:5", "soldiers = 0"},
		{5, "5:1", "1:5", "castle hits: "},
		{5, "1:5", "0:5", "defenders per wave: "},
		{5, "1:5000", "1:5", "at most 4096"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, test.want) {
					t.Errorf("%v panics with %q, want %q", test, got, test.want)
				}
			}()
			Plane(test.n, test.s, test.d)
		}()
	}
}
