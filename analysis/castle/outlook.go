package castle

// Value is what best play of the soldiers makes of a state.
type Value struct {
	Winner Winner `json:"winner"` // Soldiers, Tie or Castle: who wins if the soldiers play as well as they can
	// Waves are the further waves: the fewest to a win of the soldiers, the most until the castle wins, 0 for a tie.
	Waves int64 `json:"waves"`
	// AtDefenders is an order that begins such a play. Of two that are as fast it is the one that brings more soldiers
	// home.
	AtDefenders int64 `json:"at_defenders"`
}

// ValueFrom returns what can be made of any undecided state of the battle, exactly, in O(log² n) time. The soldiers
// want to win, as fast as they can and then with as many alive as can be; if they cannot win, a tie; or else to hold
// out long.
//
// Two orders are enough to look at: to shoot at as many defenders as possible, or to bring the castle down now. For a
// win that is the argument of SoldiersFrom. For holding out it is the same: if the castle never falls, a shot at it is
// for nothing. If it falls in a wave in which the patient line could bring it down too, that line has had more shots in
// every wave, and leaves fewer defenders to more soldiers. And if the patient line could not, then whoever can has left
// so many defenders alive that nobody survives that wave.
func (b Battle) ValueFrom(s State) Value {
	s.mustBeIn(b)
	low, high := s.moves()
	best := b.after(s, high)
	if s.CastleHits <= s.Soldiers && low < high {
		if bold := b.after(s, low); bold.better(best) {
			best = bold
		}
	}
	return best
}

// after is the outlook of those who give an order in a state and play as well as they can afterwards.
func (b Battle) after(s State, atDefenders int64) Value {
	next, winner := b.step(s, atDefenders)
	switch {
	case winner == Tie:
		return Value{Tie, 0, atDefenders}
	case winner != Undecided:
		return Value{winner, 1, atDefenders}
	}
	if waves := b.soldiersFrom(next); waves > 0 {
		return Value{Soldiers, waves + 1, atDefenders}
	}
	if next.CastleHits > 0 && next.Soldiers == b.DefendersPerWave && next.Defenders == uint64(next.Soldiers) {
		return Value{Tie, 0, atDefenders}
	}
	return Value{Castle, b.resistanceFrom(next) + 1, atDefenders}
}

// better reports whether the soldiers would rather have one outlook than another.
func (o Value) better(other Value) bool {
	switch {
	case o.Winner != other.Winner:
		return o.rank() > other.rank()
	case o.Winner == Soldiers:
		return o.Waves < other.Waves
	}
	return o.Waves > other.Waves
}

// Worse reports whether the soldiers could win or tie before, and cannot do so any more.
func (o Value) Worse(before Value) bool { return o.rank() < before.rank() }

func (o Value) rank() int {
	switch o.Winner {
	case Soldiers:
		return 2
	case Tie:
		return 1
	default:
		return 0
	}
}

// resistanceFrom returns in how many waves the castle wins at the latest, from a state in which the soldiers can
// neither win nor hold for ever. From their second such wave on they are fewer than the defenders and no more than the
// fresh ones, so that each wave doubles by how many they are fewer.
func (b Battle) resistanceFrom(s State) int64 {
	if s.CastleHits == 0 {
		waves, _ := hunt(s.Soldiers, s.Defenders)
		return waves
	}
	longest := int64(0)
	for wave := int64(1); ; wave++ {
		if s.CastleHits <= s.Soldiers {
			longest = max(longest, wave+huntAfter(s))
		}
		next, winner := b.step(s, min(s.Soldiers, clampInt64(s.Defenders)))
		if winner != Undecided {
			return max(longest, wave)
		}
		s = next
	}
}

// huntAfter returns the further waves that soldiers who lose hold out once they have brought the castle down.
func huntAfter(s State) int64 {
	left := s.Defenders - uint64(s.Soldiers-s.CastleHits) // if all of them were shot, that would be a win
	if left >= uint64(s.Soldiers) {
		return 0
	}
	waves, _ := hunt(s.Soldiers-int64(left), left)
	return waves
}

// SafestStrategy returns the fastest win that MostSurvivors counts the soldiers of, or, when there is none, the line in
// which the soldiers hold out longest. It is the play that ValueFrom advises, equal waves in one stride.
func (b Battle) SafestStrategy() Strategy {
	if _, fall := b.MostSurvivors(); fall > 0 {
		return b.fallIn(fall)
	}
	return b.LongestResistance().Strategy()
}

// Fall is what comes of it if the castle falls in a certain wave, in the best line that there is for that: until then
// the soldiers shoot at defenders first, so that no other line has fewer dead or fewer defenders left.
type Fall struct {
	Wave int64  `json:"wave"`
	Hits int64  `json:"castle_hits"`    // what the castle can take when that wave begins
	Left uint64 `json:"defenders_left"` // the defenders who are left when it ends
	// Result is how the battle ends after it, where nobody has a choice.
	Result Result `json:"result"`
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
	// Put a first wave in front: N more hits. S + N does not overflow, see mustBeIn.
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
