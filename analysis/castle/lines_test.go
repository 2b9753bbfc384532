package castle

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// naiveCastleFirst and naiveDefendersFirst play the heuristics wave by wave from their descriptions in Castle Defense
// I.
func naiveCastleFirst(s naiveState) int {
	switch {
	case s.hits <= s.soldiers:
		return min(s.soldiers-s.hits, s.defenders)
	case s.soldiers > s.defenders:
		return s.defenders
	}
	return 0
}

func naiveDefendersFirst(s naiveState) int { return min(s.soldiers, s.defenders) }

func naivePlay(n, s, d int, heuristic func(naiveState) int) Result {
	state := naiveState{n, 0, s}
	for wave := int64(1); ; wave++ {
		var result Result
		shooters := heuristic(state)
		naiveMoves(state, d, func(i int, next naiveState, winner Winner) {
			if i != shooters {
				return
			}
			left := max(0, next.soldiers)
			if winner == Castle {
				left = 0
			}
			result = Result{winner, wave, int64(left)}
			state = next
		})
		if result.Winner != Undecided {
			return result
		}
		if result.Waves == 0 {
			panic("illegal order")
		}
	}
}

func TestHeuristics(t *testing.T) {
	for n := 1; n <= 25; n++ {
		for s := 1; s <= 90; s++ {
			for d := 1; d <= 40; d++ {
				b := Battle{int64(n), int64(s), int64(d)}
				if got, want := b.Play(CastleFirst), naivePlay(n, s, d, naiveCastleFirst); got != want {
					t.Fatalf("%v: castle-first %+v, wave by wave %+v", b, got, want)
				}
				if got, want := b.Play(DefendersFirst), naivePlay(n, s, d, naiveDefendersFirst); got != want {
					t.Fatalf("%v: defenders-first %+v, wave by wave %+v", b, got, want)
				}
			}
		}
	}
}

// drawBattle draws a battle of any magnitude, half of them near the borders where the cases meet.
func drawBattle(t *rapid.T) Battle {
	n := drawPositive(t, "n")
	if rapid.Bool().Draw(t, "anywhere") {
		return Battle{n, drawPositive(t, "s"), drawPositive(t, "d")}
	}
	near := func(label string, center int64) int64 {
		delta := rapid.Int64Range(-50, 50).Draw(t, label)
		if delta > 0 && center > math.MaxInt64-delta {
			return math.MaxInt64
		}
		return max(1, center+delta)
	}
	d := near("d", n)
	s := n + n/1000*rapid.Int64Range(0, 1000).Draw(t, "permille")
	if s < 0 {
		s = math.MaxInt64
	}
	return Battle{n, near("s", s), d}
}

// replay checks that a strategy plays legal waves that end as claimed, wave by wave for the first and run by run for
// all.
func replay(t *rapid.T, b Battle, strategy Strategy, winner Winner, waves int64) Result {
	t.Helper()
	must.Do(t, b.Validate())
	state, checked := b.Start(), 0
	for wave := range b.Waves(strategy) {
		if wave.Number > 0 {
			low, high := state.Moves()
			if wave.AtDefenders < low || wave.AtDefenders > high || wave.AtDefenders+wave.AtCastle != state.Soldiers {
				t.Fatalf("%v: wave %d: illegal orders %+v in %v", b, wave.Number, wave, state)
			}
			next, result := b.Step(state, wave.AtDefenders)
			if next != wave.State || result != wave.Winner {
				t.Fatalf("%v: wave %d ends in %v (%v), the step function says %v (%v)", b, wave.Number, wave.State,
					wave.Winner, next, result)
			}
			state = next
		}
		if checked++; checked > 300 {
			break
		}
	}
	last := int64(0)
	for run := range b.Runs(strategy) {
		if run.First != last+1 || run.Last < run.First {
			t.Fatalf("%v: run %+v after wave %d", b, run, last)
		}
		last = run.Last
	}
	got := b.Play(strategy)
	if got.Winner != winner || got.Waves != waves {
		t.Fatalf("%v: line ends with %+v, claimed %v in %d", b, got, winner, waves)
	}
	return got
}

func TestTracesReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBattle(t)
		solution := b.Solve()
		if solution.Winner == Soldiers {
			replay(t, b, solution.Strategy(), Soldiers, solution.MinWaves)
			survivors, fall := b.MostSurvivors()
			if got := replay(t, b, b.fallIn(fall), Soldiers, solution.MinWaves); got.SoldiersLeft != survivors {
				t.Fatalf("%v: %d soldiers left, claimed %d", b, got.SoldiersLeft, survivors)
			}
		} else {
			resistance := b.LongestResistance()
			replay(t, b, solution.Strategy(), solution.Winner, resistance.Waves)
		}
		if win := b.FastestCastleWin(); win.Waves > 0 && win.Waves < 1<<20 {
			replay(t, b, win.Strategy(), Castle, win.Waves)
		}
		for _, heuristic := range []Strategy{CastleFirst, DefendersFirst} {
			result := b.Play(heuristic)
			replay(t, b, heuristic, result.Winner, result.Waves)
		}
	})
}

// TestPathsAgainstWalk checks that the iterator finds each legal path once, and that its filters agree with filtering.
func TestPathsAgainstWalk(t *testing.T) {
	for _, b := range []Battle{
		{10, 11, 15},
		{3, 10, 4},
		{2, 10, 1},
		{5, 8, 5},
		{7, 12, 6},
		{6, 14, 6},
		{4, 4, 9},
		{8, 21, 7},
	} {
		want := naiveWalk(int(b.Soldiers), int(b.CastleHits), int(b.DefendersPerWave), false)
		all := slices.Collect(must.Get(b.AllPaths())) // each of them stays as it was
		seen := map[string]bool{}
		for _, path := range all {
			checkPath(t, b, path)
			key := fmtMoves(path.Moves)
			if seen[key] {
				t.Fatalf("%v: path %v twice", b, path.Moves)
			}
			seen[key] = true
		}
		if len(all) != sum(want.soldiers)+sum(want.castle)+want.ties {
			t.Errorf("%v: %d paths, walking finds %d", b, len(all), sum(want.soldiers)+sum(want.castle)+want.ties)
		}
		for _, side := range []Winner{Undecided, Soldiers, Castle, Tie} {
			for _, minimum := range []bool{false, true} {
				var got, filtered [][]int64
				for path, err := range b.Paths(context.Background(), PathOptions{Side: side, Minimum: minimum}) {
					must.Do(t, err)
					got = append(got, slices.Clone(path.Moves))
				}
				for _, path := range all {
					if keep(b, path, side, minimum) {
						filtered = append(filtered, path.Moves)
					}
				}
				if !slices.EqualFunc(got, filtered, slices.Equal) {
					t.Errorf("%v, side %v, minimum %v: %v, filtering gives %v", b, side, minimum, got, filtered)
				}
			}
		}
	}
}

func keep(b Battle, p Path, side Winner, minimum bool) bool {
	if side != Undecided && p.Winner != side {
		return false
	}
	return !minimum ||
		p.Winner == Soldiers && p.Waves() == b.MinWaves() ||
		p.Winner == Castle && p.Waves() == b.CastleMinWaves()
}

func checkPath(t *testing.T, b Battle, p Path) {
	t.Helper()
	state, winner := b.Start(), Undecided
	for i, move := range p.Moves {
		if p.States[i] != state || winner != Undecided {
			t.Fatalf("%v: path %+v breaks at wave %d", b, p, i+1)
		}
		state, winner = b.Step(state, move)
	}
	if state != p.States[len(p.Moves)] || winner != p.Winner {
		t.Fatalf("%v: path %+v ends in %v, %v", b, p, state, winner)
	}
}

func fmtMoves(moves []int64) string {
	key := ""
	for _, move := range moves {
		key += string(rune('0'+move)) + ","
	}
	return key
}

func sum(counts map[int]int) int {
	total := 0
	for _, count := range counts {
		total += count
	}
	return total
}

