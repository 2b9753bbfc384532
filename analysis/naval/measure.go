package naval

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
)

// Sample sums up how many shots it took to sink whole fleets.
type Sample struct {
	Fleets  int64
	Shots   int64 // for all fleets together
	Squares int64 // sum of the squares of the shots for each
}

// Mean returns the mean number of shots for a fleet, 17..100. It panics if there is no fleet.
func (s Sample) Mean() float64 {
	refuse(s.validate(1))
	return float64(s.Shots) / float64(s.Fleets)
}

// Margin returns half the width of the 95 % interval of the mean: 1.96 standard errors. It panics if there are fewer
// than two fleets.
func (s Sample) Margin() float64 {
	refuse(s.validate(2))
	n := float64(s.Fleets)
	variance := (float64(s.Squares) - float64(s.Shots)*s.Mean()) / (n - 1)
	return 1.96 * math.Sqrt(variance/n)
}

// Measure lets a player with the given strategy sink that many fleets of a placement, which do not shoot back. The
// fleets depend on the seed and the placement alone: every strategy meets the same ones, and more fleets are the same
// and others. The options change nothing in the result. An error names a wrong argument, or is that of the
// context.
func Measure(ctx context.Context, s Strategy, p Placement, fleets int, seed uint64, options Options) (Sample, error) {
	if err := s.Validate(); err != nil {
		return Sample{}, err
	}
	if err := placementNames.Validate(p); err != nil {
		return Sample{}, err
	}
	if fleets < 1 {
		return Sample{}, fmt.Errorf("%d fleets: use 1 or more", fleets)
	}
	var next atomic.Int64
	var sum Sample
	var guard sync.Mutex // of the sum
	var group sync.WaitGroup
	for range min(options.workers(), fleets) {
		group.Go(func() {
			var r Shooter
			for ctx.Err() == nil {
				number := next.Add(1) - 1
				if number >= int64(fleets) {
					return
				}
				n := r.sink(post, s, p, seed, uint64(number))
				guard.Lock()
				sum = Sample{sum.Fleets + 1, sum.Shots + n, sum.Squares + n*n}
				if options.Progress != nil {
					options.Progress(sum.Fleets, int64(fleets))
				}
				guard.Unlock()
			}
		})
	}
	group.Wait()
	if err := canceled.Cause(ctx); err != nil {
		return Sample{}, err
	}
	return sum, nil
}

// sink returns the number of shots for the fleet of a number.
func (r *Shooter) sink(rules *rules, s Strategy, p Placement, seed, number uint64) int64 {
	r.chance.restart(seed, streamFleet+uint64(p), number)
	r.target.place(rules, p, &r.chance)
	r.begin(rules, s, seed, number)
	for !r.gunner.won() {
		r.shoot()
	}
	return int64(r.gunner.shots)
}

// BlindMean returns that of the rules of the post, 20 * 101/21 = 96.19.
func BlindMean() float64 { return Post.BlindMean() }
