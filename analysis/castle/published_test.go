package castle

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// The counts of design are those of the float64 expression over n <= 30, s <= 100, d <= 60: how often its k is not the
// exact one, by case. q is off by nothing there.
func TestPublishedHazard(t *testing.T) {
	total, off := map[Case]int{}, map[Case]int{}
	for n := int64(1); n <= 30; n++ {
		for s := int64(1); s <= 100; s++ {
			for d := int64(1); d <= 60; d++ {
				b := Battle{n, s, d}
				solution := b.Solve()
				if solution.Case != Case2a && solution.Case != Case2b {
					continue
				}
				total[solution.Case]++
				k, _ := cleanup(n, solution.DefendersLeft)
				x := float64(s - n - (solution.FallWave-1)*(n-d))
				if math.Max(0, publishedK(float64(n), x)) != float64(k) {
					off[solution.Case]++
				}
			}
		}
	}
	if total[Case2a] != 34510 || total[Case2b] != 1797 {
		t.Errorf("%d triples of case 2a, %d of 2b, want 34510 and 1797", total[Case2a], total[Case2b])
	}
	if off[Case2a] != 626 || off[Case2b] != 113 {
		t.Errorf("k is off on %d triples of case 2a and %d of 2b, want 626 and 113", off[Case2a], off[Case2b])
	}
}

func TestPublishedCases(t *testing.T) {
	for _, c := range []struct {
		b     Battle
		waves float64
		c     Case
		ok    bool
	}{
		{Battle{10, 10, 99}, 1, Case1, true},
		{Battle{10, 43, 8}, 15, Case2a, true}, // one wave short of 16
		{Battle{10, 11, 15}, 5, Case2b, true}, // rounding: exact is 4
		{Battle{3820, 5000, 5000}, 7, Case2b, true},
		{Battle{3819, 5000, 5000}, 0, Case2c, false},
		{Battle{5, 10, 5}, 0, Case2d, false},
	} {
		waves, kind, ok := c.b.Published()
		if waves != c.waves || kind != c.c || ok != c.ok {
			t.Errorf("Published(%v) = %v, %v, %v, want %v, %v, %v", c.b, waves, kind, ok, c.waves, c.c, c.ok)
		}
	}
	// Never a panic, never an infinite number passed on.
	for _, b := range []Battle{
		{math.MaxInt64, math.MaxInt64, 1},
		{2, math.MaxInt64, 1},
		{1, 1, 1},
		{math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64},
	} {
		if waves, _, ok := b.Published(); ok && (math.IsNaN(waves) || math.IsInf(waves, 0)) {
			t.Errorf("Published(%v) = %v", b, waves)
		}
	}
}

