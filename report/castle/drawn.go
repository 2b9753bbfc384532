package castle

import game "github.com/siegebook/siegebook/analysis/castle"

// drawnWin returns the probability that soldiers win who draw the order for each wave from all legal ones, with the
// same chance for each. A battle that ties is not won.
func drawnWin(b game.Battle) float64 {
	known := map[game.State]float64{}
	var win func(s game.State) float64
	win = func(s game.State) float64 {
		p, ok := known[s]
		if ok {
			return p
		}
		low, high := s.Moves()
		for move := low; move <= high; move++ {
			switch next, winner := b.Step(s, move); winner {
			case game.Soldiers:
				p++
			case game.Undecided:
				p += win(next)
			}
		}
		p /= float64(high - low + 1)
		known[s] = p
		return p
	}
	return win(b.Start())
}
