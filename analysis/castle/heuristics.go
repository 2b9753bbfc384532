package castle

func init() {
	const law = "(s − n)/(n − d) and a hunt of O(log n) if d < n, else O(log n)"
	registerHeuristic(Algorithm{Name: "castle-first", Title: "castle first", Source: "Castle Defense I, attackCastle", Cost: Cost{Law: law}}, CastleFirst)
	registerHeuristic(Algorithm{Name: "defenders-first", Title: "defenders first", Source: "Castle Defense I, attackDefenders", Cost: Cost{Law: law}}, DefendersFirst)
}

// CastleFirst is the first heuristic of the posts, attackCastle. Soldiers who can finish the castle in this wave do,
// and the rest of them shoot at defenders; else, when they outnumber the defenders, they shoot all defenders and
// hit the castle with what remains; else all hit the castle.
//
// Source: Castle Defense I. It picks the wrong side, for instance, on (10, 43, 8), and takes too many waves on (13, 23,
// 11).
func CastleFirst(_ int64, s State) Orders {
	switch {
	case s.CastleHits <= s.Soldiers:
		return Orders{AtDefenders: min(s.Soldiers-s.CastleHits, clampInt64(s.Defenders))}
	case uint64(s.Soldiers) > s.Defenders:
		// Stays in force until no more than S hits are left, which the next wave must see.
		waves := (s.CastleHits - s.Soldiers - 1) / (s.Soldiers - int64(s.Defenders))
		return Orders{AtDefenders: int64(s.Defenders), Waves: waves + 1}
	default:
		return Orders{}
	}
}

// DefendersFirst is the second heuristic of the posts, attackDefenders: shoot as many defenders as possible, and hit
// the castle with what remains. It ties exactly when d = n < s.
//
// Source: Castle Defense I. It picks the wrong side, for instance, on (10, 11, 15).
func DefendersFirst(_ int64, s State) Orders {
	return Orders{AtDefenders: min(s.Soldiers, clampInt64(s.Defenders)), Waves: 1<<63 - 1}
}
