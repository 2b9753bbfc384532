package castle

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"testing"
	"unsafe"

	"github.com/siegebook/siegebook/internal/must"
)

func mustCount(t testing.TB, b Battle, convention Convention) Counts {
	t.Helper()
	return must.Get(b.Count(t.Context(), CountOptions{Convention: convention}))
}

// ways returns the numbers of ways of a histogram by wave, or nil unless all of them fit in int64.
func (h Histogram) ways() map[int64]int64 {
	ways, last := map[int64]int64{}, int64(0)
	for _, count := range h {
		if ways[count.Wave] = count.Ways.Int64(); count.Wave <= last || !count.Ways.IsInt64() {
			return nil
		}
		last = count.Wave
	}
	return ways
}

// TestCountAgainstWalk compares counts with a walk over every path, for every n <= 8, s <= 20, d <= 12, in both
// conventions.
func TestCountAgainstWalk(t *testing.T) {
	for _, convention := range Conventions() {
		for b := range upTo(8, 20, 12) {
			want, got := naiveWalk(b, convention == Printed), mustCount(t, b, convention)
			if !maps.Equal(got.Soldiers.ways(), want.soldiers) || !maps.Equal(got.Castle.ways(), want.castle) {
				t.Fatalf("%v, %v: counted %v and %v, walking finds %v and %v", b, convention, got.Soldiers, got.Castle,
					want.soldiers, want.castle)
			}
			if got.Ties.Cmp(big.NewInt(int64(want.ties))) != 0 ||
				got.Prefixes.Cmp(big.NewInt(int64(want.prefixes))) != 0 {
				t.Fatalf("%v: %v ties and %v prefixes, walking finds %d and %d", b, got.Ties, got.Prefixes, want.ties,
					want.prefixes)
			}
		}
	}
}

// TestCountBig compares totals with sums of big integers over memoized states.
func TestCountBig(t *testing.T) {
	for _, b := range []Battle{{20, 70, 11}, {30, 150, 20}, {60, 260, 31}, {12, 600, 5}} {
		got := mustCount(t, b, Complete)
		want := bigWays(b)
		if got.Soldiers.Total().Cmp(want.soldiers) != 0 || got.Castle.Total().Cmp(want.castle) != 0 {
			t.Errorf("%v: %v and %v, want %v and %v", b, got.Soldiers.Total(), got.Castle.Total(), want.soldiers,
				want.castle)
		}
		if got.Soldiers[0].Wave != b.MinWaves() {
			t.Errorf("%v: first win of the soldiers in wave %d", b, got.Soldiers[0].Wave)
		}
	}
}

type ways struct{ soldiers, castle *big.Int }

// bigWays counts the ways to win for each side by memoized recursion over the states, move by move, in big integers.
func bigWays(b Battle) ways {
	seen := map[State]ways{}
	var solve func(State) ways
	solve = func(s State) ways {
		if w, ok := seen[s]; ok {
			return w
		}
		sum := ways{new(big.Int), new(big.Int)}
		low, high := s.Moves()
		for i := low; i <= high; i++ {
			next, winner := b.Step(s, i)
			switch winner {
			case Soldiers:
				sum.soldiers.Add(sum.soldiers, big.NewInt(1))
			case Castle:
				sum.castle.Add(sum.castle, big.NewInt(1))
			case Undecided:
				later := solve(next)
				sum.soldiers.Add(sum.soldiers, later.soldiers)
				sum.castle.Add(sum.castle, later.castle)
			}
		}
		seen[s] = sum
		return sum
	}
	return solve(b.Start())
}

