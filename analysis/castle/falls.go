package castle

// Fall is what comes of it if the castle falls in a certain wave, in the best line that there is for that: until then
// the soldiers shoot at defenders first, so that no other line has fewer dead or fewer defenders left.
type Fall struct {
	Wave int64
	Hits int64  // what the castle can take when that wave begins
	Left uint64 // the defenders who are left when it ends
	// Result is how the battle ends after it, where nobody has a choice.
	Result Result
}

// Falls returns the first and the last wave in which the castle can fall if the soldiers shoot at defenders first until
// then; it can fall in each wave between them. Both are 0 if it cannot fall. With [Battle.FallIn] for each of them,
// that is all that soldiers can choose: the fewest waves are those of one of these falls, if one of them is won.
//
// O(log n) time, exact for every valid battle.
func (b Battle) Falls() (first, last int64) {
	b.must()
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if s <= n {
		return 1, 1
	}
	if d < n {
		// Each wave of waiting takes n - d hits. The last wave is that in which the castle falls although all defenders
		// are shot.
		gain := n - d
		return 2 + max(0, ceilDiv(s-n-n, gain)), 1 + ceilDiv(s-n, gain)
	}
	// The castle keeps its hits, and the soldiers grow fewer by φ² a wave, or nothing ever changes.
	state, winner := b.step(b.start(), 0)
	for wave := int64(2); winner == Undecided && state.CastleHits <= state.Soldiers; wave++ {
		first, last = 2, wave
		state, winner = b.step(state, DefendersFirst(wave, state).AtDefenders)
	}
	return first, last
}

// FallIn returns what comes of a fall in a wave; ok is false if the castle cannot fall then, see [Battle.Falls].
// O(log n) time.
func (b Battle) FallIn(wave int64) (fall Fall, ok bool) {
	before := b.Start()
	for run := range b.Runs(b.fallIn(wave)) {
		falls := before.CastleHits > 0 && run.End.CastleHits == 0
		switch {
		case falls && run.Last == wave:
			fall = Fall{Wave: wave, Hits: before.CastleHits, Left: run.End.Defenders}
			ok = true
		case falls || run.Last >= wave && !ok:
			return Fall{}, false
		}
		before = run.End
		fall.Result = Result{run.Winner, run.Last, run.End.Soldiers}
	}
	if !ok {
		return Fall{}, false
	}
	return fall, true
}
