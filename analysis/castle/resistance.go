package castle

// Resistance is the longest that soldiers who cannot win can hold out.
type Resistance struct {
	Battle Battle
	Winner Winner // Castle, or Tie when they can hold for ever (d = n)
	Waves  int64  // the wave in which the castle wins; for a tie the wave that repeats
	fall   int64  // wave in which the soldiers bring the castle down, 0 for never
}

// LongestResistance returns how long soldiers who cannot win hold out at the most, exactly, in O(log n) time. Its Waves
// are 0 when the soldiers can win.
//
// While the castle stands, shooting defenders only loses the fewest soldiers at every wave; with e = d - n the wave t
// leaves e F(2t-2) defenders. A castle that falls sends no more of them, but its last hits cost shots, and the longer
// the soldiers wait the fewer of them are left to fire those: bring it down in wave 2, or never. Proof in
// docs/derivations/castle-side.md.
func (b Battle) LongestResistance() Resistance {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if c := b.Case(); c != Case2c && c != Case2d {
		return Resistance{Battle: b}
	}
	if d == n {
		return Resistance{Battle: b, Winner: Tie, Waves: 2}
	}
	never := b.Play(DefendersFirst).Waves
	resistance := Resistance{Battle: b, Winner: Castle, Waves: never}
	if x := uint64(s-n) + uint64(d-n); s-n < n && x < uint64(n) {
		if waves, _ := hunt(n-int64(x), x); 2+waves > never {
			resistance.Waves, resistance.fall = 2+waves, 2
		}
	}
	return resistance
}

// Strategy returns the soldiers' orders in a line that holds out longest.
func (r Resistance) Strategy() Strategy {
	if r.fall == 0 {
		return DefendersFirst
	}
	return r.Battle.fallIn(r.fall)
}