func TestPathsMinimumLarge(t *testing.T) {
	// Seven waves and a first fork of 3820 orders: only pruning makes this feasible.
	b := Battle{3820, 5000, 5000}
	paths := 0
	for path := range must.Get(b.MinimumPaths(Soldiers)) {
		checkPath(t, b, path)
		paths++
	}
	if paths != 1 {
		t.Errorf("%v: %d fastest wins, want 1: the castle has to fall in wave 2", b, paths)
	}
}

// TestPathsLong finds a path of more waves than a recursion could hold on the stack that is allowed here.
func TestPathsLong(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	b := Battle{10, 200_000, 8}
	for path := range must.Get(b.MinimumPaths(Soldiers)) {
		if want := b.MinWaves(); path.Waves() != want {
			t.Errorf("%v: a path of %d waves, want %d", b, path.Waves(), want)
		}
		return
	}
	t.Errorf("%v: no path", b)
}

// TestPathsRefused: paths that memory cannot hold are an error before the first of them, not an empty path among them.
func TestPathsRefused(t *testing.T) {
	const many = math.MaxInt64
	var tooBig *OutOfMemoryError
	for _, b := range []Battle{{2, 1 << 40, 1}, {many, many, 1}, {many - 1, many, many}, {1, many, 1}} {
		all, err := b.AllPaths()
		if b.CastleHits > b.Soldiers == (err == nil) || err != nil && !errors.As(err, &tooBig) {
			t.Errorf("all of %v: error %v", b, err)
		}
		if err == nil {
			for path := range all {
				checkPath(t, b, path)
			}
		}
	}
	if _, err := (Battle{2, 1 << 40, 1}).MinimumPaths(Soldiers); !errors.As(err, &tooBig) {
		t.Errorf("error %v", err)
	}
	if _, err := (Battle{2, 1 << 40, 1}).MinimumPaths(Undecided); !errors.As(err, &tooBig) {
		t.Errorf("error %v", err)
	}
	if paths := slices.Collect(must.Get(Battle{2, 1 << 40, 1}.MinimumPaths(Tie))); len(paths) != 0 {
		t.Errorf("ties: %v", paths)
	}
}

// TestMostWaves: no path is longer than the bound by which AllPaths refuses.
func TestMostWaves(t *testing.T) {
	for n := int64(1); n <= 6; n++ {
		for s := int64(1); s <= 13; s++ {
			for d := int64(1); d <= 8; d++ {
				b := Battle{n, s, d}
				for path, err := range b.Paths(t.Context(), PathOptions{}) {
					if err != nil || uint64(path.Waves()) > b.mostWaves() {
						t.Fatalf("%v: %d waves, the bound is %d, error %v", b, path.Waves(), b.mostWaves(), err)
					}
				}
			}
		}
	}
}

func TestPathsMemoryLimit(t *testing.T) {
	var tooBig *OutOfMemoryError
	for path, err := range (Battle{2, 1_000_000_000_000, 1}).Paths(context.Background(),
		PathOptions{Side: Soldiers, Minimum: true}) {
		if !errors.As(err, &tooBig) {
			t.Fatalf("path %v, error %v", path.Waves(), err)
		}
	}
	if tooBig == nil {
		t.Error("a path of 10^12 waves was listed")
	}
	tooBig = nil
	for _, err := range (Battle{10, 43, 8}).Paths(context.Background(), PathOptions{MemoryLimit: 10 * bytesPerWave}) {
		if err != nil && !errors.As(err, &tooBig) {
			t.Fatal(err)
		}
	}
	if tooBig == nil {
		t.Error("paths of more than ten waves were listed")
	}
}

