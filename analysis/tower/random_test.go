package tower

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/must"
)

func mustRandom(t testing.TB, b Battle, reading Reading, o RandomOptions) Distribution {
	t.Helper()
	d, err := b.Random(t.Context(), reading, o)
	if err != nil {
		t.Fatalf("%v %v: %v", b, reading, err)
	}
	return d
}

// TestRandomData compares results with exact probabilities on which other programs agree.
func TestRandomData(t *testing.T) {
	if rows := must.Rows(t, tables, t.Name()); len(rows) != 15 {
		t.Fatalf("%d rows, want 15", len(rows))
	}
	must.Answers(t, tables, func(row struct{ Battle Battle }) (wins []any) {
		for _, reading := range Readings() {
			got := mustRandom(t, row.Battle, reading, RandomOptions{})
			if wins = append(wins, got.Win); got.Method != Exact || got.Error != 0 {
				t.Errorf("%v %v: %+v is not exact", row.Battle, reading, got)
			}
		}
		return wins
	})
}

// enumerable are the battles for which all sequences of shots can be tried.
var enumerable = small(Battle{7, 4, 3, 1}, Battle{9, 5, 2, 2}, Battle{7, 3, 2, 3}, Battle{5, 2, 2, 4})

// TestRandomAgainstEnumeration compares all three methods with all sequences of shots: fractions and shortcuts
// exactly, floating-point numbers within their bound, and the simulation within its interval, widened so that no
// failure is expected in the whole list.
func TestRandomAgainstEnumeration(t *testing.T) {
	for b := range enumerable {
		for _, reading := range Readings() {
			want := naiveDistribution(naiveStart(b), int(b.KillsPerTower), reading)
			for _, method := range []Method{Automatic, Exact} {
				got := mustRandom(t, b, reading, RandomOptions{Method: method})
				if got.Method != Exact || got.Win.Exact.Cmp(want.Win.Exact) != 0 ||
					!slices.EqualFunc(got.Outcomes, want.Outcomes, sameExactly) {
					t.Errorf("%v %v %v: %+v, want %+v", b, reading, method, got, want)
				}
			}
			checkFloat(t, b, want, mustRandom(t, b, reading, RandomOptions{Method: Float}))
		}
	}
}

// naiveDistribution returns naiveRandomFrom's result as a Distribution.
func naiveDistribution(start naiveState, kills int, reading Reading) Distribution {
	exact := Distribution{Method: Exact, Win: Probability{Exact: new(big.Rat)}}
	for o, p := range naiveRandomFrom(start, kills, reading == Sequential) {
		exact.Outcomes = append(exact.Outcomes, Outcome{o.winner, int64(o.rounds), Probability{Exact: p}})
		if o.winner == Soldiers {
			exact.Win.Exact.Add(exact.Win.Exact, p)
		}
	}
	sortOutcomes(exact.Outcomes)
	return exact
}

func sameExactly(a, b Outcome) bool {
	return a.Winner == b.Winner && a.Rounds == b.Rounds && a.Probability.Exact.Cmp(b.Probability.Exact) == 0
}

// checkFloat compares the two chains of one battle.
func checkFloat(t *testing.T, b Battle, exact, float Distribution) {
	t.Helper()
	if float.Method != Float || float.Error <= 0 || float.Error > 1e-9 || len(exact.Outcomes) != len(float.Outcomes) {
		t.Fatalf("%v: %+v", b, float)
	}
	within := func(p, q Probability) bool {
		distance := new(big.Rat).Sub(p.Exact, new(big.Rat).SetFloat64(q.Float))
		return distance.Abs(distance).Cmp(new(big.Rat).SetFloat64(float.Error)) <= 0
	}
	if !within(exact.Win, float.Win) {
		t.Errorf("%v: %v, exactly %v", b, float.Win, exact.Win)
	}
	for i, outcome := range exact.Outcomes {
		if other := float.Outcomes[i]; other.Winner != outcome.Winner || other.Rounds != outcome.Rounds ||
			!within(outcome.Probability, other.Probability) {
			t.Errorf("%v: %+v, exactly %+v", b, other, outcome)
		}
	}
}

