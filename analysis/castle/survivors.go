package castle

// MostSurvivors returns the most soldiers that can be alive after a fastest win, and the wave in which that win brings
// the castle down. Both are 0 when the soldiers cannot win. O(log² n) time, exact for every valid battle.
//
// Bringing the castle down later leaves fewer defenders and never makes the hunt longer, so among the fastest wins
// the one with the latest fall loses the fewest soldiers (docs/derivations/castle-soldiers.md). It is at most k(x)
// waves after the one that Solve returns.
func (b Battle) MostSurvivors() (soldiers, fall int64) {
	solution := b.Solve()
	if solution.Winner != Soldiers {
		return 0, 0
	}
	n, d := b.Soldiers, b.DefendersPerWave
	fall, left := solution.FallWave, solution.DefendersLeft
	if solution.Case == Case2a {
		// The waves of the fall that give a fastest win are consecutive, so the first that does not ends the search.
		for later, x := fall, left; x > 0; {
			later, x = later+1, x-min(x, uint64(n-d))
			if k, _ := cleanup(n, x); later+k != solution.MinWaves {
				break
			}
			fall, left = later, x
		}
	}
	return afterHunt(n, left), fall
}

// afterHunt returns the soldiers alive after n of them are rid of the x defenders that the fall of the castle left.
func afterHunt(n int64, x uint64) int64 {
	soldiers := n - int64(x)
	for defenders := x; defenders > uint64(soldiers); {
		defenders -= uint64(soldiers)
		soldiers -= int64(defenders)
	}
	return soldiers
}
