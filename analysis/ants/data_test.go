package ants

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func readJSON(t *testing.T, name string, rows any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, rows); err != nil {
		t.Fatal(err)
	}
}

// deadCells returns who dies, row and column, in the order of the army.
func deadCells(army []Ant, outcome Outcome) [][2]int {
	dead := [][2]int{}
	for i, ant := range army {
		if outcome.Dead[i] {
			dead = append(dead, [2]int{ant.Row, ant.Col})
		}
	}
	return dead
}

// TestEngine checks all rules on battles that were run through the contest's original engine.
func TestEngine(t *testing.T) {
	var battles []struct {
		Name       string              `json:"name"`
		Radius2    int64               `json:"attackradius2"`
		Map        []string            `json:"map"`
		Dead       [][2]int            `json:"dead"`
		Enemies    [][3]int            `json:"enemies"`
		DeadOthers map[string][][2]int `json:"dead_other_methods"`
	}
	readJSON(t, "ants_focus.json", &battles)
	if len(battles) != 86 {
		t.Fatalf("%d battles, want 86", len(battles))
	}
	for _, battle := range battles {
		m, err := ParseMap(strings.Join(battle.Map, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		army := m.Ants()
		battle.DeadOthers["focus"] = battle.Dead
		if len(battle.DeadOthers) != 4 {
			t.Fatalf("%s has %d rules, want 4", battle.Name, len(battle.DeadOthers))
		}
		for name, want := range battle.DeadOthers {
			var rule Rule
			if err := rule.UnmarshalText([]byte(name)); err != nil {
				t.Fatal(err)
			}
			solver := newSolver(t, m.World(battle.Radius2, false))
			for _, by := range lookups {
				outcome := solver.solveBy(t, by, army, rule)
				if got := deadCells(army, outcome); !slices.Equal(got, want) {
					t.Errorf("%s, %v: dead %v, want %v", battle.Name, rule, got, want)
				}
				var enemies [][3]int
				for i, ant := range army {
					enemies = append(enemies, [3]int{ant.Row, ant.Col, outcome.Enemies[i]})
				}
				if !slices.Equal(enemies, battle.Enemies) {
					t.Errorf("%s: enemies %v, want %v", battle.Name, enemies, battle.Enemies)
				}
			}
		}
	}
}

// TestReplays checks the rule of the contest on turns of contest games.
func TestReplays(t *testing.T) {
	var turns []struct {
		Name    string   `json:"name"`
		Rows    int      `json:"rows"`
		Cols    int      `json:"cols"`
		Radius2 int64    `json:"attackradius2"`
		Ants    [][3]int `json:"ants"`
		Dead    [][2]int `json:"dead"`
	}
	readJSON(t, "ants_replays.json", &turns)
	if len(turns) != 104 {
		t.Fatalf("%d turns, want 104", len(turns))
	}
	for _, turn := range turns {
		army := make([]Ant, len(turn.Ants))
		for i, ant := range turn.Ants {
			army[i] = Ant{ant[0], ant[1], rune(ant[2])}
		}
		solver := newSolver(t, World{Rows: turn.Rows, Cols: turn.Cols, Radius2: turn.Radius2})
		for _, by := range lookups {
			if got := deadCells(army, solver.solveBy(t, by, army, Focus)); !slices.Equal(got, turn.Dead) {
				t.Errorf("%s: dead %v, want %v", turn.Name, got, turn.Dead)
			}
		}
	}
}
