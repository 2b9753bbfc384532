package castle

import (
	"math"
	"slices"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

// slow searches all lines of play of a small battle, move by move, without formulas.
type slow struct {
	game.Battle
	fall int64 // the wave in which the castle must fall; 0 for any wave
	wait bool  // whether wave 2 must shoot all defenders and leave the castle standing
	seen map[slowKey]int64
}

type slowKey struct {
	game.State
	wave int64
}

const never = math.MaxInt64

// wins returns the last wave of the fastest win from a state at the start of a wave, or never if there is none.
func (s *slow) wins(state game.State, wave int64) int64 {
	key := slowKey{state, wave}
	if best, ok := s.seen[key]; ok {
		return best
	}
	s.seen[key] = never // a line that returns to this state does not win earlier
	best := int64(never)
	const most = 40
	low, high := state.Moves()
	for move := low; move <= high && wave <= most; move++ {
		next, winner := s.Step(state, move)
		falls := state.CastleHits > 0 && next.CastleHits == 0
		switch {
		case falls && s.fall > 0 && wave != s.fall, !falls && wave == s.fall && next.CastleHits > 0:
			continue
		case s.wait && wave == 2 && (next.CastleHits == 0 || move != int64(state.Defenders)):
			continue
		case winner == game.Soldiers:
			best = min(best, wave)
		case winner == game.Undecided:
			best = min(best, s.wins(next, wave+1))
		}
	}
	s.seen[key] = best
	return best
}

func fewestSlowly(b game.Battle, fall int64, wait bool) int64 {
	s := slow{b, fall, wait, map[slowKey]int64{}}
	return s.wins(b.Start(), 1)
}

// TestStairsSlowly checks that a search, castle by castle, finds the same two marks for each stair.
func TestStairsSlowly(t *testing.T) {
	for n := int64(1); n <= 6; n++ {
		for d := int64(1); d <= 7; d++ {
			stairs := stairsAround(battle(n, 1, d))
			strong := 3*n + 6 // soldiers cannot take a stronger castle in five waves
			fewest := func(s, fall int64, wait bool) int64 {
				return fewestSlowly(battle(n, s, d), fall, wait)
			}
			for _, one := range stairs {
				if one.Waves < 2 || one.Waves > 5 {
					continue
				}
				struck, waited := int64(0), int64(0)
				for s := int64(1); s <= strong+6; s++ {
					if fewest(s, 2, false) <= one.Waves {
						struck = s
					}
					if one.Waves > 2 && d < n && fewest(s, 0, true) <= one.Waves {
						waited = s
					}
				}
				if one.struck > 0 && one.strike(n) != struck || one.Waves > 2 && one.waited != waited {
					t.Errorf("n = %d, d = %d, %d waves: marks at %d and %d, a search finds %d and %d", n, d, one.Waves,
						one.strike(n), one.waited, struck, waited)
				}
			}
		}
	}
}

// TestFallsAround checks that the falls that are shown are around the wave that readers are looking at, and include the
// best one.
func TestFallsAround(t *testing.T) {
	b := battle(1000, 3000, 990)
	first, last := b.Falls()
	_, best := b.MostSurvivors()
	for _, at := range []int64{1, first, first + 50, best, last, last + 9} {
		falls := fallsAround(b, at, best)
		from, to := window(at, fallsShown, first, last)
		at = min(max(at, first), last)
		if to-from != fallsShown-1 || at < from || at > to || from < first || to > last {
			t.Errorf("around wave %d are the waves %d to %d, of %d to %d", at, from, to, first, last)
		}
		waves := map[int64]bool{best: true}
		for wave := from; wave <= to; wave++ {
			waves[wave] = true
		}
		for i, f := range falls {
			if want, _ := b.FallIn(f.Wave); !waves[f.Wave] || f != want || i > 0 && f.Wave <= falls[i-1].Wave {
				t.Errorf("around wave %d: fall %d is %+v, want %+v", at, i, f, want)
			}
		}
		if len(falls) != len(waves) {
			t.Errorf("around wave %d are %d falls, want %d", at, len(falls), len(waves))
		}
	}
}

// TestHyperbola checks that the points of a hunt are on its curve, and that the curves do not cross the line between
// them.
func TestHyperbola(t *testing.T) {
	for _, hunts := range [][]HuntWave{
		{{40, 24}, {40, 25}},
		{{100, 61}, {100, 62}},
		{{5, 3}, {8, 5}},
		{{7, 1}},
		{{3, 2}},
	} {
		for _, a := range []arms{known, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 5}} {
			h := a.hyperbola(hunts...)
			picturetest.Drawn(t, h)
			k, m := float64(a.shots), float64(a.kills)
			for i, first := range hunts {
				form := float64(a.form(first).Int64())
				for _, p := range append(slices.Clone(h.Curves[i+1].Points), h.Walks[i].Points...) {
					if p.Y == -float64(hunts[len(hunts)-1].Soldiers) {
						continue // points with more spare shots than soldiers are drawn at the edge
					}
					got := k*p.X*p.X - k*m*p.X*p.Y - m*p.Y*p.Y
					if math.Abs(got-form) > 1e-6*max(1, k*m*p.X*p.X) {
						t.Errorf("%v, %v: at %v the form is %g, not %g", a, first, p, got, form)
					}
					if side := a.slope()*p.X - p.Y; side*form < 0 {
						t.Errorf("%v, %v: the form is %g, and %v is on the other side of the line", a, first, form, p)
					}
				}
			}
		}
	}
}

// TestStairs checks that each stair ends at the farther of its two marks.
func TestStairs(t *testing.T) {
	for _, c := range [][2]int64{{100, 95}, {100, 80}, {30, 29}, {5, 1}, {2, 1}} {
		n, d := c[0], c[1]
		b := battle(n, n+1, d)
		s, _ := stairsDrawing(b, stairsAround(b))
		picturetest.Drawn(t, s)
		for _, p := range s.Walks[0].Points {
			if b := battle(n, int64(p.X), d); float64(b.MinWaves()) != p.Y {
				t.Errorf("%v: %d waves, %g are drawn", b, b.MinWaves(), p.Y)
			}
		}
		for i := range s.Walks[1].Points {
			w := int64(i + 2)
			last := battle(n, int64(s.Walks[1].Points[i].X), d)
			if i > 0 {
				last.CastleHits = max(last.CastleHits, int64(s.Walks[2].Points[i-1].X))
			}
			next := last
			next.CastleHits++
			if last.MinWaves() > w || next.MinWaves() <= w {
				t.Errorf("%v: %d waves, one hit more %d, but the stair of %d ends there", last, last.MinWaves(),
					next.MinWaves(), w)
			}
		}
	}
}
