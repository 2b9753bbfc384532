package tower

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
)

// damaged yields the states with so many soldiers and towers at most, whatever damage the towers have.
func damaged(soldiers, towers, hits int, yield func(naiveState)) {
	var add func(list []int)
	add = func(list []int) {
		if len(list) > 0 {
			for n := 1; n <= soldiers; n++ {
				yield(naiveState{n, slices.Clone(list)})
			}
		}
		if len(list) == towers {
			return
		}
		least := 1
		if len(list) > 0 {
			least = list[len(list)-1]
		}
		for h := least; h <= hits; h++ {
			add(append(list, h))
		}
	}
	add(nil)
}

func (s naiveState) state() State {
	state := State{Soldiers: int64(s.soldiers)}
	for _, hits := range s.towers {
		state.Groups = append(state.Groups, Group{1, int64(hits)})
	}
	state.Groups = gather(state.Groups)
	return state
}

// checkFrom plays on by a strategy from a state, and compares every round with all plays.
func checkFrom(t *testing.T, s naiveState, kills int, strategy Strategy, waste bool) {
	t.Helper()
	layers := naiveLayersFrom(s, kills, waste)
	best := strategy == Greedy
	for round := range (Battle{KillsPerTower: int64(kills)}).RoundsFrom(s.state(), strategy.Aims) {
		if round.Number == 0 {
			continue
		}
		layer := layers[round.Number-1]
		soldiers, towers, other := layer.soldiers[0], layer.towers[1], Towers
		if best {
			soldiers, towers, other = layer.soldiers[1], layer.towers[0], Soldiers
		}
		if round.State.Soldiers != int64(soldiers) || round.State.Towers() != int64(towers) ||
			layer.winners[other] != (round.Winner == other) {
			t.Fatalf("%v, %d kills, round %d by %v: %+v, all plays %+v", s, kills, round.Number, strategy, round, layer)
		}
		if round.Winner != Undecided && round.Winner != other && len(layers) != int(round.Number) {
			t.Fatalf("%v, %d kills: %v ends in round %d, another play in %d", s, kills, strategy, round.Number,
				len(layers))
		}
	}
}

// TestBestAndWorstFromAnyState: towers may be damaged in any way, and Greedy is the best play from there on, Fewest the
// worst without waste.
func TestBestAndWorstFromAnyState(t *testing.T) {
	for _, limit := range [][3]int{{14, 2, 6}, {9, 3, 4}, {7, 4, 3}} {
		damaged(limit[0], limit[1], limit[2], func(s naiveState) {
			for kills := 1; kills <= 3; kills++ {
				checkFrom(t, s, kills, Greedy, true)
				checkFrom(t, s, kills, Fewest, false)
			}
		})
	}
}

// TestRandomFrom compares with all sequences of shots.
func TestRandomFrom(t *testing.T) {
	for _, limit := range [][3]int{{6, 2, 4}, {5, 3, 3}} {
		damaged(limit[0], limit[1], limit[2], func(s naiveState) {
			for kills := 1; kills <= 2; kills++ {
				for _, reading := range Readings() {
					want := naiveRandomFrom(s, kills, reading == Sequential)
					got, err := Battle{KillsPerTower: int64(kills)}.RandomFrom(t.Context(), s.state(), reading,
						RandomOptions{})
					if err != nil {
						t.Fatal(err)
					}
					exact := Distribution{Method: Exact, Win: Probability{Exact: new(big.Rat)}}
					for o, p := range want {
						exact.Outcomes = append(exact.Outcomes, Outcome{
							o.winner, int64(o.rounds),
							Probability{Exact: p},
						})
						if o.winner == Soldiers {
							exact.Win.Exact.Add(exact.Win.Exact, p)
						}
					}
					sortOutcomes(exact.Outcomes)
					checkFloat(t, Battle{Soldiers: int64(s.soldiers), KillsPerTower: int64(kills)}, exact, got)
				}
			}
		})
	}
}

// TestRandomFromStart: from the start it is Random.
func TestRandomFromStart(t *testing.T) {
	for _, b := range larger {
		for _, reading := range Readings() {
			want := mustRandom(t, b, reading, RandomOptions{Method: Float, MaxSteps: 1 << 40})
			got, err := b.RandomFrom(t.Context(), b.Start(), reading, RandomOptions{MaxSteps: 1 << 40})
			if err != nil || got.Win != want.Win || got.Error != want.Error ||
				!slices.Equal(got.Outcomes, want.Outcomes) {
				t.Errorf("%v %v: %+v, %v, want %+v", b, reading, got, err, want)
			}
		}
	}
}

// TestRandomFromGivesUp: before it begins, and when the steps are used up.
func TestRandomFromGivesUp(t *testing.T) {
	var steps *LimitError
	for _, c := range []struct {
		b Battle
		o RandomOptions
	}{
		{Battle{225, 20, 1, 40}, RandomOptions{}},
		{Battle{math.MaxInt64, 1, 1, 1}, RandomOptions{MaxSteps: 1000}},
		{
			Battle{math.MaxInt64, math.MaxInt64, 1, math.MaxInt64},
			RandomOptions{MaxSteps: math.MaxInt64, MemoryLimit: math.MaxInt64},
		},
		{Battle{27, 6, 2, 8}, RandomOptions{MaxSteps: 100_000}},
		{Battle{27, 6, 2, 8}, RandomOptions{MemoryLimit: 500_000}},
		{Battle{27, 6, 2, 8}, RandomOptions{MemoryLimit: 1000}},
	} {
		if d, err := c.b.RandomFrom(t.Context(), c.b.Start(), Simultaneous, c.o); !errors.As(err, &steps) {
			t.Errorf("%v with %+v: %+v, %v", c.b, c.o, d, err)
		}
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	b := Battle{27, 6, 2, 8}
	if _, err := b.RandomFrom(ctx, b.Start(), Simultaneous, RandomOptions{}); !errors.Is(err, enough) ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the cause of the context", err)
	}
}

// TestAimLeft: what is left of a tower is what Step leaves.
func TestAimLeft(t *testing.T) {
	for shots := range int64(8) {
		aim := Aim{Towers: 1, Hits: 4, Shots: shots}
		next, _, _ := Battle{KillsPerTower: 1}.Step(State{7, []Group{{1, 4}, {1, 3}}}, []Aim{aim, {1, 3, 7 - shots}})
		stands := slices.ContainsFunc(next.Groups, func(g Group) bool { return g.Hits == aim.Left() })
		if aim.Left() != max(0, 4-shots) || stands != (shots < 4) {
			t.Errorf("%+v: %d hits left, %+v", aim, aim.Left(), next)
		}
	}
}
