package tower

import (
	"slices"
	"testing"
)

// TestClaimC: the post reduces a whole ratio r of soldiers to towers, below the hits h of a tower, to the case of equal
// numbers, where the towers win. It forgets the damage that is carried over: 4 soldiers who spread evenly over 2 towers
// of 3 hits win in round 2. All towers stay equal, each gets r + (r-k) + (r-2k) + ... shots, so the soldiers win
// exactly when this sum reaches h; for k = 1 when h <= r(r+1)/2.
func TestClaimC(t *testing.T) {
	if r := mustPlay(t, Battle{4, 3, 1, 2}, Even); r.Winner != Soldiers || r.Rounds != 2 {
		t.Errorf("%+v", r)
	}
	for ratio := int64(1); ratio <= 12; ratio++ {
		for h := ratio + 1; h <= 90; h++ {
			for k := int64(1); k <= 4; k++ {
				shots := int64(0)
				for each := ratio; each > 0; each -= k {
					shots += each
				}
				for towers := int64(1); towers <= 4; towers++ {
					b := Battle{ratio * towers, h, k, towers}
					if r := mustPlay(t, b, Even); (r.Winner == Soldiers) != (shots >= h) {
						t.Errorf("%v: %+v, %d shots at each", b, r, shots)
					}
				}
			}
		}
	}
}

// TestWholeRatio: where the towers divide the soldiers, all towers stay equal, Even is Fewest, and n/t soldiers against
// one tower tell how it ends.
func TestWholeRatio(t *testing.T) {
	for ratio := int64(1); ratio <= 12; ratio++ {
		for h := int64(1); h <= 40; h++ {
			for k := int64(1); k <= 4; k++ {
				one := mustPlay(t, Battle{ratio, h, k, 1}, Even)
				for towers := int64(2); towers <= 6; towers++ {
					even, fewest := mustPlay(t, Battle{ratio * towers, h, k, towers}, Even), mustPlay(t,
						Battle{ratio * towers, h, k, towers}, Fewest)
					if even != fewest || even.Winner != one.Winner || even.Rounds != one.Rounds {
						t.Fatalf("%v: %+v, fewest %+v, one tower %+v", Battle{ratio * towers, h, k, towers}, even,
							fewest, one)
					}
				}
			}
		}
	}
}

// TestEvenIsNotFewest: soldiers left over who fire at the same towers in every round destroy one that Fewest lets live.
// With 3 soldiers against 2 towers of 3 hits, Even gives 2 and 1 shots, and the last soldier destroys the weaker tower.
func TestEvenIsNotFewest(t *testing.T) {
	b := Battle{3, 3, 1, 2}
	even, fewest := mustPlay(t, b, Even), mustPlay(t, b, Fewest)
	if even.Winner != Towers || even.TowersLeft != 1 || fewest.Winner != Towers || fewest.TowersLeft != 2 {
		t.Errorf("even %+v, fewest %+v", even, fewest)
	}
	// It can win where Fewest loses, and, as it wastes shots, lose where Fewest wins.
	for b, want := range map[Battle]Winner{{5, 5, 1, 2}: Soldiers, {9, 6, 3, 2}: Towers} {
		if even, fewest := mustPlay(t, b, Even), mustPlay(t, b, Fewest); even.Winner != want ||
			even.Winner == fewest.Winner {
			t.Errorf("%v: even ends with %v, fewest with %v", b, even.Winner, fewest.Winner)
		}
	}
}

// TestEvenWithTheStrongestInFront: if the soldiers left over fired at the towers with the most hits, Even would be
// Fewest.
func TestEvenWithTheStrongestInFront(t *testing.T) {
	for n := int64(1); n <= 40; n++ {
		for towers := int64(1); towers <= 6; towers++ {
			for h := int64(1); h <= 9; h++ {
				b := Battle{n, h, 1 + n%3, towers}
				s, winner := naiveStart(b), Undecided
				for round := range b.Rounds(Fewest) {
					if round.Number > 0 {
						shots := naiveEven(s)
						slices.Reverse(shots) // the towers are in increasing order
						s, _, winner = naiveFire(s, shots, int(b.KillsPerTower))
					}
					if round.Winner != winner || round.State.Soldiers != int64(s.soldiers) ||
						!slices.Equal(hitsOf(round.State), s.towers) {
						t.Fatalf("%v: Fewest %+v, dealt %v", b, round, s)
					}
				}
			}
		}
	}
}

// canLose says whether the soldiers can lose the battle by some play, or by one that destroys the fewest towers in
// every round.
func canLose(b Battle, fewest bool) bool {
	seen := map[string]bool{}
	var search func(s naiveState) bool
	search = func(s naiveState) bool {
		key := s.key()
		if lost, ok := seen[key]; ok {
			return lost
		}
		most := 0 // towers that stand after the round
		naiveDeals(s, true, func(shots []int) {
			next, _, _ := naiveFire(s, shots, int(b.KillsPerTower))
			most = max(most, len(next.towers))
		})
		lost := false
		naiveDeals(s, true, func(shots []int) {
			next, _, winner := naiveFire(s, shots, int(b.KillsPerTower))
			if !lost && (!fewest || len(next.towers) == most) {
				lost = winner == Towers || winner == Undecided && search(next)
			}
		})
		seen[key] = lost
		return lost
	}
	return search(naiveStart(b))
}
