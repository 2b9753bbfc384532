package castle

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// naiveFalls plays defenders first by the rules, and then a fall in each wave in which the castle can fall.
func naiveFalls(n, s, d int) []Fall {
	var falls []Fall
	state := naiveState{n, 0, s}
	for wave := 1; ; wave++ {
		next, decided := state, false
		naiveMoves(state, d, func(shooters int, after naiveState, winner Winner) {
			if after.hits == 0 && (len(falls) == 0 || falls[len(falls)-1].Wave < int64(wave)) {
				left := state.defenders - shooters
				falls = append(falls, Fall{int64(wave), int64(state.hits), uint64(left), naiveHunt(after, wave, winner)})
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
			case wave == solution.FallWave && (fall.Result.Winner != Soldiers || fall.Result.Waves != solution.MinWaves ||
				fall.Left != solution.DefendersLeft):
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
