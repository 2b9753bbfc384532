package castle

import "fmt"

// Resistance is the longest that soldiers who cannot win can hold out.
type Resistance struct {
	Battle Battle
	Winner Winner // Castle, or Tie when they can hold for ever (d = n)
	Waves  int64  // the wave in which the castle wins; for a tie the wave that repeats
}

// LongestResistance returns how long soldiers who cannot win hold out at the most, exactly, in O(log n) time. Its Waves
// are 0 when the soldiers can win.
//
// While the castle stands, shooting defenders only loses the fewest soldiers at every wave; with e = d - n the wave t
// leaves e F(2t-2) defenders. A castle that falls sends no more of them, but its last hits cost shots, and the longer
// the soldiers wait the fewer of them are left to fire those: bring it down in wave 2, or never. Proof in
// docs/derivations/castle-side.md.
func (b Battle) LongestResistance() Resistance {
	if c := b.Case(); c != Case2c && c != Case2d {
		return Resistance{Battle: b}
	}
	if b.DefendersPerWave == b.Soldiers {
		return Resistance{Battle: b, Winner: Tie, Waves: 2}
	}
	never, fallInSecond := b.resistances()
	return Resistance{Battle: b, Winner: Castle, Waves: max(never, fallInSecond)}
}

// resistances returns for a battle that the soldiers lose how long they hold out if the castle never falls, and if it
// falls in wave 2, which is 0 if it cannot.
func (b Battle) resistances() (never, fallInSecond int64) {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if x := uint64(s-n) + uint64(d-n); s-n < n && x < uint64(n) {
		waves, _ := hunt(n-int64(x), x)
		fallInSecond = 2 + waves
	}
	return b.Play(DefendersFirst).Waves, fallInSecond
}

// Strategy returns the soldiers' orders in a line that holds out longest. It panics if they can win.
func (r Resistance) Strategy() Strategy {
	switch longest := r.Battle.LongestResistance(); longest.Winner {
	case Undecided:
		refuse(fmt.Errorf("battle %v: the soldiers can win it, look at Waves before", r.Battle))
	case Castle:
		if never, fallInSecond := r.Battle.resistances(); fallInSecond > never {
			return r.Battle.fallIn(2)
		}
	}
	return DefendersFirst
}
