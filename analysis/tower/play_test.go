package tower

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// TestContest checks Greedy on system tests of TopCoder SRM 418 (Towers).
func TestContest(t *testing.T) {
	type row struct {
		Name   string
		Battle Battle
	}
	if rows := must.Rows(t, "testdata/contest.txt", t.Name()); len(rows) != 57 {
		t.Fatalf("%d rows, want 57", len(rows))
	}
	must.Answers(t, "testdata/contest.txt", func(row row) []any {
		end := must.Get(row.Battle.Play(Greedy, 0))
		if end.Winner == Towers {
			return []any{end.Winner, 0}
		}
		return []any{end.Winner, end.Rounds}
	})
}

// naiveEven gives shots to the towers one after another, beginning with the first tower in every round.
func naiveEven(s naiveState) []int {
	shots := make([]int, len(s.towers))
	for i := range s.soldiers {
		shots[i%len(shots)]++
	}
	return shots
}

// checkDealt compares the rounds of a strategy with the shots that deal gives to the towers, weakest first.
func checkDealt(t *testing.T, b Battle, strategy Strategy, deal func(naiveState) []int) {
	t.Helper()
	k := int(b.KillsPerTower)
	s, killsLeft, winner := naiveStart(b), k*int(b.Towers), Undecided
	for round := range b.Rounds(strategy) {
		if round.Number > 0 {
			s, killsLeft, winner = naiveFire(s, deal(s), k)
		}
		if round.Winner != winner || round.KillsLeft != wide(int64(killsLeft)) ||
			round.State.Soldiers != int64(s.soldiers) || !slices.Equal(hitsOf(round.State), s.towers) {
			t.Fatalf("%v by %v: %+v, want %v with %d kills left, %v", b, strategy, round, s, killsLeft, winner)
		}
	}
}

// TestEvenAgainstDealing compares the rounds of Even with shots given one by one. If the remaining soldiers fired at
// the towers with the most hits, Even would be Fewest.
func TestEvenAgainstDealing(t *testing.T) {
	for b := range battles(to(40), to(9), to(3), to(7)) {
		checkDealt(t, b, Even, naiveEven)
		checkDealt(t, b, Fewest, func(s naiveState) []int {
			shots := naiveEven(s)
			slices.Reverse(shots) // because the towers are in increasing order
			return shots
		})
	}
}

// hitsOf lists the hits of every tower, weakest first.
func hitsOf(s State) []int {
	var list []int
	for _, group := range slices.Backward(s.Groups) {
		list = append(list, slices.Repeat([]int{int(group.Hits)}, int(group.Towers))...)
	}
	return list
}

// drawPositive prefers both ends of the range.
func drawPositive(t *rapid.T, label string) int64 {
	return rapid.OneOf(
		rapid.Int64Range(1, 40), rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(math.MaxInt64-40, math.MaxInt64),
		rapid.Custom(func(t *rapid.T) int64 { return 1 << rapid.IntRange(0, 62).Draw(t, "exponent") }),
	).Draw(t, label)
}

// checkRuns compares the runs of a battle, and its end, with single rounds, up to the given number of rounds.
func checkRuns(t rapid.TB, b Battle, strategy Strategy, limit int64) {
	var rounds []Round
	for round := range b.Rounds(strategy) {
		if rounds = append(rounds, round); round.Number == limit {
			break
		}
	}
	for run := range b.Runs(strategy) {
		if run.Last >= int64(len(rounds)) {
			break // the rounds are beyond the limit
		}
		round := rounds[run.Last]
		if got := (Round{run.Last, run.State, run.KillsLeft, run.Winner}); !reflect.DeepEqual(got, round) {
			t.Fatalf("%v by %v, rounds %d-%d: %+v, single %+v", b, strategy, run.First, run.Last, got, round)
		}
		for number := run.First; number <= run.Last; number++ {
			if rounds[number].State.Towers() != run.State.Towers() {
				t.Fatalf("%v by %v: not the same towers in the rounds %d-%d", b, strategy, run.First, run.Last)
			}
		}
	}
	last := rounds[len(rounds)-1]
	if last.Winner == Undecided {
		return
	}
	result, err := b.Play(strategy, 0)
	want := Result{
		last.Winner, last.Number, last.State.Soldiers, last.State.Towers(), last.State.HitsLeft(), last.KillsLeft,
	}
	if err != nil || result != want {
		t.Fatalf("%v by %v: %+v, %v, want %+v", b, strategy, result, err, want)
	}
}