// larger contains battles that are too large to enumerate, but small enough for both chains.
var larger = []Battle{
	{13, 2, 3, 8},
	{17, 6, 2, 5},
	{20, 6, 2, 5},
	{14, 2, 1, 12},
	{32, 8, 4, 6},
	{22, 20, 3, 3},
	{50, 90, 7, 2},
}

func TestFloatAgainstExact(t *testing.T) {
	for _, b := range larger {
		for _, reading := range Readings() {
			o := RandomOptions{Method: Exact, MaxSteps: 1 << 40}
			exact := mustRandom(t, b, reading, o)
			o.Method = Float
			checkFloat(t, b, exact, mustRandom(t, b, reading, o))
		}
	}
}

// TestSimulationAgainstExact checks that the interval contains the exact probability. The seed is fixed, so the result
// does not depend on luck; with other seeds, about one in a hundred may fail.
func TestSimulationAgainstExact(t *testing.T) {
	for _, b := range larger {
		for _, reading := range Readings() {
			exact := mustRandom(t, b, reading, RandomOptions{Method: Float, MaxSteps: 1 << 40})
			got := mustRandom(t, b, reading, RandomOptions{Method: MonteCarlo, Samples: 20_000, Seed: 1})
			if got.Method != MonteCarlo || got.Samples != 20_000 || got.Low > exact.Win.Float+exact.Error ||
				got.High < exact.Win.Float-exact.Error || got.Error > 0.01 {
				t.Errorf("%v %v: %+v, exactly %v", b, reading, got, exact.Win)
			}
			for _, outcome := range exact.Outcomes {
				i := slices.IndexFunc(got.Outcomes, func(o Outcome) bool {
					return o.Winner == outcome.Winner && o.Rounds == outcome.Rounds
				})
				if p := outcome.Probability.Float; p > 0.001 &&
					(i < 0 || math.Abs(got.Outcomes[i].Probability.Float-p) > 5*math.Sqrt(p/20_000)) {
					t.Errorf("%v %v: %+v, exactly %+v", b, reading, got.Outcomes, outcome)
				}
			}
		}
	}
}

// TestSimulationStream fixes the random numbers: different numbers for the same seed would change results.
func TestSimulationStream(t *testing.T) {
	b := Battle{17, 6, 2, 5}
	for _, workers := range []int{1, 2, 7} {
		options := RandomOptions{Method: MonteCarlo, Samples: 10_000, Seed: 42, Workers: workers}
		got := mustRandom(t, b, Simultaneous, options)
		if wins := math.Round(got.Win.Float * 10_000); wins != 2378 {
			t.Errorf("%d workers: %v wins", workers, wins)
		}
	}
	one := mustRandom(t, b, Sequential, RandomOptions{Method: MonteCarlo, Samples: 5_000, Seed: 42, Workers: 1})
	two := mustRandom(t, b, Sequential, RandomOptions{Method: MonteCarlo, Samples: 5_000, Seed: 42, Workers: 3})
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("(-1 worker +3 workers):\n%s", diff)
	}
}

// TestMethods checks that the choice depends on the work, and that too much work is refused.
func TestMethods(t *testing.T) {
	type row struct {
		Battle                Battle
		MaxSteps, MemoryLimit int64
		Want                  Method
	}
	for at, row := range must.Table[row](t, tables, "TestMethods") {
		for _, reading := range Readings() {
			options := RandomOptions{MaxSteps: row.MaxSteps, MemoryLimit: row.MemoryLimit}
			if got := mustRandom(t, row.Battle, reading, options); got.Method != row.Want {
				t.Errorf("%s, %v: method %v, want %v", at, reading, got.Method, row.Want)
			}
		}
	}
	type refused struct {
		Battle   Battle
		Method   Method
		MaxSteps int64
	}
	var steps *LimitError
	for at, row := range must.Table[refused](t, tables, "TestTooMuch") {
		options := RandomOptions{Method: row.Method, MaxSteps: row.MaxSteps}
		if d, err := row.Battle.Random(t.Context(), Simultaneous, options); !errors.As(err, &steps) {
			t.Errorf("%s: %+v, error %v", at, d, err)
		}
	}
}

