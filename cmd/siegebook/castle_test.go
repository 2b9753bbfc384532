package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/castle"
)

// referenceTest is one of the 27 tests of the posts, with the results of two independent programs.
type referenceTest struct {
	Soldiers         int64 `json:"soldiers"`
	CastleHits       int64 `json:"castle_hits"`
	DefendersPerWave int64 `json:"defenders_per_wave"`
	Computed         struct {
		MinWaves       *int64         `json:"min_waves"`
		CastleFirst    referenceLine  `json:"castle_first"`
		DefendersFirst referenceLine  `json:"defenders_first"`
		SoldierWins    map[string]int `json:"soldier_wins_by_wave"`
		CastleComplete map[string]int `json:"castle_wins_by_wave_complete"`
		CastlePrinted  map[string]int `json:"castle_wins_by_wave_printed_convention"`
		Ties           int            `json:"ties"`
	} `json:"computed"`
}

type referenceLine struct {
	Winner       string `json:"winner"`
	Waves        *int64 `json:"waves"`
	SoldiersLeft int64  `json:"soldiers_left"`
}

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

type counted struct {
	battleArguments
	Convention   string            `json:"convention"`
	SoldierWins  map[string]string `json:"soldier_wins"`
	CastleWins   map[string]string `json:"castle_wins"`
	SoldierTotal string            `json:"soldier_total"`
	CastleTotal  string            `json:"castle_total"`
	Ties         string            `json:"ties"`
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

func TestReferenceTests(t *testing.T) {
	text, err := os.ReadFile("../../analysis/castle/testdata/castle_27_tests.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []referenceTest
	if err := json.Unmarshal(text, &tests); err != nil || len(tests) != 27 {
		t.Fatalf("%d tests, %v", len(tests), err)
	}
	for _, test := range tests {
		battle := []string{
			strconv.FormatInt(test.Soldiers, 10), strconv.FormatInt(test.CastleHits,
				10), strconv.FormatInt(test.DefendersPerWave, 10),
		}
		t.Run(strings.Join(battle, ","), func(t *testing.T) {
			call := func(verb string, options ...string) string {
				return mustRun(t, "", append(append([]string{verb, "castle", "--json"}, battle...), options...)...)
			}
			exact := decode[solved](t, call("solve"))
			if diff := cmp.Diff(test.Computed.MinWaves, exact.MinWaves); diff != "" {
				t.Errorf("min_waves (-want +got):\n%s", diff)
			}
			for algorithm, want := range map[string]referenceLine{
				"castle-first": test.Computed.CastleFirst, "defenders-first": test.Computed.DefendersFirst,
			} {
				line := decode[solved](t, call("solve", "--algorithm", algorithm))
				got := referenceLine{line.Winner, line.Waves, line.SoldiersLeft}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", algorithm, diff)
				}
			}
			for convention, want := range map[string]map[string]int{
				"complete": test.Computed.CastleComplete, "printed": test.Computed.CastlePrinted,
			} {
				counts := decode[counted](t, call("count", "--convention", convention))
				checkCounts(t, convention+" castle", want, counts.CastleWins, counts.CastleTotal)
				checkCounts(t, "soldiers", test.Computed.SoldierWins, counts.SoldierWins, counts.SoldierTotal)
				if counts.Ties != strconv.Itoa(test.Computed.Ties) {
					t.Errorf("ties %s, want %d", counts.Ties, test.Computed.Ties)
				}
			}
		})
	}
}

func checkCounts(t *testing.T, what string, want map[string]int, got map[string]string, total string) {
	t.Helper()
	sum, texts := 0, map[string]string{}
	for wave, ways := range want {
		sum += ways
		texts[wave] = strconv.Itoa(ways)
	}
	if diff := cmp.Diff(texts, got); diff != "" || total != strconv.Itoa(sum) {
		t.Errorf("%s: total %s, want %d; by wave (-want +got):\n%s", what, total, sum, diff)
	}
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

// TestTraceObeysTheRules replays each trace: every step must be legal, and the end must be the one announced.
func TestTraceObeysTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		battle := castle.Battle{
			Soldiers:         rapid.Int64Range(1, 40).Draw(t, "soldiers"),
			CastleHits:       rapid.Int64Range(1, 120).Draw(t, "castle hits"),
			DefendersPerWave: rapid.Int64Range(1, 60).Draw(t, "defenders"),
		}
		algorithm := rapid.SampledFrom([]string{"exact", "castle-first", "defenders-first"}).Draw(t, "algorithm")
		code, stdout, stderr := siegebook(t.Context(), "", "solve", "castle", "--json", "--algorithm", algorithm,
			strconv.FormatInt(battle.Soldiers, 10), strconv.FormatInt(battle.CastleHits,
				10), strconv.FormatInt(battle.DefendersPerWave, 10))
		if code != exitDone {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		var answer solved
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
			t.Fatal(err)
		}
		winner := replay(t, battle, answer.Trace)
		last := answer.Trace[len(answer.Trace)-1]
		if winner != answer.Winner || answer.TraceTruncated || answer.Notes == nil {
			t.Fatalf("the trace ends with %s:\n%s", winner, stdout)
		}
		if tie := winner == "tie"; tie != (answer.RepeatsFrom != nil) || tie && *answer.RepeatsFrom != last.Wave-1 {
			t.Fatalf("repeats_from in\n%s", stdout)
		}
		waves := answer.MinWaves
		if algorithm != "exact" {
			waves = answer.Waves
		}
		if winner == "soldiers" && (waves == nil || *waves != last.Wave) {
			t.Fatalf("waves in\n%s", stdout)
		}
	})
}

