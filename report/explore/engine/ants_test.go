package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/explore/engine"
)

// asked calls a function that must answer.
func asked(t *testing.T, name string, args ...int64) engine.Reply {
	t.Helper()
	r, err := engine.Call(name, args)
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

// antBoard is a board in two forms: as the arguments of the engine, and as a map of the library.
type antBoard struct {
	numbers, cells []int64
	m              ants.Map
	world          ants.World
}

func newAntBoard(t *testing.T, text string, bounded bool, radius2 int64) antBoard {
	t.Helper()
	m, err := ants.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	b := antBoard{numbers: []int64{int64(m.Rows), int64(m.Cols), 0, radius2}, m: m, world: m.World(radius2, bounded)}
	if bounded {
		b.numbers[2] = 1
	}
	for _, sign := range strings.ReplaceAll(text, "\n", "") {
		cell := int64(0)
		if sign != '.' {
			cell = int64(sign)
		}
		b.cells = append(b.cells, cell)
	}
	return b
}

func (b antBoard) outcome(t *testing.T, rule ants.Rule) ants.Outcome {
	t.Helper()
	outcome, err := ants.Solve(b.world, b.m.Ants(), rule)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// antBoards yields boards of all kinds: the post's wall, one of a single cell, an empty one, and random ones.
func antBoards(t *testing.T, check func(b antBoard)) {
	t.Helper()
	texts := []string{"AAAAAAAAA\n...BBB...\n...BBB...", "A", "..\n..", "A....B\n......\n......\nA.....", "AZ"}
	random := rand.New(rand.NewPCG(7, 8))
	for range 150 {
		rows, cols := 1+random.IntN(6), 1+random.IntN(6)
		var text strings.Builder
		for cell := range rows * cols {
			if cell > 0 && cell%cols == 0 {
				text.WriteByte('\n')
			}
			text.WriteByte("....ABC"[random.IntN(7)])
		}
		texts = append(texts, text.String())
	}
	for _, text := range texts {
		for _, radius2 := range []int64{1, 2, 5, 8, 1000, math.MaxInt64} {
			for _, bounded := range []bool{false, true} {
				check(newAntBoard(t, text, bounded, radius2))
			}
		}
	}
}

// TestAntsBattle: counts and deaths are those of the library, by all rules, and the words agree with them.
func TestAntsBattle(t *testing.T) {
	antBoards(t, func(b antBoard) {
		r := asked(t, "ants.battle", slices.Concat(b.numbers, b.cells)...)
		lines := strings.Split(r.Text, "\n")
		var counts []int64
		var fates []byte
		outcomes := map[string]bool{}
		for i, rule := range ants.Rules() {
			o := b.outcome(t, rule)
			counts, fates = counts[:0], fates[:0]
			ant, dead, all := 0, map[rune]int{}, map[rune]int{}
			for _, cell := range b.cells {
				if cell == 0 {
					counts, fates = append(counts, -1), append(fates, 0)
					continue
				}
				counts, fates = append(counts, int64(o.Enemies[ant])), append(fates, 1)
				all[rune(cell)]++
				if o.Dead[ant] {
					fates[len(fates)-1] = 2
					dead[rune(cell)]++
				}
				ant++
			}
			outcomes[string(fates)] = true
			if got := r.Bytes[i*len(b.cells) : (i+1)*len(b.cells)]; !slices.Equal(got, fates) {
				t.Fatalf("%v, %v: fates %v, the library: %v", b, rule, got, fates)
			}
			for owner, count := range all {
				some := fmt.Sprintf("%d of %d %c", dead[owner], count, owner)
				if dead[owner] == count {
					some = fmt.Sprintf("all %d %c", count, owner)
				}
				if count == 1 {
					some = fmt.Sprintf("the %c", owner)
				}
				if dead[owner] == 0 && strings.ContainsRune(lines[i], owner) {
					t.Fatalf("%v, %v: %q, and no %c dies", b, rule, lines[i], owner)
				}
				if dead[owner] > 0 && lines[i] != "everybody dies" && !strings.Contains(lines[i], some) {
					t.Fatalf("%v, %v: %q lacks %q", b, rule, lines[i], some)
				}
			}
		}
		if !slices.Equal(r.Ints, counts) || len(r.Bytes) != len(ants.Rules())*len(b.cells) {
			t.Fatalf("%v: counts %v, the library: %v", b, r.Ints, counts)
		}
		if last := lines[len(ants.Rules())]; len(outcomes) == 1 != (last == "All rules kill the same ants." || last == "Put ants on the board.") ||
			len(outcomes) == 4 != (last == "No two rules kill the same ants.") || len(outcomes) > 1 && len(outcomes) < 4 && !strings.Contains(last, fmt.Sprintf("%d different", len(outcomes))) {
			t.Fatalf("%v: %q for %d outcomes", b, last, len(outcomes))
		}
	})
}

// TestAntsAnt: range and kills of every cell are those of the library, and the words name those who take part.
func TestAntsAnt(t *testing.T) {
	antBoards(t, func(b antBoard) {
		army := b.m.Ants()
		var kills [][]ants.Kill
		for _, rule := range ants.Rules() {
			kills = append(kills, slices.Collect(b.outcome(t, rule).Kills()))
		}
		ant := -1
		for cell, owner := range b.cells {
			row, col := cell/b.m.Cols, cell%b.m.Cols
			r := asked(t, "ants.ant", slices.Concat(b.numbers, []int64{int64(row), int64(col)}, b.cells)...)
			for other, in := range r.Bytes {
				want := other != cell && b.world.Distance2(row, col, other/b.m.Cols, other%b.m.Cols) <= b.world.Radius2
				if (in == 1) != want || len(r.Bytes) != len(b.cells) {
					t.Fatalf("%v: %d in range of %d: %v", b, other, cell, in)
				}
			}
			if owner == 0 {
				if len(r.Ints) > 0 || !strings.Contains(r.Text, "is empty") {
					t.Fatalf("%v: cell %d: %+v", b, cell, r)
				}
				continue
			}
			ant++
			if want := b.links(army, kills, ant); !slices.Equal(r.Ints, want) {
				t.Fatalf("%v: ant %d: %v, the library: %v", b, ant, r.Ints, want)
			}
			b.checkWords(t, r, ant)
		}
	})
}

// links are the numbers that the engine should give for an ant.
func (b antBoard) links(army []ants.Ant, kills [][]ants.Kill, ant int) []int64 {
	var want []int64
	for rule := range kills {
		for _, kill := range kills[rule] {
			role, other := int64(0), kill.Killer
			if ant == kill.Killer {
				role, other = 1, kill.Victim
			} else if ant != kill.Victim {
				continue
			}
			from, to := army[ant], army[other]
			down, right := b.world.Offset(from.Row, from.Col, to.Row, to.Col)
			want = append(want, int64(rule), int64(to.Row), int64(to.Col), role, int64(down), int64(right))
		}
	}
	return want
}

func (b antBoard) checkWords(t *testing.T, r engine.Reply, ant int) {
	t.Helper()
	lines := strings.Split(r.Text, "\n")
	enemies := b.outcome(t, ants.Focus).Enemies[ant]
	if alone := strings.Contains(lines[0], "is safe"); alone != (enemies == 0) || alone != (len(lines) == 1) {
		t.Fatalf("%v: ant %d with %d enemies: %q", b, ant, enemies, r.Text)
	}
	for i, line := range lines[1:] {
		killers, killed := 0, 0
		for at := 0; at < len(r.Ints); at += 6 {
			if r.Ints[at] != int64(i) {
				continue
			}
			if r.Ints[at+3] == 0 {
				killers++
			} else {
				killed++
			}
			if name := fmt.Sprintf("(%d,\u00a0%d)", r.Ints[at+1], r.Ints[at+2]); !strings.Contains(line, name) {
				t.Fatalf("%v: ant %d: %q lacks %s", b, ant, line, name)
			}
		}
		if strings.Contains(line, "it lives") == (killers > 0) || strings.Contains(line, "it kills") != (killed > 0) || strings.Count(line, "(") != killers+killed {
			t.Fatalf("%v: ant %d: %q for %d killers and %d kills", b, ant, line, killers, killed)
		}
	}
}

// TestAntsWords: what is said of the battle that the pages work through.
func TestAntsWords(t *testing.T) {
	b := newAntBoard(t, "...B.\n.A.A.\n...C.", true, ants.ContestRadius2)
	r := asked(t, "ants.battle", slices.Concat(b.numbers, b.cells)...)
	if want := "the B ant and the C ant die\n1 of 2 A ants, the B ant and the C ant die\nthe B ant and the C ant die\neverybody dies\nThe 4 rules have 3 different outcomes."; r.Text != want {
		t.Errorf("%s", r.Text)
	}
	r = asked(t, "ants.ant", slices.Concat(b.numbers, []int64{0, 3}, b.cells)...)
	if want := "B(0,\u00a03) has 3 enemies in range: A(1,\u00a01) with a count of 2, A(1,\u00a03) with a count of 2 and C(2,\u00a03) with a count of 3."; strings.Split(r.Text, "\n")[0] != want {
		t.Errorf("%s", r.Text)
	}
	r = asked(t, "ants.rules")
	for i, line := range strings.Split(r.Text, "\n") {
		if rule := ants.Rules()[i]; line != rule.String()+": "+rule.Description() {
			t.Errorf("%q", line)
		}
	}
}

// TestAntsRandom: a seed gives the same board each time, another one another, and all armies have their letters.
func TestAntsRandom(t *testing.T) {
	seen, letters := map[string]bool{}, map[byte]int{}
	for seed := range int64(200) {
		r := asked(t, "ants.random", 6, 7, 3, seed)
		if again := asked(t, "ants.random", 6, 7, 3, seed); !slices.Equal(r.Bytes, again.Bytes) || len(r.Bytes) != 42 {
			t.Fatalf("seed %d: %v and %v", seed, r.Bytes, again.Bytes)
		}
		seen[string(r.Bytes)] = true
		for _, letter := range r.Bytes {
			letters[letter]++
		}
	}
	if len(seen) != 200 || len(letters) != 4 {
		t.Errorf("%d boards of 200 seeds, letters %v", len(seen), letters)
	}
	for letter, count := range letters {
		if share := count * 9 / (200 * 42); letter == 0 && share != 5 && share != 6 || letter != 0 && (letter < 'A' || letter > 'C' || share != 0 && share != 1) {
			t.Errorf("%d cells of %d have %q", count, 200*42, letter)
		}
	}
}

// TestAntsRefused: what is wrong is named with its value and what to use.
func TestAntsRefused(t *testing.T) {
	for want, call := range map[string][]int64{
		"rows = 0: out of range, use 1 to 16":           {0, 1, 1, 5},
		"columns = 17: out of range, use 1 to 16":       {1, 17, 1, 5},
		"edges = 2: out of range, use 0":                {1, 1, 2, 5, 0},
		"radius2 = 0: the square of the attack radius":  {1, 1, 1, 0, 0},
		"cells = 1: a board of 2 x 3 has 6":             {2, 3, 1, 5, 0},
		"cell 1 = 97: no army, use the capital letters": {1, 2, 1, 5, 65, 97},
	} {
		if _, err := engine.Call("ants.battle", call); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
	for want, call := range map[string][]int64{
		"(-1, 0): off the board, use rows 0 to 0 and columns 0 to 1": {1, 2, 1, 5, -1, 0, 0, 0},
		"(0, 2): off the board": {1, 2, 1, 5, 0, 2, 0, 0},
	} {
		if _, err := engine.Call("ants.ant", call); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := engine.Call("ants.random", []int64{3, 3, 27, 1}); err == nil || !strings.Contains(err.Error(), "armies = 27: out of range, use 1 to 26") {
		t.Errorf("error %v", err)
	}
}

// FuzzAnts: whatever the numbers are, the functions answer in bounds or refuse in one line.
func FuzzAnts(f *testing.F) {
	f.Add([]byte{3, 3, 1, 5, 0, 0, 'A', 'B', 0, 0, 'C'}, int64(5))
	f.Add([]byte{16, 16, 0, 5}, int64(math.MaxInt64))
	f.Add([]byte{}, int64(-1))
	f.Fuzz(func(t *testing.T, small []byte, large int64) {
		args := make([]int64, 0, len(small)+1)
		for i, b := range small {
			if i == 3 {
				args = append(args, large)
			}
			args = append(args, int64(b))
		}
		if len(args) > 4 && args[0]*args[1] <= 256 { // as many cells as the board has, at times
			args = append(args[:min(len(args), 6)], slices.Repeat(args[4:], 1+int(args[0]*args[1])/(len(args)-4))...)
		}
		for _, name := range []string{"ants.battle", "ants.ant", "ants.random", "ants.rules"} {
			for cut := range min(len(args)+1, 8) {
				r, err := engine.Call(name, args[:len(args)-cut])
				if err != nil && (strings.Contains(err.Error(), "\n") || err.Error() == "") {
					t.Fatalf("%s %v: %q", name, args, err)
				}
				if len(r.Ints) > 4*6*2*256 || len(r.Bytes) > 4*256 {
					t.Fatalf("%s %v: %d numbers, %d bytes", name, args, len(r.Ints), len(r.Bytes))
				}
			}
		}
	})
}