// TestRandomCancelled checks that the error is the context's cause, even if chance plays no role.
func TestRandomCancelled(t *testing.T) {
	for _, b := range []Battle{{30, 6, 2, 5}, {1, 1, 1, 1}} {
		for _, method := range []Method{Automatic, Exact, Float, MonteCarlo} {
			options := RandomOptions{Method: method, MaxSteps: 1 << 30}
			if d, err := b.Random(must.CanceledContext(t), Simultaneous, options); !must.Stopped(err) {
				t.Errorf("%v %v: %+v, error %v", b, method, d, err)
			}
		}
	}
}

// TestChainCost checks that the estimate of the work is an upper bound.
func TestChainCost(t *testing.T) {
	check := func(b Battle) {
		for _, reading := range Readings() {
			c := b.newChain(b.Start(), reading, noFloats)
			c.ctx, c.progress = t.Context(), func(int64, int64) {}
			must.Do(t, c.run())
			if cost := b.chainCost(reading, RandomOptions{MaxSteps: 1 << 40}.withDefaults()); !cost.float ||
				cost.steps < c.done {
				t.Errorf("%v %v: estimated %d steps, took %d", b, reading, cost.steps, c.done)
			}
		}
	}
	for b := range enumerable {
		check(b)
	}
	for _, b := range larger {
		check(b)
	}
}

// TestLatticeSize compares numbers of multisets with binomial coefficients, on both sides of a limit.
func TestLatticeSize(t *testing.T) {
	for towers := int64(1); towers <= 6; towers++ {
		for hits := int64(1); hits <= 6; hits++ {
			want := new(big.Int).Binomial(towers+hits, towers).Int64()
			for limit := want - 1; limit <= want+1; limit++ {
				got := latticeSize(towers, hits, limit)
				if want > limit && got <= limit || want <= limit && got != want {
					t.Errorf("%d towers of %d hits, up to %d: %d, want %d", towers, hits, limit, got, want)
				}
			}
		}
	}
	if got := latticeSize(math.MaxInt64, math.MaxInt64, 1<<30); got <= 1<<30 {
		t.Errorf("latticeSize = %d", got)
	}
}

// tail returns the probability of at least x successes in n trials, in fractions.
func tail(x, n int64, p float64) float64 {
	one, success, sum := big.NewRat(1, 1), new(big.Rat).SetFloat64(p), new(big.Rat)
	failure := new(big.Rat).Sub(one, success)
	power := func(base *big.Rat, exponent int64) *big.Rat {
		e := big.NewInt(exponent)
		return new(big.Rat).SetFrac(new(big.Int).Exp(base.Num(), e, nil), new(big.Int).Exp(base.Denom(), e, nil))
	}
	for i := x; i <= n; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(n, i))
		sum.Add(sum, term.Mul(term, new(big.Rat).Mul(power(success, i), power(failure, n-i))))
	}
	value, _ := sum.Float64()
	return value
}

// TestClopperPearson checks that the tails are exactly alpha/2 at the ends of the interval.
func TestClopperPearson(t *testing.T) {
	const alpha = 0.01
	for _, n := range []int64{1, 2, 5, 12, 40} {
		for x := int64(0); x <= n; x++ {
			low, high := clopperPearson(x, n, alpha)
			if x == 0 && low != 0 || x > 0 && math.Abs(tail(x, n, low)-alpha/2) > 1e-12 {
				t.Errorf("%d of %d: low end %v", x, n, low)
			}
			if x == n && high != 1 || x < n && math.Abs(1-tail(x+1, n, high)-alpha/2) > 1e-12 {
				t.Errorf("%d of %d: high end %v", x, n, high)
			}
		}
	}
}

