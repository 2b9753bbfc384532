package castle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/must"
)

func TestFillAgainstClosedForm(t *testing.T) {
	row := make([]int64, 300)
	for n := int64(1); n <= 60; n++ {
		for d := int64(1); d <= 80; d++ {
			for _, from := range []int64{1, 2, n, n + 1, 2*n + 3} {
				Battle{n, from, d}.FillMinWaves(row)
				for i, got := range row {
					if want := (Battle{n, from + int64(i), d}).MinWaves(); got != want {
						t.Fatalf("n = %d, d = %d, s = %d: filled with %d, closed form %d", n, d, from+int64(i), got,
							want)
					}
				}
			}
		}
	}
}

// TestStaircaseAnywhere checks that stairs cover from..to without gaps and that the closed form agrees at their ends.
// The numbers are of any size up to the largest.
func TestStaircaseAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := drawPositive(t, "n"), drawPositive(t, "d")
		if rapid.Bool().Draw(t, "near") {
			d = max(1, n-rapid.Int64Range(-3, 40).Draw(t, "n-d"))
			if d < 1 {
				d = n
			}
		}
		from := drawPositive(t, "from")
		to := from
		if width := drawPositive(t, "width"); width < math.MaxInt64-from {
			to = from + width
		} else {
			to = math.MaxInt64
		}
		want, stairs := from, 0
		for stair := range (Battle{n, from, d}).Staircase(to) {
			if stair.From != want || stair.To < stair.From || stair.To > to {
				t.Fatalf("stair %+v, want it to start at %d", stair, want)
			}
			for _, s := range []int64{stair.From, stair.To} {
				if got := (Battle{n, s, d}).MinWaves(); got != stair.Waves {
					t.Fatalf("n = %d, s = %d, d = %d: stair %+v, closed form %d", n, s, d, stair, got)
				}
			}
			if want, stairs = stair.To+1, stairs+1; stair.To == to || stairs > 200 {
				return
			}
		}
		t.Fatalf("stairs end before %d", to)
	})
}

// drawPositive draws a positive int64 of any magnitude.
func drawPositive(t *rapid.T, label string) int64 {
	bits := rapid.IntRange(1, 63).Draw(t, label+" bits")
	return rapid.Int64Range(1, math.MaxInt64>>(63-bits)).Draw(t, label)
}

func BenchmarkMap(b *testing.B) {
	const side, n = 2048, 1000
	cells := make([]int64, side*side)
	b.Run("fill", func(b *testing.B) {
		b.SetBytes(8 * side * side)
		for b.Loop() {
			for d := range int64(side) {
				Battle{n, 1, d + 1}.FillMinWaves(cells[d*side : (d+1)*side])
			}
		}
	})
	b.Run("clear", func(b *testing.B) {
		b.SetBytes(8 * side * side)
		for b.Loop() {
			clear(cells)
		}
	})
}

// TestNoStairs checks that there is no stair, and that the iteration ends, if the last number of hits is below the
// first.
func TestNoStairs(t *testing.T) {
	for _, to := range []int64{math.MinInt64, -1, 0, 1, 9, 10, 11, 26} {
		for stair := range (Battle{10, 27, 8}).Staircase(to) {
			t.Fatalf("to %d: %+v", to, stair)
		}
	}
}

// TestReach checks that Reach states only what the soldiers can reach, and HelpedWin how fast the castle can win.
func TestReach(t *testing.T) {
	type row struct {
		Battle        Battle
		Reach, Helped string
	}
	for at, row := range must.Table[row](t, tables, "TestReach") {
		if reach, helped := row.Battle.Reach(), row.Battle.HelpedWin(); reach != row.Reach ||
			!strings.HasSuffix(helped, row.Helped) {
			t.Errorf("%s: %q %q, want %+v", at, reach, helped, row)
		}
	}
}

