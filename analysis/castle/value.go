package castle

// Value describes what the soldiers' best play reaches from a state.
type Value struct {
	Winner Winner `json:"winner"` // Soldiers, Tie or Castle: who wins if the soldiers play as well as they can
	// Waves is the number of further waves: the fewest until the soldiers win, or the most until the castle wins, or 0
	// for a tie.
	Waves int64 `json:"waves"`
	// AtDefenders is the first order of such a play. If two orders are equally fast, it is the order with more
	// survivors.
	AtDefenders int64 `json:"at_defenders"`
}

// ValueFrom returns what the soldiers can reach from an undecided state of the battle, exactly, in O(log² n) time. They
// prefer the fastest win, and among the fastest the win with the most survivors. If they cannot win, they prefer a
// tie. Otherwise they hold out as long as they can.
//
// It compares two orders: to shoot at as many defenders as possible, and to bring the castle down now. No other order
// is better: see docs/derivations/castle-soldiers.md for wins, and Lemma 7 of docs/derivations/castle-side.md for
// holding out.
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

// after returns the value of an order: the soldiers give it in the state and play as well as they can afterwards.
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

// better reports whether the soldiers prefer o to other.
func (o Value) better(other Value) bool {
	switch {
	case o.Winner != other.Winner:
		return o.rank() > other.rank()
	case o.Winner == Soldiers:
		return o.Waves < other.Waves
	}
	return o.Waves > other.Waves
}

// Worse reports whether the soldiers could win or tie before and no longer can.
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

// resistanceFrom returns the most waves until the castle wins, from a state in which the soldiers can neither win nor
// hold out for ever. From the second such wave on there are fewer soldiers than defenders, and each wave doubles the
// difference.
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

// huntAfter returns how many further waves losing soldiers hold out after they have brought the castle down.
func huntAfter(s State) int64 {
	left := s.Defenders - uint64(s.Soldiers-s.CastleHits) // at least 1: with 0 the soldiers would have won
	if left >= uint64(s.Soldiers) {
		return 0
	}
	waves, _ := hunt(s.Soldiers-int64(left), left)
	return waves
}

// SafestStrategy returns the fastest win whose survivors MostSurvivors counts, or, if there is none, the line in which
// the soldiers hold out longest. It plays as ValueFrom advises, and plays equal waves in one stride.
func (b Battle) SafestStrategy() Strategy {
	if _, fall := b.MostSurvivors(); fall > 0 {
		return b.fallIn(fall)
	}
	return b.LongestResistance().Strategy()
}

// Fall describes the best line in which the castle falls in a given wave. Until then the soldiers shoot at defenders
// first: no other line has fewer dead or fewer defenders left.
type Fall struct {
	Wave int64  `json:"wave"`
	Hits int64  `json:"castle_hits"`    // the hits that the castle can take when this wave begins
	Left uint64 `json:"defenders_left"` // the number of defenders left when this wave ends
	// Result describes how the battle ends after the fall, when nobody has a choice any more.
	Result Result `json:"result"`
}

// Falls returns the first and the last wave in which the castle can fall if the soldiers shoot at defenders first until
// then. It can fall in each wave between them. Both are 0 if it cannot fall. No other plan is faster: if the soldiers
// win after one of these falls ([Battle.FallIn]), then one of these falls takes the fewest waves.
//
// Falls is exact for every valid battle and takes O(log n) time.
func (b Battle) Falls() (first, last int64) {
	b.must()
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if s <= n {
		return 1, 1
	}
	if d < n {
		// Each wave of waiting takes n - d hits. In the last possible wave the castle falls although all defenders are
		// shot.
		gain := n - d
		return 2 + max(0, ceilDiv(s-n-n, gain)), 1 + ceilDiv(s-n, gain)
	}
	// The castle keeps its hits. The losses grow by a factor of φ² with each wave, or nothing changes.
	state, winner := b.step(b.start(), 0)
	for wave := int64(2); winner == Undecided && state.CastleHits <= state.Soldiers; wave++ {
		first, last = 2, wave
		state, winner = b.step(state, DefendersFirst(wave, state).AtDefenders)
	}
	return first, last
}

// FallIn returns the line in which the castle falls in the given wave, in O(log n) time; ok is false if it cannot fall
// then (see [Battle.Falls]).
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

// SoldiersFrom returns the fewest further waves in which the soldiers can win from an undecided state of the battle, or
// 0 if they cannot, in O(log² n) time. The search for paths calls it to enter only branches that lead to a win.
//
// As for MinWaves, shooting defenders first keeps the most soldiers alive in every wave while the castle stands, so
// only the wave of its fall has to be chosen.
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
			// The rest of the battle is like a separate battle that continues from its first or second wave.
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
			return best // the castle wins: the soldiers' win by a fall without defenders left was handled above
		}
		s = next
	}
	return best
}

// steadyFrom returns SoldiersFrom for a state in which no soldier is in danger: there are no defenders yet, or only
// fresh defenders, and fewer of them than soldiers.
func (b Battle) steadyFrom(s State) int64 {
	if s.Defenders == 0 {
		return Battle{s.Soldiers, s.CastleHits, b.DefendersPerWave}.MinWaves()
	}
	if s.CastleHits <= s.Soldiers-int64(s.Defenders) {
		return 1
	}
	// Put a first wave before it, with N more hits. S + N does not overflow (see mustBeIn).
	return Battle{s.Soldiers, s.CastleHits + s.Soldiers, b.DefendersPerWave}.MinWaves() - 1
}

// earlier returns the smaller of best and wave + more - 1. In best and more, 0 means never.
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

// CastleFrom returns the fewest further waves in which the castle can win from an undecided state of the battle if no
// shot is wasted, or 0 if it cannot. It takes a step for each of the O(√(n/d)) waves in which everybody can shoot at
// the castle, and then O(log² n) steps. See FastestCastleWin.
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
