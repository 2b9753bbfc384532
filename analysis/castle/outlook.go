package castle

// Value is what best play of the soldiers makes of a state.
type Value struct {
	Winner Winner // Soldiers, Tie or Castle: who wins if the soldiers play as well as they can
	// Waves are the further waves: the fewest to a win of the soldiers, the most until the castle wins, 0 for a tie.
	Waves int64
	// AtDefenders is an order that begins such a play. Of two that are as fast it is the one that brings more soldiers
	// home.
	AtDefenders int64
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
