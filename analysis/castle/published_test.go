package castle

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

func TestPublishedCases(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Battle Battle }) []any {
		waves, kind, ok := row.Battle.Published()
		return []any{waves, kind, ok}
	})
	// The formula must never panic, and never return an infinite number.
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

// TestOperations counts the operations of all algorithms together, and compares them with a count for each algorithm
// and with a walk through all paths.
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
		walk := naiveWalk(b, false)
		if want := int64(walk.prefixes); b.CastleHits > b.Soldiers &&
			together["search"].Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%v: a search passes through %v moments, walking finds %d", b, together["search"], want)
		}
	}
	if _, err := (Battle{20, 50, 16}).Operations(must.CanceledContext(t), Algorithms()); !must.Stopped(err) {
		t.Errorf("cancelled: %v", err)
	}
	var memory *OutOfMemoryError
	if _, err := (Battle{1 << 40, 1 << 42, 5}).Operations(t.Context(), AlgorithmsOf(Check)); !errors.As(err, &memory) {
		t.Errorf("too large to count: %v", err)
	}
}

// battleData is a row of castle_27_tests.json of the report: the tests 0 to 26 of the castle posts, with the numbers
// printed there and the numbers that two independent programs compute.
type battleData struct {
	Test    int   `json:"test"`
	N       int64 `json:"soldiers"`
	S       int64 `json:"castle_hits"`
	D       int64 `json:"defenders_per_wave"`
	Printed struct {
		SoldierTotal *int64 `json:"soldier_wins_total"`
		CastleTotal  *int64 `json:"castle_wins_total"`
	} `json:"printed"`
	Computed struct {
		MinWaves       int64           `json:"min_waves"` // null if the soldiers cannot win; read as 0
		CastleFirst    lineData        `json:"castle_first"`
		DefendersFirst lineData        `json:"defenders_first"`
		SoldierWins    map[int64]int64 `json:"soldier_wins_by_wave"`
		Complete       map[int64]int64 `json:"castle_wins_by_wave_complete"`
		PrintedRule    map[int64]int64 `json:"castle_wins_by_wave_printed_convention"`
		Ties           int64           `json:"ties"`
	} `json:"computed"`
}

type lineData struct {
	Winner       Winner `json:"winner"`
	Waves        int64  `json:"waves"`
	SoldiersLeft int64  `json:"soldiers_left"`
}

// TestThe27 checks every number computed for the posts' tests, and every total that the posts print. The convention
// Printed gives the printed totals.
func TestThe27(t *testing.T) {
	var rows []battleData
	must.JSON(t, "../../report/siegebook/castle/data/castle_27_tests.json", &rows)
	if len(rows) != 27 {
		t.Fatalf("%d rows, want 27", len(rows))
	}
	for _, row := range rows {
		b, want := Battle{row.N, row.S, row.D}, row.Computed
		if got := b.Solve().MinWaves; got != want.MinWaves {
			t.Errorf("test %d %v: min waves %d, want %d", row.Test, b, got, want.MinWaves)
		}
		castle, defenders := lineData(b.Play(CastleFirst)), lineData(b.Play(DefendersFirst))
		if castle != want.CastleFirst || defenders != want.DefendersFirst {
			t.Errorf("test %d %v: castle first %+v, defenders first %+v, want %+v and %+v", row.Test, b, castle,
				defenders, want.CastleFirst, want.DefendersFirst)
		}
		complete, printed := mustCount(t, b, Complete), mustCount(t, b, Printed)
		for _, ways := range [][2]map[int64]int64{
			{complete.Soldiers.ways(), want.SoldierWins},
			{complete.Castle.ways(), want.Complete},
			{printed.Soldiers.ways(), want.SoldierWins},
			{printed.Castle.ways(), want.PrintedRule},
		} {
			if !maps.Equal(ways[0], ways[1]) {
				t.Errorf("test %d %v: counted %v, want %v", row.Test, b, ways[0], ways[1])
			}
		}
		if complete.Ties.Int64() != want.Ties {
			t.Errorf("test %d %v: %v ties, want %d", row.Test, b, complete.Ties, want.Ties)
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

// TestContest checks the fewest waves on system tests of TopCoder SRM 418 (BarracksEasy, Barracks).
func TestContest(t *testing.T) {
	type row struct {
		Name   string
		Battle Battle
	}
	if rows := must.Rows(t, "testdata/contest.txt", t.Name()); len(rows) != 195 {
		t.Fatalf("%d rows, want 195", len(rows))
	}
	must.Answers(t, "testdata/contest.txt", func(row row) []any { return []any{row.Battle.MinWaves()} })
}
