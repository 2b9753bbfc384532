package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/analysis/ants"
)

// crowdedMap is a map of ants of five owners, land and water.
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

// TestAntsJSON reads the object back and compares it with the library, for every rule.
func TestAntsJSON(t *testing.T) {
	text := crowdedMap(30, 40)
	m, err := ants.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	army := m.Ants()
	for _, rule := range ants.Rules() {
		var got, want struct {
			Dead    [][2]int `json:"dead"`
			Enemies [][3]int `json:"enemies"`
			Kills   [][4]int `json:"kills"`
		}
		outcome, err := ants.Solve(m.World(9, false), army, rule)
		if err != nil {
			t.Fatal(err)
		}
		for i, ant := range army {
			if outcome.Dead[i] {
				want.Dead = append(want.Dead, [2]int{ant.Row, ant.Col})
			}
			want.Enemies = append(want.Enemies, [3]int{ant.Row, ant.Col, outcome.Enemies[i]})
		}
		for kill := range outcome.Kills() {
			a, b := army[kill.Victim], army[kill.Killer]
			want.Kills = append(want.Kills, [4]int{a.Row, a.Col, b.Row, b.Col})
		}
		out := mustRun(t, text, "solve", "ants", "-", "--json", "--radius2", "9", "--rule", rule.String())
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Dead, want.Dead) || !slices.Equal(got.Enemies, want.Enemies) ||
			!slices.Equal(got.Kills, want.Kills) {
			t.Errorf("%v: prints %s", rule, out)
		}
		inOrder := slices.IsSortedFunc(got.Kills, func(a, b [4]int) int { return slices.Compare(a[:], b[:]) })
		if !inOrder || len(got.Kills) < 100 {
			t.Errorf("%v: %d kills, in order %v", rule, len(got.Kills), inOrder)
		}
	}
}

func TestHugeAntMap(t *testing.T) {
	row := strings.Repeat(".", 2100) + "\n"
	code, stdout, stderr := siegebook(t.Context(), strings.Repeat(row, 2100), "solve", "ants", "-")
	want := "siegebook: standard input: line 1998, column 605: the map is too large, use one of at most 4194304 cells\n"
	if code != exitUsage || stdout != "" || stderr != want {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// TestAntsInterrupted: a battle of ten billion pairs, which takes far longer than reading its map, stops when it is
// told to.
func TestAntsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer time.AfterFunc(300*time.Millisecond, cancel).Stop()
	code, stdout, stderr := siegebook(ctx, crowdedMap(400, 400), "solve", "ants", "-", "--radius2", "1000000")
	if code != exitFailed || stdout != "" || stderr != "siegebook: interrupted before the work was done\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// TestAntsHelpExamples runs the examples of --help.
func TestAntsHelpExamples(t *testing.T) {
	t.Chdir("testdata")
	help := mustRun(t, "", "solve", "ants", "--help")
	examples := 0
	for line := range strings.Lines(help) {
		if call, ok := strings.CutPrefix(line, "    siegebook "); ok {
			args := strings.Fields(strings.Replace(call, "map.txt", "wall.txt", 1))
			mustRun(t, "a.b\n", args...)
			examples++
		}
	}
	if examples != 3 {
		t.Errorf("%d examples", examples)
	}
}
