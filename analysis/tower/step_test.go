package tower

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzStep plays two groups of towers, with two aims, in big integers.
func FuzzStep(f *testing.F) {
	f.Add(int64(13), int64(3), int64(8), int64(2), int64(0), int64(0), int64(6), int64(2))
	f.Add(int64(5), int64(3), int64(1), int64(4), int64(1), int64(2), int64(1), int64(4))
	f.Add(int64(1<<62), int64(1<<62), int64(1<<61), int64(1<<62), int64(1<<61), int64(7), int64(1<<60), int64(2))
	f.Fuzz(func(t *testing.T, soldiers, kills, towers, hits, moreTowers, moreHits, aimedAt, shots int64) {
		if soldiers < 1 || kills < 1 || towers < 1 || hits < 1 || moreTowers < 0 || moreHits < 1 || shots < 0 ||
			towers+moreTowers < 0 || hits+moreHits < 0 || aimedAt < 0 {
			return
		}
		// The first towers aimed at get their shots, one of the others gets the rest.
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

// TestStepPanics: a call that the rules do not allow is a bug of the caller.
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
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			b.Step(c.s, c.aims)
		})
	}
}

func TestUint128(t *testing.T) {
	values := []Uint128{
		{},
		{0, 1},
		{0, 7},
		{0, 1 << 63},
		{1, 0},
		{1, 1 << 63},
		{1 << 62, 12345},
		{1<<63 - 1, 1<<64 - 1},
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

// TestRandomAims: battles that are thrown round by round are won as often as the chain says; at this seed the interval
// has the truth.
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

// TestRandomAimsWasteNothing: one after the other, nobody fires at a tower that has fallen while another stands.
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
