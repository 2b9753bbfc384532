package engine_test

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/explore/engine"
)

// answer is what the engine answers to a good question.
func answer(t *testing.T, name string, args ...int64) engine.Reply {
	t.Helper()
	r, err := engine.Call(name, args)
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

// TestMap: each cell is what best play comes to, whatever the steps are, and the border is the golden one.
func TestMap(t *testing.T) {
	const columns, rows = 40, 24
	for _, at := range []struct{ n, s0, d0, sStep, dStep int64 }{
		{1, 1, 1, 1, 1}, {10, 1, 1, 1, 1}, {10, 5, 3, 2, 1}, {19, 1, 1, 3, 3}, {30, 1, 1, 1, 4}, {3820, 4990, 4990, 1, 1}, {1 << 60, 1 << 60, 1 << 59, 1 << 56, 1 << 55},
	} {
		r := answer(t, "castle.map", at.n, at.s0, at.sStep, columns, at.d0, at.dStep, rows)
		if reach := r.Ints[0]; reach != int64(phi.FloorDiv(uint64(at.n))) {
			t.Errorf("%+v: the border reaches %d", at, reach)
		}
		for cell, got := range r.Bytes {
			b := castle.Battle{Soldiers: at.n, CastleHits: at.s0 + int64(cell%columns)*at.sStep, DefendersPerWave: at.d0 + int64(cell/columns)*at.dStep}
			want := byte(min(b.MinWaves(), 254))
			if b.Solve().Winner == castle.Tie {
				want = 255
			}
			if got != want {
				t.Fatalf("%+v: the cell of %v is %d, want %d", at, b, got, want)
			}
			if b.DefendersPerWave >= b.Soldiers && b.CastleHits > b.Soldiers && b.Soldiers < 1e6 {
				if inside := b.CastleHits+b.DefendersPerWave-2*b.Soldiers <= r.Ints[0]; inside != (want >= 1 && want <= 254) {
					t.Fatalf("%v: inside of the border %v, and the cell is %d", b, inside, want)
				}
			}
		}
	}
}

// TestMapRefuses: what is too large, and what is no battle.
func TestMapRefuses(t *testing.T) {
	for want, args := range map[string][]int64{
		"a map of 0 x 5 battles":                                 {10, 1, 1, 0, 1, 1, 5},
		"a map of 1000000 x 1 battles":                           {10, 1, 1, 1e6, 1, 1, 1},
		"from 1 to 131072 are drawn":                             {10, 1, 1, math.MaxInt64, 1, 1, math.MaxInt64},
		"steps of 0 castle hits":                                 {10, 1, 0, 5, 1, 1, 5},
		"steps of -1 defenders":                                  {10, 1, 1, 5, 1, -1, 5},
		"they grow beyond 9223372036854775807":                   {10, math.MaxInt64 - 3, 1, 5, 1, 1, 5},
		"5 defenders from 1 on, in steps of 4611686018427387903": {10, 1, 1, 5, 1, math.MaxInt64 / 2, 5},
		"castle": {10, 0, 1, 5, 1, 1, 5},
	} {
		if _, err := engine.Call("castle.map", args); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

// TestAnswerTie: soldiers who can hold for ever are not said to lose, though they might.
func TestAnswerTie(t *testing.T) {
	const want = "tie\nThe soldiers cannot win, but they can hold out for ever. If the soldiers helped it, without wasting a shot, the castle could win in wave 3."
	if r := answer(t, "castle.answer", 100, 162, 100); r.Text != want || !slices.Equal(r.Ints, []int64{0, 3}) {
		t.Errorf("got %+v", r)
	}
}

// TestLongNumbers: what is said of a long siege has commas, as all numbers on the page.
func TestLongNumbers(t *testing.T) {
	const says = "soldiers in 4,611,686,018,427,386,291 waves"
	if r := answer(t, "castle.answer", 1000, math.MaxInt64/2, 999); !strings.HasPrefix(r.Text, says+"\n") {
		t.Errorf("castle.answer says %q", r.Text)
	}
	if r := answer(t, "castle.line", 1000, math.MaxInt64/2, 999, 0); r.Text != says {
		t.Errorf("castle.line says %q", r.Text)
	}
	if r := answer(t, "castle.judged", 1000, math.MaxInt64/2, 999); regexp.MustCompile(`[0-9]{5}`).MatchString(r.Text) {
		t.Errorf("castle.judged says %q", r.Text)
	}
}

// TestLine: a line is the library's, run by run, for each algorithm that plays one.
func TestLine(t *testing.T) {
	for _, hits := range [][3]int64{{10, 43, 8}, {100, 162, 100}, {10, 11, 15}, {3820, 5000, 5000}, {1000, math.MaxInt64 / 2, 999}, {math.MaxInt64, math.MaxInt64, math.MaxInt64}} {
		b := castle.Battle{Soldiers: hits[0], CastleHits: hits[1], DefendersPerWave: hits[2]}
		for place, a := range castle.Algorithms() {
			if a.Affordable != nil {
				continue
			}
			r := answer(t, "castle.line", b.Soldiers, b.CastleHits, b.DefendersPerWave, int64(place))
			var want []int64
			if a.Strategy != nil {
				for run := range castle.Folded(b.Runs(a.Strategy(b))) {
					want = append(want, run.First, run.Last, run.AtCastle, run.AtDefenders, run.End.Soldiers, int64(run.End.Defenders), run.End.CastleHits, int64(run.Winner))
				}
			}
			if !slices.Equal(r.Ints, want) {
				t.Errorf("%v, %s: %v, want %v", b, a.Title, r.Ints, want)
			}
		}
	}
	for place, title := range map[int64]string{0: "soldiers in 16 waves", int64(slices.IndexFunc(castle.Algorithms(), func(a castle.Algorithm) bool { return a.Name == "published" })): "soldiers in 15 waves"} {
		if r := answer(t, "castle.line", 10, 43, 8, place); r.Text != title {
			t.Errorf("algorithm %d says %q, want %q", place, r.Text, title)
		}
	}
	if _, err := engine.Call("castle.line", []int64{10, 43, 8, 99}); err == nil || !strings.Contains(err.Error(), "algorithm 99") {
		t.Errorf("algorithm 99: %v", err)
	}
}

// TestJudged: the posts' algorithms are judged as a survey does.
func TestJudged(t *testing.T) {
	posts := castle.AlgorithmsOf(castle.Heuristic, castle.Formula)
	for n := int64(1); n <= 12; n++ {
		for s := int64(1); s <= 40; s++ {
			for d := int64(1); d <= 25; d++ {
				b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				r := answer(t, "castle.judged", n, s, d)
				lines := strings.Split(r.Text, "\n")
				if len(lines) != len(posts) || len(r.Ints) != 3*len(posts) {
					t.Fatalf("%v: %q, %v", b, lines, r.Ints)
				}
				for i, a := range posts {
					says, err := a.Answer(t.Context(), b, castle.Effort{})
					if err != nil {
						t.Fatal(err)
					}
					want := []int64{int64(says.SoldiersVerdict(b.MinWaves())), says.ExtraWaves(b.MinWaves())}
					if got := r.Ints[3*i+1 : 3*i+3]; !slices.Equal(got, want) || !strings.HasPrefix(lines[i], a.Title+"\t") {
						t.Fatalf("%v: %q %v, want %s %v", b, lines[i], got, a.Title, want)
					}
				}
			}
		}
	}
}

// TestCompared: measured by best play, the counts are those of a survey; measured by each other, two algorithms swap
// too many and too few.
func TestCompared(t *testing.T) {
	const n, columns, rows = 19, 60, 40
	all := castle.Algorithms()
	place := func(name string) int64 {
		return int64(slices.IndexFunc(all, func(a castle.Algorithm) bool { return a.Name == name }))
	}
	compared := func(measure, a int64) []byte {
		return answer(t, "castle.compared", n, 1, 1, columns, 1, 1, rows, measure, a).Bytes
	}
	tally := func(cells []byte) (counts [5]int64) {
		for _, cell := range cells {
			counts[cell]++
		}
		return counts
	}
	survey, err := castle.NewSurvey(context.Background(), grid.Range{First: n, Last: n}, grid.Range{First: 1, Last: columns}, grid.Range{First: 1, Last: rows}, castle.SurveyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	surveyed := castle.DefaultSurveyed()
	for _, a := range surveyed {
		if a.Affordable != nil {
			continue
		}
		cells := compared(place("exact"), place(a.Name))
		want, _ := survey.Of(a.Name)
		if got := tally(cells); got != [5]int64{want.Right, want.WrongSide, want.TooMany, want.TooFew, 0} {
			t.Errorf("%s: %v, the survey: %+v", a.Name, got, want)
		}
		r := answer(t, "castle.compared", n, 1, 1, columns, 1, 1, rows, place("exact"), place(a.Name))
		if most := r.Ints[1]; most != want.ExtraWavesMax {
			t.Errorf("%s: at most %d waves too many, the survey: %d", a.Name, most, want.ExtraWavesMax)
		} else if b := (castle.Battle{Soldiers: n, CastleHits: r.Ints[2], DefendersPerWave: r.Ints[3]}); most > 0 {
			if says, err := a.Answer(t.Context(), b, castle.Effort{}); err != nil || says.ExtraWaves(b.MinWaves()) != most {
				t.Errorf("%s: %d waves too many in %v: %v, %v", a.Name, most, b, says, err)
			}
		}
		for _, other := range surveyed {
			if other.Affordable != nil {
				continue
			}
			there, back := tally(compared(place(a.Name), place(other.Name))), tally(compared(place(other.Name), place(a.Name)))
			back[castle.TooMany], back[castle.TooFew] = back[castle.TooFew], back[castle.TooMany]
			if there != back {
				t.Errorf("%s by %s: %v, the other way round %v", other.Name, a.Name, there, back)
			}
		}
	}
	if _, err := engine.Call("castle.compared", []int64{n, 1, 1, 5, 1, 1, 5, place("castle-side"), 0}); err == nil || !strings.Contains(err.Error(), "castle can win") {
		t.Errorf("the castle's side: %v", err)
	}
}
