package castle

import (
	"math"
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
						t.Fatalf("n = %d, d = %d, s = %d: filled with %d, closed form %d", n, d, from+int64(i), got, want)
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
