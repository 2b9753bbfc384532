package castle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

var example = game.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}

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

func TestEnd(t *testing.T) {
	for _, test := range []struct {
		result game.Result
		want   string
	}{
		{example.Play(example.Solve().Strategy()), "the soldiers win in wave 16 with 5 left"},
		{example.Play(game.CastleFirst), "the castle wins in wave 15"},
		{game.Battle{Soldiers: 5, CastleHits: 8, DefendersPerWave: 5}.Play(game.DefendersFirst), "a tie: wave 2 changes nothing"},
	} {
		if got := End(test.result); got != test.want {
			t.Errorf("%v: %q, want %q", test.result, got, test.want)
		}
	}
}

// TestDrawings draws what the functions return: the fields must obey the rules of package figure for every battle.
func TestDrawings(t *testing.T) {
	for b := range Battles(6, 14, 9) {
		counts, err := b.Count(context.Background(), game.CountOptions{})
		if err != nil {
			t.Fatal(err)
		}
		histogram, trace := Counts("ways", counts), Trace(b, game.CastleFirst)
		for _, draw := range []func() (content.Figure, error){histogram.Figure, trace.Figure} {
			if _, err := draw(); err != nil {
				t.Errorf("%v: %v", b, err)
			}
		}
		for i, key := range histogram.Keys {
			for side, h := range []game.Histogram{counts.Soldiers, counts.Castle} {
				at := slices.IndexFunc(h, func(c game.WaveCount) bool { return c.Wave == int64(key) })
				got := histogram.Series[side].Counts[i]
				if at < 0 && got != nil || at >= 0 && (got == nil || got.Cmp(h[at].Ways) != 0) {
					t.Errorf("%v: series %d has %v at wave %d", b, side, got, key)
				}
			}
		}
	}
}

// TestMaps compares the cells with the function of one battle, and draws them.
func TestMaps(t *testing.T) {
	m, c := PhaseMap(7, "3:20", "2:15"), CastleMap(7, "3:20", "2:15")
	a := Agreement("castle first", 7, "3:20", "2:15", game.CastleFirst)
	i := 0
	for d := int64(2); d <= 15; d++ {
		for s := int64(3); s <= 20; s++ {
			b := game.Battle{Soldiers: 7, CastleHits: s, DefendersPerWave: d}
			best, played := b.Solve().MinWaves, b.Play(game.CastleFirst)
			right := best == 0 || played.Winner == game.Soldiers && played.Waves == best
			if int64(m.Cells[i]) != best || int64(c.Cells[i]) != b.CastleMinWaves() || (a.Cells[i] == a.Right) != right {
				t.Errorf("%v: cells %d, %d and %d", b, m.Cells[i], c.Cells[i], a.Cells[i])
			}
			i++
		}
	}
	for _, draw := range []func() (content.Figure, error){
		m.Figure, c.Figure, a.Figure, PhaseMap(1, "1", "1").Figure, PhaseMap(40, "1:90", "1:20").Figure,
	} {
		if _, err := draw(); err != nil {
			t.Error(err)
		}
	}
	// The line ends in the corners of the region: s = n above, d = n below.
	points := m.Curves[0].Points
	for i, corner := range []figure.Point{{X: 7 * 1.618034, Y: 7}, {X: 7, Y: 7 * 1.618034}} {
		if dx, dy := points[i].X-corner.X, points[i].Y-corner.Y; dx*dx+dy*dy > 1e-6 {
			t.Errorf("the border has corner %v, want %v", points[i], corner)
		}
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
			PhaseMap(test.n, test.s, test.d)
		}()
	}
}

func TestTree(t *testing.T) {
	f, err := Tree{game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}}.Figure()
	if err != nil || !strings.Contains(f.Alt, "3 leaves") || !strings.Contains(f.Alt, "(0, 9, 4, 2)") {
		t.Errorf("%q, %v", f.Alt, err)
	}
	if _, err := (Tree{example}).Figure(); err == nil {
		t.Error("a tree of thousands of leaves was drawn")
	}
}
