package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// solvedTower is what solve tower --json prints.
type solvedTower struct {
	Soldiers       int64          `json:"soldiers"`
	Hits           int64          `json:"hits"`
	Kills          int64          `json:"kills"`
	Towers         int64          `json:"towers"`
	Strategy       string         `json:"strategy"`
	Winner         *string        `json:"winner"`
	Rounds         *int64         `json:"rounds"`
	MinSoldiers    *int64         `json:"min_soldiers"`
	BestWinner     *string        `json:"best_winner"`
	BestRounds     *int64         `json:"best_rounds"`
	Trace          []solvedState  `json:"trace"`
	TraceTruncated bool           `json:"trace_truncated"`
	Win            string         `json:"win_probability"`
	Method         string         `json:"method"`
	Error          *float64       `json:"error"`
	Outcomes       []towerOutcome `json:"outcomes"`
	Truncated      bool           `json:"outcomes_truncated"`
	Samples        int64          `json:"samples"`
	Seed           uint64         `json:"seed"`
	Confidence     float64        `json:"confidence"`
	Interval       []float64      `json:"interval"`
}

type solvedState struct {
	Round        int64       `json:"round"`
	Soldiers     int64       `json:"soldiers"`
	Towers       int64       `json:"towers"`
	HitsLeft     json.Number `json:"hits_left"`
	HitsPerTower []int64     `json:"hits_per_tower"`
	KillsLeft    json.Number `json:"kills_left"`
	Truncated    bool        `json:"hits_per_tower_truncated"`
	Groups       [][2]int64  `json:"hits_per_tower_groups"`
}

// towerReference is a row of the tables of analysis/tower.
type towerReference struct {
	Soldiers int64   `json:"soldiers"`
	Hits     int64   `json:"hits_per_tower"`
	Kills    int64   `json:"kills_per_tower"`
	Towers   int64   `json:"towers"`
	Rounds   *int64  `json:"rounds"`
	Seq      *string `json:"seq_win"`
	Sim      *string `json:"sim_win"`
}

func towerReferences(t *testing.T, file string, rows int) []towerReference {
	t.Helper()
	text, err := os.ReadFile("../../analysis/tower/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var list []towerReference
	if err := json.Unmarshal(text, &list); err != nil || len(list) != rows {
		t.Fatalf("%d rows, %v", len(list), err)
	}
	return list
}

func (r towerReference) solve(t *testing.T, options ...string) solvedTower {
	t.Helper()
	args := []string{"solve", "tower", "--json"}
	for _, number := range []int64{r.Soldiers, r.Hits, r.Kills, r.Towers} {
		args = append(args, strconv.FormatInt(number, 10))
	}
	return decode[solvedTower](t, mustRun(t, "", append(args, options...)...))
}

func TestTowerContest(t *testing.T) {
	for _, row := range towerReferences(t, "tower_rounds.json", 57) {
		got := row.solve(t, "--trace-limit", "2", "--tower-limit", "10")
		if won := row.Rounds != nil; won != (*got.Winner == "soldiers") || won && *got.Rounds != *row.Rounds {
			t.Errorf("%+v: %s in round %d", row, *got.Winner, *got.Rounds)
		}
	}
}

func TestTowerRandom(t *testing.T) {
	for _, row := range towerReferences(t, "tower_random_exact.json", 12) {
		for strategy, want := range map[string]*string{"random-sim": row.Sim, "random-seq": row.Seq} {
			got := row.solve(t, "--strategy", strategy)
			if got.Win != *want || got.Method != "exact" || *got.Error != 0 || got.Winner != nil || got.Rounds != nil ||
				len(got.Trace) != 0 {
				t.Errorf("%+v %s: %+v", row, strategy, got)
			}
		}
	}
}

// TestTowerFloat: decimals agree with the fraction within the error that is printed beside them, by both methods.
func TestTowerFloat(t *testing.T) {
	row := towerReference{Soldiers: 13, Hits: 2, Kills: 3, Towers: 8}
	const exact = 605930325.0 / 4294967296
	for _, method := range []string{"float", "monte-carlo"} {
		got := row.solve(t, "--strategy", "random-sim", "--method", method)
		p, err := strconv.ParseFloat(got.Win, 64)
		if err != nil || got.Method != method || *got.Error <= 0 || math.Abs(p-exact) > *got.Error {
			t.Errorf("%+v, %v", got, err)
		}
		if simulated := method == "monte-carlo"; simulated != (len(got.Interval) == 2 && got.Confidence == 0.99 &&
			got.Samples > 1000 && got.Seed == 1) {
			t.Errorf("%+v", got)
		}
	}
}

// TestTowerTrace compares the bounded lists with whole ones.
func TestTowerTrace(t *testing.T) {
	row := towerReference{Soldiers: 40, Hits: 5, Kills: 1, Towers: 12}
	for _, strategy := range []string{"greedy", "fewest", "even"} {
		whole, bounded := row.solve(t, "--strategy", strategy), row.solve(t, "--strategy", strategy, "--tower-limit",
			"5")
		if len(whole.Trace) != int(*whole.Rounds)+1 || whole.TraceTruncated {
			t.Errorf("%s: %d elements for %d rounds", strategy, len(whole.Trace), *whole.Rounds)
		}
		for i, state := range whole.Trace {
			short := bounded.Trace[i]
			var listed []int64
			for _, group := range short.Groups {
				for range group[1] {
					listed = append(listed, group[0])
				}
			}
			if !short.Truncated {
				listed = short.HitsPerTower
			}
			total := int64(0)
			for at, hits := range state.HitsPerTower {
				total += hits
				if len(listed) != len(state.HitsPerTower) || listed[at] != hits || at < len(short.HitsPerTower) &&
					short.HitsPerTower[at] != hits {
					t.Fatalf("%s: %+v, whole %+v", strategy, short, state)
				}
			}
			if strconv.FormatInt(total, 10) != state.HitsLeft.String() || short.Truncated != (state.Towers > 5) ||
				len(short.HitsPerTower) != int(min(5, state.Towers)) {
				t.Errorf("%s: %+v, whole %+v", strategy, short, state)
			}
		}
	}
}

// TestTowerInterruptedInAState: a list of 10^12 towers can be stopped, and takes no memory.
func TestTowerInterruptedInAState(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &cancelling{after: 1 << 20, cancel: cancel}
	var stderr bytes.Buffer
	args := strings.Fields("solve tower 1000000000000 2 3 1000000000000 --json --limit 9000PB --tower-limit " +
		"9000000000000000000")
	code := run(ctx, args, strings.NewReader(""), out, &stderr)
	if code != exitFailed || stderr.String() != interruptedLine || out.written > 2<<20 {
		t.Errorf("exit code %d, stderr %q, %d bytes", code, stderr.String(), out.written)
	}
}

// cancelling is a writer that cancels a context after some bytes.
type cancelling struct {
	after, written int
	cancel         func()
}

func (c *cancelling) Write(p []byte) (int, error) {
	if c.written += len(p); c.written > c.after {
		c.cancel()
	}
	return len(p), nil
}