func TestPathsLimit(t *testing.T) {
	var tooMany *TooManyMovesError
	paths := 0
	for _, err := range (Battle{19, 50, 15}).Paths(context.Background(), PathOptions{MaxMoves: 1000}) {
		if err != nil {
			if !errors.As(err, &tooMany) {
				t.Fatal(err)
			}
			continue
		}
		paths++
	}
	if tooMany == nil || paths == 0 || paths > 1000 {
		t.Errorf("%d paths, error %v", paths, tooMany)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last error
	for _, err := range (Battle{19, 50, 15}).Paths(ctx, PathOptions{}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("error %v after cancelling", last)
	}
}

func TestTree(t *testing.T) {
	// Figures 2 to 4 of Castle Defense II: tests 0, 1 and 10. The post draws invalid paths too; these are the legal
	// ones.
	for _, c := range []struct {
		b      Battle
		leaves int
	}{{Battle{10, 11, 15}, 3}, {Battle{3, 10, 4}, 7}, {Battle{5, 8, 5}, 10}} {
		root := must.Get(c.b.Tree(1000))
		paths := 0
		all := must.Get(c.b.AllPaths())
		for range all {
			paths++
		}
		if leaves(root) != c.leaves || paths != c.leaves {
			t.Errorf("%v: %d leaves, %d paths, want %d", c.b, leaves(root), paths, c.leaves)
		}
	}
	if _, err := (Battle{19, 50, 15}).Tree(1000); err == nil {
		t.Error("a tree of more than 1000 nodes was built")
	}
}

// TestFoldedIsTheBattle unfolds the rows again: they must be the battle's waves, with a strategy that plans runs ahead
// and with one that gives its orders wave by wave.
func TestFoldedIsTheBattle(t *testing.T) {
	oneByOne := func(wave int64, s State) Orders {
		return Orders{AtDefenders: DefendersFirst(wave, s).AtDefenders}
	}
	for _, b := range smallBattles(8, 20, 10) {
		for _, strategy := range []Strategy{CastleFirst, DefendersFirst, oneByOne, b.Solve().Strategy()} {
			var rows, unfolded []Run
			for run := range Folded(b.Runs(strategy)) {
				rows = append(rows, run)
			}
			next := int64(1)
			for wave := range b.Waves(strategy) {
				if wave.Number == 0 {
					continue
				}
				i := slices.IndexFunc(rows, func(r Run) bool { return r.First <= wave.Number && wave.Number <= r.Last })
				if i < 0 || wave.Number != next {
					t.Fatalf("%v: wave %d is in no row of %v", b, wave.Number, rows)
				}
				row := rows[i]
				if row.AtDefenders != wave.AtDefenders || row.AtCastle != wave.AtCastle ||
					row.End.Soldiers != wave.State.Soldiers || row.End.Defenders != wave.State.Defenders {
					t.Fatalf("%v, wave %d: row %v, wave %v", b, wave.Number, row, wave)
				}
				if wave.Number == row.Last && row.End != wave.State {
					t.Fatalf("%v: row %v ends in %v", b, row, wave.State)
				}
				next++
				unfolded = append(unfolded, row)
			}
			if len(unfolded) > 0 && rows[len(rows)-1].Last != next-1 {
				t.Fatalf("%v: rows up to wave %d, %d waves", b, rows[len(rows)-1].Last, next-1)
			}
		}
	}
}

// A strategy of the user's own takes no more rows than the library's.
func TestFoldedFolds(t *testing.T) {
	long := Battle{Soldiers: 10, CastleHits: 1000, DefendersPerWave: 9}
	rows := 0
	for range Folded(long.Runs(func(_ int64, s State) Orders {
		return Orders{AtDefenders: min(s.Soldiers, int64(s.Defenders))}
	})) {
		rows++
	}
	if rows > 4 {
		t.Errorf("%d rows", rows)
	}
}

func smallBattles(n, s, d int64) []Battle {
	var all []Battle
	for b := (Battle{1, 1, 1}); b.Soldiers <= n; b.Soldiers++ {
		for b.CastleHits = 1; b.CastleHits <= s; b.CastleHits++ {
			for b.DefendersPerWave = 1; b.DefendersPerWave <= d; b.DefendersPerWave++ {
				all = append(all, b)
			}
		}
	}
	return all
}

// leaves returns the number of leaves below a node, itself if it has no children.
func leaves(n *Node) int {
	if len(n.Children) == 0 {
		return 1
	}
	total := 0
	for _, child := range n.Children {
		total += leaves(child)
	}
	return total
}
