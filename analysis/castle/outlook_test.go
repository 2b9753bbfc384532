package castle

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestOutlook compares what is said of every state that small battles reach with exhaustive search, and so what its
// order leads to.
func TestOutlook(t *testing.T) {
	for d := 1; d <= 20; d++ {
		search := newNaiveSearch(d)
		for n := 1; n <= 14; n++ {
			search.battle(n, 40)
		}
		b := Battle{14, 40, int64(d)}
		for state, want := range search.seen {
			s := State{int64(state.soldiers), uint64(state.defenders), int64(state.hits)}
			got := b.ValueFrom(s)
			if waves := outlookWaves(want); got.Winner != naiveWinner(want) || int(got.Waves) != waves {
				t.Fatalf("d = %d, %v: %+v, search says %v in %d", d, s, got, naiveWinner(want), waves)
			}
			if survivors := advised(b, s); survivors != want.survivors {
				t.Fatalf("d = %d, %v: who follows the advice has %d soldiers left, search says %d", d, s, survivors,
					want.survivors)
			}
		}
	}
}

// outlookWaves is what an outlook says, by exhaustive search.
func outlookWaves(want naiveAnswer) int {
	switch naiveWinner(want) {
	case Soldiers:
		return want.soldiers
	case Castle:
		return want.longest
	default:
		return 0
	}
}

// advised plays as it is advised to the end, and returns the soldiers who have won.
func advised(b Battle, s State) int {
	for {
		var winner Winner
		if s, winner = b.Step(s, b.ValueFrom(s).AtDefenders); winner != Undecided {
			if winner == Soldiers {
				return int(s.Soldiers)
			}
			return 0
		}
	}
}

// TestSafestStrategy: in strides it is wave by wave what is advised, and it ends as has been said.
func TestSafestStrategy(t *testing.T) {
	for n := int64(1); n <= 16; n++ {
		for s := int64(1); s <= 60; s++ {
			for d := int64(1); d <= 30; d++ {
				b := Battle{n, s, d}
				before := b.Start()
				for wave := range b.Waves(b.SafestStrategy()) {
					if wave.Number == 0 {
						continue
					}
					if advice := b.ValueFrom(before); advice.AtDefenders != wave.AtDefenders {
						t.Fatalf("%v, wave %d: %d shoot at defenders, advised is %+v", b, wave.Number, wave.AtDefenders,
							advice)
					}
					before = wave.State
				}
				survivors, _ := b.MostSurvivors()
				if before.Soldiers != survivors && b.MinWaves() > 0 {
					t.Fatalf("%v: %d soldiers are left, it can be %d", b, before.Soldiers, survivors)
				}
			}
		}
	}
}

// TestOutlookHuge: at the start of battles of every size the outlook is what the closed forms say, and no play from
// there overflows, or goes on for ever without a castle that falls.
func TestOutlookHuge(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	number := func() int64 { return math.MaxInt64>>r.IntN(63) - r.Int64N(2) | 1 }
	for range 20_000 {
		b := Battle{number(), number(), number()}
		want := Value{Winner: b.Solve().Winner, Waves: b.MinWaves()}
		if want.Winner == Castle {
			want.Waves = b.LongestResistance().Waves
		}
		s := b.Start()
		got := b.ValueFrom(s)
		if got.Winner != want.Winner || got.Waves != want.Waves {
			t.Fatalf("%v: %+v, the closed forms say %+v", b, got, want)
		}
		for range 100 {
			low, high := s.Moves()
			order := low + r.Int64N(3)*((high-low)/2)
			was := b.ValueFrom(s)
			next, winner := b.Step(s, order)
			if winner != Undecided {
				break
			}
			if is := b.ValueFrom(next); was.Worse(is) || is.Winner == was.Winner && is.Winner != Tie &&
				(is.Waves+1-was.Waves)*sign(is.Winner) < 0 {
				t.Fatalf("%v, %v: %+v, and %+v after %d: no order is better than the best", b, s, was, is, order)
			}
			s = next
		}
	}
}

// sign is 1 for those who want few waves, -1 for those who want many.
func sign(winner Winner) int64 {
	if winner == Soldiers {
		return 1
	}
	return -1
}
