package main

import (
	"encoding/json"
	"math"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/naval"
)

// TestTournamentJSON reads the object back: the tables add up, and the means are consistent.
func TestTournamentJSON(t *testing.T) {
	type record struct{ Wins, Losses int }
	var got struct {
		Players, Games, Seed int
		Placement, Moves     string
		Targeting            string
		Halo                 bool
		MeanMoves            float64           `json:"mean_moves"`
		MeanMovesWinners     float64           `json:"mean_moves_winners"`
		MeanMovesLosers      float64           `json:"mean_moves_losers"`
		MeanLosersScore      float64           `json:"mean_losers_score"`
		ByPlacement          map[string]record `json:"by_placement"`
		ByMoves              map[string]record `json:"by_moves"`
	}
	decoder := json.NewDecoder(strings.NewReader(mustRun(t, "", "tournament", "naval", "--seed", "11", "--json")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Players != 1024 || got.Games != 1023 || got.Seed != 11 || len(got.ByPlacement) != 8 ||
		len(got.ByMoves) != 3 {
		t.Errorf("%+v", got)
	}
	if math.Abs(2*got.MeanMoves-got.MeanMovesWinners-got.MeanMovesLosers) > 1e-9 || got.MeanLosersScore >= 20 {
		t.Errorf("%+v", got)
	}
	for _, table := range []map[string]record{got.ByPlacement, got.ByMoves} {
		var sum record
		for _, r := range table {
			sum.Wins += r.Wins
			sum.Losses += r.Losses
		}
		if sum != (record{1023, 1023}) {
			t.Errorf("%+v in %+v", sum, table)
		}
	}
}

// TestPlayedGame: table, boards and JSON of a game tell the same.
func TestPlayedGame(t *testing.T) {
	var game struct {
		Winner  int
		Players []struct {
			Shots, Score int
			Fleet        [][][2]int
		}
		Shots []struct {
			Player  int
			Cell    [2]int
			Outcome string
		}
	}
	if err := json.Unmarshal([]byte(mustRun(t, "", "play", "naval", "--json")), &game); err != nil {
		t.Fatal(err)
	}
	text := mustRun(t, "", "play", "naval")
	table, boards, _ := strings.Cut(text, "\nPlayer "+strconv.Itoa(game.Winner)+" wins with ")
	if n := len(regexp.MustCompile(` \d\d[x#]?\b`).FindAllString(table, -1)); n < len(game.Shots) {
		t.Errorf("the table has %d shots of %d", n, len(game.Shots))
	}
	loser := game.Players[2-game.Winner]
	hits, decks := strings.Count(boards, "X")-1, strings.Count(boards, "O")-1 // one each in the key
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

// TestMeasureIsTheLibrarys: the JSON is what the library reads and writes, the same on any number of cores, and its
// sums are those of naval.Measure.
func TestMeasureIsTheLibrarys(t *testing.T) {
	seen := map[string]bool{}
	for _, procs := range []int{1, 2, 5} {
		previous := runtime.GOMAXPROCS(procs)
		seen[mustRun(t, "", "measure", "naval", "--fleets", "300", "--seed", "7", "--json")] = true
		runtime.GOMAXPROCS(previous)
	}
	if len(seen) != 1 {
		t.Fatalf("%d different outputs", len(seen))
	}
	for text := range seen {
		var m naval.Measurement
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Fleets != 300 || m.Seed != 7 ||
			len(m.Placements) != len(naval.Placements()) {
			t.Fatalf("%v, %+v", err, m)
		}
		for _, tally := range m.Tallies {
			want, err := naval.Measure(t.Context(), tally.Strategy, tally.Placement, 300, 7, naval.Options{})
			if err != nil || tally.Sample() != want {
				t.Errorf("%v against %v: %+v, want %+v, %v", tally.Strategy, tally.Placement, tally.Sample(), want, err)
			}
		}
	}
}

// TestMeasuredBytes: what a dry run says of the output is right to a third.
func TestMeasuredBytes(t *testing.T) {
	for _, args := range []string{
		"--fleets 1", "--fleets 20 --placements left,36", "--fleets 2000",
		"--fleets 30000 --strategies random-as_described --placements top",
	} {
		call := append([]string{"measure", "naval", "--json"}, strings.Fields(args)...)
		var estimate struct {
			Size  int64
			Bytes int `json:"output_bytes"`
		}
		if err := json.Unmarshal([]byte(mustRun(t, "", append(call, "--dry-run")...)), &estimate); err != nil {
			t.Fatal(err)
		}
		text := mustRun(t, "", call...)
		var m naval.Measurement
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Games() != estimate.Size ||
			3*len(text) < 2*estimate.Bytes || 2*len(text) > 3*estimate.Bytes {
			t.Errorf("%s: %d bytes of %d games, estimated %+v; %v", args, len(text), m.Games(), estimate, err)
		}
	}
}
