package naval

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// Sample is what was measured of one strategy against one placement: the shots that it took to sink whole fleets.
type Sample struct {
	Fleets  int64
	Shots   int64 // all of them together
	Squares int64 // sum of the squares of the shots for one fleet
}

// Mean returns the mean number of shots for a fleet.
func (s Sample) Mean() float64 { return float64(s.Shots) / float64(s.Fleets) }

// Error returns the standard error of the mean.
func (s Sample) Error() float64 {
	n := float64(s.Fleets)
	return math.Sqrt((float64(s.Squares)/n - s.Mean()*s.Mean()) / (n - 1))
}

// Measure lets one player sink fleets.
func Measure(ctx context.Context, s Strategy, p Placement, fleets int, seed uint64, workers int) (Sample, error) {
	var shots, squares, next atomic.Int64
	var group sync.WaitGroup
	for range max(1, workers) {
		group.Go(func() {
			var r ranger
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(fleets) {
					return
				}
				n := int64(r.sink(s, p, seed, uint64(i)))
				shots.Add(n)
				squares.Add(n * n)
			}
		})
	}
	group.Wait()
	return Sample{int64(fleets), shots.Load(), squares.Load()}, context.Cause(ctx)
}

// ranger is a player who shoots at a fleet that does not shoot back.
type ranger struct {
	fleet  fleetState
	gunner gunner
	chance chance
}

func (r *ranger) sink(s Strategy, p Placement, seed, number uint64) int16 {
	r.chance.restart(seed, streamFleet+uint64(p)<<8, number)
	r.fleet.place(p, &r.chance)
	r.chance.restart(seed, streamShots, number)
	r.gunner.begin(s)
	for !r.gunner.won() {
		at := r.gunner.aim(&r.chance)
		outcome, ship := r.fleet.shoot(at)
		r.gunner.learn(at, outcome, ship)
	}
	return r.gunner.shots
}