func TestRunsAgainstRounds(t *testing.T) {
	for n := int64(1); n <= 60; n++ {
		for h := int64(1); h <= 30; h += 1 + h/6 {
			for k := int64(1); k <= 4; k++ {
				for towers := int64(1); towers <= 20; towers += 1 + towers/5 {
					for _, strategy := range Strategies() {
						checkRuns(t, Battle{n, h, k, towers}, strategy, math.MaxInt64)
					}
				}
			}
		}
	}
}

func TestRunsAgainstRoundsHuge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Battle{drawPositive(t, "n"), drawPositive(t, "h"), drawPositive(t, "k"), drawPositive(t, "t")}
		checkRuns(t, b, rapid.SampledFrom(Strategies()).Draw(t, "strategy"), 2000)
	})
	// These are long battles with few towers. Their runs have many rounds.
	rapid.Check(t, func(t *rapid.T) {
		towers := rapid.Int64Range(1, 9).Draw(t, "t")
		h := rapid.Int64Range(1, 1<<40).Draw(t, "h")
		n := max(1, int64(math.Sqrt(2*float64(h))*float64(towers)*rapid.Float64Range(0.3, 1.5).Draw(t, "n")))
		checkRuns(t, Battle{n, h, 1, towers}, rapid.SampledFrom(Strategies()).Draw(t, "strategy"), 5000)
	})
}

// TestLongBattle plays four billion rounds against one tower: n + (n-1) + ... + 1 shots destroy it in the last round;
// if it can take one more hit, it stands.
func TestLongBattle(t *testing.T) {
	const n = 4_000_000_000
	for _, strategy := range Strategies() {
		got := must.Get(Battle{n, n * (n + 1) / 2, 1, 1}.Play(strategy, 0))
		if got.Winner != Soldiers || got.Rounds != n || got.SoldiersLeft != 1 {
			t.Errorf("%v: %+v", strategy, got)
		}
		got = must.Get(Battle{n, n*(n+1)/2 + 1, 1, 1}.Play(strategy, 0))
		if got.Winner != Towers || got.Rounds != n || got.HitsLeft != wide(1) {
			t.Errorf("%v: %+v", strategy, got)
		}
	}
}

func TestLimitError(t *testing.T) {
	var steps *LimitError
	if _, err := (Battle{13, 2, 3, 8}).Play(Greedy, 1); !errors.As(err, &steps) || steps.Limit != 1 {
		t.Errorf("error %v", err)
	}
	if _, err := (Battle{13, 2, 3, 8}).Play(Greedy, 2); err != nil {
		t.Error(err)
	}
	if _, err := (Battle{0, 100, 1, 100}).MinSoldiers(Greedy, 5); !errors.As(err, &steps) || steps.Limit != 5 {
		t.Errorf("error %v", err)
	}
}

// TestMinSoldiers tries all numbers of soldiers, so it also checks that more soldiers never do worse.
func TestMinSoldiers(t *testing.T) {
	for _, strategy := range Strategies() {
		for b := range battles(to(1), to(12), to(4), to(9)) {
			got := must.Get(b.MinSoldiers(strategy, 0))
			for ; b.Soldiers <= b.HitsPerTower*b.Towers+2; b.Soldiers++ {
				result := must.Get(b.Play(strategy, 0))
				if (result.Winner == Soldiers) != (b.Soldiers >= got) {
					t.Fatalf("%v: %v ends with %v, the fewest to win are %d", strategy, b, result.Winner, got)
				}
			}
		}
	}
	if got, err := (Battle{0, math.MaxInt64, 1, math.MaxInt64}).MinSoldiers(Greedy, 0); got != 0 || err != nil {
		t.Errorf("no number of soldiers should do: %d, %v", got, err)
	}
	if got, err := (Battle{0, 1, math.MaxInt64, math.MaxInt64}).MinSoldiers(Fewest, 0); got != math.MaxInt64 ||
		err != nil {
		t.Errorf("one shot for each tower: %d, %v", got, err)
	}
	for _, wrong := range []Battle{{1, 0, 1, 1}, {1, 1, -1, 1}, {1, 1, 1, math.MinInt64}} {
		if got, err := wrong.MinSoldiers(Even, 0); err == nil {
			t.Errorf("%v is accepted: %d", wrong, got)
		}
	}
}

