package castle

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
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

// TestStaircaseAnywhere checks that stairs cover from..to without gaps and that the closed form agrees at their ends,
// for any numbers up to the largest.
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

// TestNoStairs: where the last number of hits is below the first there is no stair, and the iteration ends.
func TestNoStairs(t *testing.T) {
	for _, to := range []int64{math.MinInt64, -1, 0, 1, 9, 10, 11, 26} {
		for stair := range (Battle{10, 27, 8}).Staircase(to) {
			t.Fatalf("to %d: %+v", to, stair)
		}
	}
}

// TestReach: what the soldiers can reach comes first and alone, also where the castle could win faster with their help.
func TestReach(t *testing.T) {
	const most = math.MaxInt64
	for b, want := range map[Battle]struct{ reach, helped string }{
		{19, 50, 15}:    {"soldiers in 8 waves", "the castle could win in wave 3."},
		{8, 3, 20}:      {"soldiers in 1 wave", "the castle could not win."},
		{100, 211, 121}: {"castle: the soldiers hold out until wave 4 at most", "the castle could win in wave 2."},
		{100, 162, 100}: {"tie", "the castle could win in wave 3."},
		{most, most, 1}: {"soldiers in 1 wave", "the castle could not win."},
		{most / 2, most, most}: {
			"castle: the soldiers hold out until wave 2 at most", "the castle could win in wave 2.",
		},
	} {
		if reach, helped := b.Reach(), b.HelpedWin(); reach != want.reach || !strings.HasSuffix(helped, want.helped) {
			t.Errorf("%v: %q %q, want %+v", b, reach, helped, want)
		}
	}
}

// TestReachIsSolve: the words are those of the numbers, over a range.
func TestReachIsSolve(t *testing.T) {
	for n := int64(1); n <= 12; n++ {
		for s := int64(1); s <= 40; s++ {
			for d := int64(1); d <= 25; d++ {
				b, want := Battle{n, s, d}, "tie"
				switch solution := b.Solve(); solution.Winner {
				case Soldiers:
					want = fmt.Sprintf("soldiers in %d waves", solution.MinWaves)
					if solution.MinWaves == 1 {
						want = "soldiers in 1 wave"
					}
				case Castle:
					want = fmt.Sprintf("castle: the soldiers hold out until wave %d at most",
						b.Play(b.LongestResistance().Strategy()).Waves)
				}
				if got := b.Reach(); got != want {
					t.Fatalf("%v: %q, want %q", b, got, want)
				}
			}
		}
	}
}

// naiveFalls plays defenders first by the rules, and then a fall in each wave in which the castle can fall.
func naiveFalls(n, s, d int) []Fall {
	var falls []Fall
	state := naiveState{n, 0, s}
	for wave := 1; ; wave++ {
		next, decided := state, false
		naiveMoves(state, d, func(shooters int, after naiveState, winner Winner) {
			if after.hits == 0 && (len(falls) == 0 || falls[len(falls)-1].Wave < int64(wave)) {
				left := state.defenders - shooters
				falls = append(falls, Fall{
					int64(wave), int64(state.hits), uint64(left), naiveHunt(after, wave, winner),
				})
			}
			next, decided = after, winner != Undecided // the last order has the most soldiers at defenders
		})
		if decided || next.hits == 0 {
			return falls
		}
		state = next
	}
}

// naiveHunt plays on where nobody has a choice.
func naiveHunt(s naiveState, wave int, winner Winner) Result {
	for winner == Undecided {
		wave++
		naiveMoves(s, 0, func(_ int, next naiveState, w Winner) {
			s, winner = next, w // the last order
		})
	}
	return Result{winner, int64(wave), int64(max(0, s.soldiers))}
}

func TestFallsAgainstRules(t *testing.T) {
	for n := 1; n <= 16; n++ {
		for s := 1; s <= 60; s++ {
			for d := 1; d <= 24; d++ {
				b, want := Battle{int64(n), int64(s), int64(d)}, naiveFalls(n, s, d)
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
			}
		}
	}
}

// TestFallsAnywhere: the fewest waves are those of the best fall, for any numbers; the first and the last can be had.
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