// naiveFalls shoots defenders first by the rules, and tries a fall in each wave in which the castle can fall.
func naiveFalls(b Battle) []Fall {
	var falls []Fall
	state := naiveStart(b)
	for wave := 1; ; wave++ {
		next, decided := state, false
		naiveMoves(state, int(b.DefendersPerWave), func(shooters int, after naiveState, winner Winner) {
			if after.hits == 0 && (len(falls) == 0 || falls[len(falls)-1].Wave < int64(wave)) {
				left := state.defenders - shooters
				falls = append(falls, Fall{
					int64(wave), int64(state.hits), uint64(left), naiveHunt(after, wave, winner),
				})
			}
			next, decided = after, winner != Undecided // the last order sends the most soldiers against defenders
		})
		if decided || next.hits == 0 {
			return falls
		}
		state = next
	}
}

// naiveHunt plays the rest of a battle in which nobody has a choice.
func naiveHunt(s naiveState, wave int, winner Winner) Result {
	for winner == Undecided {
		wave++
		naiveMoves(s, 0, func(_ int, next naiveState, w Winner) {
			s, winner = next, w // the last order is the only sensible one
		})
	}
	return Result{winner, int64(wave), int64(max(0, s.soldiers))}
}

func TestFallsAgainstRules(t *testing.T) {
	for b := range upTo(16, 60, 24) {
		want := naiveFalls(b)
		first, last := b.Falls()
		if len(want) == 0 {
			if first != 0 || last != 0 {
				t.Fatalf("%v: falls in waves %d to %d, the rules know none", b, first, last)
			}
			continue
		}
		if first != want[0].Wave || last != want[len(want)-1].Wave || last-first != int64(len(want))-1 {
			t.Fatalf("%v: falls in waves %d to %d, by the rules %+v", b, first, last, want)
		}
		for wave := int64(-1); wave <= last+3; wave++ {
			got, ok := b.FallIn(wave)
			if inside := first <= wave && wave <= last; ok != inside || ok && got != want[wave-first] {
				t.Fatalf("%v: fall in wave %d is %+v %v, by the rules %+v", b, wave, got, ok, want)
			}
		}
		if solution := b.Solve(); solution.Winner == Soldiers &&
			want[solution.FallWave-first].Left != solution.DefendersLeft {
			t.Fatalf("%v: %+v, by the rules %+v", b, solution, want[solution.FallWave-first])
		}
	}
}

// TestFallsAnywhere checks that the best fall takes the fewest waves, and that the first and the last fall are
// possible.
func TestFallsAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Battle{drawPositive(t, "n"), drawPositive(t, "s"), drawPositive(t, "d")}
		first, last := b.Falls()
		solution := b.Solve()
		if first == 0 {
			if solution.Winner == Soldiers {
				t.Fatalf("%v: won, but the castle cannot fall", b)
			}
			return
		}
		for _, wave := range []int64{first, last, solution.FallWave} {
			fall, ok := b.FallIn(wave)
			switch {
			case wave == 0:
			case !ok:
				t.Fatalf("%v: no fall in wave %d of %d to %d", b, wave, first, last)
			case solution.Winner != Soldiers && fall.Result.Winner == Soldiers:
				t.Fatalf("%v: %+v, but it cannot be won", b, fall)
			case solution.Winner == Soldiers && fall.Result.Winner == Soldiers && fall.Result.Waves < solution.MinWaves:
				t.Fatalf("%v: %+v is faster than %d waves", b, fall, solution.MinWaves)
			case wave == solution.FallWave && (fall.Result.Winner != Soldiers ||
				fall.Result.Waves != solution.MinWaves || fall.Left != solution.DefendersLeft):
				t.Fatalf("%v: %+v, the closed form has %+v", b, fall, solution)
			}
		}
		if _, ok := b.FallIn(first - 1); ok {
			t.Fatalf("%v: a fall before wave %d", b, first)
		}
		if _, ok := b.FallIn(last + 1); ok && last < math.MaxInt64 {
			t.Fatalf("%v: a fall after wave %d", b, last)
		}
	})
}

