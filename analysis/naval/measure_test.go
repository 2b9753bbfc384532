package naval

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestBlindShooting: shots at random cells until all of 20 are hit take 20*101/21 in the mean. A gunner without halos
// who never learns of a hit shoots like that.
func TestBlindShooting(t *testing.T) {
	var r Shooter
	var s Sample
	for number := range uint64(20_000) {
		r.chance.restart(1, streamShots, number)
		r.target.place(post, PostPlacements()[number%ofThePost], &r.chance)
		r.gunner.begin(post, Strategy{Random, AsCoded, false})
		fleet := r.target.fleet.Cells()
		n := int64(0)
		for hits := 0; hits < 20; n++ {
			at := r.gunner.aim(&r.chance)
			if fleet.Has(at) {
				hits++
			}
			r.gunner.learn(at, Miss, Ship{})
		}
		s.Fleets++
		s.Shots += n
		s.Squares += n * n
	}
	if math.Abs(s.Mean()-BlindMean()) > s.Margin() {
		t.Errorf("%.3f +- %.3f shots, want %.3f", s.Mean(), s.Margin(), BlindMean())
	}
	// The mean is the sum of n P(n), where the last of 20 is hit by shot n in C(n-1, 19) of C(100, 20) ways.
	sum := 0.0
	for n := 20; n <= 100; n++ {
		p := 20.0 / 100 // P(100): the last cell is one of the 20
		for k := 100; k > n; k-- {
			p *= float64(k-20) / float64(k-1)
		}
		sum += float64(n) * p
	}
	if math.Abs(sum-BlindMean()) > 1e-9 {
		t.Errorf("the sum is %.6f, the closed form %.6f", sum, BlindMean())
	}
}

// TestKnownFigures: fleets without a region need about 57.9 shots by proper hunting and finishing, 56.6 with diagonals,
// 55.3 by density.
func TestKnownFigures(t *testing.T) {
	for _, test := range []struct {
		strategy Strategy
		want     float64
	}{
		{Strategy{Random, Proper, true}, 57.9},
		{Strategy{Diagonal, Proper, true}, 56.6},
		{Strategy{Random, Density, true}, 55.3},
	} {
		s := must.Get(Measure(t.Context(), test.strategy, Anywhere, 10_000, 1, Options{}))
		if math.Abs(s.Mean()-test.want) > s.Margin()+0.15 { // these figures have a margin too
			t.Errorf("%v: %.2f +- %.2f, want about %.1f", test.strategy, s.Mean(), s.Margin(), test.want)
		}
	}
}

// TestMeasureWorkers: the number of workers changes nothing, and more fleets are the same and others.
func TestMeasureWorkers(t *testing.T) {
	for _, strategy := range []Strategy{{Linear, AsCoded, true}, {Random, Density, true}, {Random, Informed, true}} {
		fleets := 300
		if strategy.Targeting == Informed {
			fleets = 4
		}
		one, err1 := Measure(t.Context(), strategy, Top, fleets, 5, Options{Workers: 1})
		eight, err8 := Measure(t.Context(), strategy, Top, fleets, 5, Options{Workers: 8})
		if one != eight || err1 != nil || err8 != nil {
			t.Errorf("%v: %+v, %v with one worker, %+v, %v with eight", strategy, one, err1, eight, err8)
		}
		var r Shooter
		var sum int64
		for number := range uint64(fleets) {
			sum += r.sink(post, strategy, Top, 5, number)
		}
		if sum != one.Shots {
			t.Errorf("%v: %d shots, one fleet after the other %d", strategy, one.Shots, sum)
		}
	}
}

// TestMeasureProgress: each fleet is told, by one goroutine at a time.
func TestMeasureProgress(t *testing.T) {
	last := int64(0)
	sample, err := Measure(t.Context(), Strategy{}, Left, 100, 1, Options{Workers: 4, Progress: func(done, all int64) {
		if done != last+1 || all != 100 {
			t.Errorf("%d of %d done, after %d", done, all, last)
		}
		last = done
	}})
	if err != nil || last != 100 || sample.Fleets != 100 {
		t.Errorf("%d done, %+v, %v", last, sample, err)
	}
}

// TestWorkers: below 1 means all cores.
func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for given, want := range map[int]int{-1: 3, 0: 3, 1: 1, 5: 5} {
		if got := (Options{Workers: given}).workers(); got != want {
			t.Errorf("%d workers: %d, want %d", given, got, want)
		}
	}
}

func TestMeasureRefuses(t *testing.T) {
	for _, test := range []struct {
		strategy  Strategy
		placement Placement
		fleets    int
		want      string
	}{
		{Strategy{Moves: 9}, Left, 1, "Moves(9): no move strategy, use one of random"},
		{Strategy{Targeting: -1}, Left, 1, "Targeting(-1): no targeting, use one of as_coded"},
		{Strategy{}, 99, 1, "Placement(99): no placement, use one of left"},
		{Strategy{}, Left, 0, "0 fleets: use 1 or more"},
	} {
		if _, err := Measure(t.Context(), test.strategy, test.placement, test.fleets, 1, Options{}); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := Measure(ctx, Strategy{}, Left, 1, 1, Options{}); !errors.Is(err, why) ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
