package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// crowdedMap returns a map with ants of five owners, land and water.
func crowdedMap(rows, cols int) string {
	rng := rand.New(rand.NewPCG(4, 2))
	var text strings.Builder
	for range rows {
		for range cols {
			text.WriteByte("abcdE...%?"[rng.IntN(10)])
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// TestChoices checks that every row of the library's tables can be chosen by its name, that the help lists it, and that
// the error about an unknown name lists all names. Neither this test nor the commands contain these names.
func TestChoices(t *testing.T) {
	chance := make([]string, len(tower.Readings()))
	for i, reading := range tower.Readings() {
		chance[i] = "random-" + reading.String()
	}
	for _, test := range []struct {
		command, flag string
		choices       []string
	}{
		{
			"survey castle --soldiers 2 --castle 3:5 --defenders 1:3", "algorithms",
			texts(castle.Surveyable()),
		},
		{"solve tower 5 4 3 2", "strategy", append(texts(tower.Strategies()), chance...)},
		{"solve tower 5 4 3 2 --strategy random-sim", "method", texts(tower.Methods())},
		{"solve ants -", "rule", texts(ants.Rules())},
		{"play naval", "placement", append(texts(naval.Placements()), "uniform", "all")},
		{"play naval", "moves", append(texts(naval.AllMoves()), "all")},
		{"play naval", "targeting", texts(naval.Targetings())},
		{"tournament naval --players 2", "targeting", texts(naval.Targetings())},
		{
			"measure naval --fleets 1 --strategies random-proper",
			"placements", append(texts(naval.Placements()), "uniform", "all"),
		},
	} {
		run := func(choice string) (int, string, string) {
			return siegebook(t.Context(), "A.B\n", append(strings.Fields(test.command), "--"+test.flag, choice)...)
		}
		help := strings.Join(strings.Fields(mustRun(t, "", append(strings.Fields(test.command)[:2], "--help")...)), " ")
		if at := strings.Index(help, "--"+test.flag+"="); at >= 0 {
			help = help[at:]
		}
		_, _, wrong := run("x")
		for _, choice := range test.choices {
			if code, out, stderr := run(choice); code != 0 || out == "" || stderr != "" {
				t.Errorf("%s --%s %s: exit code %d, %q", test.command, test.flag, choice, code, stderr)
			}
			if !strings.Contains(help, choice) || !strings.Contains(wrong, choice) {
				t.Errorf("%s --%s %s is not in the help, or not in the error %q", test.command, test.flag, choice,
					wrong)
			}
		}
	}
}

func texts[T fmt.Stringer](values []T) []string { return strings.Split(names(values), ", ") }

// TestPlayedGame checks that the table, the boards and the JSON of a game agree.
func TestPlayedGame(t *testing.T) {
	var game struct {
		Winner  int
		Players []struct {
			Shots, Score int
			Fleet        [][]cell
		}
		Shots []struct {
			Player  int
			Cell    cell
			Outcome string
		}
	}
	must.Do(t, json.Unmarshal([]byte(mustRun(t, "", "play", "naval", "--json")), &game))
	text := mustRun(t, "", "play", "naval")
	table, boards, _ := strings.Cut(text, "\nPlayer "+strconv.Itoa(game.Winner)+" wins with ")
	if n := len(regexp.MustCompile(` \d\d[x#]?\b`).FindAllString(table, -1)); n < len(game.Shots) {
		t.Errorf("the table has %d shots of %d", n, len(game.Shots))
	}
	loser := game.Players[2-game.Winner]
	hits, decks := strings.Count(boards, "X")-1, strings.Count(boards, "O")-1 // minus one of each in the key
	if hits != 20+loser.Score || decks != 20-loser.Score {
		t.Errorf("%d decks hit and %d whole, the loser scored %d\n%s", hits, decks, loser.Score, boards)
	}
	if misses := strings.Count(boards, "*") - 1; misses != len(game.Shots)-hits {
		t.Errorf("%d misses on the boards, %d of %d shots hit", misses, hits, len(game.Shots))
	}
	for i, p := range game.Players {
		if len(p.Fleet) != 10 || len(p.Fleet[0]) != 4 || len(p.Fleet[9]) != 1 {
			t.Errorf("fleet of player %d: %v", i+1, p.Fleet)
		}
	}
	if last := game.Shots[len(game.Shots)-1]; last.Player != game.Winner || last.Outcome != "sunk" {
		t.Errorf("last shot %+v, player %d wins", last, game.Winner)
	}
}

// TestTowerInterruptedInAState checks that a list of 10^12 towers can be interrupted, and is not held in memory.
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

// cancelling is a writer that cancels a context after a number of bytes.
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

// TestSolveEndsWithItsLastLine checks that no answer ends with an empty line, with or without remarks below the
// table.
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

// TestEveryBattleHasAnAnswer checks that commands do not fail for any battle whose numbers fit in int64, and that the
// output stays short.
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