// FuzzStep plays two groups of towers with two aims, in big integers.
func FuzzStep(f *testing.F) {
	f.Add(int64(13), int64(3), int64(8), int64(2), int64(0), int64(0), int64(6), int64(2))
	f.Add(int64(5), int64(3), int64(1), int64(4), int64(1), int64(2), int64(1), int64(4))
	f.Add(int64(1<<62), int64(1<<62), int64(1<<61), int64(1<<62), int64(1<<61), int64(7), int64(1<<60), int64(2))
	f.Fuzz(func(t *testing.T, soldiers, kills, towers, hits, moreTowers, moreHits, aimedAt, shots int64) {
		if soldiers < 1 || kills < 1 || towers < 1 || hits < 1 || moreTowers < 0 || moreHits < 1 || shots < 0 ||
			towers+moreTowers < 0 || hits+moreHits < 0 || aimedAt < 0 {
			return
		}
		// The first towers that are aimed at get their shots. One of the others gets the rest.
		aimedAt = min(aimedAt, towers-1)
		if aimedAt > 0 {
			shots = min(shots, soldiers/aimedAt)
		}
		s := State{soldiers, gather([]Group{{towers, hits}, {moreTowers, hits + moreHits}})}
		aims := addAim([]Aim{{1, hits, soldiers - aimedAt*shots}}, aimedAt, hits, shots)
		next, killsLeft, winner := Battle{1, 1, kills, 1}.Step(s, aims)

		standing, hitsLeft := big.NewInt(towers), new(big.Int).Mul(big.NewInt(towers), big.NewInt(hits))
		standing.Add(standing, big.NewInt(moreTowers))
		hitsLeft.Add(hitsLeft, new(big.Int).Mul(big.NewInt(moreTowers), big.NewInt(hits+moreHits)))
		for _, aim := range aims {
			if aim.Shots >= hits {
				standing.Sub(standing, big.NewInt(aim.Towers))
			}
			hitsLeft.Sub(hitsLeft, new(big.Int).Mul(big.NewInt(aim.Towers), big.NewInt(min(hits, aim.Shots))))
		}
		if got := next.Towers(); standing.Cmp(big.NewInt(got)) != 0 || hitsLeft.Cmp(next.HitsLeft().Big()) != 0 {
			t.Fatalf("%+v, %+v: %+v, want %v towers and %v hits", s, aims, next, standing, hitsLeft)
		}
		balance := new(big.Int).Sub(big.NewInt(soldiers), new(big.Int).Mul(standing, big.NewInt(kills)))
		switch {
		case standing.Sign() == 0:
			if winner != Soldiers || next.Soldiers != soldiers || killsLeft != (Uint128{}) {
				t.Fatalf("%+v, %+v: %+v %v %v", s, aims, next, killsLeft, winner)
			}
		case balance.Sign() > 0:
			if winner != Undecided || big.NewInt(next.Soldiers).Cmp(balance) != 0 || killsLeft != (Uint128{}) {
				t.Fatalf("%+v, %+v: %+v %v %v, want %v soldiers", s, aims, next, killsLeft, winner, balance)
			}
		default:
			if winner != Towers || next.Soldiers != 0 || killsLeft.Big().Cmp(balance.Neg(balance)) != 0 {
				t.Fatalf("%+v, %+v: %+v %v %v, want %v kills left", s, aims, next, killsLeft, winner, balance)
			}
		}
		if !slices.IsSortedFunc(next.Groups, func(a, b Group) int { return int(min(1, max(-1, b.Hits-a.Hits))) }) {
			t.Fatalf("%+v: not in order", next)
		}
	})
}

