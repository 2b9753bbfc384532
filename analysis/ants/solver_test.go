package ants

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/siegebook/siegebook/internal/must"
)

// solveNext calls Solve after another battle, which leaves traces in all reused memory.
func (s *Solver) solveNext(t testing.TB, army []Ant, rule Rule) Outcome {
	t.Helper()
	must.Get(s.Solve(t.Context(), []Ant{
		{0, 0, 'x'},
		{s.world.Rows - 1, s.world.Cols - 1, 'y'},
	}[:min(2, s.world.Rows*s.world.Cols)], rule))
	return must.Get(s.Solve(t.Context(), army, rule))
}

// crowd puts an ant into each cell with the given probability, in a random order.
func crowd(rng *rand.Rand, world World, owners int, density float64) []Ant {
	var army []Ant
	for row := range world.Rows {
		for col := range world.Cols {
			if rng.Float64() < density {
				army = append(army, Ant{row, col, []rune{'a', 'b', 0, -1, 1 << 30}[rng.IntN(owners)]})
			}
		}
	}
	rng.Shuffle(len(army), func(i, j int) { army[i], army[j] = army[j], army[i] })
	return army
}

// compare compares an outcome (counts, deaths and kills) with the slow version.
func compare(t *testing.T, world World, army []Ant, rule Rule, got Outcome) {
	t.Helper()
	n := naiveBattle{world.Rows, world.Cols, world.Bounded, int(min(world.Radius2, math.MaxInt32)), army}
	want := n.solve(rule)
	var kills []Kill
	for i := range army {
		if got.Enemies[i] != want.enemies[i] || got.Dead[i] != (want.killers[i] != nil) {
			t.Fatalf("%+v, %v: ant %d of %v has %d enemies, dead %v; all pairs say %d, killers %v",
				world, rule, i, army, got.Enemies[i], got.Dead[i], want.enemies[i], want.killers[i])
		}
		for _, j := range want.killers[i] {
			kills = append(kills, Kill{i, j})
		}
	}
	if got := slices.Collect(got.Kills()); !slices.Equal(got, kills) {
		t.Fatalf("%+v, %v, %v: kills %v, all pairs say %v", world, rule, army, got, kills)
	}
}

// TestAgainstAllPairs compares both ways to find enemies and all rules with the slow version, for every map size of
// up to 7 x 7 cells, where a torus is smaller than the disc, and for some larger maps.
func TestAgainstAllPairs(t *testing.T) {
	rng, ways := rand.New(rand.NewPCG(3, 5)), map[bool]int{}
	radii := []int64{1, 2, 4, 5, 8, 9, 13, 17, 25, 50, 1000, math.MaxInt64}
	for rows := 1; rows <= 7; rows++ {
		for cols := 1; cols <= 7; cols++ {
			for _, radius2 := range radii {
				compareWorld(t, rng, ways, rows, cols, radius2)
			}
		}
	}
	for _, size := range [][2]int{{1, 40}, {40, 1}, {11, 18}, {15, 15}, {19, 9}} {
		for _, radius2 := range radii {
			compareWorld(t, rng, ways, size[0], size[1], radius2)
		}
	}
	if min(ways[true], ways[false]) < 1000 {
		t.Errorf("looked at all ants or not: %v", ways)
	}
}

func compareWorld(t *testing.T, rng *rand.Rand, ways map[bool]int, rows, cols int, radius2 int64) {
	t.Helper()
	for _, bounded := range []bool{false, true} {
		world := World{rows, cols, bounded, radius2}
		solver := must.Get(NewSolver(world))
		for range 2 {
			army := crowd(rng, world, 1+rng.IntN(5), []float64{0.1, 0.3, 1}[rng.IntN(3)])
			for _, rule := range Rules() {
				compare(t, world, army, rule, solver.solveNext(t, army, rule))
				ways[solver.pairs]++
			}
		}
	}
}

