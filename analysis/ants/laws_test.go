package ants

import (
	"context"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// battle draws a world and an army.
type battle struct {
	world World
	army  []Ant
	rule  Rule
}

func drawBattle(t *rapid.T) battle {
	world := World{
		Rows:    rapid.IntRange(1, 12).Draw(t, "rows"),
		Cols:    rapid.IntRange(1, 12).Draw(t, "cols"),
		Bounded: rapid.Bool().Draw(t, "bounded"),
		Radius2: rapid.Int64Range(1, 30).Draw(t, "radius2"),
	}
	var army []Ant
	for _, cell := range rapid.SliceOfNDistinct(rapid.IntRange(0, world.Rows*world.Cols-1), 0,
		min(40, world.Rows*world.Cols), rapid.ID[int]).Draw(t, "cells") {
		army = append(army, Ant{cell / world.Cols, cell % world.Cols, rapid.SampledFrom([]rune("abcЖ")).Draw(t,
			"owner")})
	}
	return battle{world, army, rapid.SampledFrom(Rules()).Draw(t, "rule")}
}

func (b battle) solve(t *rapid.T) (enemies []int, dead []bool, kills []Kill) {
	outcome := must.Get(Solve(b.world, b.army, b.rule))
	kills = slices.SortedFunc(outcome.Kills(), func(x, y Kill) int {
		if x.Victim != y.Victim {
			return x.Victim - y.Victim
		}
		return x.Killer - y.Killer
	})
	return outcome.Enemies, outcome.Dead, kills
}

// sameOutcome checks that a change to the battle changes nothing for its first ants, the old ones.
func sameOutcome(t *rapid.T, what string, before, after battle) {
	enemies1, dead1, kills1 := before.solve(t)
	enemies2, dead2, kills2 := after.solve(t)
	n := len(before.army)
	if !slices.Equal(enemies1, enemies2[:n]) || !slices.Equal(dead1, dead2[:n]) || !slices.Equal(kills1, kills2) {
		t.Fatalf("%s: %v %v %v, before %v %v %v", what, enemies2, dead2, kills2, enemies1, dead1, kills1)
	}
}

// TestLaws: what changes nothing.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBattle(t)
		if !b.world.Bounded {
			moved := b
			dr, dc := rapid.IntRange(0, b.world.Rows-1).Draw(t, "dr"), rapid.IntRange(0, b.world.Cols-1).Draw(t, "dc")
			moved.army = changed(b.army, func(a Ant) Ant {
				return Ant{(a.Row + dr) % b.world.Rows, (a.Col + dc) % b.world.Cols, a.Owner}
			})
			sameOutcome(t, "moved on the torus", b, moved)
		}
		renamed := b
		names := rapid.Permutation([]rune{'a', 'b', 'c', 'Ж', 0, -1, 1 << 30}).Draw(t, "names")
		renamed.army = changed(b.army, func(a Ant) Ant {
			return Ant{a.Row, a.Col, names[slices.Index([]rune("abcЖ"), a.Owner)]}
		})
		sameOutcome(t, "other owners", b, renamed)

		mirrored := b
		mirrored.army = changed(b.army, func(a Ant) Ant { return Ant{b.world.Rows - 1 - a.Row, a.Col, a.Owner} })
		sameOutcome(t, "upside down", b, mirrored)

		turned := b
		turned.world.Rows, turned.world.Cols = b.world.Cols, b.world.Rows
		turned.army = changed(b.army, func(a Ant) Ant { return Ant{a.Col, a.Row, a.Owner} })
		sameOutcome(t, "rows for columns", b, turned)
	})
}

func changed(army []Ant, change func(Ant) Ant) []Ant {
	var out []Ant
	for _, ant := range army {
		out = append(out, change(ant))
	}
	return out
}

// TestFarAnt: an ant out of range of all others changes nothing, and lives.
func TestFarAnt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBattle(t)
		far := b
		far.world.Rows = 2*b.world.Rows + 20 // torus or not, more than the radius away from its middle
		b.world.Rows = far.world.Rows
		far.army = append(slices.Clone(b.army), Ant{far.world.Rows - 7, 0, 'z'})
		sameOutcome(t, "a far ant", b, far)
		if _, dead, _ := far.solve(t); dead[len(b.army)] {
			t.Fatal("the far ant dies")
		}
	})
}

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

// TestWhole: the unit of damage is as the comment says, and leaves room for a sum below 2 * whole in 64 bits.
func TestWhole(t *testing.T) {
	multiple := big.NewInt(1)
	for e := int64(1); e <= 42; e++ {
		gcd := new(big.Int).GCD(nil, nil, multiple, big.NewInt(e))
		multiple.Mul(multiple, new(big.Int).Div(big.NewInt(e), gcd))
	}
	if multiple.Cmp(big.NewInt(whole)) != 0 {
		t.Errorf("the least common multiple of 1 to 42 is %v", multiple)
	}
	if multiple.Mul(multiple, big.NewInt(2*43)).IsUint64() {
		t.Error("1 to 43 would fit as well")
	}
}

