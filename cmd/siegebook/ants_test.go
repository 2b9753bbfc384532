package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
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

// TestChoices: every row of the library's tables can be chosen by its name, the help lists it, and the error of a name
// that there is not lists them all. Nothing here or in the commands names one.
func TestChoices(t *testing.T) {
	chance := make([]string, len(tower.Readings()))
	for i, reading := range tower.Readings() {
		chance[i] = "random-" + reading.String()
	}
	for _, test := range []struct {
		command, flag string
		choices       []string
	}{
		{"solve tower 5 4 3 2", "strategy", append(texts(tower.Strategies()), chance...)},
		{"solve tower 5 4 3 2 --strategy random-sim", "method", texts(tower.Methods())},
		{"solve ants -", "rule", texts(ants.Rules())},
		{"play naval", "placement", append(texts(naval.Placements()), "all")},
		{"play naval", "moves", append(texts(naval.AllMoves()), "all")},
		{"play naval", "targeting", texts(naval.Targetings())},
		{"tournament naval --players 2", "targeting", texts(naval.Targetings())},
		{"measure naval --fleets 1 --strategies random-proper", "placements", append(texts(naval.Placements()), "all")},
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
