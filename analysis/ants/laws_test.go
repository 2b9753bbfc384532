package ants

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestDamageIsExact compares the integer sums with rationals, on sums that are 1, just below, or just above.
func TestDamageIsExact(t *testing.T) {
	// Egyptian fractions that add up to 1: split a unit fraction 1/e = 1/(e+1) + 1/(e(e+1)), or into k equal parts.
	rng := rand.New(rand.NewPCG(11, 13))
	undecided := 0
	for range 3000 {
		counts := []int{1}
		for range rng.IntN(8) {
			i := rng.IntN(len(counts))
			e := counts[i]
			if e > 1 && e < 2000 && rng.IntN(2) == 0 {
				counts[i] = e + 1
				counts = append(counts, e*(e+1))
				continue
			}
			k := 2 + rng.IntN(50)
			if e*k >= MaxCells {
				continue
			}
			counts[i] = e * k
			for range k - 1 {
				counts = append(counts, e*k)
			}
		}
		counts[rng.IntN(len(counts))] += rng.IntN(3) / 2 // one time in three a little less than 1
		sum, broken := new(big.Rat), false
		for _, e := range counts {
			sum.Add(sum, big.NewRat(1, int64(e)))
			broken = broken || whole%int64(e) != 0
		}
		want := sum.Cmp(big.NewRat(1, 1)) >= 0
		if broken && want {
			undecided++
		}
		if got := exactlyReachesOne(slices.Clone(counts)); got != want {
			t.Fatalf("exactly: the sum over %v is %v, reaches 1: %v", counts, sum, got)
		}
		if got := reachesOne(slices.Clone(counts)); got != want {
			t.Fatalf("the sum over %v is %v, reaches 1: %v", counts, sum, got)
		}
	}
	if undecided < 100 {
		t.Errorf("only %d sums need more than 64 bits", undecided)
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
	must.JSON(t, "testdata/ants_focus.json", &battles)
	if len(battles) != 86 {
		t.Fatalf("%d battles, want 86", len(battles))
	}
	for _, battle := range battles {
		m := must.Get(ParseMap(strings.Join(battle.Map, "\n")))
		army := m.Ants()
		battle.DeadOthers["focus"] = battle.Dead
		if len(battle.DeadOthers) != 4 {
			t.Fatalf("%s has %d rules, want 4", battle.Name, len(battle.DeadOthers))
		}
		for name, want := range battle.DeadOthers {
			var rule Rule
			must.Do(t, rule.UnmarshalText([]byte(name)))
			solver := must.Get(NewSolver(m.World(battle.Radius2, false)))
			outcome := must.Get(solver.Solve(t.Context(), army, rule))
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
	must.JSON(t, "testdata/ants_replays.json", &turns)
	if len(turns) != 104 {
		t.Fatalf("%d turns, want 104", len(turns))
	}
	for _, turn := range turns {
		army := make([]Ant, len(turn.Ants))
		for i, ant := range turn.Ants {
			army[i] = Ant{ant[0], ant[1], rune(ant[2])}
		}
		solver := must.Get(NewSolver(World{Rows: turn.Rows, Cols: turn.Cols, Radius2: turn.Radius2}))
		outcome := must.Get(solver.Solve(t.Context(), army, Focus))
		if got := deadCells(army, outcome); !slices.Equal(got, turn.Dead) {
			t.Errorf("%s: dead %v, want %v", turn.Name, got, turn.Dead)
		}
	}
}