// TestCountWidens starts with 2^k ways to reach the second wave instead of one. So the counts outgrow a width in the
// middle of the battle, and all results must be 2^k times as large.
func TestCountWidens(t *testing.T) {
	ctx := context.Background()
	for _, b := range []Battle{{19, 50, 15}, {10, 43, 8}, {5, 8, 5}, {30, 90, 22}} {
		for _, convention := range []Convention{Complete, Printed} {
			want := mustCount(t, b, convention)
			for name, run := range map[string]struct {
				shift uint
				count func(*counter) error
			}{
				"1 to 2 words": {62, func(c *counter) error {
					return countFrom1(ctx, c, secondWave(c, [1]uint64{1 << 62}))
				}},
				"2 to 4 words": {126, func(c *counter) error {
					return count(ctx, c, secondWave(c, [2]uint64{0, 1 << 62}), func(table [][2]uint64) error {
						return count(ctx, c, widen[[2]uint64, [4]uint64](table), failWider[[4]uint64])
					})
				}},
				"32 to 64 words": {2046, func(c *counter) error {
					return count(ctx, c, secondWave(c, [32]uint64{31: 1 << 62}), func(table [][32]uint64) error {
						return count(ctx, c, widen[[32]uint64, [64]uint64](table), failWider[[64]uint64])
					})
				}},
			} {
				c := newCounter(b, CountOptions{Convention: convention})
				if err := run.count(c); err != nil {
					t.Fatalf("%v, %s: %v", b, name, err)
				}
				if !shifted(c.soldiers.histogram(), want.Soldiers, run.shift) ||
					!shifted(c.castle.histogram(), want.Castle, run.shift) ||
					c.ties.Cmp(new(big.Int).Lsh(want.Ties, run.shift)) != 0 {
					t.Errorf("%v, %s: counts are not 2^%d times the counts in one word", b, name, run.shift)
				}
			}
		}
	}
}

func failWider[W words]([]W) error {
	return errors.New("more width was asked for than the counts need")
}

func shifted(got, want Histogram, shift uint) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i].Wave != want[i].Wave || got[i].Ways.Cmp(new(big.Int).Lsh(want[i].Ways, shift)) != 0 {
			return false
		}
	}
	return true
}

// TestCountMemoryIsWhatItTakes compares the estimate of memory with the tables that a count allocates.
func TestCountMemoryIsWhatItTakes(t *testing.T) {
	battles := []Battle{{19, 50, 15}, {5, 400, 3}, {60, 61, 7}}
	for n := int64(1); n <= 12; n++ {
		for d := int64(1); d <= 2*n+2; d++ {
			battles = append(battles, Battle{n, n + 1, d}, Battle{n, 3*n + 2, d})
		}
	}
	for _, b := range battles {
		c := newCounter(b, CountOptions{})
		hunts := int64(0)
		for _, row := range c.hunts {
			hunts += int64(len(row)) * int64(unsafe.Sizeof(huntResult{}))
		}
		tables := 2 * 8 * int64(b.countWidth()) * c.offset[b.Soldiers+1]
		if estimate := b.countMemory().Int64(); estimate < tables+hunts || estimate > tables+2*hunts+1000 {
			t.Errorf("%v: estimate %d, the tables take %d and %d bytes", b, estimate, tables, hunts)
		}
	}
}

func TestCountCancel(t *testing.T) {
	if _, err := (Battle{19, 50, 15}).Count(must.CanceledContext(t), CountOptions{}); !must.Stopped(err) {
		t.Fatalf("error %v", err)
	}
}

func BenchmarkHistogram(b *testing.B) {
	battle := Battle{19, 50, 15}
	b.Run("diagonals", func(b *testing.B) {
		for b.Loop() {
			mustCount(b, battle, Complete)
		}
	})
	b.Run("recursion", func(b *testing.B) {
		for b.Loop() {
			naiveWalk(battle, false)
		}
	})
}

// TestCellLimit checks that a count stops when it reads more cells than its limit allows, and only then. While counts
// have one word, the limit counts cells.
func TestCellLimit(t *testing.T) {
	b := Battle{20, 70, 11}
	free := mustCount(t, b, Complete)
	limited, err := b.Count(t.Context(), CountOptions{CellLimit: free.Cells})
	if err != nil || limited.Cells != free.Cells || limited.Castle.Total().Cmp(free.Castle.Total()) != 0 {
		t.Fatalf("%d cells allowed of %d: %+v, %v", free.Cells, free.Cells, limited, err)
	}
	var tooMany *TooManyCellsError
	if _, err := b.Count(t.Context(), CountOptions{CellLimit: free.Cells / 2}); !errors.As(err, &tooMany) ||
		tooMany.Limit != free.Cells/2 || !OutOfEffort(err) {
		t.Fatalf("%d cells allowed of %d: %v", free.Cells/2, free.Cells, err)
	}
	wide := Battle{50, 1000, 3}
	free = mustCount(t, wide, Complete)
	if _, err := wide.Count(t.Context(), CountOptions{CellLimit: free.Cells}); !errors.As(err, &tooMany) {
		t.Fatalf("%v has numbers of two words, but no more than %d words are read: %v", wide, free.Cells, err)
	}
}
