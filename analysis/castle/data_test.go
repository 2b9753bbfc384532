package castle

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// battleData is a row of testdata/castle_27_tests.json: the tests 0 to 26 of the castle posts, as printed there and as
// two independent programs compute them.
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
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
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
	readJSON(t, "castle_27_tests.json", &rows)
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
