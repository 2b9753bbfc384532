package castle

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/phi"
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

// TestNames reads every value of every set back from its text, and expects an error that names what is none and the
// choices.
func TestNames(t *testing.T) {
	checkNames(t, Winners(), Winner(9), "undecided, soldiers, castle, tie")
	checkNames(t, Cases(), Case(-1), "1, 2a, 2b, 2c, 2d")
	checkNames(t, Conventions(), Convention(-1), "complete, printed")
	checkNames(t, Verdicts(), Verdict(5), "right, wrong_side, too_many, too_few, no_answer")
	checkNames(t, Questions(), Question(4), "soldiers_fewest, castle_fewest, plays_line, counts_ways")
	checkNames(t, Kinds(), Kind(4), "exact, heuristic, formula, check")
}

func checkNames[T interface {
	comparable
	fmt.Stringer
	encoding.TextMarshaler
}, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, all []T, none T, choices string) {
	t.Helper()
	for _, want := range all {
		text, err := json.Marshal(want)
		got := none
		if err == nil {
			err = json.Unmarshal(text, P(&got))
		}
		if err != nil || got != want || string(text) != `"`+want.String()+`"` {
			t.Errorf("%v: %s is read as %v, %v", want, text, got, err)
		}
	}
	if text, err := none.MarshalText(); err == nil || !strings.Contains(err.Error(), choices) {
		t.Errorf("%v marshals as %q, %v", none, text, err)
	}
	got := all[1]
	err := P(&got).UnmarshalText([]byte("Soldier"))
	if got != all[1] || err == nil || !strings.Contains(err.Error(), `"Soldier"`) ||
		!strings.Contains(err.Error(), choices) {
		t.Errorf("%T: %v, %v", got, got, err)
	}
	if text := fmt.Sprint(none); !strings.Contains(text, "(") {
		t.Errorf("a value without a name is %q", text)
	}
}

// TestHuntLimits plays the hunts on both sides of each limit.
func TestHuntLimits(t *testing.T) {
	armies := []int64{math.MaxInt64, math.MaxInt64 - 1, 1 << 62, 1e18}
	for n := int64(1); n <= 200; n++ {
		armies = append(armies, n)
	}
	for k := 60; k <= 92; k++ { // the longest hunts
		armies = append(armies, int64(phi.Fib(k)), int64(phi.Fib(k))-1)
	}
	within := func(n, x, k int64, side Winner) bool {
		switch {
		case x <= 0:
			return side == Soldiers
		case x >= n:
			return side == Castle
		}
		waves, winner := hunt(n-x, uint64(x))
		return winner == side && waves <= k
	}
	for _, n := range armies {
		for k := range int64(50) {
			won, lost := HuntBounds(n, k)
			if !within(n, won, k, Soldiers) || within(n, won+1, k, Soldiers) {
				t.Fatalf("n = %d, k = %d: won with up to %d left", n, k, won)
			}
			if !within(n, lost, k, Castle) || within(n, lost-1, k, Castle) {
				t.Fatalf("n = %d, k = %d: lost with %d left or more", n, k, lost)
			}
			if k >= longestHunt && lost != won+1 {
				t.Fatalf("n = %d, k = %d: still open between %d and %d", n, k, won, lost)
			}
		}
	}
}
