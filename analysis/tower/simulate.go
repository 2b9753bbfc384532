package tower

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
)

const (
	pilotSamples = 16   // battles that tell how long a battle takes
	leastSamples = 1000 // fewer say too little
	sampleBlock  = 512  // battles that share a stream of random numbers
)

// pilotStream is the number of the pilot's stream; the blocks count from 0.
const pilotStream = 1<<64 - 1

// simulate plays many battles. Some battles first, which do not count, tell how many of them MaxSteps allows: a number
// that must not depend on the battles that count.
//
// Block i of battles has the generator PCG(seed, i). The result does not depend on the goroutine that plays it, and
// the sums are of whole numbers.
func (b Battle) simulate(ctx context.Context, reading Reading, o RandomOptions) (Distribution, error) {
	tooLong := &LimitError{fmt.Sprintf("simulating %d battles %v", leastSamples, b), o.MaxSteps}
	if perBattle := o.MaxSteps / leastSamples; b.Towers > min(perBattle, o.MemoryLimit/8) || b.Soldiers > perBattle {
		return Distribution{}, tooLong
	}
	pilot, steps := b.newArena(reading, o.Seed, pilotStream), int64(0)
	for range pilotSamples {
		_, spent, ok := pilot.play(o.MaxSteps / leastSamples)
		if !ok {
			return Distribution{}, tooLong
		}
		steps += spent
	}
	samples := min(o.Samples, o.MaxSteps/(steps/pilotSamples+1))
	if samples < min(leastSamples, o.Samples) {
		return Distribution{}, tooLong
	}
	found, err := b.playSamples(ctx, reading, o, samples)
	if err != nil {
		return Distribution{}, err
	}
	return b.estimate(ctx, reading, o, samples, found)
}

// playSamples counts how so many battles end.
func (b Battle) playSamples(ctx context.Context, reading Reading, o RandomOptions, samples int64) (map[outcomeKey]int64,
	error,
) {
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	blocks := (samples-1)/sampleBlock + 1
	workers = int(min(int64(workers), blocks, max(1, o.MemoryLimit/8/b.Towers)))
	var (
		found = map[outcomeKey]int64{}
		done  int64
		guard sync.Mutex // of both
		next  atomic.Int64
		group sync.WaitGroup
	)
	for range workers {
		group.Go(func() {
			counts := map[outcomeKey]int64{}
			for block := next.Add(1) - 1; block < blocks && ctx.Err() == nil; block = next.Add(1) - 1 {
				size := min(sampleBlock, samples-block*sampleBlock)
				arena := b.newArena(reading, o.Seed, uint64(block))
				for range size {
					key, _, _ := arena.play(0)
					counts[key]++
				}
				guard.Lock()
				done += size
				o.Progress(done, samples)
				guard.Unlock()
			}
			guard.Lock()
			defer guard.Unlock()
			for key, count := range counts {
				found[key] += count
			}
		})
	}
	group.Wait()
	return found, canceled.Cause(ctx)
}

// arena is where one battle after the other is played.
type arena struct {
	b       Battle
	reading Reading
	random  *rand.Rand
	towers  []int64 // hits left
}

func (b Battle) newArena(reading Reading, seed, stream uint64) *arena {
	return &arena{b, reading, rand.New(rand.NewPCG(seed, stream)), make([]int64, b.Towers)}
}

// play plays one battle and returns how it ends and how many steps it took, a shot or the setting up of a tower each.
// With a limit above 0 it gives up, ok = false, when a round would exceed it.
func (a *arena) play(limit int64) (end outcomeKey, steps int64, ok bool) {
	standing := a.towers
	for i := range standing {
		standing[i] = a.b.HitsPerTower
	}
	steps = a.b.Towers
	for soldiers, round := a.b.Soldiers, int64(1); ; round++ {
		if steps += soldiers; limit > 0 && steps > limit {
			return outcomeKey{}, steps, false
		}
		standing = a.volley(standing, soldiers)
		if len(standing) == 0 {
			return outcomeKey{round, Soldiers}, steps, true
		}
		kills := mul(a.b.KillsPerTower, int64(len(standing)))
		if !kills.less(wide(soldiers)) {
			return outcomeKey{round, Towers}, steps, true
		}
		soldiers -= int64(kills.low)
	}
}

// volley lets the soldiers fire and returns the towers that stand, in the same memory.
func (a *arena) volley(standing []int64, soldiers int64) []int64 {
	if a.reading == Sequential {
		for ; soldiers > 0 && len(standing) > 0; soldiers-- {
			at := a.random.IntN(len(standing))
			if standing[at]--; standing[at] == 0 {
				last := len(standing) - 1
				standing[at] = standing[last]
				standing = standing[:last]
			}
		}
		return standing
	}
	for range soldiers {
		standing[a.random.IntN(len(standing))]-- // below 0 is as good as 0
	}
	kept := standing[:0]
	for _, hits := range standing {
		if hits > 0 {
			kept = append(kept, hits)
		}
	}
	return kept
}

// outcomeKey is how a battle ends.
type outcomeKey struct {
	rounds int64
	winner Winner
}

func sortOutcomes(list []Outcome) {
	slices.SortFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Rounds, b.Rounds), cmp.Compare(a.Winner, b.Winner))
	})
}

// estimate turns counts into frequencies. The error is that of the context.
func (b Battle) estimate(ctx context.Context, reading Reading, o RandomOptions, samples int64,
	found map[outcomeKey]int64,
) (Distribution, error) {
	d := Distribution{Method: MonteCarlo, Samples: samples}
	wins := int64(0)
	for key, count := range found {
		d.Outcomes = append(d.Outcomes, Outcome{
			key.winner, key.rounds,
			Probability{Float: float64(count) / float64(samples)},
		})
		if key.winner == Soldiers {
			wins += count
		}
	}
	sortOutcomes(d.Outcomes)
	d.Win.Float = float64(wins) / float64(samples)
	d.Low, d.High = clopperPearson(wins, samples, 1-Confidence)
	// Chance does nothing that no play can do; without waste it can do all that the worst play does.
	if best, _, err := b.play(ctx, Greedy, o.MaxSteps); err == nil && best.Winner == Towers {
		d.High = 0
	}
	if worst, _, err := b.play(ctx, Fewest, o.MaxSteps); err == nil && reading == Sequential &&
		worst.Winner == Soldiers {
		d.Low = 1
	}
	d.Error = max(d.High-d.Win.Float, d.Win.Float-d.Low)
	return d, canceled.Cause(ctx)
}
