package castle

import (
	"testing"
)

// TestAgainstSearch compares every exact function with exhaustive search over the whole grid
// n <= 40, s <= 120, d <= 60 (in short mode n <= 16).
func TestAgainstSearch(t *testing.T) {
	limit := 40
	if testing.Short() {
		limit = 16
	}
	for d := 1; d <= 60; d++ {
		search := newNaiveSearch(d)
		for n := 1; n <= limit; n++ {
			for s := 1; s <= 120; s++ {
				compareWithSearch(t, search, n, s, d)
			}
		}
		if t.Failed() {
			return
		}
	}
}

func compareWithSearch(t *testing.T, search naiveSearch, n, s, d int) {
	t.Helper()
	want := search.battle(n, s)
	b := Battle{int64(n), int64(s), int64(d)}
	solution := b.Solve()
	if int(solution.MinWaves) != want.soldiers {
		t.Errorf("%v: soldiers win in %d waves, search says %d", b, solution.MinWaves, want.soldiers)
	}
	if got := b.MinWaves(); got != solution.MinWaves {
		t.Errorf("%v: MinWaves gives %d, Solve %d", b, got, solution.MinWaves)
	}
	if winner := naiveWinner(want); solution.Winner != winner {
		t.Errorf("%v: winner %v, search says %v", b, solution.Winner, winner)
	}
	if got := b.CastleMinWaves(); int(got) != want.castle {
		t.Errorf("%v: castle wins in %d waves, search says %d", b, got, want.castle)
	}
	if got, _ := b.MostSurvivors(); int(got) != want.survivors {
		t.Errorf("%v: %d soldiers can survive a fastest win, search says %d", b, got, want.survivors)
	}
	if want.soldiers == 0 && !want.tie {
		if got := b.LongestResistance(); int(got.Waves) != want.longest || got.Winner != Castle {
			t.Errorf("%v: soldiers hold out %d waves, %v wins; search says %d", b, got.Waves, got.Winner, want.longest)
		}
	}
}

func naiveWinner(answer naiveAnswer) Winner {
	switch {
	case answer.soldiers > 0:
		return Soldiers
	case answer.tie:
		return Tie
	default:
		return Castle
	}
}

// TestFromAnyState compares the answers from the middle of a battle with exhaustive search, in every state that
// small battles reach.
func TestFromAnyState(t *testing.T) {
	for d := 1; d <= 20; d++ {
		search := newNaiveSearch(d)
		for n := 1; n <= 14; n++ {
			search.battle(n, 40)
		}
		for state, want := range search.seen {
			b := Battle{14, 40, int64(d)}
			s := State{int64(state.soldiers), uint64(state.defenders), int64(state.hits)}
			if got := b.SoldiersFrom(s); int(got) != want.soldiers {
				t.Errorf("d = %d, %v: soldiers win in %d, search says %d", d, s, got, want.soldiers)
			}
			if got := b.CastleFrom(s); int(got) != want.castle {
				t.Errorf("d = %d, %v: castle wins in %d, search says %d", d, s, got, want.castle)
			}
		}
		if t.Failed() {
			return
		}
	}
}