// TestAgainstSearch compares every exact function with exhaustive search over the whole grid
// n <= 40, s <= 120, d <= 60.
func TestAgainstSearch(t *testing.T) {
	for d := int64(1); d <= 60; d++ {
		search := newNaiveSearch(d)
		for b := range battles(to(40), to(120), grid.Range{First: d, Last: d}) {
			compareWithSearch(t, b, search.battle(b))
		}
		if t.Failed() {
			return
		}
	}
}

func compareWithSearch(t *testing.T, b Battle, want naiveAnswer) {
	t.Helper()
	solution := b.Solve()
	if int(solution.MinWaves) != want.soldiers {
		t.Errorf("%v: soldiers win in %d waves, search says %d", b, solution.MinWaves, want.soldiers)
	}
	if got := b.MinWaves(); got != solution.MinWaves {
		t.Errorf("%v: MinWaves gives %d, Solve %d", b, got, solution.MinWaves)
	}
	if winner, _ := want.value(); solution.Winner != winner {
		t.Errorf("%v: winner %v, search says %v", b, solution.Winner, winner)
	}
	if got := b.CastleMinWaves(); int(got) != want.castle {
		t.Errorf("%v: castle wins in %d waves, search says %d", b, got, want.castle)
	}
	border := SmallestCastle(b.Soldiers, b.DefendersPerWave)
	if strong := border.Cmp(big.NewInt(b.CastleHits)) <= 0; strong != (want.castle > 0) {
		t.Errorf("%v: the smallest castle that can win has %v hits, search says that this one wins in %d waves", b,
			border, want.castle)
	}
	if got, _ := b.MostSurvivors(); int(got) != want.survivors {
		t.Errorf("%v: %d soldiers can survive a fastest win, search says %d", b, got, want.survivors)
	}
	if want.soldiers == 0 && !want.tie {
		if got := b.LongestResistance(); int(got.Waves) != want.longest || got.Winner != Castle {
			t.Errorf("%v: soldiers hold out %d waves, %v wins; search says %d", b, got.Waves, got.Winner, want.longest)
		}
	}
}

// value returns who wins under the soldiers' best play, and after how many further waves.
func (a naiveAnswer) value() (Winner, int) {
	switch {
	case a.soldiers > 0:
		return Soldiers, a.soldiers
	case a.tie:
		return Tie, 0
	default:
		return Castle, a.longest
	}
}

// TestHuntLimits plays the hunts on both sides of each limit.
func TestHuntLimits(t *testing.T) {
	armies := []int64{math.MaxInt64, math.MaxInt64 - 1, 1 << 62, 1e18}
	for n := int64(1); n <= 200; n++ {
		armies = append(armies, n)
	}
	for k := 60; k <= 92; k++ { // these armies have the longest hunts
		armies = append(armies, int64(phi.Fib(k)), int64(phi.Fib(k))-1)
	}
	within := func(n, x, k int64, side Winner) bool {
		switch {
		case x <= 0:
			return side == Soldiers
		case x >= n:
			return side == Castle
		}
		waves, winner := hunt(n-x, uint64(x))
		return winner == side && waves <= k
	}
	for _, n := range armies {
		for k := range int64(50) {
			won, lost := HuntBounds(n, k)
			if !within(n, won, k, Soldiers) || within(n, won+1, k, Soldiers) {
				t.Fatalf("n = %d, k = %d: won with up to %d left", n, k, won)
			}
			if !within(n, lost, k, Castle) || within(n, lost-1, k, Castle) {
				t.Fatalf("n = %d, k = %d: lost with %d left or more", n, k, lost)
			}
			if k >= longestHunt && lost != won+1 {
				t.Fatalf("n = %d, k = %d: still open between %d and %d", n, k, won, lost)
			}
		}
	}
}