func TestWrongBattles(t *testing.T) {
	type row struct {
		World World
		Army  []Ant
	}
	must.Refusals(t, tables, func(row row) error {
		_, err := Solve(row.World, row.Army, Focus)
		return err
	})
	for _, rule := range []Rule{-1, 4} {
		_, err := Solve(World{10, 20, false, 5}, nil, rule)
		must.ErrorContains(t, err, fmt.Sprintf("Rule(%d): unknown rule, use one of focus, closest, damage, "+
			"support", rule))
	}
}

// TestSolverAfterError checks that a refused battle leaves nothing on the map.
func TestSolverAfterError(t *testing.T) {
	solver := must.Get(NewSolver(World{5, 5, false, 5}))
	if _, err := solver.Solve(t.Context(), []Ant{{1, 1, 'a'}, {1, 2, 'b'}, {9, 9, 'c'}}, Focus); err == nil {
		t.Fatal("no error")
	}
	got, err := solver.Solve(t.Context(), []Ant{{2, 2, 'a'}}, Focus)
	if err != nil || got.Enemies[0] != 0 || got.Dead[0] {
		t.Errorf("%v, %v", got, err)
	}
}

func TestInterrupted(t *testing.T) {
	world := World{20, 20, false, 5}
	solver := must.Get(NewSolver(world))
	army := crowd(rand.New(rand.NewPCG(1, 1)), world, 2, 1)
	for _, rule := range Rules() {
		if _, err := solver.Solve(must.CanceledContext(t), army, rule); !must.Stopped(err) {
			t.Errorf("%v: error %v", rule, err)
		}
		compare(t, world, army, rule, solver.solveNext(t, army, rule))
	}
}

// TestStaleOutcome checks that kills are not listed from a map that has changed.
func TestStaleOutcome(t *testing.T) {
	solver := must.Get(NewSolver(World{5, 5, false, 5}))
	army := []Ant{{1, 1, 'a'}, {1, 2, 'b'}}
	first := must.Get(solver.Solve(t.Context(), army, Focus))
	if got := slices.Collect(first.Kills()); !slices.Equal(got, []Kill{{0, 1}, {1, 0}}) {
		t.Errorf("kills %v", got)
	}
	must.Get(solver.Solve(t.Context(), army, Focus))
	if must.Panic(func() { _ = slices.Collect(first.Kills()) }) == nil {
		t.Error("no panic")
	}
}

// TestNoAllocation checks that a solver that has decided one battle needs no more memory for another battle of the
// same size.
func TestNoAllocation(t *testing.T) {
	world := World{50, 50, false, 5}
	solver := must.Get(NewSolver(world))
	army := crowd(rand.New(rand.NewPCG(1, 2)), world, 4, 0.25)
	for _, rule := range Rules() {
		solve := func() {
			must.Get(solver.Solve(t.Context(), army, rule))
		}
		solve()
		if n := testing.AllocsPerRun(10, solve); n > 0 {
			t.Errorf("%v: %v allocations", rule, n)
		}
	}
}

func TestParseMap(t *testing.T) {
	for _, text := range []string{
		"..A\n.Ж%\n?a.", "..A\n.Ж%\n?a.\n", "..A\r\n.Ж%\r\n?a.\r\n\r\n\n", "\ufeff..A\n.Ж%\n?a.\r",
	} {
		m, err := ParseMap(text)
		if err != nil || m.Rows != 3 || m.Cols != 3 || m.String() != "..A\n.Ж%\n?a." {
			t.Errorf("%q reads as %d x %d %q, %v", text, m.Rows, m.Cols, m, err)
		}
		if got, want := m.Ants(), []Ant{{0, 2, 'A'}, {1, 1, 'Ж'}, {2, 1, 'a'}}; !slices.Equal(got, want) {
			t.Errorf("%q: ants %v, want %v", text, got, want)
		}
		if got := m.At(1, 2); got != '%' {
			t.Errorf("%q: %q at (1, 2)", text, got)
		}
		if got := m.Redrawn(func(ant int) rune { return '0' + rune(ant) }); got != "..0\n.1%\n?2." {
			t.Errorf("%q: numbered %q", text, got)
		}
	}
	m, err := ParseMap("?")
	if err != nil || m.World(7, true) != (World{1, 1, true, 7}) || m.Ants() != nil {
		t.Errorf("%v, %v", m, err)
	}
}