// TestIntervalOfManyTrials compares the interval with the normal approximation. With this number of trials, the error
// of the approximation is a hundredth of the width.
func TestIntervalOfManyTrials(t *testing.T) {
	const z = 2.5758293035489 // the normal quantile of 0.995
	for _, n := range []int64{100_000, 10_000_000, 1_000_000_000} {
		for _, p := range []float64{0.1, 0.5, 0.93} {
			low, high := clopperPearson(int64(p*float64(n)), n, 0.01)
			width := 2 * z * math.Sqrt(p*(1-p)/float64(n))
			if math.Abs(high-low-width) > width/100 || low >= p || high <= p {
				t.Errorf("%v of %d: %v to %v", p, n, low, high)
			}
		}
	}
}

// damaged yields the states with at most the given numbers of soldiers and towers, with any damage.
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

// checkFrom continues with a strategy from a state, and compares every round with all plays.
func checkFrom(t *testing.T, s naiveState, kills int, strategy Strategy, layers []naiveLayer) {
	t.Helper()
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

// TestBestAndWorst starts from towers with any damage. It checks that in every later round no play, wasting shots or
// not, has more soldiers or fewer towers than Greedy, and that none wins earlier. No play without waste has fewer
// soldiers or more towers than Fewest, and if Fewest wins, every such play wins. FewestDestroyed must return the
// fewest towers that fall in the first round.
func TestBestAndWorst(t *testing.T) {
	for _, limit := range [][3]int{{24, 1, 8}, {20, 2, 6}, {12, 3, 5}, {9, 4, 5}} {
		damaged(limit[0], limit[1], limit[2], func(s naiveState) {
			for kills := 1; kills <= 3; kills++ {
				all, thrifty := naiveLayersFrom(s, kills, true), naiveLayersFrom(s, kills, false)
				checkFrom(t, s, kills, Greedy, all)
				checkFrom(t, s, kills, Fewest, thrifty)
				least, leastWasting := int64(len(s.towers)-thrifty[0].towers[1]), int64(len(s.towers)-all[0].towers[1])
				state := s.state()
				if got := state.FewestDestroyed(); got != least {
					t.Fatalf("%v: at least %d towers fall, want %d", s, got, least)
				}
				if got := state.FewestDestroyedWasting(); got != leastWasting {
					t.Fatalf("%v: with wasted shots at least %d towers fall, want %d", s, got, leastWasting)
				}
			}
		})
	}
}

// TestRandomFrom compares RandomFrom with an enumeration of all sequences of shots.
func TestRandomFrom(t *testing.T) {
	for _, limit := range [][3]int{{6, 2, 4}, {5, 3, 3}} {
		damaged(limit[0], limit[1], limit[2], func(s naiveState) {
			for kills := 1; kills <= 2; kills++ {
				for _, reading := range Readings() {
					want := naiveDistribution(s, kills, reading)
					b := Battle{Soldiers: int64(s.soldiers), KillsPerTower: int64(kills)}
					got := must.Get(b.RandomFrom(t.Context(), s.state(), reading, RandomOptions{}))
					checkFloat(t, b, want, got)
				}
			}
		})
	}
}

// TestRandomFromGivesUp checks that RandomFrom gives up before the work begins, and when the steps are used up.
func TestRandomFromGivesUp(t *testing.T) {
	type row struct {
		Battle                Battle
		MaxSteps, MemoryLimit int64
	}
	var steps *LimitError
	for at, row := range must.Table[row](t, tables, "TestRandomFromGivesUp") {
		b, options := row.Battle, RandomOptions{MaxSteps: row.MaxSteps, MemoryLimit: row.MemoryLimit}
		if d, err := b.RandomFrom(t.Context(), b.Start(), Simultaneous, options); !errors.As(err, &steps) {
			t.Errorf("%s: %+v, %v", at, d, err)
		}
	}
	b := Battle{27, 6, 2, 8}
	if _, err := b.RandomFrom(must.CanceledContext(t), b.Start(), Simultaneous, RandomOptions{}); !must.Stopped(err) {
		t.Errorf("error %v, want the cause of the context", err)
	}
}