// replay returns who wins a battle that goes through the states.
func replay(t *rapid.T, battle castle.Battle, trace []traceState) string {
	state, winner := battle.Start(), castle.Undecided
	for wave, listed := range trace {
		if wave > 0 {
			state, winner = stepTo(t, battle, state, listed)
		}
		if listed != traceStateOf(int64(wave), state) {
			t.Fatalf("state %d of the trace is %+v, want %v", wave, listed, state)
		}
		if (winner != castle.Undecided) != (wave == len(trace)-1) {
			t.Fatalf("%v after wave %d of a trace of %d", winner, wave, len(trace)-1)
		}
	}
	return winner.String()
}

// stepTo finds the order that leads from one state to the next one listed.
func stepTo(t *rapid.T, battle castle.Battle, from castle.State, to traceState) (castle.State, castle.Winner) {
	low, high := from.Moves()
	for i := low; i <= high; i++ {
		if next, winner := battle.Step(from, i); traceStateOf(to.Wave, next) == to {
			return next, winner
		}
	}
	t.Fatalf("no legal wave leads from %v to %+v", from, to)
	panic("unreachable")
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

// TestPathsAreAllThereAre compares the listed paths with the counts, side by side and wave by wave.
func TestPathsAreAllThereAre(t *testing.T) {
	type path struct {
		Winner string       `json:"winner"`
		Waves  int64        `json:"waves"`
		Trace  []traceState `json:"trace"`
	}
	type listed struct {
		Paths    []path `json:"paths"`
		Listed   int    `json:"listed"`
		Complete bool   `json:"complete"`
	}
	for _, battle := range [][]string{
		{"10", "11", "15"},
		{"3", "5", "3"},
		{"5", "9", "4"},
		{"7", "20", "5"},
		{"4", "4", "9"},
	} {
		counts := decode[counted](t, mustRun(t, "", append([]string{"count", "castle", "--json"}, battle...)...))
		want := map[string]string{"tie 2": counts.Ties}
		if counts.Ties == "0" {
			delete(want, "tie 2")
		}
		for wave, ways := range counts.SoldierWins {
			want["soldiers "+wave] = ways
		}
		for wave, ways := range counts.CastleWins {
			want["castle "+wave] = ways
		}
		var list listed
		if err := json.Unmarshal([]byte(mustRun(t, "", append([]string{"paths", "castle", "--json"}, battle...)...)),
			&list); err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, path := range list.Paths {
			found[path.Winner+" "+strconv.FormatInt(path.Waves, 10)]++
			if int64(len(path.Trace)) != path.Waves+1 {
				t.Errorf("%v: %d states in a path of %d waves", battle, len(path.Trace), path.Waves)
			}
		}
		got := map[string]string{}
		for key, ways := range found {
			got[key] = strconv.Itoa(ways)
		}
		if diff := cmp.Diff(want, got); diff != "" || !list.Complete || list.Listed != len(list.Paths) {
			t.Errorf("%v: complete %v, %d listed; ways by side and wave (-count +paths):\n%s", battle, list.Complete,
				list.Listed, diff)
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
