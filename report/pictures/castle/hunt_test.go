package castle

import (
	"math"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

func TestHunt(t *testing.T) {
	for _, test := range []struct {
		soldiers, left int64
		want           []HuntWave
	}{
		{40, 24, []HuntWave{{40, 24}, {16, 8}, {8, 0}}},
		{40, 25, []HuntWave{{40, 25}, {15, 10}, {5, 5}}},
		{6, 0, []HuntWave{{6, 0}}},
		{6, 7, []HuntWave{{6, 7}}},
	} {
		if got := Hunt(test.soldiers, test.left); !slices.Equal(got, test.want) {
			t.Errorf("%d soldiers, %d left: %v, want %v", test.soldiers, test.left, got, test.want)
		}
	}
}

// TestTolls: two battles that one soldier sets apart end at none and at all.
func TestTolls(t *testing.T) {
	won, lost := game.Battle{Soldiers: 3820, CastleHits: 5000, DefendersPerWave: 5000},
		game.Battle{Soldiers: 3819, CastleHits: 5000, DefendersPerWave: 5000}
	w := Tolls(won, lost)
	picturetest.Drawn(t, w)
	for i, want := range []struct {
		name, first, last string
		end               figure.Point
	}{
		{"n = 3820: the soldiers win in wave 7 with 80 left", "61.8 %", "none: won", figure.Point{X: 7, Y: 0}},
		{"n = 3819: the castle wins in wave 6", "61.8 %", "all: lost", figure.Point{X: 6, Y: 100}},
	} {
		walk := w.Walks[i]
		last := len(walk.Points) - 1
		if walk.Name != want.name || walk.Notes[0] != want.first || walk.Notes[last] != want.last ||
			walk.Points[last] != want.end {
			t.Errorf("%q: %v, %q", walk.Name, walk.Points, walk.Notes)
		}
		if result := []game.Battle{won, lost}[i].Play(Best(won).Strategy); i == 0 &&
			End(result) != strings.TrimPrefix(walk.Name, "n = 3820: ") {
			t.Errorf("the rules say %q", End(result))
		}
	}
}

// TestHyperbola: the points of a hunt lie on its curve, and the curves do not cross the line between them.
func TestHyperbola(t *testing.T) {
	for _, hunts := range [][]HuntWave{
		{{40, 24}, {40, 25}},
		{{100, 61}, {100, 62}},
		{{5, 3}, {8, 5}},
		{{7, 1}},
		{{3, 2}},
	} {
		h := Hyperbola(hunts...)
		picturetest.Drawn(t, h)
		for i, first := range hunts {
			form := float64(first.form().Int64())
			for _, p := range append(slices.Clone(h.Curves[i+1].Points), h.Walks[i].Points...) {
				if got := p.X*p.X - p.X*p.Y - p.Y*p.Y; math.Abs(got-form) > 1e-6*max(1, p.X*p.X) {
					t.Errorf("%v: at %v the form is %g, not %g", first, p, got, form)
				}
			}
		}
	}
}

// TestSuccessors: the formulas of a line of successors give its numbers.
func TestSuccessors(t *testing.T) {
	l := Successors(3820, 2360)
	picturetest.Drawn(t, l)
	if len(l.Rungs) != 12 || l.Rungs[4] != (figure.Rung{Value: "560", Formula: "2n − 3x", Group: "wave 4"}) ||
		l.Rungs[11] != (figure.Rung{Value: "−60", Formula: "89x − 55n"}) {
		t.Errorf("%v", l.Rungs)
	}
	if 2*3820-3*2360 != 560 || 89*2360-55*3820 != -60 {
		t.Error("the formulas of this test are wrong")
	}
}

// TestStairs compares the marks with the stairs: each ends at the further mark.
func TestStairs(t *testing.T) {
	for _, c := range [][2]int64{{100, 95}, {100, 80}, {30, 29}, {5, 1}, {2, 1}} {
		n, d := c[0], c[1]
		s := Stairs(game.Battle{Soldiers: n, CastleHits: n + 1, DefendersPerWave: d})
		picturetest.Drawn(t, s)
		for _, p := range s.Walks[0].Points {
			if b := (game.Battle{
				Soldiers: n, CastleHits: int64(p.X),
				DefendersPerWave: d,
			}); float64(b.MinWaves()) != p.Y {
				t.Errorf("%v: %d waves, %g are drawn", b, b.MinWaves(), p.Y)
			}
		}
		for i := range s.Walks[1].Points {
			w := int64(i + 2)
			last := game.Battle{Soldiers: n, CastleHits: int64(s.Walks[1].Points[i].X), DefendersPerWave: d}
			if i > 0 {
				last.CastleHits = max(last.CastleHits, int64(s.Walks[2].Points[i-1].X))
			}
			next := last
			next.CastleHits++
			if last.MinWaves() > w || next.MinWaves() <= w {
				t.Errorf("%v: %d waves, one hit more %d, but the stair of %d ends there", last, last.MinWaves(),
					next.MinWaves(), w)
			}
		}
	}
}
