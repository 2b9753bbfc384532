package castle

import "fmt"

// State is a moment between two waves: what the posts list at the end of one wave and the start of the next.
//
// Defenders counts all that stand in the field, those left over and the fresh ones. It is the only quantity
// that can outgrow int64: up to n-1 left over join up to 2^63-1 fresh ones, so it is unsigned.
type State struct {
	Soldiers   int64
	Defenders  uint64
	CastleHits int64
}

// String returns "S=10 D=15 C=1".
func (s State) String() string {
	return fmt.Sprintf("S=%d D=%d C=%d", s.Soldiers, s.Defenders, s.CastleHits)
}

// Moves returns the orders that are legal in the state: the number i of soldiers that shoot at defenders may be any
// of low..high, the other soldiers shoot at the castle. Legal means 0 <= i <= min(S, D), and no wasted
// shot: the castle gets more shots than it can take only if no defender is left to shoot, i = D.
//
// A legal order always exists. Moves panics unless the state is undecided (soldiers alive, castle or defenders left).
func (s State) Moves() (low, high int64) {
	s.must()
	return s.moves()
}

func (s State) moves() (low, high int64) {
	high = min(s.Soldiers, clampInt64(s.Defenders))
	// S - i <= C, unless i = D: when even that wastes shots, i = D is the one order left.
	return min(max(0, s.Soldiers-s.CastleHits), high), high
}

// Step plays one wave: atDefenders of the soldiers shoot one defender each, the others hit the castle, then each
// defender left kills a soldier, then a castle that still stands sends out its defenders.
//
// It returns the state at the end of the wave and who has won. When the castle wins, no soldier is counted
// as less than none and no fresh defenders are sent, which is how the posts list a lost battle. Tie is
// returned when the wave changed nothing. Step is the whole of the rules; all else in this package goes through it or
// is tested against it.
//
// Step panics unless the battle is valid, the state undecided, and the order one of s.Moves().
func (b Battle) Step(s State, atDefenders int64) (State, Winner) {
	b.must()
	s.must()
	refuse(s.illegal(atDefenders))
	return b.step(s, atDefenders)
}

// illegal returns an error unless an order is one of s.Moves().
func (s State) illegal(atDefenders int64) error {
	if low, high := s.moves(); atDefenders < low || atDefenders > high {
		return fmt.Errorf("%d of the soldiers cannot shoot at defenders in %v: legal is %d to %d",
			atDefenders, s, low, high)
	}
	return nil
}

// step is Step of a legal order.
func (b Battle) step(s State, atDefenders int64) (State, Winner) {
	left := s.Defenders - uint64(atDefenders)
	hits := max(0, s.CastleHits-(s.Soldiers-atDefenders))
	if hits == 0 && left == 0 {
		return State{Soldiers: s.Soldiers}, Soldiers
	}
	if left >= uint64(s.Soldiers) {
		return State{Defenders: left, CastleHits: hits}, Castle
	}
	next := State{Soldiers: s.Soldiers - int64(left), Defenders: left, CastleHits: hits}
	if hits > 0 {
		next.Defenders += uint64(b.DefendersPerWave) // at most 2^64 - 3: left < n
	}
	if next == s {
		return next, Tie
	}
	return next, Undecided
}

func clampInt64(u uint64) int64 {
	return int64(min(u, 1<<63-1))
}
