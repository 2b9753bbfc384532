package castle

import (
	"errors"
	"fmt"
	"iter"
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

func naivePlay(b Battle, heuristic func(naiveState) int) Result {
	state := naiveStart(b)
	for wave := int64(1); ; wave++ {
		var result Result
		shooters := heuristic(state)
		naiveMoves(state, int(b.DefendersPerWave), func(i int, next naiveState, winner Winner) {
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
	for b := range upTo(25, 90, 40) {
		if got, want := b.Play(CastleFirst), naivePlay(b, naiveCastleFirst); got != want {
			t.Fatalf("%v: castle-first %+v, wave by wave %+v", b, got, want)
		}
		if got, want := b.Play(DefendersFirst), naivePlay(b, naiveDefendersFirst); got != want {
			t.Fatalf("%v: defenders-first %+v, wave by wave %+v", b, got, want)
		}
	}
}

// drawBattle draws a battle of any magnitude, half of the time near the borders between the cases.
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

// replay checks that the waves of a strategy are legal and end as claimed: the first waves one by one, and all waves
// run by run.
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

// TestPathsAgainstWalk checks that the iterator finds each legal path once, and that its filters yield the same paths
// as filtering all paths.
func TestPathsAgainstWalk(t *testing.T) {
	for _, row := range must.Table[struct{ Battle Battle }](t, tables, "TestPathsAgainstWalk") {
		b := row.Battle
		want := naiveWalk(b, false)
		all := slices.Collect(must.Get(b.AllPaths())) // each path stays unchanged
		seen := map[string]bool{}
		for _, path := range all {
			checkPath(t, b, path)
			key := fmt.Sprint(path.Moves)
			if seen[key] {
				t.Fatalf("%v: path %v twice", b, path.Moves)
			}
			seen[key] = true
		}
		paths, tree := sum(want.soldiers)+sum(want.castle)+want.ties, must.Get(b.Tree(100_000))
		if len(all) != paths || leaves(tree) != paths {
			t.Errorf("%v: %d paths, a tree with %d leaves, walking finds %d", b, len(all), leaves(tree), paths)
		}
		for _, side := range Winners() {
			for _, minimum := range []bool{false, true} {
				var got, filtered [][]int64
				for path, err := range b.Paths(t.Context(), PathOptions{Side: side, Minimum: minimum}) {
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

func sum(counts map[int64]int64) int {
	total := 0
	for _, count := range counts {
		total += int(count)
	}
	return total
}

func TestPathsMinimumLarge(t *testing.T) {
	// The battle has seven waves, and its first fork has 3820 orders: only pruning makes this feasible.
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

// TestPathsLong finds a path with more waves than a recursion could hold on the stack that this test allows.
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

// TestPathsRefused checks that if the paths do not fit in memory, there is an error before the first path, and not an
// empty path.
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

// TestMostWaves checks that no path is longer than the bound by which AllPaths refuses a battle.
func TestMostWaves(t *testing.T) {
	for b := range upTo(6, 13, 8) {
		for path, err := range b.Paths(t.Context(), PathOptions{}) {
			if err != nil || uint64(path.Waves()) > b.mostWaves() {
				t.Fatalf("%v: %d waves, the bound is %d, error %v", b, path.Waves(), b.mostWaves(), err)
			}
		}
	}
}

func TestPathsMemoryLimit(t *testing.T) {
	var tooBig *OutOfMemoryError
	if err := endOf((Battle{2, 1_000_000_000_000, 1}).Paths(t.Context(), PathOptions{
		Side: Soldiers, Minimum: true,
	})); !errors.As(err, &tooBig) {
		t.Errorf("a path of 10^12 waves was listed: %v", err)
	}
	if err := endOf((Battle{10, 43, 8}).Paths(t.Context(), PathOptions{
		MemoryLimit: 10 * bytesPerWave,
	})); !errors.As(err, &tooBig) {
		t.Errorf("paths of more than ten waves were listed: %v", err)
	}
}

// endOf returns the error with which paths end.
func endOf(paths iter.Seq2[Path, error]) (err error) {
	for _, err = range paths {
	}
	return err
}

func TestPathsLimit(t *testing.T) {
	var tooMany *TooManyMovesError
	paths := 0
	for _, err := range (Battle{19, 50, 15}).Paths(t.Context(), PathOptions{MaxMoves: 1000}) {
		if paths++; err != nil && !errors.As(err, &tooMany) {
			t.Fatal(err)
		}
	}
	if tooMany == nil || paths == 1 || paths > 1001 {
		t.Errorf("%d paths, error %v", paths-1, tooMany)
	}
	if err := endOf((Battle{19, 50, 15}).Paths(must.CanceledContext(t), PathOptions{})); !must.Stopped(err) {
		t.Errorf("error %v after cancelling", err)
	}
	if _, err := (Battle{19, 50, 15}).Tree(1000); err == nil {
		t.Error("a tree of more than 1000 nodes was built")
	}
}

// TestFoldedIsTheBattle unfolds the rows again. They must be the battle's waves, for a strategy that plans runs ahead
// and for one that gives its orders wave by wave.
func TestFoldedIsTheBattle(t *testing.T) {
	for b := range upTo(8, 20, 10) {
		for _, strategy := range []Strategy{CastleFirst, DefendersFirst, waveByWave, b.Solve().Strategy()} {
			rows := slices.Collect(Folded(b.Runs(strategy)))
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
			}
			if rows[len(rows)-1].Last != next-1 {
				t.Fatalf("%v: rows up to wave %d, %d waves", b, rows[len(rows)-1].Last, next-1)
			}
		}
	}
}

// TestFoldedFolds checks that a user's own strategy takes no more rows than the library's strategy.
func TestFoldedFolds(t *testing.T) {
	long := Battle{Soldiers: 10, CastleHits: 1000, DefendersPerWave: 9}
	if rows := slices.Collect(Folded(long.Runs(waveByWave))); len(rows) > 4 {
		t.Errorf("%d rows", len(rows))
	}
}

// leaves returns the number of leaves below a node, or 1 for a node without children.
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

// TestStrategyFails checks that an error of a strategy ends the line and is returned, whatever orders the strategy
// returns with it.
func TestStrategyFails(t *testing.T) {
	b, torn := Battle{10, 43, 8}, errors.New("torn")
	fails := func(wave int64, s State) Orders {
		if wave > 1 {
			return Orders{AtDefenders: 1, Err: torn}
		}
		return DefendersFirst(wave, s)
	}
	if result, err := b.PlayWithin(t.Context(), fails, Effort{}); !errors.Is(err, torn) || result != (Result{}) {
		t.Errorf("%+v, %v", result, err)
	}
	waves, failed := 0, error(nil)
	for _, err := range b.RunsOrError(fails) {
		if failed = err; err == nil {
			waves++
		}
	}
	if waves != 1 || !errors.Is(failed, torn) {
		t.Errorf("%d waves, then %v", waves, failed)
	}
	defer func() {
		if fault := recover(); fault == nil {
			t.Error("a line without room for an error goes on")
		}
	}()
	b.Play(fails)
}