func TestWrongMaps(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Text string }) []any {
		_, err := ParseMap(row.Text)
		var wrong *MapError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: error %T", row.Text, err)
		}
		return []any{err}
	})
}

// endless is a reader that returns an endless map.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.read%len(e.text):])
	e.read += n
	return n, nil
}

// TestHugeMaps checks that ReadMap stops reading a map that is too large when it exceeds the size of the largest valid
// map.
func TestHugeMaps(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{strings.Repeat(".", 1000), "line 1, column 4194305: the map is too large, use one of at most 4194304 cells"},
		{strings.Repeat("a", 1000) + "\n", "line 4195, column 305: the map is too large, use one of at most 4194304 " +
			"cells"},
	} {
		input := &endless{text: test.line}
		_, err := ReadMap(input)
		if err == nil || err.Error() != test.want || input.read > MaxCells+MaxCells/100 {
			t.Errorf("error %v after %d bytes, want %s", err, input.read, test.want)
		}
	}
	largest := strings.Repeat(strings.Repeat(".", 2048)+"\n", 2048)
	if m, err := ParseMap(largest); err != nil || m.Rows != 2048 || m.Cols != 2048 {
		t.Errorf("the largest map: %v", err)
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, before := range []string{"", "..", "..\n.", "..\r"} {
		if _, err := ReadMap(io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken))); !errors.Is(err,
			broken) {
			t.Errorf("after %q: error %v", before, err)
		}
	}
}

// FuzzReadMap checks that no input causes a panic, that an error is one line about the input, that a printed map reads
// back as the same map, and that Ants returns the ants where the map shows them.
func FuzzReadMap(f *testing.F) {
	for _, seed := range []string{
		"AAAAAAAAA\n...BBB...\n...BBB...", "С..\n...\nС.К\n...\n..К", "1..\n.2.", "???AAA???\n...???...\n...?B?...",
		"", "\n", "a\r\nb\r\n\r\n", "\ufeffa", "...\n..", "%?Ж\n文.a", "a\xff", "a\rb", "\r",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMap(text)
		if err != nil {
			var wrong *MapError
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 ||
				strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error %T %q", err, err)
			}
			return
		}
		again, err := ParseMap(m.String())
		if err != nil || again.Rows != m.Rows || again.Cols != m.Cols || !slices.Equal(again.cells, m.cells) {
			t.Errorf("read %q, printed %q, read %q, %v", text, m, again, err)
		}
		for _, ant := range m.Ants() {
			if m.At(ant.Row, ant.Col) != ant.Owner {
				t.Errorf("%q: no %v", text, ant)
			}
		}
		if outcome, err := Solve(m.World(ContestRadius2, false), m.Ants(), Focus); err != nil ||
			len(outcome.Dead) != len(m.Ants()) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// BenchmarkMapSizes fills a quarter of the cells of larger and larger maps with ants. The time per ant should not grow.
func BenchmarkMapSizes(b *testing.B) {
	for _, side := range []int{50, 100, 200, 400, 800} {
		world := World{side, side, false, ContestRadius2}
		army := crowd(rand.New(rand.NewPCG(7, 7)), world, 4, 0.25)
		// Use the order in which a map returns its ants.
		slices.SortFunc(army, func(a, b Ant) int { return cmp.Or(a.Row-b.Row, a.Col-b.Col) })
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			solver := must.Get(NewSolver(world))
			for b.Loop() {
				must.Get(solver.Solve(b.Context(), army, Focus))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(army)), "ns/ant")
		})
	}
}