// TestOperations compares the counted operations of all algorithms together with those of each, and with a walk through
// all paths.
func TestOperations(t *testing.T) {
	for _, b := range []Battle{{1, 1, 1}, {3, 5, 2}, {5, 12, 4}, {6, 14, 9}, {4, 9, 4}, {10, 25, 8}} {
		together := must.Get(b.Operations(t.Context(), Algorithms()))
		for _, a := range Algorithms() {
			if a.Cost.Count == nil {
				if together[a.Name] != nil {
					t.Errorf("%v: %s has %v operations, but no count", b, a.Name, together[a.Name])
				}
				continue
			}
			alone, err := a.Cost.Count(t.Context(), b)
			if err != nil || together[a.Name] == nil || together[a.Name].Cmp(alone) != 0 {
				t.Errorf("%v: %s has %v operations, alone %v, %v", b, a.Name, together[a.Name], alone, err)
			}
		}
		walk := naiveWalk(int(b.Soldiers), int(b.CastleHits), int(b.DefendersPerWave), false)
		if want := int64(walk.prefixes); b.CastleHits > b.Soldiers &&
			together["search"].Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%v: a search passes through %v moments, walking finds %d", b, together["search"], want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Battle{20, 50, 16}).Operations(ctx, Algorithms()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var memory *OutOfMemoryError
	if _, err := (Battle{1 << 40, 1 << 42, 5}).Operations(t.Context(), AlgorithmsOf(Check)); !errors.As(err, &memory) {
		t.Errorf("too large to count: %v", err)
	}
}

// battleData is a row of castle_27_tests.json of the report: the tests 0 to 26 of the castle posts, as printed
// there and as two independent programs compute them.
type battleData struct {
	Test    int   `json:"test"`
	N       int64 `json:"soldiers"`
	S       int64 `json:"castle_hits"`
	D       int64 `json:"defenders_per_wave"`
	Printed struct {
		SoldierTotal *int64           `json:"soldier_wins_total"`
		CastleTotal  *int64           `json:"castle_wins_total"`
		SoldierWins  map[string]int64 `json:"soldier_wins_by_wave"`
		CastleWins   map[string]int64 `json:"castle_wins_by_wave"`
	} `json:"printed"`
	Computed struct {
		MinWaves       *int64           `json:"min_waves"`
		CastleFirst    lineData         `json:"castle_first"`
		DefendersFirst lineData         `json:"defenders_first"`
		SoldierWins    map[string]int64 `json:"soldier_wins_by_wave"`
		Complete       map[string]int64 `json:"castle_wins_by_wave_complete"`
		PrintedRule    map[string]int64 `json:"castle_wins_by_wave_printed_convention"`
		Ties           int64            `json:"ties"`
	} `json:"computed"`
}

type lineData struct {
	Winner       string `json:"winner"`
	Waves        *int64 `json:"waves"`
	SoldiersLeft *int64 `json:"soldiers_left"`
}

func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/" + file))
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func histogramIs(h Histogram, want map[string]int64) bool {
	if len(h) != len(want) {
		return false
	}
	for _, count := range h {
		if w, ok := want[strconv.FormatInt(count.Wave, 10)]; !ok || !count.Ways.IsInt64() || count.Ways.Int64() != w {
			return false
		}
	}
	return true
}

// TestThe27 checks every computed number of the posts' tests, and every printed total and histogram that the
// printed convention explains.
func TestThe27(t *testing.T) {
	var rows []battleData
	readJSON(t, "../../../report/castle/data/castle_27_tests.json", &rows)
	if len(rows) != 27 {
		t.Fatalf("%d rows, want 27", len(rows))
	}
	for _, row := range rows {
		b := Battle{row.N, row.S, row.D}
		if got, want := b.Solve().MinWaves, orZero(row.Computed.MinWaves); got != want {
			t.Errorf("test %d %v: min waves %d, want %d", row.Test, b, got, want)
		}
		checkLine(t, row.Test, b, "castle-first", CastleFirst, row.Computed.CastleFirst)
		checkLine(t, row.Test, b, "defenders-first", DefendersFirst, row.Computed.DefendersFirst)

		complete, printed := mustCount(t, b, Complete), mustCount(t, b, Printed)
		if !histogramIs(complete.Soldiers, row.Computed.SoldierWins) ||
			!histogramIs(complete.Castle, row.Computed.Complete) {
			t.Errorf("test %d %v: complete counts %v, %v", row.Test, b, complete.Soldiers, complete.Castle)
		}
		if !histogramIs(printed.Soldiers, row.Computed.SoldierWins) ||
			!histogramIs(printed.Castle, row.Computed.PrintedRule) {
			t.Errorf("test %d %v: counts in the printed convention %v, %v", row.Test, b, printed.Soldiers,
				printed.Castle)
		}
		if complete.Ties.Int64() != row.Computed.Ties {
			t.Errorf("test %d %v: %v ties, want %d", row.Test, b, complete.Ties, row.Computed.Ties)
		}
		if total := row.Printed.SoldierTotal; total != nil && printed.Soldiers.Total().Int64() != *total {
			t.Errorf("test %d %v: %v wins of the soldiers, the post prints %d", row.Test, b, printed.Soldiers.Total(),
				*total)
		}
		if total := row.Printed.CastleTotal; total != nil && printed.Castle.Total().Int64() != *total {
			t.Errorf("test %d %v: %v wins of the castle, the post prints %d", row.Test, b, printed.Castle.Total(),
				*total)
		}
	}
}

func orZero(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

func checkLine(t *testing.T, test int, b Battle, name string, strategy Strategy, want lineData) {
	t.Helper()
	got := b.Play(strategy)
	if got.Winner.String() != want.Winner {
		t.Errorf("test %d %v: %s ends with %v, want %s", test, b, name, got.Winner, want.Winner)
	}
	if want.Waves != nil && want.Winner != "tie" && got.Waves != *want.Waves {
		t.Errorf("test %d %v: %s takes %d waves, want %d", test, b, name, got.Waves, *want.Waves)
	}
	if want.SoldiersLeft != nil && want.Winner != "tie" && got.SoldiersLeft != *want.SoldiersLeft {
		t.Errorf("test %d %v: %s leaves %d soldiers, want %d", test, b, name, got.SoldiersLeft, *want.SoldiersLeft)
	}
}

// TestContest checks the fewest waves on system tests of TopCoder SRM 418 (BarracksEasy, Barracks).
func TestContest(t *testing.T) {
	var rows []struct {
		Name     string `json:"name"`
		N        int64  `json:"soldiers"`
		S        int64  `json:"castle_hits"`
		D        int64  `json:"defenders_per_wave"`
		MinWaves *int64 `json:"min_waves"`
	}
	readJSON(t, "castle_min_waves.json", &rows)
	if len(rows) != 195 {
		t.Fatalf("%d rows, want 195", len(rows))
	}
	for _, row := range rows {
		if got, want := (Battle{row.N, row.S, row.D}).MinWaves(), orZero(row.MinWaves); got != want {
			t.Errorf("%s (%d, %d, %d): %d waves, want %d", row.Name, row.N, row.S, row.D, got, want)
		}
	}
}
