package castle

func init() {
	registerHeuristic(Algorithm{
		Name: "even-split", Title: "even split", Source: "nowhere: a plan for a test",
		Cost: Cost{Law: "no more than s and a hunt"},
	}, EvenSplit)
}

// EvenSplit sends every other soldier against the defenders, as far as there are so many and no shot is wasted.
func EvenSplit(_ int64, s State) Orders {
	low, high := s.Moves()
	return Orders{AtDefenders: min(max(s.Soldiers/2, low), high)}
}
