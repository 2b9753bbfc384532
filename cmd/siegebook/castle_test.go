package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// solved is what solve castle --json prints.
type solved struct {
	Soldiers         int64        `json:"soldiers"`
	CastleHits       int64        `json:"castle_hits"`
	DefendersPerWave int64        `json:"defenders_per_wave"`
	Winner           string       `json:"winner"`
	MinWaves         *int64       `json:"min_waves"`
	CastleMinWaves   *int64       `json:"castle_min_waves"`
	Waves            *int64       `json:"waves"`
	SoldiersLeft     int64        `json:"soldiers_left"`
	Case             string       `json:"case"`
	Algorithm        string       `json:"algorithm"`
	Trace            []traceState `json:"trace"`
	RepeatsFrom      *int64       `json:"repeats_from"`
	TraceTruncated   bool         `json:"trace_truncated"`
	MostSurvivors    *int64       `json:"most_survivors"`
	FallWave         *int64       `json:"fall_wave"`
	ResistanceWaves  *int64       `json:"resistance_waves"`
	BestWinner       string       `json:"best_winner"`
	Over             bool         `json:"over"`
	Notes            []string     `json:"notes"`
}

// decode reads JSON that must have no members beyond those of T.
func decode[T any](t testing.TB, text string) T {
	t.Helper()
	var value T
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return value
}

// TestSolveEndsWithItsLastLine: no answer ends with an empty line, whether there are remarks below the table or not.
func TestSolveEndsWithItsLastLine(t *testing.T) {
	for _, battle := range []string{"10 43 8", "13 23 11", "10 10 8", "3 10 4", "3 10 3", "9 9 1"} {
		for _, a := range soldiersAlgorithms() {
			text := mustRun(t, "", append([]string{"solve", "castle", "--algorithm", a.Name},
				strings.Fields(battle)...)...)
			if strings.HasSuffix(text, "\n\n") || strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") {
				t.Errorf("solve castle %s by %s prints\n%q", battle, a.Name, text)
			}
		}
	}
}

// TestLongTrace: a battle of 10^18 waves is answered at once, its trace is cut where asked.
func TestLongTrace(t *testing.T) {
	answer := decode[solved](t, mustRun(t, "", "solve", "castle", "--json", "10", "1000000000000000000", "9"))
	if len(answer.Trace) != defaultTraceLimit || !answer.TraceTruncated || *answer.MinWaves < 9e17 {
		t.Errorf("%d states, truncated %v, %d waves", len(answer.Trace), answer.TraceTruncated, *answer.MinWaves)
	}
	for limit, want := range map[string]int{"0": 0, "1": 1, "16": 16, "17": 17, "18": 17} {
		answer := decode[solved](t, mustRun(t, "", "solve", "castle", "--json", "10", "43", "8", "--trace-limit",
			limit))
		if len(answer.Trace) != want || answer.TraceTruncated != (want < 17) {
			t.Errorf("--trace-limit %s: %d states, truncated %v", limit, len(answer.Trace), answer.TraceTruncated)
		}
	}
}

// TestEveryBattleHasAnAnswer: no battle of int64 makes a command fail, and what it prints stays short.
func TestEveryBattleHasAnAnswer(t *testing.T) {
	number := rapid.OneOf(rapid.Int64Min(1), rapid.Int64Range(1, 100), rapid.SampledFrom([]int64{
		1, 2, 1<<31 - 1, 1 << 31, 1<<32 + 1, 1 << 62, 1<<63 - 2, 1<<63 - 1,
	}))
	rapid.Check(t, func(t *rapid.T) {
		n := number.Draw(t, "soldiers")
		s := number.Draw(t, "castle hits")
		d := number.Draw(t, "defenders")
		if near := rapid.Int64Range(-3, 3).Draw(t, "near"); rapid.Bool().Draw(t, "d near n") && n > 3 && n < 1<<62 {
			d = n + near
		}
		battle := []string{strconv.FormatInt(n, 10), strconv.FormatInt(s, 10), strconv.FormatInt(d, 10)}
		algorithm := rapid.SampledFrom([]string{"exact", "castle-first", "defenders-first", "published"}).Draw(t,
			"algorithm")
		for _, options := range [][]string{{}, {"--json"}} {
			args := append(append([]string{"solve", "castle", "--algorithm", algorithm, "--trace-limit", "50"},
				battle...),
				options...)
			code, stdout, stderr := siegebook(t.Context(), "", args...)
			if code != exitDone || stderr != "" || len(stdout) > 50_000 {
				t.Fatalf("%v: exit code %d, stderr %q, %d bytes of output", args, code, stderr, len(stdout))
			}
			if len(options) > 0 && !json.Valid([]byte(stdout)) {
				t.Fatalf("%v: not JSON:\n%s", args, stdout)
			}
		}
	})
}