// TestOutlook compares ValueFrom with exhaustive search for every state that small battles reach: who wins, in how few
// waves either side can win, and what the advised orders lead to.
func TestOutlook(t *testing.T) {
	for d := int64(1); d <= 20; d++ {
		search := newNaiveSearch(d)
		for n := int64(1); n <= 14; n++ {
			search.battle(Battle{n, 40, d})
		}
		b := Battle{14, 40, d}
		for state, want := range search.seen {
			s := State{int64(state.soldiers), uint64(state.defenders), int64(state.hits)}
			got := b.ValueFrom(s)
			if soldiers, castle := b.SoldiersFrom(s), b.CastleFrom(s); int(soldiers) != want.soldiers ||
				int(castle) != want.castle {
				t.Fatalf("d = %d, %v: won in %d waves or lost in %d, search says %+v", d, s, soldiers, castle, want)
			}
			if winner, waves := want.value(); got.Winner != winner || int(got.Waves) != waves {
				t.Fatalf("d = %d, %v: %+v, search says %v in %d", d, s, got, winner, waves)
			}
			if survivors := advised(b, s); survivors != want.survivors {
				t.Fatalf("d = %d, %v: who follows the advice has %d soldiers left, search says %d", d, s, survivors,
					want.survivors)
			}
		}
	}
}

// advised follows the advice to the end and returns the number of soldiers left if they win.
func advised(b Battle, s State) int {
	for {
		var winner Winner
		if s, winner = b.Step(s, b.ValueFrom(s).AtDefenders); winner != Undecided {
			if winner == Soldiers {
				return int(s.Soldiers)
			}
			return 0
		}
	}
}

// TestSafestStrategy checks that SafestStrategy plays wave by wave as ValueFrom advises, and that it leaves as many
// survivors as MostSurvivors returns.
func TestSafestStrategy(t *testing.T) {
	for b := range upTo(16, 60, 30) {
		before := b.Start()
		for wave := range b.Waves(b.SafestStrategy()) {
			if wave.Number == 0 {
				continue
			}
			if advice := b.ValueFrom(before); advice.AtDefenders != wave.AtDefenders {
				t.Fatalf("%v, wave %d: %d shoot at defenders, advised is %+v", b, wave.Number, wave.AtDefenders, advice)
			}
			before = wave.State
		}
		survivors, _ := b.MostSurvivors()
		if before.Soldiers != survivors && b.MinWaves() > 0 {
			t.Fatalf("%v: %d soldiers are left, it can be %d", b, before.Soldiers, survivors)
		}
	}
}

// TestOutlookHuge starts battles of every size. It checks that ValueFrom agrees with the closed forms, and that no
// order leads to a better result than ValueFrom predicted before the order.
func TestOutlookHuge(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	number := func() int64 { return math.MaxInt64>>r.IntN(63) - r.Int64N(2) | 1 }
	for range 20_000 {
		b := Battle{number(), number(), number()}
		want := Value{Winner: b.Solve().Winner, Waves: b.MinWaves()}
		if want.Winner == Castle {
			want.Waves = b.LongestResistance().Waves
		}
		s := b.Start()
		got := b.ValueFrom(s)
		if got.Winner != want.Winner || got.Waves != want.Waves {
			t.Fatalf("%v: %+v, the closed forms say %+v", b, got, want)
		}
		for range 100 {
			low, high := s.Moves()
			order := low + r.Int64N(3)*((high-low)/2)
			was := b.ValueFrom(s)
			next, winner := b.Step(s, order)
			if winner != Undecided {
				break
			}
			if is := b.ValueFrom(next); was.Worse(is) || is.Winner == was.Winner && is.Winner != Tie &&
				(is.Waves+1-was.Waves)*sign(is.Winner) < 0 {
				t.Fatalf("%v, %v: %+v, and %+v after %d: no order is better than the best", b, s, was, is, order)
			}
			s = next
		}
	}
}

// sign returns 1 if the soldiers want the end with this winner to come soon, and -1 if they want it to come late.
func sign(winner Winner) int64 {
	if winner == Soldiers {
		return 1
	}
	return -1
}