// TestWay: a way leads there, has the length that Distance2 says, and no other way there is shorter; of two, it is the
// one down and to the right.
func TestWay(t *testing.T) {
	for _, bounded := range []bool{false, true} {
		for rows := 1; rows <= 6; rows++ {
			for cols := 1; cols <= 5; cols++ {
				w := World{Rows: rows, Cols: cols, Bounded: bounded, Radius2: 1}
				for from := range rows * cols {
					for to := range rows * cols {
						checkWay(t, w, from, to)
					}
				}
			}
		}
	}
}

func checkWay(t *testing.T, w World, from, to int) {
	t.Helper()
	row, col, toRow, toCol := from/w.Cols, from%w.Cols, to/w.Cols, to%w.Cols
	down, right := w.Offset(row, col, toRow, toCol)
	endRow, endCol := row+down, col+right
	if !w.Bounded {
		endRow, endCol = (endRow+w.Rows)%w.Rows, (endCol+w.Cols)%w.Cols
	}
	if got := int64(down*down + right*right); endRow != toRow || endCol != toCol ||
		got != w.Distance2(row, col, toRow, toCol) {
		t.Fatalf("%+v: from (%d, %d) to (%d, %d) by (%d, %d)", w, row, col, toRow, toCol, down, right)
	}
	if !w.Bounded && (2*down == -w.Rows || 2*right == -w.Cols) {
		t.Fatalf("%+v: from (%d, %d) to (%d, %d) by (%d, %d), and not down and to the right", w, row, col, toRow, toCol,
			down, right)
	}
}

// TestDoes: each rule says what it does.
func TestDoes(t *testing.T) {
	said := map[string]bool{"": true}
	for _, rule := range Rules() {
		if said[rule.Description()] {
			t.Errorf("%v: %q", rule, rule.Description())
		}
		said[rule.Description()] = true
	}
}

// fight decides a battle as the post draws it.
func fight(t *testing.T, text string) (Map, Outcome) {
	t.Helper()
	m := must.Get(ParseMap(text))
	outcome := must.Get(Solve(m.World(ContestRadius2, true), m.Ants(), Focus))
	return m, outcome
}

// wall is the largest battle that the post draws.
const wall = "AAAAAAAAA\n...BBB...\n...BBB..."

// TestTwoWordings: the post has the rule from the side of the dead and from the side of the killer, and once more with
// attention: an ant that is busy with fewer enemies than each of them lives. Every position of three armies on 2 x 4
// cells obeys all.
func TestTwoWordings(t *testing.T) {
	box := Box{Rows: 2, Cols: 4, Owners: 3, Radius2: ContestRadius2}
	_, err := Search(context.Background(), box, func(p *Position) (int, bool) {
		m, outcome := fight(t, p.drawn().String())
		army := m.Ants()
		world := m.World(ContestRadius2, true)
		var kills []Kill
		for b := range army { // b kills an enemy in range that has as many enemies as b, or more
			for a := range army {
				if army[a].Owner != army[b].Owner &&
					world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 &&
					outcome.Enemies[a] >= outcome.Enemies[b] {
					kills = append(kills, Kill{a, b})
				}
			}
		}
		slices.SortStableFunc(kills, func(x, y Kill) int { return x.Victim - y.Victim })
		if got := slices.Collect(outcome.Kills()); !slices.Equal(got, kills) {
			t.Fatalf("%v: kills %v, from the killers' side %v", m, got, kills)
		}
		for a := range army {
			lives := true
			for b := range army {
				if army[a].Owner != army[b].Owner &&
					world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 {
					lives = lives && outcome.Enemies[a] < outcome.Enemies[b]
				}
			}
			if lives == outcome.Dead[a] {
				t.Fatalf("%v: ant %d dead %v, by attention alive %v", m, a, outcome.Dead[a], lives)
			}
		}
		return 0, true
	})
	must.Do(t, err)
}

func readJSON(t *testing.T, name string, rows any) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/" + name))
	must.Do(t, json.Unmarshal(data, rows))
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
		solver := must.Get(NewSolver(World{Rows: turn.Rows, Cols: turn.Cols, Radius2: turn.Radius2}))
		for _, by := range lookups {
			if got := deadCells(army, solver.solveBy(t, by, army, Focus)); !slices.Equal(got, turn.Dead) {
				t.Errorf("%s: dead %v, want %v", turn.Name, got, turn.Dead)
			}
		}
	}
}
