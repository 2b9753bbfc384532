package castle

func init() {
	const law = "(s − n)/(n − d) + O(log n) if d < n, else O(log n)"
	registerHeuristic(Algorithm{
		Name: "castle-first", Title: "castle first", Source: "Castle Defense I, attackCastle", Cost: Cost{Law: law},
		row: castleFirstRow,
	}, CastleFirst)
	registerHeuristic(Algorithm{
		Name: "defenders-first", Title: "defenders first", Source: "Castle Defense I, attackDefenders", Cost: Cost{Law: law},
		row: defendersFirstRow,
	}, DefendersFirst)
}

// CastleFirst is the first heuristic of the posts, attackCastle. Soldiers who can finish the castle in this wave do,
// and the rest of them shoot at defenders; else, when they outnumber the defenders, they shoot all defenders and
// hit the castle with what remains; else all hit the castle.
//
// Source: Castle Defense I. It picks the wrong side, for instance, on (10, 43, 8), and takes too many waves on (13, 23,
// 11).
func CastleFirst(_ int64, s State) Orders {
	s.must()
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
	s.must()
	return Orders{AtDefenders: min(s.Soldiers, clampInt64(s.Defenders)), Waves: 1<<63 - 1}
}

// castleFirstRow plays the battles of a row by CastleFirst. After wave 1 the castle has s - n hits. While these are
// more than n, each wave takes n - d of them and no soldier; soldiers who do not outnumber the defenders lose all at
// once. In the wave after, the castle falls, and a hunt follows for those whom the spare soldiers have not shot.
func castleFirstRow(b Battle, waves []int64) {
	n, d := b.Soldiers, b.DefendersPerWave
	gain := n - d
	for i := range waves {
		hits := b.CastleHits + int64(i) - n
		switch {
		case hits <= 0:
			waves[i] = 1
		case hits > n && gain <= 0:
			waves[i] = 0
		case hits > n && int64(i) >= gain:
			waves[i] = winsIn(waves[int64(i)-gain]+1, waves[int64(i)-gain] > 0) // a wave more than with gain hits fewer
		default:
			waiting := int64(0)
			if hits > n {
				waiting = ceilDiv(hits-n, gain)
			}
			k, ok := cleanup(n, uint64(max(0, d-(n-(hits-waiting*gain)))))
			waves[i] = winsIn(2+waiting+k, ok)
		}
	}
}

// defendersFirstRow plays the battles of a row by DefendersFirst: after wave 1 every wave takes n - d hits from the
// castle, and if that is nothing, it never falls.
func defendersFirstRow(b Battle, waves []int64) {
	n, gain := b.Soldiers, b.Soldiers-b.DefendersPerWave
	for i := range waves {
		switch hits := b.CastleHits + int64(i) - n; {
		case hits <= 0:
			waves[i] = 1
		case gain <= 0:
			waves[i] = 0
		default:
			waves[i] = 1 + ceilDiv(hits, gain)
		}
	}
}
