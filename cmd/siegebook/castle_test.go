package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

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
	solve := func(args string) (waves, listed int64, truncated bool) {
		var answer struct {
			Waves     int64 `json:"min_waves"`
			Trace     []traceState
			Truncated bool `json:"trace_truncated"`
		}
		must.Do(t, json.Unmarshal([]byte(mustRun(t, "", strings.Fields("solve castle --json "+args)...)), &answer))
		return answer.Waves, int64(len(answer.Trace)), answer.Truncated
	}
	if waves, listed, truncated := solve("10 1000000000000000000 9"); listed != defaultTraceLimit || !truncated ||
		waves < 9e17 {
		t.Errorf("%d states, truncated %v, %d waves", listed, truncated, waves)
	}
	for limit, want := range map[int]int64{0: 0, 1: 1, 16: 16, 17: 17, 18: 17} {
		if _, listed, truncated := solve(fmt.Sprint("10 43 8 --trace-limit ", limit)); listed != want ||
			truncated != (want < 17) {
			t.Errorf("--trace-limit %d: %d states, truncated %v", limit, listed, truncated)
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