// TestStepPanics checks that a call that the rules do not allow panics.
func TestStepPanics(t *testing.T) {
	b := Battle{5, 4, 3, 2}
	for name, c := range map[string]struct {
		s    State
		aims []Aim
	}{
		"too few shots":      {b.Start(), []Aim{{2, 4, 2}}},
		"too many shots":     {b.Start(), []Aim{{2, 4, 3}}},
		"no such towers":     {b.Start(), []Aim{{1, 3, 5}}},
		"too many towers":    {b.Start(), []Aim{{2, 4, 2}, {1, 4, 1}}},
		"less than no shots": {b.Start(), []Aim{{1, 4, 6}, {1, 4, -1}}},
		"no soldiers":        {State{0, b.Start().Groups}, nil},
		"no towers":          {State{5, nil}, nil},
	} {
		if must.Panic(func() { b.Step(c.s, c.aims) }) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestUint128(t *testing.T) {
	var values []Uint128
	for _, row := range must.Table[struct{ Number Uint128 }](t, tables, "TestUint128") {
		values = append(values, row.Number)
	}
	for _, u := range values {
		if number, ok := u.Int64(); ok != u.Big().IsInt64() || ok && number != u.Big().Int64() {
			t.Errorf("%v: %d, %v", u, number, ok)
		}
		if got, want := u.half().Big(), new(big.Int).Rsh(u.Big(), 1); got.Cmp(want) != 0 {
			t.Errorf("half of %v: %v", u, got)
		}
		for _, v := range values {
			if got, want := u.add(v).Big(), new(big.Int).Add(u.Big(), v.Big()); got.Cmp(want) != 0 {
				t.Errorf("%v + %v = %v", u, v, got)
			}
			if u.less(v) != (u.Big().Cmp(v.Big()) < 0) {
				t.Errorf("%v < %v is %v", u, v, u.less(v))
			}
			if u.less(v) {
				if got, want := v.sub(u).Big(), new(big.Int).Sub(v.Big(), u.Big()); got.Cmp(want) != 0 {
					t.Errorf("%v - %v = %v", v, u, got)
				}
			}
		}
		for _, d := range []int64{1, 2, 7, 1 << 40, 1<<63 - 1} {
			quotient, remainder := u.quoRem(d)
			q, r := new(big.Int).QuoRem(u.Big(), big.NewInt(d), new(big.Int))
			if quotient.Big().Cmp(q) != 0 || r.Cmp(big.NewInt(remainder)) != 0 {
				t.Errorf("%v / %d = %v, %d", u, d, quotient, remainder)
			}
		}
	}
}

// TestRandomAims checks that battles simulated round by round are won as often as the chain predicts. With this seed
// the interval contains the true value.
func TestRandomAims(t *testing.T) {
	const battles = 20_000
	for _, b := range []Battle{{10, 6, 8, 2}, {17, 6, 2, 5}, {13, 2, 3, 8}} {
		for _, reading := range Readings() {
			random := rand.New(rand.NewPCG(1, 2))
			wins := int64(0)
			for range battles {
				var last Round
				for last = range b.RoundsFrom(b.Start(), func(s State) []Aim { return reading.Aims(s, random) }) {
				}
				if last.Winner == Soldiers {
					wins++
				}
			}
			low, high := clopperPearson(wins, battles, 1e-6)
			if p := mustRandom(t, b, reading, RandomOptions{}).Win.Float; p < low || p > high {
				t.Errorf("%v %v: %d of %d battles are won, the probability is %v", b, reading, wins, battles, p)
			}
		}
	}
}

// TestRandomAimsWasteNothing checks that in sequential fire nobody fires at a fallen tower while another stands.
func TestRandomAimsWasteNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := State{Soldiers: 12, Groups: []Group{{2, 5}, {3, 2}}}
	for range 1000 {
		aims := Sequential.Aims(s, random)
		if slices.ContainsFunc(aims, func(a Aim) bool { return a.Shots > a.Hits }) {
			t.Fatalf("a shot is wasted: %+v", aims)
		}
	}
}

// BenchmarkPlay compares playing in strides with playing single rounds, in a battle of 9999 rounds against one tower,
// and in test 26 of the contest, which has 451 rounds.
func BenchmarkPlay(b *testing.B) {
	for _, battle := range []Battle{{10_000, 49_999_999, 1, 1}, {853_699, 8090, 1, 9543}} {
		b.Run(battle.String()+"/strides", func(b *testing.B) {
			for b.Loop() {
				must.Get(battle.Play(Greedy, 0))
			}
		})
		b.Run(battle.String()+"/rounds", func(b *testing.B) {
			for b.Loop() {
				for range battle.Rounds(Greedy) {
				}
			}
		})
	}
}
