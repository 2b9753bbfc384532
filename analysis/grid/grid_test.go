package grid

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// naivePoints lists the points of the product by nested loops.
func naivePoints(axes []Range) [][]int64 {
	if len(axes) == 0 {
		return [][]int64{{}}
	}
	var points [][]int64
	for first := axes[0].First; first <= axes[0].Last; first++ {
		for _, rest := range naivePoints(axes[1:]) {
			points = append(points, append([]int64{first}, rest...))
		}
	}
	return points
}

func drawAxes(t *rapid.T) []Range {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Range {
		first := rapid.Int64Range(-5, 5).Draw(t, "first")
		return Range{first, first + rapid.Int64Range(0, 5).Draw(t, "steps")}
	}), 0, 4).Draw(t, "axes")
}

func TestPointsOfBlocksAreTheProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axes := drawAxes(t)
		want := naivePoints(axes)
		g, err := Product(axes...)
		if err != nil || g.Size() != int64(len(want)) {
			t.Fatalf("Product(%v): %d points, %v, want %d", axes, g.Size(), err, len(want))
		}
		first := rapid.Int64Range(0, g.Size()).Draw(t, "block first")
		size := rapid.Int64Range(0, g.Size()-first).Draw(t, "block size")
		var got [][]int64
		for point := range g.Points(Block{first, size}) {
			_ = append(point, -1) // must change no other point
			got = append(got, point)
		}
		if !slices.EqualFunc(got, want[first:first+size], slices.Equal[[]int64]) {
			t.Fatalf("%v, points %d+%d:\n got %v\nwant %v", g, first, size, got, want[first:first+size])
		}
	})
}

// TestRunsArePoints compares runs with points. It expects each run to be as long as the block allows.
func TestRunsArePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axes := drawAxes(t)
		g := must.Get(Product(axes...))
		first := rapid.Int64Range(0, g.Size()).Draw(t, "block first")
		size := rapid.Int64Range(0, g.Size()-first).Draw(t, "block size")
		var got [][]int64
		runs := int64(0)
		for point, run := range g.Runs(Block{first, size}) {
			runs++
			for i := range run {
				got = append(got, slices.Clone(point))
				if i > 0 {
					got[len(got)-1][len(axes)-1] += i
				}
			}
		}
		want := slices.Collect(g.Points(Block{first, size}))
		if !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
			t.Fatalf("points %d+%d of %v: runs of %v, want %v", first, size, axes, got, want)
		}
		if len(axes) > 0 {
			length := axes[len(axes)-1].Last - axes[len(axes)-1].First + 1
			if most := (first+size-1)/length - first/length + 1; size > 0 && runs != most {
				t.Fatalf("points %d+%d of %v: %d runs, want %d", first, size, axes, runs, most)
			}
		}
	})
}

func TestRunsAtTheEdgeOfInt64(t *testing.T) {
	g := must.Get(Product(Range{math.MaxInt64, math.MaxInt64}, Range{1, math.MaxInt64}))
	for point, run := range g.Runs(Block{1, math.MaxInt64 - 1}) {
		if !slices.Equal(point, []int64{math.MaxInt64, 2}) || run != math.MaxInt64-1 {
			t.Errorf("%v, %d", point, run)
		}
	}
}

func TestPointsAtTheEdgeOfInt64(t *testing.T) {
	g := must.Get(Product(Range{math.MinInt64, math.MinInt64 + 1}, Range{math.MaxInt64 - 1, math.MaxInt64}))
	got := slices.Collect(g.Points(Block{0, 4}))
	want := [][]int64{
		{math.MinInt64, math.MaxInt64 - 1},
		{math.MinInt64, math.MaxInt64},
		{math.MinInt64 + 1, math.MaxInt64 - 1},
		{math.MinInt64 + 1, math.MaxInt64},
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestProductSize compares sizes, and the refusal of sizes beyond int64, with math/big.
func TestProductSize(t *testing.T) {
	edges := []int64{
		math.MinInt64, math.MinInt64 + 1, -1, 0, 1, 2, 1 << 31, 1<<31 + 1, 3037000499, 3037000500,
		math.MaxInt64 - 1, math.MaxInt64,
	}
	rapid.Check(t, func(t *rapid.T) {
		axes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Range {
			pair := []int64{rapid.SampledFrom(edges).Draw(t, "a"), rapid.SampledFrom(edges).Draw(t, "b")}
			slices.Sort(pair)
			return Range{pair[0], pair[1]}
		}), 0, 4).Draw(t, "axes")
		want := big.NewInt(1)
		for _, axis := range axes {
			length := new(big.Int).Sub(big.NewInt(axis.Last), big.NewInt(axis.First))
			want.Mul(want, length.Add(length, big.NewInt(1)))
		}
		g, err := Product(axes...)
		if want.IsInt64() != (err == nil) || err == nil && g.Size() != want.Int64() {
			t.Fatalf("Product(%v): size %d, error %v, want size %v", axes, g.Size(), err, want)
		}
	})
}

func TestProductErrors(t *testing.T) {
	must.Answers(t, "testdata/tables.txt", func(row struct{ Axes []Range }) []any {
		_, err := Product(row.Axes...)
		return []any{err}
	})
}

func TestParseRangeErrors(t *testing.T) {
	type row struct {
		Text  string
		Least int64
	}
	must.Answers(t, "testdata/tables.txt", func(row row) []any {
		_, err := ParseRange(row.Text, row.Least)
		return []any{err}
	})
}

func TestParseRangeReadsWhatStringPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64().Draw(t, "first")
		want := Range{first, rapid.Int64Min(first).Draw(t, "last")}
		got, err := ParseRange(want.String(), math.MinInt64)
		if err != nil || got != want {
			t.Fatalf("ParseRange(%q) = %v, %v", want.String(), got, err)
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, text := range []string{"1:100", "5", "", ":", "9:1", "-1:1", "1e3", "99999999999999999999:1", "1:\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRange(text, 1)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("ParseRange(%q): error of more than one line: %q", text, err)
			}
			return
		}
		if r.First < 1 || r.First > r.Last {
			t.Errorf("ParseRange(%q) = %v", text, r)
		}
		if again, err := ParseRange(r.String(), 1); err != nil || again != r {
			t.Errorf("ParseRange(%q) = %v, which reads back as %v, %v", text, r, again, err)
		}
	})
}
