package tower

import (
	"math"
	"math/bits"
)

// exactStepCost is how many steps of a floating-point chain a step with a fraction of one word takes.
const exactStepCost = 8

// chainCost says which chains are affordable.
type chainCost struct {
	exact, float bool
	steps        int64 // of the chain in floating point; 0 if it is not affordable
}

// pair is the soldiers and the standing towers at the start of a round.
type pair struct{ soldiers, towers int64 }

// span bounds the hits left of all towers, and the shots fired so far.
type span struct{ low, high, shots int64 }

func (s span) join(t span) span {
	return span{min(s.low, t.low), max(s.high, t.high), max(s.shots, t.shots)}
}

// chainCost bounds the work and the memory of the chains from above, by a walk over all pairs of soldiers and towers
// that may occur: cheap, as the multisets of hits are left out. It is a walk over possibly too many pairs, as of the
// hits only bounds are known.
func (b Battle) chainCost(reading Reading, o RandomOptions) chainCost {
	const groupCost = 100 // what a pair costs beside its shots, here and in the chain
	size := latticeSize(b.Towers, b.HitsPerTower, min(o.MaxSteps, 1<<30))
	degree := min(b.Towers, b.HitsPerTower) + 1
	// Hits of all towers fit in 62 bits: each of both is below the size of the lattice.
	if size > min(o.MaxSteps, 1<<30) || size*b.HitsPerTower > o.MaxSteps || size*degree > 1<<31-1 {
		return chainCost{}
	}
	float, exact := size*b.HitsPerTower, float64(size*b.HitsPerTower) // steps
	maxVectors, maxWords := 0, int64(0)
	all := b.Towers * b.HitsPerTower
	layer := map[pair]span{{b.Soldiers, b.Towers}: {all, all, 0}}
	for len(layer) > 0 {
		next := map[pair]span{}
		for at, hits := range layer {
			perShot := latticeSize(at.towers, b.HitsPerTower, size) * degree
			if at.soldiers > (o.MaxSteps-float)/perShot {
				return chainCost{}
			}
			steps := at.soldiers*perShot + groupCost
			words := int64(float64(hits.shots+at.soldiers)*bitsPerShot(reading, at.towers)/64) + 1
			float += steps
			// whole numbers: the order of the sum does not matter
			exact += float64(steps) * exactStepCost * float64(words)
			maxWords = max(maxWords, words)
			b.follow(reading, at, hits, next)
			if float > o.MaxSteps || int64(len(next)) > o.MaxSteps/groupCost {
				return chainCost{}
			}
		}
		maxVectors = max(maxVectors, armies(layer)+armies(next)+1)
		layer = next
	}
	lattice, vectors := float64(size*(degree*8+4)), float64(size)*float64(maxVectors)
	limit := float64(o.MemoryLimit)
	return chainCost{
		steps: float,
		exact: exact <= float64(o.MaxSteps) && lattice+vectors*float64(40+8*maxWords) <= limit,
		float: lattice+vectors*8 <= limit,
	}
}

// armies counts the different numbers of soldiers.
func armies(layer map[pair]span) int {
	seen := map[int64]bool{}
	for at := range layer {
		seen[at.soldiers] = true
	}
	return len(seen)
}

// bitsPerShot bounds by how many bits a shot at one of up to so many towers makes the common denominator longer.
func bitsPerShot(reading Reading, towers int64) float64 {
	if reading == Simultaneous {
		return float64(bits.Len64(uint64(towers)))
	}
	// The least common multiple of 1, ..., t is below e^(1.04 t), by Rosser and Schoenfeld.
	return 1.04 * math.Log2E * float64(towers)
}

// follow adds the pairs that may come after a round.
func (b Battle) follow(reading Reading, at pair, hits span, next map[pair]span) {
	low := hits.low - at.soldiers // at most one hit for each soldier
	fewest := max(0, at.towers-at.soldiers)
	if low > 0 {
		fewest = max(fewest, (low-1)/b.HitsPerTower+1)
	}
	for towers := max(1, fewest); towers <= at.towers; towers++ {
		kills := mul(b.KillsPerTower, towers)
		if !kills.less(wide(at.soldiers)) {
			break // the towers win, and with more towers too
		}
		high := hits.high - (at.towers - towers)
		if reading == Sequential || towers == at.towers {
			high = hits.high - at.soldiers // no shot can be wasted while no tower falls
		}
		high = min(high, towers*b.HitsPerTower)
		if high < towers {
			continue
		}
		to := pair{at.soldiers - int64(kills.low), towers}
		bounds := span{max(towers, low), high, hits.shots + at.soldiers}
		if known, ok := next[to]; ok {
			bounds = bounds.join(known)
		}
		next[to] = bounds
	}
}
