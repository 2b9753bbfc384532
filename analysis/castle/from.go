package castle

// SoldiersFrom returns the fewest further waves in which the soldiers can win from any undecided state of
// the battle, or 0 if they cannot. O(log² n) time; it is what lets the search for paths enter only branches that
// lead somewhere.
//
// The argument is that of MinWaves: as long as the castle stands, shooting defenders first keeps the most
// soldiers at every wave, so only the wave of its fall has to be chosen.
func (b Battle) SoldiersFrom(s State) int64 {
	s.mustBeIn(b)
	return b.soldiersFrom(s)
}

func (b Battle) soldiersFrom(s State) int64 {
	if s.CastleHits == 0 {
		waves, winner := hunt(s.Soldiers, s.Defenders)
		return winsIn(waves, winner == Soldiers)
	}
	best := int64(0)
	for wave := int64(1); best == 0 || wave < best; wave++ {
		if s.Defenders == 0 || s.Defenders == uint64(b.DefendersPerWave) && b.DefendersPerWave < s.Soldiers {
			// As in the second wave (or the first) of a battle of its own.
			return earlier(best, wave, b.steadyFrom(s))
		}
		if s.CastleHits <= s.Soldiers {
			spare := uint64(s.Soldiers - s.CastleHits)
			if s.Defenders <= spare {
				return wave
			}
			if k, ok := cleanup(s.Soldiers, s.Defenders-spare); ok {
				best = earlier(best, wave, k+1)
			}
		}
		next, winner := b.step(s, min(s.Soldiers, clampInt64(s.Defenders)))
		if winner != Undecided {
			return best // Soldiers cannot be: that is the fall without defenders left, above
		}
		s = next
	}
	return best
}

// steadyFrom solves a state with no soldier in danger: no defenders yet, or just the fresh ones, fewer than the
// soldiers.
func (b Battle) steadyFrom(s State) int64 {
	if s.Defenders == 0 {
		return Battle{s.Soldiers, s.CastleHits, b.DefendersPerWave}.MinWaves()
	}
	if s.CastleHits <= s.Soldiers-int64(s.Defenders) {
		return 1
	}
	// Put a first wave in front: S more hits. C + S does not overflow, see mustBeIn.
	return Battle{s.Soldiers, s.CastleHits + s.Soldiers, b.DefendersPerWave}.MinWaves() - 1
}

// earlier returns the smaller of best and the wave that lies more - 1 waves after wave, where 0 means never.
func earlier(best, wave, more int64) int64 {
	if more == 0 {
		return best
	}
	if total := wave + more - 1; best == 0 || total < best {
		return total
	}
	return best
}

func winsIn(waves int64, wins bool) int64 {
	if !wins {
		return 0
	}
	return waves
}

// CastleFrom returns the fewest further waves in which the castle can win from any undecided state of the battle, under
// the no-waste rule, or 0 if it cannot. The time is that of the waves that everybody can shoot at the castle,
// O(√(n/d)), and O(log² n) beyond. See FastestCastleWin.
func (b Battle) CastleFrom(s State) int64 {
	s.mustBeIn(b)
	return b.castleFrom(s)
}

func (b Battle) castleFrom(s State) int64 {
	if s.CastleHits == 0 {
		waves, winner := hunt(s.Soldiers, s.Defenders)
		return winsIn(waves, winner == Castle)
	}
	waves, _ := b.thrifty(s)
	return waves
}
